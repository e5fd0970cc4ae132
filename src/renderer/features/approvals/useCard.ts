import { useMemo, useState, type RefObject } from 'react'
import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import { formOf } from '../../../shared/domain/changedText'
import type { Said } from '../../../shared/domain/result'
import type { RuleShape } from '../../../shared/domain/rule'
import type { ArmState } from '../../ui/armingClock'
import { useArming } from '../../ui/useArming'
import { answerOf } from './answerOf'
import { decide, review, setEdit, setMarks, setNetwork, useApprovals } from './approvalStore'
import type { Queue } from './CardTop'
import { signedText, type Readers } from './cardText'
import { composed, partsOfEdit, type EditMarks } from './editChanges'
import { useStale } from './useFresh'
import { useReading } from './useReading'
import { widerShapes, type WiderChoice } from './wider'

export interface CardState {
  readonly edited: string | null
  readonly setEdited: (text: string) => void
  /** What was decided and typed, change by change, of an edit. */
  readonly marks: EditMarks
  /** The file is no longer what it was when this was asked. */
  readonly isStale: boolean
  readonly setMarks: (marks: EditMarks) => void
  readonly isNetworkOn: boolean
  readonly setNetworkOn: (isOn: boolean) => void
  /** The command that was judged is not what stands there now. */
  readonly isRewritten: boolean
  /** What could be allowed for longer as the card stands; null where nothing can. */
  readonly shapes: readonly RuleShape[] | null
  readonly choice: WiderChoice | null
  readonly setChoice: (choice: WiderChoice | null) => void
  readonly reason: { readonly text: string; readonly isOpen: boolean; readonly toggle: () => void }
  readonly fault: Said | null
}

const noMarks: EditMarks = {}

/** What the person did with a card so far. What was typed or ticked is kept while its question waits; a wider choice is not. */
export function useCardState(request: ApprovalRequest): CardState {
  const { preview, nonce, callId } = request
  const edited = useApprovals((state) => state.edits[nonce]) ?? null
  const isStale = useStale(request)
  const marks = useApprovals((state) => state.marks[nonce]) ?? noMarks
  const isNetworkOn = useApprovals((state) => state.networks[nonce]) ?? false
  const reasonText = useApprovals((state) => state.reasons[callId]) ?? ''
  const fault = useApprovals((state) => (state.fault?.callId === callId ? state.fault.say : null))
  const [isReasonOpen, setIsReasonOpen] = useState(false)
  const [choice, setChoice] = useState<WiderChoice | null>(null)
  const isRewritten = preview.kind === 'command' && edited !== null && edited !== preview.command
  // A changed call is another one: what it may be allowed for longer is not known before it was judged.
  const isSame = edited === null || (preview.kind === 'edit' && edited === preview.after)
  const wider = isSame && !isNetworkOn ? widerShapes(request) : null
  const shapes = wider === 'never' ? null : wider
  return {
    edited, isNetworkOn, fault, isRewritten, shapes, setChoice, marks, isStale,
    choice: shapes === null ? null : choice,
    setEdited: (text: string) => setEdit(nonce, text),
    setMarks: (now: EditMarks) => { if (preview.kind === 'edit') setMarks(nonce, now, composed(partsOfEdit(preview), now)) },
    setNetworkOn: (isOn: boolean) => setNetwork(nonce, isOn),
    reason: { text: reasonText, isOpen: isReasonOpen, toggle: () => setIsReasonOpen(!isReasonOpen) },
  }
}

/** The arming of a card over everything that would be signed, and which of its texts still have to be read. */
export function useCardArming(card: RefObject<HTMLElement | null>, request: ApprovalRequest, state: CardState, isTrying: boolean): { readonly content: string; readonly arm: ArmState; readonly mustRead: boolean; readonly readers: Readers } {
  const { edited, isNetworkOn, choice, isStale } = state
  const content = useMemo(() => signedText(request, edited, `${isNetworkOn} ${JSON.stringify(choice)} ${isTrying} ${isStale}`), [request, edited, isNetworkOn, choice, isTrying, isStale])
  const seen = useArming(card, content)
  return { content, arm: isTrying ? 'waiting' : seen, ...useReading(request, edited !== null) }
}

interface CardActs {
  /** What "Allow once" would send; null while that cannot be said. */
  readonly answer: ApprovalAnswer | null
  readonly allow: () => void
  readonly deny: () => void
  /** Null where nothing can be edited. */
  readonly edit: (() => void) | null
  readonly openReview: () => void
  /** A new number after each wish to edit: it puts the caret there. */
  readonly focusTicket: number
}

/** What the buttons and keys of a card do. */
export function useCardActs(request: ApprovalRequest, state: CardState, queue: Queue): CardActs {
  const { preview } = request
  const { edited, isNetworkOn, reason } = state
  const [focusTicket, setFocusTicket] = useState(0)
  const answer = useMemo(() => answerOf(request, edited, isNetworkOn), [request, edited, isNetworkOn])
  const inPlace = preview.kind === 'command' ? preview.command : preview.kind === 'mcp' || preview.kind === 'memory' ? preview.text : null
  const canEdit = useMemo(() => inPlace !== null || (preview.kind === 'edit' && preview.after !== null && formOf(partsOfEdit(preview)) === 'editor'), [inPlace, preview])
  const openReview = (): void => {
    queue.asker?.onGo()
    review(request.callId)
  }
  const edit = (): void => {
    if (inPlace === null) openReview()
    else state.setEdited(edited ?? inPlace)
    setFocusTicket(focusTicket + 1)
  }
  return {
    answer, openReview, focusTicket,
    allow: () => { if (answer) void decide(request, answer) },
    deny: () => void decide(request, { kind: 'deny', reason: reason.isOpen ? reason.text.trim() : '' }),
    edit: canEdit ? edit : null,
  }
}
