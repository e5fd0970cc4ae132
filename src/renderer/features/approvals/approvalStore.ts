import { create } from 'zustand'
import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import type { CallId, SessionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { host } from '../../bridge/host'

export interface ApprovalState {
  /** All that wait, of every session, oldest first. */
  readonly open: readonly ApprovalRequest[]
  /** The one whose change is read beside the conversation. */
  readonly reviewed: CallId | null
  readonly answering: CallId | null
  /** Why the last answer was not taken. */
  readonly fault: { readonly callId: CallId; readonly say: Said } | null
  /** What was typed as a reason, kept while its card waits. */
  readonly reasons: Readonly<Record<CallId, string>>
  /** The person's text instead of the proposed one (or the answer to a question), by the question's one-time number. */
  readonly edits: Readonly<Record<string, string>>
}

export const useApprovals = create<ApprovalState>(() => ({ open: [], reviewed: null, answering: null, fault: null, reasons: {}, edits: {} }))

const { getState: get, setState: set } = useApprovals

/**
 * Hears of questions from now on; returns a stop. `mayReview` says whether a change may open its review by itself: never over
 * a text field in use.
 */
export function connectApprovals(mayReview: (sessionId: SessionId) => boolean): () => void {
  const take = (requests: readonly ApprovalRequest[]): void => {
    const open = [...requests].sort((a, b) => a.askedAtMs - b.askedAtMs)
    const known = new Set(get().open.map((request) => request.nonce))
    const first = open.find((request) => !known.has(request.nonce) && request.preview.kind === 'edit')
    const kept = open.some((request) => request.callId === get().reviewed) ? get().reviewed : null
    set({ open, reviewed: kept ?? (first && open.length === 1 && mayReview(first.sessionId) ? first.callId : null) })
  }
  void host().approvalList({}).then(take)
  return host().on('approval/changed', take)
}

/** Opens a change beside the conversation, or docks it again. */
export function review(callId: CallId | null): void {
  set({ reviewed: callId })
}

export function setReason(callId: CallId, reason: string): void {
  set((state) => ({ reasons: { ...state.reasons, [callId]: reason } }))
}

export function setEdit(nonce: string, text: string): void {
  set((state) => ({ edits: { ...state.edits, [nonce]: text } }))
}

/** Sends an answer, bound to exactly what the card shows. A refused one stays open and says why. */
export async function decide(request: ApprovalRequest, answer: ApprovalAnswer): Promise<void> {
  if (get().answering === request.callId) return
  set({ answering: request.callId, fault: null })
  const { callId, nonce, argsHash } = request
  try {
    const result = await host().approvalDecide({ callId, nonce, argsHash, answer: wire(answer) })
    set(result.ok ? (state) => ({ open: state.open.filter((one) => one.nonce !== nonce), reviewed: state.reviewed === callId ? null : state.reviewed }) : { fault: { callId, say: result.fault } })
  } finally {
    set({ answering: null })
  }
}

/** Plain, changeable data for the wire. */
function wire(answer: ApprovalAnswer): Parameters<ReturnType<typeof host>['approvalDecide']>[0]['answer'] {
  if (answer.kind === 'allow' && answer.remember) return structuredClone(answer) as ReturnType<typeof wire>
  return answer.kind === 'edited' ? { kind: 'edited', args: { ...answer.args } } : (answer as ReturnType<typeof wire>)
}
