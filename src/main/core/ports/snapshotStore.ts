import type { AuditHead } from '../../../shared/domain/audit'
import type { LineOwners } from '../../../shared/domain/lineAuthors'
import type { Result } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { Author, HeldFiles, LineCount, SkippedPath, TreeChange, TreeEntry } from '../../../shared/domain/snapshot'
import type { CancelSignal } from './cancelSignal'
import type { Rest } from './rest'

/**
 * What a scan found. `seen` files were looked at, `hashed` of them read. `skipped` names every path that is not held: a folder
 * stands for all in it, and `folder/*` for more than a hundred ignored files directly in a folder.
 */
export interface TakenTree extends HeldFiles {
  readonly files: number
  readonly skipped: readonly SkippedPath[]
  readonly seen: number
  readonly hashed: number
  readonly tookMs: number
}

/** Facts of a commit made over a tree; written into its message so that plain git shows the story. */
export interface CommitFacts {
  readonly snapshotId: string
  readonly kind: string
  readonly author: string | null
  readonly callId: string | null
  /** The end of the audit chain at that moment: against it a cut log shows. */
  readonly audit: AuditHead | null
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

/** What one author left at a path before another came: git's id of the content, null for no file. */
export interface LineStage {
  readonly oid: string | null
  readonly author: Author
  readonly isRollback: boolean
}

/** What packing or forgetting did to the room a store takes. */
export interface PackReport {
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly objects: number
  /** Objects that could not be read. The files they lie in were left as they are; a scan that still finds a content stores it again. */
  readonly damaged: readonly string[]
}

/** What a moment lacks in the store: how many objects, the first 20 paths that cannot be read, and how many there are; of a lost folder its own. */
export interface MissingObjects {
  readonly objects: number
  readonly paths: readonly string[]
  readonly files: number
}

/** What whoever asks for a scan may add. */
export interface ScanWishes {
  /** Tells the files seen so far, now and then. */
  readonly onProgress?: (seen: number) => void
  /** While it is on the scan stands still, a second at most each time; cancelling ends that too. */
  readonly rest?: Rest
  /**
   * Only these paths, and what is below them, must be looked at: others may be held for unchanged where the system told of no
   * change. Some changes it never tells of (ADR 0022); the next scan without `near` finds those. Null is the same as none.
   */
  readonly near?: readonly string[] | null
}

/**
 * A side git repository per workspace, in the app's data folder, with the workspace as work tree (R74). Everything heavy
 * happens in a worker. The project's own `.git` is never written and never read for configuration. What has no `Result` rejects
 * with a `StorageFault` when the store is at fault: an object is missing, or the worker has stopped.
 */
export interface SnapshotStore {
  /**
   * Scans the work tree and stores what changed. Cancelled: `snapshot.cancelled`. Everything is looked at,
   * unless `near` says what is enough.
   */
  scan(signal: CancelSignal, wishes?: ScanWishes): Promise<Result<TakenTree>>
  /** Writes a commit on top of the branch and moves the branch to it; returns its id. */
  commit(held: HeldFiles, facts: CommitFacts): Promise<Result<string>>
  /** Paths that differ, in path order. `null` is the empty tree. */
  diff(before: HeldFiles | null, after: HeldFiles): Promise<readonly TreeChange[]>
  /** The first `most` of them, and how many there are: for what may be very many and is only shown. */
  compare(before: HeldFiles | null, after: HeldFiles, most: number): Promise<{ readonly changes: readonly TreeChange[]; readonly count: number }>
  /**
   * Who made the lines between a first content (null: no file) and what the last stage left. Null where one of these two is no
   * text, or where that is too long or takes too long. A content that is lost is `snapshot.object-missing`.
   */
  lineOwners(first: string | null, stages: readonly LineStage[]): Promise<LineOwners | null>
  lineCounts(changes: readonly TreeChange[]): Promise<readonly (LineCount | null)[]>
  /** Bytes of a blob; `snapshot.object-missing` when the store does not hold it. */
  blob(oid: string): Promise<Result<Uint8Array>>
  /** Many at once: null where the store does not hold it, `too-large` for more than `limitBytes`. */
  blobs(oids: readonly string[], limitBytes: number): Promise<readonly (Uint8Array | 'too-large' | null)[]>
  /** Which of these contents the store does not hold; only presence is looked at. */
  lacking(oids: readonly string[]): Promise<readonly string[]>
  /**
   * Which of these paths no snapshot would hold, whether or not they exist; null asks for all that the last scan skipped.
   * With `at`, the ignore files of that moment count instead of those on disk.
   */
  uncovered(paths: readonly string[] | null, at?: HeldFiles): Promise<readonly SkippedPath[]>
  /** When each path last changed by the disk's word (ctime), as the last scan saw it; null where nothing is held. */
  changedAtMs(paths: readonly string[]): Promise<readonly (number | null)[]>
  /**
   * Makes each path equal to its step through safePath, removals first, and only where the disk differs. Folders that have
   * to be made get the permission bits they have in `shape`; folders left empty go unless `shape` has them.
   * `onStep` is called when a path is durable or has failed, for many together and in no order. A failing step does not stop the
   * others.
   */
  restore(steps: readonly RestoreStep[], shape: HeldFiles, onStep: (path: string, fault: Result<null>) => void): Promise<void>
  /** The first 200 files of a moment, in path order, whose path contains `query`, upper and lower case alike; all with ''. */
  paths(held: HeldFiles, query: string): Promise<readonly { readonly path: string; readonly entry: TreeEntry }[]>
  /** What a moment holds at each path; null for nothing. */
  entriesAt(held: HeldFiles, paths: readonly string[]): Promise<readonly (TreeEntry | null)[]>
  /** What each moment lacks; only presence is looked at. Moments that share folders cost little more than one. */
  missing(moments: readonly HeldFiles[]): Promise<readonly MissingObjects[]>
  stats(): Promise<{ readonly bytes: number; readonly objects: number }>
  /** Other bounds from the next scan on. */
  setBounds(bounds: SnapshotBounds): Promise<void>
  /** Whether packing would free room, by a look at the store's files. */
  isPackable(): Promise<boolean>
  /** Packs what is stored more tightly, beside everything else that goes on; loses nothing at any moment. Cancelled: `snapshot.cancelled`. */
  pack(signal: CancelSignal, onProgress?: (done: number, total: number) => void): Promise<Result<PackReport>>
  /**
   * Keeps these commits, whatever was committed after the newest of them, the branch's tip and the side lists they name, and
   * removes every other object. Commit ids stay. The workspace's lane is the caller's.
   */
  forget(kept: readonly string[], signal: CancelSignal): Promise<Result<PackReport>>
  close(): Promise<void>
}

/** What keeps a snapshot bounded (R80). What lies beyond is left out and said. */
export interface SnapshotBounds {
  /** Largest file that is held. */
  readonly fileBytes: number
  /** Most files that are held; folders are gone through in name order. */
  readonly files: number
  /** Longest time one scan spends on reading contents; what is left is read by the next. */
  readonly readMs: number
  /** Lines as in a .gitignore, under those of the project: what is left out unless the project takes it back. */
  readonly leaveOut: readonly string[]
}

/** Opens the store of one workspace. Two opens of one root share it. */
export interface SnapshotStores {
  /** @param bounds of the first one that opens it; the usual ones when left out. */
  open(workspaceId: string, root: string, bounds?: SnapshotBounds): Promise<Result<SnapshotStore>>
}

/** The rows of a plan that write. */
export function stepsOf(rows: readonly PlanRow[]): readonly RestoreStep[] {
  return rows
    .filter((row) => row.action === 'revert' || row.action === 'recreate' || row.action === 'delete' || row.action === 'merge')
    .map((row) => ({ path: row.path, to: row.to, from: row.from, ...(row.merged === undefined ? {} : { merged: row.merged }) }))
}
