import { useRef, type MouseEvent } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { countHidden } from '../../ui/hiddenText'
import { AuthorMark } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { decide, setEdit, useApprovals } from './approvalStore'
import { signedText } from './cardText'
import { isDoubtful, Origins, Related, type MemoryPreview } from './memoryFacts'
import { usePointerGuard } from '../../ui/pointerGuard'
import { useArming } from '../../ui/useArming'

/** A longer fact is read on its card. */
const shortFact = 400

/** What the agent proposes to remember, oldest first, above the table of memories. */
export function MemoryProposals({ onOpenCard }: { readonly onOpenCard: (request: ApprovalRequest) => void }) {
  const open = useApprovals((state) => state.open)
  const proposals = open.filter((request) => request.preview.kind === 'memory')
  if (proposals.length === 0) return null
  return <div className="proposals">{proposals.map((request) => request.preview.kind === 'memory' && <Proposal key={request.nonce} request={request} preview={request.preview} onOpenCard={onOpenCard} />)}</div>
}

interface ProposalProps {
  readonly request: ApprovalRequest
  readonly preview: MemoryPreview
  readonly onOpenCard: (request: ApprovalRequest) => void
}

/**
 * The card in one line, under the card's own rules: armed after it was seen whole, answered by its buttons alone, bound to
 * nonce and hash. What one line cannot show truly (a long text, characters that cannot be seen, a text that was begun to be
 * edited) is answered on the card.
 */
function Proposal({ request, preview, onOpenCard }: ProposalProps) {
  const say = useWords()
  const row = useRef<HTMLDivElement>(null)
  const answers = useRef<HTMLSpanElement>(null)
  const edited = useApprovals((state) => state.edits[request.nonce]) ?? null
  const fault = useApprovals((state) => (state.fault?.callId === request.callId ? state.fault.say : null))
  const content = signedText(request, edited)
  const isArmed = useArming(row, content) === 'armed'
  const pointerCounts = usePointerGuard(answers, content, isArmed)
  const isPlain = edited === null && preview.text.length <= shortFact && countHidden(preview.text) === 0
  const answer = (act: () => void) => (event: MouseEvent): void => { if (isArmed && (event.detail === 0 || pointerCounts())) act() }
  const edit = (): void => {
    setEdit(request.nonce, edited ?? preview.text)
    onOpenCard(request)
  }
  const hasMore = isDoubtful(preview) || preview.related.length > 0
  return (
    <div ref={row} className="card proposal" role="group" aria-label={say('approval.memory.wish')}>
      <div className="line">
        <AuthorMark kind="agent" />
        <span className="grow says"><span className="med">{say('approval.memory.wish')}</span> “<Exact text={preview.text.length <= shortFact ? preview.text : `${preview.text.slice(0, 160)}…`} className="wrap-any" />”</span>
        <span className="row" ref={answers}>
          <span className="chip">{say(`memory.scope.${preview.scope}`)}</span>
          <Button size="small" look="quiet" aria-disabled={!isArmed} onClick={answer(edit)}>{say('approval.edit')}</Button>
          <Button size="small" aria-disabled={!isArmed} onClick={answer(() => void decide(request, { kind: 'deny', reason: '' }))}>{say('approval.memory.refuse')}</Button>
          {isPlain
            ? <Button size="small" look="primary" aria-disabled={!isArmed} onClick={answer(() => void decide(request, { kind: 'allow' }))}>{say('approval.memory.remember')}</Button>
            : <Button size="small" look="primary" onClick={() => onOpenCard(request)}>{say('approval.memory.review')}</Button>}
        </span>
      </div>
      {hasMore && <div className="told"><Origins preview={preview} /><Related related={preview.related} /></div>}
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
    </div>
  )
}
