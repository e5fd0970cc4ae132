import type { RollbackId, SnapshotId, WorkspaceId } from '../../../shared/domain/ids'
import type { RollbackRecord, RollbackRow } from '../../../shared/domain/rollback'
import type { Workspace } from '../../../shared/domain/session'
import type { ForgottenPoints, SkippedPath, Snapshot, SnapshotRow, SnapshotSummary } from '../../../shared/domain/snapshot'
import type { Result } from '../../../shared/domain/result'

/** Points of a workspace in the order they were added. */
export interface PointPage {
  readonly rows: readonly SnapshotRow[]
  /** What was let go: when it grows, points that were read before may be gone. */
  readonly forgotten: ForgottenPoints | null
}

/** What is known of one point. */
export interface KnownSummary {
  readonly id: SnapshotId
  readonly summary: SnapshotSummary
}

/** What became of one path of a rollback. */
export interface SettledPath {
  readonly path: string
  readonly outcome: Result<null>
}

/** Workspaces, snapshot rows and rollback rows of the database. */
export interface TimelineStore {
  /** The workspace known by this real path, made when new. */
  workspace(root: string, name: string): Promise<Workspace>
  addSnapshot(snapshot: Snapshot): Promise<void>
  /** In the order they were added. With `since`, those added after it. All at once: for what has to show each with its list. */
  snapshots(workspaceId: WorkspaceId, since?: SnapshotId): Promise<readonly Snapshot[]>
  /** At most `limit` that were added after `since`; null, or one that is not there, for those from the first on. */
  points(workspaceId: WorkspaceId, since: SnapshotId | null, limit: number): Promise<PointPage>
  /** What a point does not hold. Rejects with a `StorageFault` where the list is lost, and for a point that is not there. */
  skippedOf(id: SnapshotId): Promise<readonly SkippedPath[]>
  /** What is kept of each of these points; null where nothing is yet. */
  summaries(ids: readonly SnapshotId[]): Promise<readonly (SnapshotSummary | null)[]>
  keepSummaries(known: readonly KnownSummary[]): Promise<void>
  /** Removes points for ever, all or none, and notes that they were. A point whose parent goes becomes a first one. */
  forgetSnapshots(workspaceId: WorkspaceId, ids: readonly SnapshotId[]): Promise<void>
  addRollback(record: RollbackRecord): Promise<void>
  /** Replaces the changeable fields: state, done, failed, beforeSnapshot, afterSnapshot. */
  updateRollback(record: RollbackRecord): Promise<void>
  /** These paths of a rollback are durable on disk, or have failed. All of them are marked or none. */
  markRollbackPaths(id: RollbackId, settled: readonly SettledPath[]): Promise<void>
  /** Oldest first, each with its plan, which may be long: for what has to end those that were left. */
  rollbacks(workspaceId: WorkspaceId): Promise<readonly RollbackRecord[]>
  /** Null for one that is not there. */
  rollback(id: RollbackId): Promise<RollbackRecord | null>
  /** Oldest first, without their plans. */
  rollbackRows(workspaceId: WorkspaceId): Promise<readonly RollbackRow[]>
}
