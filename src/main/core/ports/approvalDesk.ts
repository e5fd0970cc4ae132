import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import type { CancelSignal } from './cancelSignal'

/**
 * Where a question waits for the person. Waiting is on no timer. The desk checks nonce and hashes; the
 * first answer wins. `isAsShown` says whether the question would be put in the same words now; only a question with it can be
 * put anew (`look`). Resolves null when the signal is aborted: the turn was cancelled.
 */
export interface ApprovalDesk {
  ask(request: ApprovalRequest, signal: CancelSignal, isAsShown?: () => Promise<boolean>): Promise<ApprovalAnswer | null>
}
