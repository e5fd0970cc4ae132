import { create } from 'zustand'
import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, SessionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { host } from '../../bridge/host'
import type { EditMarks } from './editChanges'

export interface ApprovalState {
  /** All that wait, of every session, oldest first. */
  readonly open: readonly ApprovalRequest[]
  /** The one whose change is read beside the conversation. */
  readonly reviewed: CallId | null
  /** The one the person went to with the arrows, and from which session; null: the oldest of the session on screen. */
  readonly looked: { readonly callId: CallId; readonly from: SessionId | null } | null
  /** Commands that run on a copy now: their cards stay, without answers, until the question comes back. */
  readonly trying: readonly ApprovalRequest[]
  /** For which commands the person opened the network, by the question's one-time number. */
  readonly networks: Readonly<Record<string, boolean>>
  readonly answering: CallId | null
  /** Why the last answer was not taken. */
  readonly fault: { readonly callId: CallId; readonly say: Said } | null
  /** What was typed as a reason, kept while its card waits. */
  readonly reasons: Readonly<Record<CallId, string>>
  /** The person's text instead of the proposed one (or the answer to a question), by the question's one-time number. */
  readonly edits: Readonly<Record<string, string>>
  /** How the person's text of a change came to be, by the question's one-time number. */
  readonly marks: Readonly<Record<string, EditMarks>>
  /** Questions that no longer show what is there, by their one-time number. */
  readonly stale: Readonly<Record<string, boolean>>
  /** The one that is being put anew: its review stays open for what comes. */
  readonly looking: CallId | null
}

export const useApprovals = create<ApprovalState>(() => ({ open: [], reviewed: null, looked: null, trying: [], networks: {}, answering: null, fault: null, reasons: {}, edits: {}, marks: {}, stale: {}, looking: null }))

const { getState: get, setState: set } = useApprovals

/** What takes the room of a review when the person lets it. */
export function isReviewed(preview: ApprovalPreview): boolean {
  return preview.kind === 'edit' || preview.kind === 'trial'
}

/**
 * Hears of questions from now on; returns a stop. `mayReview` says whether a change may open its review by itself: never over
 * a text field in use.
 */
export function connectApprovals(mayReview: (sessionId: SessionId) => boolean): () => void {
  const take = (requests: readonly ApprovalRequest[]): void => {
    const open = [...requests].sort((a, b) => a.askedAtMs - b.askedAtMs)
    const known = new Set(get().open.map((request) => request.nonce))
    const first = open.find((request) => !known.has(request.nonce) && isReviewed(request.preview))
    const { reviewed, looked, trying, looking } = get()
    const isOpen = open.some((request) => request.callId === reviewed && isReviewed(request.preview))
    const kept = isOpen || (reviewed !== null && reviewed === looking) ? reviewed : null
    set({
      open,
      reviewed: kept ?? (first && open.length === 1 && mayReview(first.sessionId) ? first.callId : null),
      looked: open.some((request) => request.callId === looked?.callId) ? looked : null,
      looking: isOpen ? null : looking,
      trying: trying.filter((tried) => !open.some((request) => request.callId === tried.callId && request.nonce !== tried.nonce)),
    })
  }
  // A trial that is stopped comes back with no question.
  const forget = (events: readonly AgentEvent[]): void => {
    const { trying } = get()
    if (trying.length === 0) return
    set({ trying: trying.filter((tried) => !events.some((event) => endsTrial(event, tried))) })
  }
  void host().approvalList({}).then(take)
  const stops = [host().on('approval/changed', take), host().on('session/events', forget)]
  return () => stops.forEach((stop) => stop())
}

function endsTrial(event: AgentEvent, { sessionId, turnId, callId }: ApprovalRequest): boolean {
  if (event.sessionId !== sessionId) return false
  if (event.type === 'turn-ended') return event.turnId === turnId
  return (event.type === 'approval-withdrawn' || event.type === 'approval-decided' || event.type === 'tool-finished') && event.callId === callId
}

/** All cards there are, oldest first: what waits, and what runs on a copy meanwhile. */
export function cardsOf({ open, trying }: Pick<ApprovalState, 'open' | 'trying'>): readonly ApprovalRequest[] {
  const running = trying.filter((tried) => !open.some((request) => request.callId === tried.callId))
  return running.length === 0 ? open : [...open, ...running].sort((a, b) => a.askedAtMs - b.askedAtMs)
}

/**
 * The one card on screen and where: the oldest question of the session that is, unless the person looks at another. A change
 * is read beside its own conversation only.
 */
export function cardOnScreen(state: Pick<ApprovalState, 'open' | 'trying' | 'reviewed' | 'looked'>, sessionId: SessionId | null): { readonly request: ApprovalRequest; readonly place: 'docked' | 'review' } | null {
  const cards = cardsOf(state)
  const own = cards.filter((card) => card.sessionId === sessionId)
  const reviewed = own.find((card) => card.callId === state.reviewed && isReviewed(card.preview))
  if (reviewed) return { request: reviewed, place: 'review' }
  const looked = state.looked?.from === sessionId ? cards.find((card) => card.callId === state.looked?.callId) : undefined
  const request = looked ?? own[0]
  return request ? { request, place: 'docked' } : null
}

/** Opens a change beside the conversation, or docks it again. */
export function review(callId: CallId | null): void {
  const { reviewed, open } = get()
  const docked = callId === null ? open.find((request) => request.callId === reviewed) : undefined
  set((state) => ({ reviewed: callId, looked: docked ? { callId: docked.callId, from: docked.sessionId } : state.looked }))
}

/** Goes to another question from the session on screen; one that is read beside its conversation gives way to it. */
export function look(request: ApprovalRequest, from: SessionId | null): void {
  set((state) => ({ looked: { callId: request.callId, from }, reviewed: state.reviewed !== null && request.sessionId === from && isReviewed(request.preview) ? request.callId : null }))
}

/** Opens the network for a command, or closes it again. */
export function setNetwork(nonce: string, isOn: boolean): void {
  set((state) => ({ networks: { ...state.networks, [nonce]: isOn } }))
}

export function setReason(callId: CallId, reason: string): void {
  set((state) => ({ reasons: { ...state.reasons, [callId]: reason } }))
}

export function setEdit(nonce: string, text: string): void {
  set((state) => ({ edits: { ...state.edits, [nonce]: text } }))
}

/** Takes over what was decided about a change, and the text that it makes. */
export function setMarks(nonce: string, marks: EditMarks, text: string): void {
  set((state) => ({ marks: { ...state.marks, [nonce]: marks }, edits: { ...state.edits, [nonce]: text } }))
}

/** Asks whether a question still shows what is there now. */
export async function checkFresh({ callId, nonce }: ApprovalRequest): Promise<void> {
  const isFresh = await host().approvalIsFresh({ callId, nonce })
  if ((get().stale[nonce] ?? false) === isFresh) set((state) => ({ stale: { ...state.stale, [nonce]: !isFresh } }))
}

/** Sends an answer, bound to exactly what the card shows. A refused one stays open and says why. */
export async function decide(request: ApprovalRequest, answer: ApprovalAnswer): Promise<void> {
  if (get().answering === request.callId) return
  const { callId, nonce, argsHash } = request
  const withoutTrial = (state: ApprovalState) => state.trying.filter((one) => one.nonce !== nonce)
  set((state) => ({ answering: callId, fault: null, looking: answer.kind === 'look' ? callId : null, trying: answer.kind === 'try' ? [...state.trying, request] : state.trying }))
  try {
    const result = await host().approvalDecide({ callId, nonce, argsHash, answer: wire(answer) })
    if (!result.ok) return set((state) => ({ fault: { callId, say: result.fault }, trying: withoutTrial(state) }))
    // The question may be back already, with what the trial did.
    const isBack = get().open.some((one) => one.callId === callId && one.nonce !== nonce)
    set((state) => ({ open: state.open.filter((one) => one.nonce !== nonce), reviewed: state.reviewed === callId && !isBack && answer.kind !== 'look' ? null : state.reviewed }))
  } finally {
    set({ answering: null })
  }
}

/** Plain, changeable data for the wire. */
function wire(answer: ApprovalAnswer): Parameters<ReturnType<typeof host>['approvalDecide']>[0]['answer'] {
  if (answer.kind === 'allow' && answer.remember) return structuredClone(answer) as ReturnType<typeof wire>
  return answer.kind === 'edited' ? { kind: 'edited', args: { ...answer.args } } : (answer as ReturnType<typeof wire>)
}
