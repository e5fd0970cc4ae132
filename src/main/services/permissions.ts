import type { ApprovalRequest } from '../../shared/domain/approval'
import type { CallId, SessionId, TurnId } from '../../shared/domain/ids'
import type { Result } from '../../shared/domain/result'
import type { Remember, Rule, RuleDraft, RuleShape } from '../../shared/domain/rule'
import type { Workspace } from '../../shared/domain/session'
import type { BackTest, PermissionsPage, RuleProposal } from '../../shared/ipc/views'
import type { LivePermission } from '../core/policy/permissions'

/** Rules and live grants (R63, R69): what answers without a person, how it is made, tried on the past, shown and revoked. */
export interface Permissions {
  /** The folder whose rules answer; null when none is open. */
  useFolder(workspace: Workspace | null): Promise<void>
  /** What may answer a call of this turn now: rules of the folder, grants of the session and turn; none that has ended. Never waits. */
  live(sessionId: SessionId, turnId: TurnId): readonly LivePermission[]
  /** Keeps what a person answered beside an approval. Refused when a shape does not fit the call, or no rule may answer it. */
  remember(request: ApprovalRequest, remember: Remember): Promise<Result<null>>
  /** A permission answered: counted, and recorded with the call. Committed before the call runs. */
  used(permission: LivePermission, at: { readonly sessionId: SessionId; readonly turnId: TurnId; readonly step: number; readonly callId: CallId }): Promise<void>
  page(): Promise<PermissionsPage>
  propose(callId: CallId): Promise<Result<RuleProposal>>
  tryOut(draft: RuleDraft, replaces: string | null): Promise<Result<BackTest>>
  save(drafts: readonly RuleDraft[], replaces: string | null): Promise<Result<null>>
  revoke(of: { readonly rule: string } | { readonly grant: string; readonly sessionId: SessionId }): Promise<Result<null>>
  revokeAll(): Promise<void>
  onChange(listener: (page: PermissionsPage) => void): () => void
}

export type { Rule, RuleShape }
