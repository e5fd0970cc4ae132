import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { CallId, SessionId, TurnId } from '../../../shared/domain/ids'
import type { Result } from '../../../shared/domain/result'
import type { Remember } from '../../../shared/domain/rule'
import type { LivePermission } from '../policy/permissions'

/** The call that a permission answers. */
export interface AnsweredCall {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  readonly callId: CallId
}

/** Rules and grants as a turn needs them (R63, R69). */
export interface PermissionDesk {
  /**
   * What may answer a call of this turn now: rules of the folder, grants of the session and turn; none that has ended, or whose
   * last use is held. Never waits.
   */
  live(sessionId: SessionId, turnId: TurnId): readonly LivePermission[]
  /** Keeps what a person answered beside an approval. Refused when a shape does not fit the call, or no rule may answer it. */
  remember(request: ApprovalRequest, remember: Remember): Promise<Result<null>>
  /**
   * A permission answered: one use is kept for the call, which no other call of this process can take. Nothing is recorded. False
   * when it has ended, was revoked, or its last use is held by another call: then it does not answer, and the call asks.
   */
  hold(permission: LivePermission, at: AnsweredCall): boolean
  /** Whether a use that a call holds still answers: the permission has neither ended nor been revoked. */
  holds(permission: LivePermission, at: AnsweredCall): boolean
  /** The call runs: what it holds of a permission is counted, and recorded with it, when this resolves. False as for `hold`; another process may have taken the last use. */
  used(permission: LivePermission, at: AnsweredCall): Promise<boolean>
  /** The call came to its end: what it holds and did not use is free again. */
  letGo(callId: CallId): void
}
