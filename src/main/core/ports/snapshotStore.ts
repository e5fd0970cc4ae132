import type { Result } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { LineCount, SkippedPath, TreeChange, TreeEntry } from '../../../shared/domain/snapshot'
import type { CancelSignal } from './cancelSignal'

/** What a scan found. `tree` is a git tree id; equal trees mean equal files and modes. */
export interface TakenTree {
  readonly tree: string
  readonly files: number
  readonly skipped: readonly SkippedPath[]
  readonly seen: number
  readonly hashed: number
  readonly tookMs: number
}

/** Facts of a commit made over a tree; written into its message so that plain git shows the story. */
export interface CommitFacts {
  readonly snapshotId: string
  readonly parent: string | null
  readonly kind: string
  readonly author: string | null
  readonly callId: string | null
  readonly auditChain: string | null
  readonly atMs: number
}

/** One write of a rollback: make `path` equal to `to` (null deletes), from `merged` text instead of the object when given. */
export interface RestoreStep {
  readonly path: string
  readonly to: TreeEntry | null
  readonly merged?: string
  /** What must be on disk now, or the step fails; null for nothing. */
  readonly from: TreeEntry | null
}

/**
 * A side git repository per workspace, in the app's data folder, with the workspace as work tree (R74). Everything heavy
 * happens in a worker. The project's own `.git` is never written and never read for configuration.
 */
export interface SnapshotStore {
  /** Scans the work tree and stores what changed. */
  scan(signal: CancelSignal): Promise<Result<TakenTree>>
  /** Writes a commit for a tree and moves the branch; returns its id. */
  commit(tree: string, facts: CommitFacts): Promise<string>
  /** Paths that differ, in path order. `null` is the empty tree. */
  diff(before: string | null, after: string): Promise<readonly TreeChange[]>
  lineCounts(changes: readonly TreeChange[]): Promise<readonly (LineCount | null)[]>
  /** Bytes of a blob. */
  blob(oid: string): Promise<Uint8Array>
  /**
   * Writes each step through safePath, in order, only where the disk differs; `onStep` is called when one is durable or
   * has failed. A failing step does not stop the others.
   */
  restore(steps: readonly RestoreStep[], onStep: (path: string, fault: Result<null>) => void): Promise<void>
  stats(): Promise<{ readonly bytes: number; readonly objects: number }>
  close(): Promise<void>
}

/** Opens the store of one workspace. Two opens of one root share it. */
export interface SnapshotStores {
  open(workspaceId: string, root: string): Promise<Result<SnapshotStore>>
}

/** The rows of a plan that write. */
export function stepsOf(rows: readonly PlanRow[]): readonly RestoreStep[] {
  return rows
    .filter((row) => row.action === 'revert' || row.action === 'recreate' || row.action === 'delete' || row.action === 'merge')
    .map((row) => ({ path: row.path, to: row.to, from: row.from, ...(row.merged === undefined ? {} : { merged: row.merged }) }))
}
