import { ChevronRight, CircleHelp, LoaderCircle, OctagonX, Undo2 } from 'lucide-react'
import { useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import type { CallView } from '../../../shared/domain/chatView'
import type { Said } from '../../../shared/domain/result'
import type { LineCount } from '../../../shared/domain/snapshot'
import type { TaintSource } from '../../../shared/domain/tool'
import { Button } from '../../ui/Button'
import { Exact, PathText } from '../../ui/Exact'
import { TextOriginContext, type TextOrigin } from '../../ui/fileLinks'
import { FileText } from '../../ui/FileText'
import { LineCounts, Seal } from '../../ui/marks'
import { joined, useWords } from '../../ui/words'
import { CallDetail } from './CallDetail'
import { Contents } from './Contents'
import { isCommand, labelOf, objectOf, ruleOf, sealOf, spanText, ToolIcon, verbOf, outsideMark, outsideName, resultText } from './callWords'
import { currentHit, useFind, type FindState } from './findStore'
import { partOf } from './findText'
import { tailOf } from './outputBook'
import { RunningActs } from './RunningActs'
import { useNow } from '../../ui/useNow'
import { outputs } from './workStore'

interface CallRowProps {
  readonly call: CallView
  /** Lines that the call added and removed, where the timeline knows them. */
  readonly lines: LineCount | null
  /** Present where the timeline can take this call back. */
  readonly onUndo: (() => void) | null
  /** Present where rules can be opened. */
  readonly onOpenRule: ((id: string) => void) | null
}

/** A call: icon, verb, object, seal, time; it opens to arguments, effects and output. */
export function CallRow({ call, lines, onUndo, onOpenRule }: CallRowProps) {
  const say = useWords()
  const [isOpened, setIsOpen] = useState(false)
  const isFound = useFind((state) => isFoundIn(state, call.callId))
  const isOpen = isOpened || isFound
  const runsHere = isCommand(call)
  const origin = useOrigin(call)
  const rule = onOpenRule === null ? null : ruleOf(call)
  const end = <><SealOf call={call} /><span className="small faint num dur"><Duration call={call} /></span></>
  return (
    <TextOriginContext.Provider value={origin}>
    <li data-find={partOf.call(call.callId)}>
      <div className={rule === null ? undefined : 'callline'}>
      <button type="button" className="call" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ToolIcon tool={call.tool} />
        <span className="med nowrap">{call.mcp ? <><Exact text={call.mcp.server} /> · <Exact text={call.mcp.tool} /></> : verbOf(call.tool, say)}</span>
        <span className="mono cut grow">{runsHere || call.mcp ? <Exact text={objectOf(call)} /> : <PathText path={objectOf(call)} />}</span>
        {lines && <LineCounts {...lines} />}
        {call.outside && call.progress === 'finished' && <OutsideMark source={call.outside} />}
        <HeldBy call={call} />
        <StateWord call={call} />
        {rule === null && end}
      </button>
      {rule !== null && <button type="button" className="callseal" title={say('session.open-rule', { rule })} onClick={() => onOpenRule?.(rule)}>{end}</button>}
      </div>
      {onUndo && <Button className="undo" size="small" look="quiet" icon={Undo2} aria-label={say('session.undo-call', { what: labelOf(call) })} onClick={onUndo}>{say('session.undo')}</Button>}
      {isOpen ? <CallDetail call={call} canUndo={onUndo !== null} /> : call.progress !== 'finished' && <LiveTail call={call} />}
      {runsHere && call.progress === 'running' && <RunningActs call={call} />}
      {!isOpen && call.progress === 'finished' && (runsHere || whyNotRun(call) !== null) && <FinishedTail call={call} />}
      {!isOpen && call.content.length > 0 && <Contents content={call.content} server={call.mcp?.server ?? outsideName(call.outside)} onlyPictures />}
    </li>
    </TextOriginContext.Provider>
  )
}

/** A hit of the search lies in what a closed row folds away. */
function isFoundIn(state: FindState, callId: CallView['callId']): boolean {
  const hit = currentHit(state)
  return hit !== null && hit.isFolded && hit.part === partOf.call(callId)
}

/** Paths that a command prints begin at its folder. */
function useOrigin(call: CallView): TextOrigin {
  const { seq } = useContext(TextOriginContext)
  const cwd = call.args?.['cwd']
  const base = isCommand(call) && typeof cwd === 'string' && cwd !== '' ? cwd : null
  return useMemo(() => ({ base, seq }), [base, seq])
}

function SealOf({ call }: { readonly call: CallView }) {
  return <Seal {...sealOf(call, useWords())} />
}

/** What held a command, where that is not the plain sandbox: with network, outside it, nothing at all, or kept from a copy. */
function HeldBy({ call }: { readonly call: CallView }) {
  const say = useWords()
  if (call.confined === undefined || call.confined === 'sandbox') return null
  const { confined } = call
  return <span className={`chip held ${heldTones[confined]}`} title={say(`session.held.${confined}.about`)}>{say(`session.held.${confined}`)}</span>
}

const heldTones = { network: 'warn', outside: 'bad', trial: '', none: 'warn' } as const

function OutsideMark({ source }: { readonly source: TaintSource }) {
  const { short, whole } = outsideMark(source, useWords())
  return <span className="small faint nowrap outside" title={whole}><Exact text={short} /></span>
}

/** Only what is not the normal way: a seal and a time say the rest. */
function StateWord({ call }: { readonly call: CallView }) {
  const say = useWords()
  if (isNotRun(call)) return <span className="small nowrap row t-bad" style={{ gap: 4 }}><OctagonX size={12} aria-hidden />{say('session.state.not-run')}</span>
  if (call.progress === 'running') return <LoaderCircle className="i spin t-cmd" size={14} aria-label={say('session.state.running')} />
  if (call.status === null || call.status === 'ok' || call.status === 'denied' || call.status === 'skipped') return null
  const tone = call.status === 'failed' ? 't-bad' : call.status === 'unknown' ? 't-warn' : 'faint'
  const Icon = call.status === 'unknown' ? CircleHelp : OctagonX
  return <span className={`small nowrap row ${tone}`} style={{ gap: 4 }}><Icon size={12} aria-hidden />{say(`session.state.${call.status}`)}{call.exitCode !== null && call.exitCode !== 0 && joined(say(`session.state.${call.status}`), say('session.exit', { code: call.exitCode }))}</span>
}

function Duration({ call }: { readonly call: CallView }) {
  const say = useWords()
  if (call.progress === 'running' && call.startedAtMs !== null) return <Elapsed sinceMs={call.startedAtMs} />
  return call.durationMs === null ? null : <>{spanText(call.durationMs, say)}</>
}

function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const seconds = Math.max(0, Math.floor((useNow() - sinceMs) / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  return <span className="t-cmd">{two(Math.floor(seconds / 60))}:{two(seconds % 60)}</span>
}

function LiveTail({ call }: { readonly call: CallView }) {
  const subscribe = useCallback((listener: () => void) => outputs.onTail(call.callId, listener), [call.callId])
  const tail = useSyncExternalStore(subscribe, () => outputs.tail(call.callId))
  return tail === '' ? null : <TailLines text={tail} />
}

/** No snapshot could be taken before it: nothing was run, whether it is asked again or has ended so. */
function isNotRun({ progress, notRun, say }: CallView): boolean {
  return progress === 'waiting' ? notRun !== undefined : progress === 'finished' && say?.code === 'snapshot.failed'
}

/** Why a call was never started; null when it was, or when nothing is known. */
function whyNotRun({ progress, startedAtMs, status, say, reason }: CallView): Said | null {
  return progress === 'finished' && startedAtMs === null && status !== 'ok' && status !== null ? (say ?? reason) : null
}

function FinishedTail({ call }: { readonly call: CallView }) {
  const say = useWords()
  const why = whyNotRun(call)
  // What the model was told is in its language; the person is told the same in theirs.
  if (why) return <TailLines text={say.fact(why)} />
  // After a reload the live output is gone; what the model read is kept. What was never started may have been tried: that output is the copy's.
  const tail = (call.startedAtMs !== null && outputs.tail(call.callId)) || tailOf(resultText(call, say))
  return tail === '' ? null : <TailLines text={tail} />
}

function TailLines({ text }: { readonly text: string }) {
  return <div className="code tail">{text.split('\n').map((line, at) => <div key={at}><FileText text={line} /></div>)}</div>
}

/** The reads of a step, in one row that opens to the list. */
export function ReadsRow({ calls, onOpenRule }: { readonly calls: readonly CallView[]; readonly onOpenRule: CallRowProps['onOpenRule'] }) {
  const say = useWords()
  const [isOpened, setIsOpen] = useState(false)
  const isFound = useFind((state) => calls.some((call) => currentHit(state)?.part === partOf.call(call.callId)))
  const isOpen = isOpened || isFound
  const names = calls.map((call) => objectOf(call).split('/').at(-1) ?? '').filter((name) => name !== '')
  const first = calls[0]
  if (!first) return null
  const isRunning = calls.some((call) => call.progress !== 'finished')
  return (
    <>
      <li>
        <button type="button" className="call" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ChevronRight className="i" size={14} aria-hidden style={isOpen ? { transform: 'rotate(90deg)' } : undefined} />
          <ToolIcon tool={first.tool} />
          <span className="med nowrap">{say('session.looked', { count: calls.length })}</span>
          <span className="mono cut grow"><Exact text={names.slice(0, 3).join(', ')} />{names.length > 3 && <span className="faint"> {say('session.and-more', { count: names.length - 3 })}</span>}</span>
          {isRunning && <LoaderCircle className="i spin" size={14} aria-label={say('session.state.running')} />}
          <Seal {...sealOf(first, say)} />
        </button>
      </li>
      {isOpen && calls.map((call) => <CallRow key={call.callId} call={call} lines={null} onUndo={null} onOpenRule={onOpenRule} />)}
    </>
  )
}
