import { GitCompare, History, Maximize2, Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import type { CallId, SessionId } from '../../../shared/domain/ids'
import type { RollbackTarget } from '../../../shared/domain/rollback'
import type { TimelineRow } from '../../../shared/ipc/timelineViews'
import { Button, IconButton } from '../../ui/Button'
import { keyName } from '../../ui/keys'
import { AuthorMark } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { Segmented } from '../../ui/fields'
import { beforeOf, beforeTurn, lastCall, pastRows, type OpenCall, type PastRow, type TurnMark } from './timelineRows'
import { loadTimeline, lookAt, select, sessionsIn, setScope, toggleAuthor, useTimeline } from './timelineStore'

/** What the person asks the rollback page for. */
export interface RollbackWish {
  readonly target: RollbackTarget
  readonly title: 'timeline.plan.call' | 'timeline.plan.turn' | 'timeline.plan.point'
  readonly values: Readonly<Record<string, string | number>>
  readonly sessionId: SessionId | null
  readonly turnId: TurnMark['turnId'] | null
}

export interface TimelineFacts {
  readonly sessionId: SessionId | null
  readonly turns: readonly TurnMark[]
  readonly open: readonly OpenCall[]
  readonly commands: ReadonlyMap<CallId, string>
}

/** The rows for what is chosen to be seen. */
export function usePast(facts: TimelineFacts): readonly PastRow[] {
  const { timeline, scope, hiddenAuthors, unfolded } = useTimeline()
  return useMemo(
    () => pastRows(timeline, facts.turns, facts.open, { sessionId: scope === 'session' ? facts.sessionId : null, hiddenAuthors, unfolded }),
    [timeline, facts, scope, hiddenAuthors, unfolded],
  )
}

/** Selects a row, and reads what it changed. */
export function openRow(row: PastRow): void {
  const { timeline } = useTimeline.getState()
  select(row.key)
  if (row.kind === 'turn') void lookAt(beforeTurn(timeline, row.turn), null)
  if (row.kind === 'point') void (row.row.parent === null ? lookAt(row.row.id, null) : lookAt(beforeOf(timeline, row.row), row.row.id))
}

const authors = [{ author: 'agent', mark: 'agent' }, { author: 'you', mark: 'you' }, { author: 'command', mark: 'command' }] as const

/** Which sessions, and whose changes. */
export function Filters({ sessionId }: { readonly sessionId: SessionId | null }) {
  const say = useWords()
  const { timeline, scope, hiddenAuthors } = useTimeline()
  const sessions = sessionsIn(timeline)
  const others = new Set([...sessions, ...(sessionId === null ? [] : [sessionId])])
  return (
    <div style={{ padding: '8px 12px 6px', flex: 'none' }} className="col">
      {others.size > 1 && <div style={{ paddingBottom: 6 }}><Segmented label={say('timeline.sessions-shown')} value={scope} onChange={setScope} options={[{ value: 'session', label: say('timeline.this-session') }, { value: 'all', label: say('timeline.all-sessions', { count: others.size }) }]} /></div>}
      <div className="row" style={{ gap: 6, flexWrap: 'wrap' }}>
        {authors.map(({ author, mark }) => <button key={author} type="button" className="chip" aria-pressed={!hiddenAuthors.has(author)} onClick={() => toggleAuthor(author)}><AuthorMark kind={mark} />{say(`ui.author.${author}`)}</button>)}
      </div>
    </div>
  )
}

/** The pinned row above the list, and what is not covered. */
export function NowRow() {
  const say = useWords()
  const { timeline, progress } = useTimeline()
  const last = timeline.rows.at(-1)
  const skipped = last?.unheld ?? 0
  const isReading = progress !== null && !progress.isDone
  return (
    <>
      <div className="now"><span className="med">{say('timeline.now')}</span><span className="small dim cut grow">{isReading ? say('timeline.reading', { files: progress.seen }) : last ? say('timeline.last-point', { time: say.time(last.atMs) }) : say('timeline.none-yet')}</span></div>
      {progress?.fault && <div style={{ padding: '0 8px 4px' }}><Note tone="bad">{say.fact(progress.fault)}</Note></div>}
      {skipped > 0 && <p className="small t-warn" style={{ padding: '0 14px 4px' }}>{say('timeline.not-covered', { count: skipped })}</p>}
    </>
  )
}

/** The wish to take back one call; null when there is nothing of it to take back. */
export function undoCallWish(callId: CallId, label: string): RollbackWish | null {
  const { timeline } = useTimeline.getState()
  const after = timeline.rows.find((row) => row.kind === 'after-call' && row.callId === callId)
  const from = after && beforeOf(timeline, after)
  if (!after || from == null || after.changed.length === 0) return null
  return { target: { to: from, only: { from, until: after.id }, keepUserEdits: true }, title: 'timeline.plan.call', values: { what: label }, sessionId: after.sessionId, turnId: null }
}

/** The wish to go back to before a turn; null while nothing is known from before it. */
export function turnWish(turn: TurnMark): RollbackWish | null {
  const to = beforeTurn(useTimeline.getState().timeline, turn)
  if (to === null) return null
  return { target: { to, keepUserEdits: true }, title: 'timeline.plan.turn', values: { turn: turn.number }, sessionId: turn.sessionId, turnId: turn.turnId }
}

/** The wish to go back to a moment; the conversation can go back with it to before the first turn that came after. */
export function pointWish(row: TimelineRow, facts: TimelineFacts, time: string): RollbackWish {
  const turn = facts.turns.find((one) => one.atMs > row.atMs)
  return { target: { to: row.id, keepUserEdits: true }, title: 'timeline.plan.point', values: { time }, sessionId: facts.sessionId, turnId: turn?.turnId ?? null }
}

interface PaneProps {
  readonly facts: TimelineFacts
  readonly width: number
  readonly isSpine: boolean
  readonly onOpenPage: () => void
  readonly onWish: (wish: RollbackWish) => void
  readonly list: (rows: readonly PastRow[]) => React.ReactNode
}

/** The timeline beside the conversation: the list, or the spine where room is short. */
export function TimelinePane({ facts, width, isSpine, onOpenPage, onWish, list }: PaneProps) {
  const say = useWords()
  const rows = usePast(facts)
  const timeline = useTimeline((state) => state.timeline)
  const hasLast = useMemo(() => lastCall(timeline, facts.sessionId) !== undefined, [timeline, facts.sessionId])
  /** What is drawn may lie a moment behind; what is taken back is the last call that the host knows. */
  const undoLast = async (): Promise<void> => {
    await loadTimeline()
    const last = lastCall(useTimeline.getState().timeline, facts.sessionId)
    const wish = last?.callId == null ? null : undoCallWish(last.callId, facts.commands.get(last.callId) ?? last.changed.map((change) => change.path).join(', '))
    if (wish) onWish(wish)
  }
  if (isSpine) {
    return <aside className="spine" aria-label={say('timeline.pane')} data-zone="timeline" tabIndex={-1}><IconButton icon={History} label={say('timeline.open-page')} onClick={onOpenPage} />{list(rows)}</aside>
  }
  return (
    <aside className="tl" style={{ width }} aria-label={say('timeline.pane')} data-zone="timeline" tabIndex={-1}>
      <div className="head">
        <h2>{say('timeline.title')}</h2>
        <span className="end row" style={{ gap: 2 }}>
          <Button size="small" look="quiet" icon={GitCompare} onClick={onOpenPage}>{say('timeline.compare')}</Button>
          <IconButton icon={Maximize2} label={say('timeline.open-page')} keys={keyName('Mod+2')} onClick={onOpenPage} />
        </span>
      </div>
      <Filters sessionId={facts.sessionId} />
      <NowRow />
      {list(rows)}
      <div className="row" style={{ padding: '10px 12px', borderTop: '1px solid var(--line)' }}>
        <Button size="small" icon={Undo2} disabled={!hasLast} onClick={() => void undoLast()}>{say('timeline.undo-last')}</Button>
        <Button size="small" look="quiet" onClick={onOpenPage}>{say('timeline.roll-back')}</Button>
      </div>
    </aside>
  )
}
