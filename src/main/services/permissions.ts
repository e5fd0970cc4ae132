import type { CallId, SessionId } from '../../shared/domain/ids'
import type { Result } from '../../shared/domain/result'
import type { RuleDraft } from '../../shared/domain/rule'
import type { Workspace } from '../../shared/domain/session'
import type { BackTest, PermissionsPage, RuleProposal } from '../../shared/ipc/views'
import type { PermissionDesk } from '../core/ports/permissionDesk'

/** Rules and live grants (R63, R69): what answers without a person, how it is made, tried on the past, shown and revoked. */
export interface Permissions extends PermissionDesk {
  /** The folder whose rules answer; null when none is open. */
  useFolder(workspace: Workspace | null): Promise<void>
  page(): Promise<PermissionsPage>
  propose(callId: CallId): Promise<Result<RuleProposal>>
  tryOut(draft: RuleDraft, replaces: string | null): Promise<Result<BackTest>>
  save(drafts: readonly RuleDraft[], replaces: string | null): Promise<Result<null>>
  revoke(of: { readonly rule: string } | { readonly grant: string; readonly sessionId: SessionId }): Promise<Result<null>>
  revokeAll(): Promise<void>
  onChange(listener: (page: PermissionsPage) => void): () => void
}
