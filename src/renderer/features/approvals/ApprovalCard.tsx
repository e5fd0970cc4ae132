import { GitCompare, LoaderCircle } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import type { RuleShape } from '../../../shared/domain/rule'
import type { ArmState } from '../../ui/armingClock'
import { Button } from '../../ui/Button'
import { countLines, diffLines, shownRows } from '../../ui/diffLines'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { Answers } from './Answers'
import { decide } from './approvalStore'
import { CardTop, type Queue } from './CardTop'
import { dockedColumns, dockedRows } from './cardText'
import { CommandText } from './CommandThing'
import { EditFacts } from './EditFacts'
import { EditFoot } from './EditFoot'
import { Facts } from './Facts'
import { McpArguments } from './McpThing'
import { isOutOfRoom, NotRunNote } from './NotRunNote'
import { ReasonField } from './ReasonField'
import { Thing } from './Thing'
import { useCardKeys } from './useCardKeys'
import { useCardActs, useCardArming, useCardState, type CardState } from './useCard'
import { rememberOf } from './wider'
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
  const { edited, setEdited, isRewritten } = state
  const acts = useCardActs(request, state, queue)
  const lines = useMemo(() => (preview.kind === 'edit' ? diffLines(preview.before ?? '', preview.after ?? '') : null), [preview])
  // Docked, the proposal is shown: what was decided about it stands beside the diff only.
  const isWhole = preview.kind !== 'edit' || place === 'review' || (lines !== null && shownRows(lines, dockedColumns) <= dockedRows && acts.answer?.kind === 'allow')
  const { content, arm, mustRead, readers } = useCardArming(card, request, state, isTrying)
  const isInert = mustRead || acts.answer === null || state.isStale
  const isNothingLeft = preview.kind === 'edit' && acts.answer === null
  useCardKeys(card, arm === 'armed', { allow: isWhole && !isInert ? acts.allow : null, deny: acts.deny, edit: acts.edit })

  // What was judged is not what stands there now: nothing may be promised or threatened for it.
  const judged: ApprovalRequest = isRewritten && preview.kind === 'command' ? { ...request, preview: { ...preview, parts: [] } } : request
  const network = { isOn: state.isNetworkOn, onChange: isTrying ? null : state.setNetworkOn }
  const facts = (of: ApprovalRequest) => preview.kind === 'edit' ? <EditFacts request={of} preview={preview} isStale={state.isStale} onLook={() => void decide(request, { kind: 'look' })} /> : <Facts request={of} root={world.root} sandbox={world.sandbox} hooks={world.hooks} isRewritten={isRewritten} network={network} />
  const onTry = request.canTry === true && !isTrying && edited === null && !isOutsideRun(preview) ? () => void decide(request, { kind: 'try' }) : null
  const allow = isWhole ? isNothingLeft ? { label: say('approval.deny'), isInert: false, isDeny: true, onChoose: acts.deny, more: null } : { label: say(preview.kind === 'question' ? 'approval.answer' : 'approval.allow'), isInert, isPlain: request.notRun !== undefined && isOutOfRoom(request.notRun), onChoose: acts.allow, more: state.shapes && <More request={request} state={state} shapes={state.shapes} world={world} arm={arm} isOff={isInert} /> } : null

  return (
    <section ref={card} role="region" aria-label={say('approval.region')} className={`appr ${place}`} tabIndex={-1} data-zone="approval">
      <CardTop request={judged} place={place} queue={queue} counts={lines ? countLines(lines) : null} />
      {request.notRun !== undefined && <NotRunNote key={request.nonce} fault={request.notRun} />}
      {preview.kind === 'command' && <CommandText preview={preview} root={world.root} edited={edited} shared={sharedOf(request)} onEdit={setEdited} onRead={readers.command} />}
      {place === 'review' && preview.kind === 'edit' && facts(request)}
      <div className="mid">
        <Thing request={request} lines={lines} isWhole={isWhole} place={place} edited={edited} onEdit={setEdited} marks={state.marks} onMarks={state.setMarks} readers={readers} focusTicket={acts.focusTicket} world={world} />
        {place === 'docked' && preview.kind !== 'mcp' && facts(judged)}
      </div>
      {preview.kind === 'mcp' && <McpArguments preview={preview} edited={edited} onEdit={setEdited} onRead={readers.arguments} focusTicket={acts.focusTicket} />}
      {preview.kind === 'mcp' && facts(request)}
      {state.fault && <Note tone="bad" role="alert">{say.fact(state.fault)}</Note>}
      <Wider request={request} state={state} arm={mustRead || state.isStale ? 'waiting' : arm} content={content} />
      {state.reason.isOpen && <ReasonField callId={request.callId} isArmed={arm === 'armed'} text={state.reason.text} onClose={state.reason.toggle} onDeny={acts.deny} />}
      <Answers arm={arm} content={content} onTry={onTry} allow={allow} onSkip={() => void decide(request, { kind: 'skip' })} onDeny={acts.deny} onEdit={isWhole ? acts.edit : null} reason={{ isOpen: state.reason.isOpen, onToggle: state.reason.toggle }}>
        {isTrying && <span className="small row" role="status"><LoaderCircle className="i spin t-cmd" size={14} aria-hidden />{say('approval.trying')}</span>}
        {preview.kind === 'edit' && place === 'docked' && <Button icon={GitCompare} onClick={acts.openReview}>{say('approval.review')}</Button>}
        {mustRead && <span className="small t-warn">{say(preview.kind === 'edit' ? 'approval.review.see-summary' : 'approval.read-to-end')}</span>}
        {preview.kind === 'edit' && place === 'review' ? <EditFoot preview={preview} marks={state.marks} /> : <AboutAnswer preview={preview} answer={acts.answer} isEdited={edited !== null} />}
      </Answers>
    </section>
  )
}

interface MoreProps {
  readonly request: ApprovalRequest
  readonly state: CardState
  readonly world: CardWorld
  readonly arm: ArmState
}

/** The wider ways, behind the arrow. */
function More({ request, state, shapes, world, arm, isOff }: MoreProps & { readonly shapes: readonly RuleShape[]; readonly isOff: boolean }) {
  const { onRule } = world
  return <WiderMenu shapes={shapes} request={request} isArmed={arm === 'armed' && !isOff} isOff={isOff} onChoose={(lifetime) => state.setChoice({ lifetime, ends: 'lifetime' })} onRule={onRule && (() => onRule(request.callId))} />
}

/** The wider way that was chosen, to be read and given. */
function Wider({ request, state, arm, content }: Omit<MoreProps, 'world'> & { readonly content: string }) {
  const { choice, shapes } = state
  if (choice === null || shapes === null) return null
  const allow = (): void => void decide(request, { kind: 'allow', remember: rememberOf(choice, shapes, Date.now()) })
  return <WiderPanel shapes={shapes} request={request} choice={choice} arm={arm} content={content} onChange={state.setChoice} onBack={() => state.setChoice(null)} onAllow={allow} />
}

/** Words of the call that stand in a text from outside too. */
function sharedOf({ taint }: ApprovalRequest): readonly string[] {
  return (taint ?? []).flatMap(({ shared }) => (shared === null ? [] : [shared]))
}

/** Nothing holds what runs outside the sandbox, a copy least of all. */
function isOutsideRun(preview: ApprovalPreview): boolean {
  return preview.kind === 'command' && preview.confinement?.outside === true
}

/** What stands beside the answers of what the person typed. */
function AboutAnswer({ preview, answer, isEdited }: { readonly preview: ApprovalPreview; readonly answer: ApprovalAnswer | null; readonly isEdited: boolean }) {
  const say = useWords()
  if (preview.kind === 'elicitation' && answer === null) return <span className="small dim">{say('approval.form.unfinished')}</span>
  const isTold = isEdited && ((preview.kind === 'edit' && answer?.kind === 'edited-text') || (preview.kind === 'mcp' && answer?.kind === 'edited'))
  return isTold ? <span className="small t-you">{say('approval.with-your-edit')}</span> : null
}
