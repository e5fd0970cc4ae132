import type { CallId, SessionId, SnapshotId, WorkspaceId } from './ids'

/** Who changed something. `unknown` is a change that a command still living, or the user, may have made; `both` is agent and user. */
export type Author = 'agent' | 'you' | 'command' | 'both' | 'unknown'

export const snapshotKinds = ['opened', 'before-call', 'after-call', 'drift', 'before-rollback', 'after-rollback', 'manual'] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

/** Why a path is not held by a snapshot. Known before a call is approved (R80). */
export type SkipReason = 'ignored' | 'too-large' | 'too-many' | 'unreadable' | 'special' | 'time-budget' | 'repository'

export interface SkippedPath {
  readonly path: string
  readonly reason: SkipReason
}

/** The files at a moment. `tree` and `commit` are git object ids (hex SHA-1); same tree as the parent means nothing changed. */
export interface Snapshot {
  readonly id: SnapshotId
  readonly workspaceId: WorkspaceId
  readonly tree: string
  readonly commit: string
  readonly parent: SnapshotId | null
  readonly kind: SnapshotKind
  /** Null for moments that nobody's change made: opened, before-call, before-rollback, manual. */
  readonly author: Author | null
  readonly sessionId: SessionId | null
  readonly callId: CallId | null
  readonly atMs: number
  readonly files: number
  readonly skipped: readonly SkippedPath[]
}

/** One path that differs between two trees. Modes are git's (100644, 100755, 120000). */
export interface TreeChange {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'mode' | 'type'
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

export interface TreeEntry {
  readonly oid: string
  readonly mode: string
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
}
