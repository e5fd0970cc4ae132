import type { WorkspaceId } from '../../../shared/domain/ids'
import type { TrustRef } from '../../../shared/domain/trust'

/** What the person said of one item with exactly this content. */
export interface TrustDecision extends TrustRef {
  readonly isTrusted: boolean
  readonly decidedAtMs: number
}

/** Decisions by folder, item and content; a later one of the same content replaces the earlier. Rejects with a `StorageFault`. */
export interface TrustStore {
  decisions(workspaceId: WorkspaceId): Promise<readonly TrustDecision[]>
  /** All or none. */
  decide(workspaceId: WorkspaceId, decisions: readonly TrustDecision[]): Promise<void>
}
