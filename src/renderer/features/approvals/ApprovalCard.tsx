import { GitCompare, LoaderCircle } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import { Button } from '../../ui/Button'
import { countLines, diffLines, shownRows } from '../../ui/diffLines'
import { Note } from '../../ui/parts'
import { useArming } from '../../ui/useArming'
import { useWords } from '../../ui/words'
import { answerOf } from './answerOf'
import { Answers } from './Answers'
import { decide, review, setEdit, setNetwork, useApprovals } from './approvalStore'
import { CardTop, type Queue } from './CardTop'
import { dockedRows, signedText } from './cardText'
import { CommandText } from './CommandThing'
import { Facts } from './Facts'
import { McpArguments } from './McpThing'
import { ReasonField } from './ReasonField'
import { Thing } from './Thing'
import { useCardKeys } from './useCardKeys'
import { useReading } from './useReading'
import { rememberOf, widerShapes, type WiderChoice } from './wider'
import { WiderMenu, WiderPanel } from './WiderAnswer'
import type { CardWorld } from './cardWorld'

interface CardProps {
  readonly request: ApprovalRequest
  readonly place: 'docked' | 'review'
  readonly queue: Queue
  readonly world: CardWorld
  /** It runs on a copy now: nothing can be answered until that has ended. */
  readonly isTrying: boolean
}

/** A question to the person. It takes no focus; it is answered by its own buttons and keys and by nothing else (R70). */
export function ApprovalCard({ request, place, queue, world, isTrying }: CardProps) {
  const say = useWords()
  const card = useRef<HTMLElement>(null)
  const { preview } = request
  const state = useCardState(request)
  const { edited, setEdited, isNetworkOn, reason, isRewritten, choice } = state
  const [focusTicket, setFocusTicket] = useState(0)
  const lines = useMemo(() => (preview.kind === 'edit' ? diffLines(preview.before ?? '', preview.after ?? '') : null), [preview])
  const isWhole = preview.kind !== 'edit' || place === 'review' || (lines !== null && shownRows(lines) <= dockedRows)
  const content = useMemo(() => signedText(request, edited, `${isNetworkOn} ${JSON.stringify(choice)} ${isTrying}`), [request, edited, isNetworkOn, choice, isTrying])
  const seen = useArming(card, content)
  const arm = isTrying ? 'waiting' : seen
  const { mustRead, readers } = useReading(request, edited !== null)
  const answer = useMemo(() => answerOf(request, edited, isNetworkOn), [request, edited, isNetworkOn])

  // What was judged is not what stands there now: nothing may be promised or threatened for it.
  const judged: ApprovalRequest = isRewritten && preview.kind === 'command' ? { ...request, preview: { ...preview, parts: [] } } : request
  const isInert = mustRead || answer === null
  const allow = (): void => { if (answer) void decide(request, answer) }
  const deny = (): void => void decide(request, { kind: 'deny', reason: reason.isOpen ? reason.text.trim() : '' })
  const inPlace = preview.kind === 'command' ? preview.command : preview.kind === 'mcp' || preview.kind === 'memory' ? preview.text : null
  const canEdit = inPlace !== null || (preview.kind === 'edit' && preview.after !== null)
  const openReview = (): void => {
    queue.asker?.onGo()
    review(request.callId)
  }
  const edit = (): void => {
    if (inPlace === null) openReview()
    else setEdited(edited ?? inPlace)
    setFocusTicket(focusTicket + 1)
  }
  useCardKeys(card, arm === 'armed', { allow: isWhole && !isInert ? allow : null, deny, edit: canEdit ? edit : null })
  const network = { isOn: isNetworkOn, onChange: isTrying ? null : state.setNetworkOn }
  const facts = (of: ApprovalRequest) => <Facts request={of} root={world.root} sandbox={world.sandbox} hooks={world.hooks} isRewritten={isRewritten} network={network} />
  const isTaintedNow = (request.taint ?? []).length > 0

  return (
    <section ref={card} role="region" aria-label={say('approval.region')} className={`appr ${place}`} tabIndex={-1} data-zone="approval">
      <CardTop request={judged} place={place} queue={queue} counts={lines ? countLines(lines) : null} />
      {preview.kind === 'command' && <CommandText preview={preview} root={world.root} edited={edited} shared={sharedOf(request)} onEdit={setEdited} onRead={readers.command} />}
      <div className="mid">
        <Thing request={request} lines={lines} isWhole={isWhole} place={place} edited={edited} onEdit={setEdited} readers={readers} focusTicket={focusTicket} world={world} />
        {place === 'docked' && preview.kind !== 'mcp' && facts(judged)}
      </div>
      {preview.kind === 'mcp' && <McpArguments preview={preview} edited={edited} onEdit={setEdited} onRead={readers.arguments} focusTicket={focusTicket} />}
      {(place === 'review' || preview.kind === 'mcp') && facts(request)}
      {state.fault && <Note tone="bad" role="alert">{say.fact(state.fault)}</Note>}
      {choice && state.shapes && (
        <WiderPanel
          shapes={state.shapes} choice={choice} isTainted={isTaintedNow} arm={mustRead ? 'waiting' : arm} content={content} onChange={state.setChoice} onBack={() => state.setChoice(null)}
          onAllow={() => void decide(request, { kind: 'allow', remember: rememberOf(choice, state.shapes ?? [], Date.now()) })}
        />
      )}
      {reason.isOpen && <ReasonField callId={request.callId} isArmed={arm === 'armed'} text={reason.text} onClose={reason.toggle} onDeny={deny} />}
      <Answers
        arm={arm} content={content} onTry={request.canTry === true && !isTrying && edited === null && !isOutsideRun(preview) ? () => void decide(request, { kind: 'try' }) : null}
        allow={isWhole ? {
          label: say(preview.kind === 'question' ? 'approval.answer' : 'approval.allow'), isInert, onChoose: allow,
          more: state.shapes && <WiderMenu shapes={state.shapes} isTainted={isTaintedNow} isArmed={arm === 'armed'} onChoose={(lifetime) => state.setChoice({ lifetime, ends: 'lifetime' })} onRule={world.onRule && (() => world.onRule?.(request.callId))} />,
        } : null}
        onSkip={() => void decide(request, { kind: 'skip' })} onDeny={deny} onEdit={canEdit && isWhole ? edit : null} reason={{ isOpen: reason.isOpen, onToggle: reason.toggle }}
      >
        {isTrying && <span className="small row" role="status"><LoaderCircle className="i spin t-cmd" size={14} aria-hidden />{say('approval.trying')}</span>}
        {preview.kind === 'edit' && place === 'docked' && <Button icon={GitCompare} onClick={openReview}>{say('approval.review')}</Button>}
        {mustRead && <span className="small t-warn">{say('approval.read-to-end')}</span>}
        <AboutAnswer preview={preview} answer={answer} isEdited={edited !== null} />
      </Answers>
    </section>
  )
}

/** Words of the call that stand in a text from outside too. */
function sharedOf({ taint }: ApprovalRequest): readonly string[] {
  return (taint ?? []).flatMap(({ shared }) => (shared === null ? [] : [shared]))
}

/** Nothing holds what runs outside the sandbox, a copy least of all. */
function isOutsideRun(preview: ApprovalPreview): boolean {
  return preview.kind === 'command' && preview.confinement?.outside === true
}

/** What the person did with a card so far. What was typed or ticked is kept while its question waits; a wider choice is not. */
function useCardState(request: ApprovalRequest) {
  const { preview, nonce, callId } = request
  const edited = useApprovals((state) => state.edits[nonce]) ?? null
  const isNetworkOn = useApprovals((state) => state.networks[nonce]) ?? false
  const reasonText = useApprovals((state) => state.reasons[callId]) ?? ''
  const fault = useApprovals((state) => (state.fault?.callId === callId ? state.fault.say : null))
  const [isReasonOpen, setIsReasonOpen] = useState(false)
  const [choice, setChoice] = useState<WiderChoice | null>(null)
  const isRewritten = preview.kind === 'command' && edited !== null && edited !== preview.command
  // A changed call is another one: what it may be allowed for longer is not known before it was judged.
  const wider = edited === null && !isNetworkOn ? widerShapes(request) : null
  const shapes = wider === 'never' ? null : wider
  return {
    edited, isNetworkOn, fault, isRewritten, shapes, setChoice,
    choice: shapes === null ? null : choice,
    setEdited: (text: string) => setEdit(nonce, text),
    setNetworkOn: (isOn: boolean) => setNetwork(nonce, isOn),
    reason: { text: reasonText, isOpen: isReasonOpen, toggle: () => setIsReasonOpen(!isReasonOpen) },
  }
}

/** What stands beside the answers of what the person typed. */
function AboutAnswer({ preview, answer, isEdited }: { readonly preview: ApprovalPreview; readonly answer: ApprovalAnswer | null; readonly isEdited: boolean }) {
  const say = useWords()
  if (preview.kind === 'elicitation' && answer === null) return <span className="small dim">{say('approval.form.unfinished')}</span>
  const isTold = isEdited && (preview.kind === 'edit' || (preview.kind === 'mcp' && answer?.kind === 'edited'))
  return isTold ? <span className="small t-you">{say('approval.with-your-edit')}</span> : null
}
