import type { RollbackId, SnapshotId, WorkspaceId } from '../../../shared/domain/ids'
import type { RollbackRecord } from '../../../shared/domain/rollback'
import type { Workspace } from '../../../shared/domain/session'
import type { Snapshot } from '../../../shared/domain/snapshot'
import type { Result } from '../../../shared/domain/result'

/** Workspaces, snapshot rows and rollback rows of the database. */
export interface TimelineStore {
  /** The workspace known by this real path, made when new. */
  workspace(root: string, name: string): Promise<Workspace>
  addSnapshot(snapshot: Snapshot): Promise<void>
  /** In the order they were added. With `since`, those added after it. */
  snapshots(workspaceId: WorkspaceId, since?: SnapshotId): Promise<readonly Snapshot[]>
  addRollback(record: RollbackRecord): Promise<void>
  /** Replaces the changeable fields: state, done, failed, beforeSnapshot, afterSnapshot. */
  updateRollback(record: RollbackRecord): Promise<void>
  /** One path of a rollback is durable on disk. */
  markRollbackPath(id: RollbackId, path: string, fault: Result<null>): Promise<void>
  rollbacks(workspaceId: WorkspaceId): Promise<readonly RollbackRecord[]>
}
