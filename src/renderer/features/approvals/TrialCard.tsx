import { Check, ChevronDown, FlaskConical, GitCompare, Info, Trash2, Undo2, X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { ArmState } from '../../ui/armingClock'
import { Button, IconButton } from '../../ui/Button'
import { keyName } from '../../ui/keys'
import { Chip, Note } from '../../ui/parts'
import { useArming } from '../../ui/useArming'
import { useWords } from '../../ui/words'
import { decide, review, useApprovals } from './approvalStore'
import { signedText } from './cardText'
import { CardTop, type Queue } from './CardTop'
import type { CardWorld } from './cardWorld'
import { CommandText } from './CommandThing'
import { Fact } from './Fact'
import { ReasonField } from './ReasonField'
import { TrialDiff } from './TrialDiff'
import { keepState, seconds, unheldFiles, type TrialPreview } from './trialFacts'
import { Refused, TrialCounts, TrialFiles } from './TrialFiles'
import { TrialOutput } from './TrialOutput'
import { UnheldList } from './UndoFact'
import { useAnswers } from './useAnswers'
import { useCardKeys } from './useCardKeys'
import { useReading } from './useReading'

interface TrialCardProps {
  readonly request: ApprovalRequest
  readonly preview: TrialPreview
  readonly place: 'docked' | 'review'
  readonly queue: Queue
  readonly world: CardWorld
}

/** What a command did on a copy, and whether that is kept (R73). It answers as every card does. */
export function TrialCard({ request, preview, place, queue, world }: TrialCardProps) {
  const say = useWords()
  const card = useRef<HTMLElement>(null)
  const content = useMemo(() => signedText(request, null, place), [request, place])
  const arm = useArming(card, content)
  const { mustRead, readers } = useReading(request, false)
  const [isReasonOpen, setIsReasonOpen] = useState(false)
  const reason = useApprovals((state) => state.reasons[request.callId]) ?? ''
  const fault = useApprovals((state) => (state.fault?.callId === request.callId ? state.fault.say : null))
  const [selected, setSelected] = useState(preview.files[0]?.path ?? null)
  const row = preview.files.find((file) => file.path === selected) ?? null
  const state = keepState(preview)
  // What is written is signed beside its diff only.
  const canKeep = state === 'can' && place === 'review' && !mustRead
  const keep = (): void => void decide(request, { kind: 'keep' })
  const deny = (): void => void decide(request, { kind: 'deny', reason: isReasonOpen ? reason.trim() : '' })
  useCardKeys(card, arm === 'armed', { allow: canKeep ? keep : null, deny, edit: null })
  const isOpen = place === 'review' && row !== null
  return (
    <section ref={card} role="region" aria-label={say('approval.region')} className={`appr ${place}`} tabIndex={-1} data-zone="approval">
      <CardTop request={request} place={place} queue={queue} counts={null}><Exit preview={preview} /></CardTop>
      <CommandText preview={preview} root={world.root} edited={null} shared={[]} onEdit={() => undefined} onRead={readers.command} />
      <div className="mid">
        <TrialFacts request={request} preview={preview} />
        {isOpen
          ? (
            <div className="trialgrid">
              <TrialFiles preview={preview} root={world.root} selected={selected} onSelect={setSelected} />
              <div className="trialside"><TrialDiff key={row.path} callId={request.callId} trialId={preview.trialId} row={row} /><TrialOutput preview={preview} /></div>
            </div>
          )
          : <>{preview.files.length > 0 && <TrialCounts files={preview.files} />}<Refused preview={preview} root={world.root} /><TrialOutput preview={preview} /></>}
      </div>
      {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
      {isReasonOpen && <ReasonField callId={request.callId} isArmed={arm === 'armed'} text={reason} onClose={() => setIsReasonOpen(false)} onDeny={deny} />}
      <TrialAnswers
        request={request} preview={preview} place={place} arm={arm} content={content} mustRead={mustRead} onKeep={keep} onDeny={deny} onReview={() => { queue.asker?.onGo(); review(request.callId) }}
        reason={{ isOpen: isReasonOpen, onToggle: () => setIsReasonOpen(!isReasonOpen) }}
      />
    </section>
  )
}

function Exit({ preview: { exitCode, durationMs } }: { readonly preview: TrialPreview }) {
  const say = useWords()
  const Icon = exitCode === 0 ? Check : X
  return <Chip tone={exitCode === 0 ? 'ok' : 'bad'}><Icon className="i" size={14} aria-hidden />{exitCode === null ? say('approval.trial.no-exit', { seconds: seconds(durationMs) }) : say('approval.trial.exit', { code: exitCode, seconds: seconds(durationMs) })}</Chip>
}

/** What was and was not done; what keeping would do. */
function TrialFacts({ request, preview }: { readonly request: ApprovalRequest; readonly preview: TrialPreview }) {
  const say = useWords()
  const lost = unheldFiles(preview, request.coverage)
  const unheld = lost.length
  const time = new Intl.DateTimeFormat(say.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }).format(preview.takenAtMs)
  const count = preview.files.length
  return (
    <div className="facts three">
      <Fact icon={FlaskConical} tone="t-ok">{say('approval.trial.as-is', { time })}</Fact>
      {count === 0
        ? <Fact icon={Info} tone="">{say('approval.trial.nothing-about')}</Fact>
        : <Fact icon={Undo2} tone={unheld === 0 ? 't-ok' : 't-bad'}>{unheld === 0 ? say('approval.trial.keeps', { count }) : <>{say('approval.trial.keeps-unheld', { count, unheld })}<UnheldList paths={lost} /></>}</Fact>}
      {count > 0 && <Fact icon={Info} tone="">{say('approval.trial.once')}</Fact>}
    </div>
  )
}

interface TrialAnswersProps {
  readonly request: ApprovalRequest
  readonly preview: TrialPreview
  readonly place: 'docked' | 'review'
  readonly arm: ArmState
  readonly content: string
  readonly mustRead: boolean
  readonly onKeep: () => void
  readonly onDeny: () => void
  readonly onReview: () => void
  readonly reason: { readonly isOpen: boolean; readonly onToggle: () => void }
}

/** Deny, Discard, Keep: the least first. Keep is solid only after an exit of 0, and inert when files are no longer as they were. */
function TrialAnswers(props: TrialAnswersProps) {
  const { request, preview, place, arm, content, mustRead, reason } = props
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const { inert, answer } = useAnswers(box, content, arm)
  const state = keepState(preview)
  const isGood = preview.exitCode === 0
  const isKeepInert = state !== 'can' || mustRead
  return (
    <div className="foot" ref={box}>
      {place === 'docked' && state !== 'nothing' && <Button icon={GitCompare} onClick={props.onReview}>{say('approval.review')}</Button>}
      <span className={state === 'changed' || mustRead ? 'small t-warn about' : 'small dim about'}>{mustRead ? say('approval.read-to-end') : aboutKeeping(preview, say)}</span>
      <span className="end row">
        <Button icon={X} look={state === 'nothing' && !isGood ? 'primary' : 'plain'} {...inert} onClick={answer(props.onDeny)} aria-keyshortcuts="Control+Shift+N">{say('approval.deny')}</Button>
        <IconButton icon={ChevronDown} label={say('approval.tell-why')} aria-expanded={reason.isOpen} onClick={reason.onToggle} />
        <Button icon={Trash2} {...inert} onClick={answer(() => void decide(request, { kind: 'discard' }))}>{say('approval.trial.discard')}</Button>
        {state === 'nothing' && <span className="armline" data-arm={arm}><Button look={isGood ? 'primary' : 'plain'} icon={Check} aria-disabled={inert['aria-disabled'] || mustRead} onClick={answer(() => { if (!mustRead) void decide(request, { kind: 'allow' }) })}>{say('approval.allow')}</Button></span>}
        {state !== 'nothing' && place === 'review' && (
          <>
            <span className="armline" data-arm={isKeepInert ? 'waiting' : arm}>
              <Button look={isGood ? 'primary' : 'plain'} icon={Check} className={isKeepInert ? 'off' : ''} aria-disabled={inert['aria-disabled'] || isKeepInert} onClick={answer(() => { if (!isKeepInert) props.onKeep() })} aria-keyshortcuts="Control+Shift+Y">{say('approval.trial.keep', { count: preview.files.length })}</Button>
            </span>
            <kbd aria-hidden>{keyName('Mod+Shift+Y')}</kbd>
          </>
        )}
      </span>
    </div>
  )
}

function aboutKeeping(preview: TrialPreview, say: ReturnType<typeof useWords>): string {
  switch (keepState(preview)) {
    case 'changed': return say('approval.trial.changed-since', { count: preview.changedSince.length })
    case 'nothing': return say('approval.trial.nothing')
    case 'can': return say('approval.trial.discard-about')
  }
}
