import { ChevronLeft, ChevronRight, GitCompare, PanelBottom } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import { Button, IconButton } from '../../ui/Button'
import { countLines, diffLines, shownRows } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { LineCounts } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { Answers } from './Answers'
import { decide, review, setEdit, setReason, useApprovals } from './approvalStore'
import { dockedRows, longText, pathOf, signedText, titleOf } from './cardText'
import { CommandText } from './CommandThing'
import { Facts } from './Facts'
import { Thing } from './Thing'
import { useArming } from './useArming'
import { useCardKeys } from './useCardKeys'

interface CardProps {
  readonly request: ApprovalRequest
  /** The folder that is open; a command in it needs no word about where. */
  readonly root: string
  readonly place: 'docked' | 'review'
  readonly at: number
  readonly count: number
  readonly onStep: (by: -1 | 1) => void
}

/** A question to the person. It takes no focus; it is answered by its own buttons and keys and by nothing else (R70). */
export function ApprovalCard({ request, root, place, at, count, onStep }: CardProps) {
  const say = useWords()
  const card = useRef<HTMLElement>(null)
  const { preview } = request
  const edited = useApprovals((state) => state.edits[request.nonce]) ?? null
  const setEdited = (text: string): void => setEdit(request.nonce, text)
  const [focusTicket, setFocusTicket] = useState(0)
  const [isReasonOpen, setIsReasonOpen] = useState(false)
  const [isRead, setIsRead] = useState(false)
  const reason = useApprovals((state) => state.reasons[request.callId]) ?? ''
  const fault = useApprovals((state) => (state.fault?.callId === request.callId ? state.fault.say : null))
  const lines = useMemo(() => (preview.kind === 'edit' ? diffLines(preview.before ?? '', preview.after ?? '') : null), [preview])
  const isWhole = preview.kind !== 'edit' || place === 'review' || (lines !== null && shownRows(lines) <= dockedRows)
  const content = signedText(request, edited)
  const arm = useArming(card, content)

  const mustRead = preview.kind === 'command' && preview.command.length > longText && !isRead
  // What was judged is not what stands there now: nothing may be promised or threatened for it.
  const isRewritten = preview.kind === 'command' && edited !== null && edited !== preview.command
  const judged: ApprovalRequest = isRewritten ? { ...request, preview: { ...preview, parts: [] } } : request
  const isUnanswered = preview.kind === 'question' && (edited ?? '').trim() === ''
  const allow = isWhole ? { label: say(preview.kind === 'question' ? 'approval.answer' : 'approval.allow'), isInert: mustRead || isUnanswered, onChoose: () => void decide(request, answerOf(request, edited)) } : null
  const deny = (): void => void decide(request, { kind: 'deny', reason: isReasonOpen ? reason.trim() : '' })
  const onReasonKey = (event: ReactKeyboardEvent): void => {
    if (isComposing(event) || event.repeat) return
    if (event.key === 'Escape') setIsReasonOpen(false)
    // A no that was typed is meant; it is the narrow answer, so its own field may give it.
    if (event.key === 'Enter' && arm === 'armed' && reason.trim() !== '') deny()
  }
  const canEdit = preview.kind === 'command' || (preview.kind === 'edit' && preview.after !== null)
  const edit = (): void => {
    if (preview.kind === 'command') setEdited(edited ?? preview.command)
    else review(request.callId)
    setFocusTicket(focusTicket + 1)
  }
  useCardKeys(card, arm === 'armed', { allow: allow && !allow.isInert ? allow.onChoose : null, deny, edit: canEdit ? edit : null })

  return (
    <section ref={card} role="region" aria-label={say('approval.region')} className={`appr ${place}`} tabIndex={-1} data-zone="approval">
      <Top request={judged} root={root} at={at} count={count} onStep={onStep} place={place} counts={lines ? countLines(lines) : null} />
      {preview.kind === 'command' && <CommandText preview={preview} root={root} edited={edited} onEdit={setEdited} onRead={() => setIsRead(true)} />}
      <div className="mid">
        <Thing request={request} lines={lines} isWhole={isWhole} place={place} edited={edited} onEdit={setEdited} focusTicket={focusTicket} />
        {place === 'docked' && <Facts request={judged} isRewritten={isRewritten} />}
      </div>
      {place === 'review' && <Facts request={request} isRewritten={false} />}
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
      {isReasonOpen && <div className="foot"><input className="input" data-esc="own" autoFocus aria-label={say('approval.reason')} placeholder={say('approval.tell-why')} value={reason} onChange={(event) => setReason(request.callId, event.target.value)} onKeyDown={onReasonKey} /></div>}
      <Answers
        arm={arm} content={content} allow={allow} onSkip={() => void decide(request, { kind: 'skip' })} onDeny={deny} onEdit={canEdit && isWhole ? edit : null}
        onReason={() => setIsReasonOpen(!isReasonOpen)} isReasonOpen={isReasonOpen}
      >
        {preview.kind === 'edit' && place === 'docked' && <Button icon={GitCompare} onClick={() => review(request.callId)}>{say('approval.review')}</Button>}
        {mustRead && <span className="small t-warn">{say('approval.read-to-end')}</span>}
        {edited !== null && preview.kind === 'edit' && <span className="small t-you">{say('approval.with-your-edit')}</span>}
      </Answers>
    </section>
  )
}

/** What the buttons say becomes what is sent: an unchanged text is a plain yes. */
function answerOf(request: ApprovalRequest, edited: string | null): ApprovalAnswer {
  const { preview } = request
  if (preview.kind === 'question') return { kind: 'edited-text', text: (edited ?? '').trim() }
  if (edited === null) return { kind: 'allow' }
  if (preview.kind === 'command') return edited === preview.command ? { kind: 'allow' } : { kind: 'edited', args: { ...request.args, command: edited } }
  return preview.kind === 'edit' && edited !== preview.after ? { kind: 'edited-text', text: edited } : { kind: 'allow' }
}

type TopProps = CardProps & { readonly counts: { readonly added: number; readonly removed: number } | null }

function Top({ request, at, count, onStep, place, counts }: TopProps) {
  const say = useWords()
  const title = titleOf(request)
  const Icon = title.icon
  const lost = request.preview.kind === 'command' ? request.preview.parts.filter((part) => !part.canUndo).length : 0
  return (
    <div className="top">
      <Icon className="i" size={16} aria-hidden />
      <h2>{say(title.code, title.values)} <Exact text={pathOf(request)} className="mono" /></h2>
      {counts && <LineCounts {...counts} />}
      {lost > 0 && <Chip tone="bad">{say('approval.parts-lost', { count: lost })}</Chip>}
      <span className="end row small dim nowrap">
        {say('approval.step', { step: request.step, time: say.time(request.askedAtMs) })}
        {count > 1 && <><IconButton icon={ChevronLeft} label={say('approval.previous')} onClick={() => onStep(-1)} />{say('approval.of', { at: at + 1, count })}<IconButton icon={ChevronRight} label={say('approval.next')} onClick={() => onStep(1)} /></>}
        {place === 'review' && <IconButton icon={PanelBottom} label={say('approval.dock')} onClick={() => review(null)} />}
      </span>
    </div>
  )
}
