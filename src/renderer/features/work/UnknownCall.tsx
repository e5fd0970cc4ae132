import { Check, CircleHelp, Plus, RotateCw, ScrollText, TriangleAlert, Undo2 } from 'lucide-react'
import type { CallView, ChatView } from '../../../shared/domain/chatView'
import type { Author } from '../../../shared/domain/snapshot'
import type { ChangeSince, Recovery, UnknownCall as Unknown } from '../../../shared/ipc/recoveryViews'
import { authorCode } from '../../../shared/domain/authorCode'
import { Button } from '../../ui/Button'
import { Exact, PathText } from '../../ui/Exact'
import { AuthorMark, LineCounts, Seal, type MarkKind } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { labelOf, sealOf, ToolIcon } from './callWords'
import { goesBack, readChanges, settleUnknown, useRecovery, type ChangesSeen } from './recoveryStore'

/** What the window offers beside the answers. */
export interface RecoveryLinks {
  /** Opens the plan that takes back what changed since the call began; `own` are the files that it changed itself, as far as that is known. */
  readonly onRollBack: (recovery: Recovery, call: Unknown, what: string, own: readonly string[]) => void
  readonly onOpenRecord: () => void
}

interface RecoveredProps extends RecoveryLinks {
  readonly recovery: Recovery
  readonly chat: ChatView
  /** Approvals of this session that wait. */
  readonly waiting: number
}

/** A turn that a crash left and that goes on: one notice, and the call of which nobody knows how it ended (R84). */
export function Recovered({ recovery, chat, waiting, onRollBack, onOpenRecord }: RecoveredProps) {
  const say = useWords()
  const { unknown } = recovery
  const parts = [
    say('recovery.notice', { stopped: secondsText(recovery.stoppedAtMs, say), started: secondsText(recovery.startedAtMs, say) }),
    ...(unknown === null ? [] : [say('recovery.notice-unknown', { count: 1 })]),
    ...(waiting === 0 ? [] : [say('recovery.notice-waiting', { count: waiting })]),
  ]
  return (
    <div className="lane col" style={{ gap: 10, paddingBottom: 10 }}>
      <Note tone="info" role="status" actions={<Button size="small" look="quiet" icon={ScrollText} onClick={onOpenRecord}>{say('recovery.happened')}</Button>}>{parts.join(say.locale === 'en' ? ' ' : '')}</Note>
      {unknown !== null && <UnknownCall call={unknown} view={viewOf(chat, unknown)} recovery={recovery} onRollBack={onRollBack} />}
    </div>
  )
}

function viewOf(chat: ChatView, { callId }: Unknown): CallView | null {
  return chat.items.flatMap((item) => (item.kind === 'calls' ? item.calls : [])).find((call) => call.callId === callId) ?? null
}

/** None of the answers is solid: the app cannot know which is right. */
function UnknownCall({ call, view, recovery, onRollBack }: { readonly call: Unknown; readonly view: CallView | null; readonly recovery: Recovery; readonly onRollBack: RecoveryLinks['onRollBack'] }) {
  const say = useWords()
  const seen = useRecovery((state) => state.changes[call.callId] ?? null)
  const what = labelOf({ args: call.args, argumentsText: view?.argumentsText ?? '', mcp: view?.mcp ?? null })
  const started = secondsText(call.startedAtMs, say)
  const { own, files } = goesBack(seen)
  const settle = (answer: 'done' | 'again') => (): void => void settleUnknown(recovery.sessionId, call.callId, answer)
  return (
    <section className="card unknown" role="group" aria-label={say('recovery.group')}>
      <div className="row unknown-top">
        <CircleHelp className="i t-warn" size={16} aria-hidden />
        <span className="strong">{say('recovery.title')}</span>
        <Chip tone="warn">{say('recovery.chip')}</Chip>
        <span className="end small faint nowrap">{call.lastSignAtMs === null ? say('recovery.started', { time: started }) : say('recovery.last-sign', { time: started, last: secondsText(call.lastSignAtMs, say) })}</span>
      </div>
      <div className="row unknown-what">
        <ToolIcon tool={call.tool} />
        <span className="mono grow wrap-any"><Exact text={what === '' ? call.tool : what} /></span>
        {view && <Seal {...sealOf({ ...view, progress: 'approved' }, say)} />}
      </div>
      <div className="unknown-facts">
        <div>
          <div className="small dim">{say('recovery.printed')}</div>
          {call.output === '' ? <p className="small faint">{say('recovery.printed-nothing')}</p> : <pre className="mono" tabIndex={0}><Exact text={lastLines(call.output)} /></pre>}
        </div>
        <div>
          <div className="small dim">{say('recovery.changed')}</div>
          <Changes call={call} seen={seen} />
        </div>
      </div>
      <div className="row unknown-foot">
        <span className="small dim grow">{say('recovery.about')}</span>
        {call.beforeSnapshot !== null && <Button icon={Undo2} disabled={files === 0} onClick={() => onRollBack(recovery, call, what, own)}>{say('recovery.roll-back', { files })}</Button>}
        <Button icon={RotateCw} onClick={settle('again')}>{say('recovery.again')}</Button>
        <Button icon={Check} onClick={settle('done')}>{say('recovery.done')}</Button>
      </div>
    </section>
  )
}

/** More rows than this are said as a number; the plan shows all. */
const shownRows = 50

function Changes({ call, seen }: { readonly call: Unknown; readonly seen: ChangesSeen }) {
  const say = useWords()
  if (call.beforeSnapshot === null) return <p className="small faint">{say('recovery.no-snapshot')}</p>
  if (seen === null) return <p className="small faint">{say('recovery.changed-looking')}</p>
  if ('fault' in seen) return <Note tone="warn" actions={<Button size="small" onClick={() => void readChanges(call.callId)}>{say('recovery.look-again')}</Button>}>{say.fact(seen.fault)}</Note>
  if (seen.changes.length === 0) return <p className="small faint">{say('recovery.changed-none')}</p>
  return (
    <ul className="unknown-files" tabIndex={0}>
      {seen.changes.slice(0, shownRows).map((change) => <ChangeRow key={change.path} change={change} />)}
      {seen.changes.length > shownRows && <li className="small faint">{say('recovery.changed-more', { count: seen.changes.length - shownRows })}</li>}
    </ul>
  )
}

const shapes: Readonly<Record<Author, readonly MarkKind[]>> = { agent: ['agent'], you: ['you'], command: ['command'], both: ['agent', 'you'], unknown: ['command'] }

/** The name that content of no byte has in every repository. */
const emptyContent = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** Whether a file lacks its end nobody can tell; that nothing is in it, the app knows. */
function ChangeRow({ change: { path, change, author, after, lines } }: { readonly change: ChangeSince }) {
  const say = useWords()
  const isEmpty = after?.oid === emptyContent
  return (
    <li className="row small">
      <span className="mono cut grow"><PathText path={path} /></span>
      <span className={change === 'added' ? 'row nowrap t-ok' : 'nowrap'} style={{ gap: 5 }}>{change === 'added' && <Plus size={12} aria-hidden />}{say(`recovery.change.${change}`)}</span>
      {isEmpty && <span className="row nowrap t-warn" style={{ gap: 5 }}><TriangleAlert size={12} aria-hidden />{say('recovery.empty')}</span>}
      {author !== null && <span className="row nowrap" style={{ gap: 5 }}>{shapes[author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={author === 'unknown'} />)}{say(authorCode(author, true))}</span>}
      {lines && <LineCounts {...lines} />}
    </li>
  )
}

/** The end is what says how far it got. */
function lastLines(text: string): string {
  return text.replace(/\s+$/u, '').split('\n').slice(-12).join('\n')
}

function secondsText(atMs: number, { locale }: Speaker): string {
  return new Date(atMs).toLocaleTimeString(locale, { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' })
}
