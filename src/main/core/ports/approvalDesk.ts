import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import type { CancelSignal } from './cancelSignal'

/**
 * Where a question waits for the person. Waiting is on no timer. The desk checks nonce and hashes; the
 * first answer wins. Resolves null when the signal is aborted: the turn was cancelled.
 */
export interface ApprovalDesk {
  ask(request: ApprovalRequest, signal: CancelSignal): Promise<ApprovalAnswer | null>
}
