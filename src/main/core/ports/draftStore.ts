import type { WorkspaceId } from '../../../shared/domain/ids'

/** What was typed and not sent, as the window gave it. `sessionId` is `new` for a session that does not exist yet. */
export interface StoredDraft {
  readonly sessionId: string
  readonly payload: string
}

/** Keeps drafts over a reload, a crash and a restart (R109). */
export interface DraftStore {
  list(workspaceId: WorkspaceId): Promise<readonly StoredDraft[]>
  /** An empty payload removes it. Resolves when it is on the disk. */
  save(workspaceId: WorkspaceId, draft: StoredDraft): Promise<void>
}
