import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { CallId, SessionId, TurnId } from '../../../shared/domain/ids'
import type { Result } from '../../../shared/domain/result'
import type { Remember } from '../../../shared/domain/rule'
import type { LivePermission } from '../policy/permissions'

/** Rules and grants as a turn needs them (R63, R69). */
export interface PermissionDesk {
  /** What may answer a call of this turn now: rules of the folder, grants of the session and turn; none that has ended. Never waits. */
  live(sessionId: SessionId, turnId: TurnId): readonly LivePermission[]
  /** Keeps what a person answered beside an approval. Refused when a shape does not fit the call, or no rule may answer it. */
  remember(request: ApprovalRequest, remember: Remember): Promise<Result<null>>
  /**
   * A permission answered: counted, and recorded with the call. Committed before the call runs. False when it has ended
   * meanwhile, was revoked, or its last use was taken by another call: then it does not answer, and the call asks.
   */
  used(permission: LivePermission, at: { readonly sessionId: SessionId; readonly turnId: TurnId; readonly step: number; readonly callId: CallId }): Promise<boolean>
}
