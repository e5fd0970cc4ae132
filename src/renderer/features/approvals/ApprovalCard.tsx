import { ChevronLeft, ChevronRight, GitCompare, PanelBottom } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import { Button, IconButton } from '../../ui/Button'
import { countLines, diffLines, shownRows } from '../../ui/diffLines'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { LineCounts } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { answerOf } from './answerOf'
import { Answers } from './Answers'
import { decide, review, setEdit, setReason, useApprovals } from './approvalStore'
import { dockedRows, partsToRead, pathOf, signedText, titleOf, type Readers, type Reading, type ReadPart } from './cardText'
import { CommandText } from './CommandThing'
import { Facts } from './Facts'
import { McpArguments } from './McpThing'
import { Thing } from './Thing'
import { useArming } from '../../ui/useArming'
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
  const reason = useApprovals((state) => state.reasons[request.callId]) ?? ''
  const fault = useApprovals((state) => (state.fault?.callId === request.callId ? state.fault.say : null))
  const lines = useMemo(() => (preview.kind === 'edit' ? diffLines(preview.before ?? '', preview.after ?? '') : null), [preview])
  const isWhole = preview.kind !== 'edit' || place === 'review' || (lines !== null && shownRows(lines) <= dockedRows)
  const content = useMemo(() => signedText(request, edited), [request, edited])
  const arm = useArming(card, content)
  const { mustRead, readers } = useReading(request, edited !== null)
  const answer = useMemo(() => answerOf(request, edited), [request, edited])

  // What was judged is not what stands there now: nothing may be promised or threatened for it.
  const isRewritten = preview.kind === 'command' && edited !== null && edited !== preview.command
  const judged: ApprovalRequest = isRewritten ? { ...request, preview: { ...preview, parts: [] } } : request
  const allow = isWhole ? { label: say(preview.kind === 'question' ? 'approval.answer' : 'approval.allow'), isInert: mustRead || answer === null, onChoose: () => { if (answer) void decide(request, answer) } } : null
  const deny = (): void => void decide(request, { kind: 'deny', reason: isReasonOpen ? reason.trim() : '' })
  const onReasonKey = (event: ReactKeyboardEvent): void => {
    if (isComposing(event) || event.repeat) return
    if (event.key === 'Escape') setIsReasonOpen(false)
    // A no that was typed is meant; it is the narrow answer, so its own field may give it.
    if (event.key === 'Enter' && arm === 'armed' && reason.trim() !== '') deny()
  }
  const inPlace = preview.kind === 'command' ? preview.command : preview.kind === 'mcp' || preview.kind === 'memory' ? preview.text : null
  const canEdit = inPlace !== null || (preview.kind === 'edit' && preview.after !== null)
  const edit = (): void => {
    if (inPlace === null) review(request.callId)
    else setEdited(edited ?? inPlace)
    setFocusTicket(focusTicket + 1)
  }
  useCardKeys(card, arm === 'armed', { allow: allow && !allow.isInert ? allow.onChoose : null, deny, edit: canEdit ? edit : null })

  return (
    <section ref={card} role="region" aria-label={say('approval.region')} className={`appr ${place}`} tabIndex={-1} data-zone="approval">
      <Top request={judged} root={root} at={at} count={count} onStep={onStep} place={place} counts={lines ? countLines(lines) : null} />
      {preview.kind === 'command' && <CommandText preview={preview} root={root} edited={edited} onEdit={setEdited} onRead={readers.command} />}
      <div className="mid">
        <Thing request={request} lines={lines} isWhole={isWhole} place={place} edited={edited} onEdit={setEdited} readers={readers} focusTicket={focusTicket} />
        {place === 'docked' && preview.kind !== 'mcp' && <Facts request={judged} isRewritten={isRewritten} />}
      </div>
      {preview.kind === 'mcp' && <McpArguments preview={preview} edited={edited} onEdit={setEdited} onRead={readers.arguments} focusTicket={focusTicket} />}
      {(place === 'review' || preview.kind === 'mcp') && <Facts request={request} isRewritten={false} />}
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
      {isReasonOpen && <div className="foot"><input className="input" data-esc="own" autoFocus aria-label={say('approval.reason')} placeholder={say('approval.tell-why')} value={reason} onChange={(event) => setReason(request.callId, event.target.value)} onKeyDown={onReasonKey} /></div>}
      <Answers
        arm={arm} content={content} allow={allow} onSkip={() => void decide(request, { kind: 'skip' })} onDeny={deny} onEdit={canEdit && isWhole ? edit : null}
        onReason={() => setIsReasonOpen(!isReasonOpen)} isReasonOpen={isReasonOpen}
      >
        {preview.kind === 'edit' && place === 'docked' && <Button icon={GitCompare} onClick={() => review(request.callId)}>{say('approval.review')}</Button>}
        {mustRead && <span className="small t-warn">{say('approval.read-to-end')}</span>}
        <AboutAnswer preview={preview} answer={answer} isEdited={edited !== null} />
      </Answers>
    </section>
  )
}

/** What stands beside the answers of what the person typed. */
function AboutAnswer({ preview, answer, isEdited }: { readonly preview: ApprovalPreview; readonly answer: ApprovalAnswer | null; readonly isEdited: boolean }) {
  const say = useWords()
  if (preview.kind === 'elicitation' && answer === null) return <span className="small dim">{say('approval.form.unfinished')}</span>
  const isTold = isEdited && (preview.kind === 'edit' || (preview.kind === 'mcp' && answer?.kind === 'edited'))
  return isTold ? <span className="small t-you">{say('approval.with-your-edit')}</span> : null
}

/** Which texts were read to their end. What takes their place has to be read anew. */
function useReading(request: ApprovalRequest, isEdited: boolean): { readonly mustRead: boolean; readonly readers: Readers } {
  const whole = useMemo(() => signedText(request, null), [request])
  const [read, setRead] = useState<{ readonly of: string; readonly parts: Readonly<Partial<Record<ReadPart, Reading>>> }>({ of: '', parts: {} })
  const done = read.of === whole ? read.parts : {}
  const readers = useMemo((): Readers => {
    const reader = (part: ReadPart) => (how: Reading): void => setRead((now) => {
      const parts = now.of === whole ? now.parts : {}
      return parts[part] === how || parts[part] === 'scrolled' ? now : { of: whole, parts: { ...parts, [part]: how } }
    })
    return { command: reader('command'), arguments: reader('arguments'), change: reader('change'), messages: reader('messages') }
  }, [whole])
  return { mustRead: partsToRead(request, isEdited).some(({ part, how }) => done[part] === undefined || (how === 'scrolled' && done[part] !== 'scrolled')), readers }
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
      <h2><Exact text={say(title.code, title.values)} /> <Exact text={pathOf(request)} className="mono" /></h2>
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
