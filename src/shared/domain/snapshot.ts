import type { CallId, SessionId, SnapshotId, WorkspaceId } from './ids'
import type { Said } from './result'

/** Who changed something. `unknown` is a change that a command still living, or the user, may have made; `both` is agent and user. */
export type Author = 'agent' | 'you' | 'command' | 'both' | 'unknown'

/** Why a snapshot was taken; `drift` holds what somebody else changed between two of ours. */
export const snapshotKinds = ['opened', 'before-call', 'after-call', 'drift', 'before-rollback', 'after-rollback', 'manual'] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

/** Why a path is not held by a snapshot. Known before a call is approved (R80). */
export type SkipReason = 'ignored' | 'too-large' | 'too-many' | 'unreadable' | 'special' | 'time-budget' | 'repository'

/** A path that a snapshot does not hold. */
export interface SkippedPath {
  readonly path: string
  readonly reason: SkipReason
}

/** Whether a line of a list of skipped paths speaks of a path: the path itself, everything in a folder, or `folder/*` for what is directly in it. */
export function isSkippedBy(line: string, path: string): boolean {
  if (line === path || path.startsWith(`${line}/`)) return true
  return line.endsWith('/*') && path.startsWith(line.slice(0, -1)) && !path.slice(line.length - 1).includes('/')
}

/**
 * What a moment holds, by content. `tree` is a git tree id; `side` is the id of the blob beside it with what git trees
 * cannot hold: empty folders and full permission bits. Both equal means that nothing differs.
 */
export interface HeldFiles {
  readonly tree: string
  readonly side: string
}

/** A path of a moment that another than the moment's author changed. */
export interface PathAuthor {
  readonly path: string
  readonly author: Author
}

/** The files at a moment. Ids are git's (hex SHA-1); holding the same as the parent means that nothing changed. */
export interface Snapshot extends HeldFiles {
  readonly id: SnapshotId
  readonly workspaceId: WorkspaceId
  readonly commit: string
  readonly parent: SnapshotId | null
  readonly kind: SnapshotKind
  /** Null for moments that nobody's change made: opened, before-call, before-rollback, manual. */
  readonly author: Author | null
  /** Changed paths that `author` did not change; empty almost always. */
  readonly others: readonly PathAuthor[]
  readonly sessionId: SessionId | null
  readonly callId: CallId | null
  readonly atMs: number
  readonly files: number
  readonly skipped: readonly SkippedPath[]
}

/** A snapshot without the list of what it does not hold. */
export type SnapshotRow = Omit<Snapshot, 'skipped'>

/**
 * What a snapshot changed against the one before it: the first 100 paths, how many there are, and their lines where there are
 * few. `unheld` counts what it does not hold for another reason than being ignored.
 */
export interface SnapshotSummary {
  readonly changed: readonly Pick<TreeChange, 'path' | 'change'>[]
  readonly changes: number
  readonly lines: LineCount | null
  readonly unheld: number
}

/** Snapshots of a workspace that were let go: how many, and when the newest of them was taken. */
export interface ForgottenPoints {
  readonly points: number
  readonly untilMs: number
}

/** How many of a list's paths a snapshot would have to hold; a project's own `.git` is not among them. */
export function countUnheld(skipped: readonly SkippedPath[]): number {
  return skipped.filter(({ path, reason }) => reason !== 'ignored' && path !== '.git').length
}

/**
 * One path that differs between two moments. A folder is a row of its own only when it is empty or only its permission
 * bits differ. A byte of a name that is no UTF-8 is a lone surrogate, U+DC80 to U+DCFF, as in Python's surrogateescape.
 */
export interface TreeChange {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'mode' | 'type'
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

/**
 * What stands at a path. `mode` is git's: 100644, 100755, 120000, or 40000 for a folder, whose `oid` is the empty tree's.
 * `bits` are the full permission bits; a link has none.
 */
export interface TreeEntry {
  readonly oid: string
  readonly mode: string
  readonly bits?: number
}

/** Permissions as three digits: the full ones where they are known, otherwise what git's mode says. */
export function bitsText({ mode, bits }: Pick<TreeEntry, 'mode' | 'bits'>): string {
  return bits === undefined ? mode.slice(-3) : bits.toString(8).padStart(3, '0')
}

/** Lines added and removed by a change; null for binary. */
export interface LineCount {
  readonly added: number
  readonly removed: number
}

/** What a rollback could not take back, said before approval. `covered` means every effect inside the project can be undone. */
export interface Coverage {
  readonly kind: 'full' | 'partial' | 'none'
  readonly skipped: readonly SkippedPath[]
  /** Why no snapshot could be taken when last tried: nothing runs before one can. */
  readonly fault?: Said
}
