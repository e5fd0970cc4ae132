import { GitCompare, History, Maximize2, Undo2 } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { Timeline as TimelineView } from '../../../shared/ipc/timelineViews'
import { Button, IconButton } from '../../ui/Button'
import { keyName } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { Filters } from './Filters'
import { NowRow } from './NowRow'
import type { TimelinePlace } from './shownScope'
import { lastCall, pastRows, type PastRow, type TurnMark } from './timelineRows'
import { loadTimeline, useTimeline } from './timelineStore'
import { callLabel, undoCallWish, type RollbackWish, type TimelineFacts } from './timelineWishes'
import { UncoveredDialog } from './UncoveredDialog'

/** Every turn of the session on screen; of others those that changed something. */
function allTurns({ turns, otherTurns = [] }: TimelineFacts, timeline: TimelineView): readonly TurnMark[] {
  if (otherTurns.length === 0) return turns
  const changed = new Set(timeline.rows.map(({ callId }) => callId))
  return [...turns, ...otherTurns.filter(({ callIds }) => [...callIds].some((id) => changed.has(id)))]
}

/** The rows for what is chosen to be seen. */
export function usePast(facts: TimelineFacts, place: TimelinePlace): readonly PastRow[] {
  const timeline = useTimeline((state) => state.timeline)
  const scope = useTimeline((state) => state.scopes[place])
  const hidden = useTimeline((state) => state.hidden)
  const unfolded = useTimeline((state) => state.unfolded)
  return useMemo(
    () => pastRows(timeline, scope === 'all' ? allTurns(facts, timeline) : facts.turns, facts.open, { sessionId: scope === 'session' ? facts.sessionId : null, hidden, unfolded }),
    [timeline, facts, scope, hidden, unfolded],
  )
}

interface PaneProps {
  readonly facts: TimelineFacts
  readonly width: number
  readonly isSpine: boolean
  readonly onOpenPage: () => void
  /** To the page, with what is on disk. */
  readonly onOpenNow: () => void
  /** To the page, with the last point and the disk compared. */
  readonly onCompare: () => void
  readonly onWish: (wish: RollbackWish) => void
  readonly list: (rows: readonly PastRow[]) => ReactNode
}

/** The timeline beside the conversation: the list, or the spine where room is short. */
export function TimelinePane({ facts, width, isSpine, onOpenPage, onOpenNow, onCompare, onWish, list }: PaneProps) {
  const say = useWords()
  const rows = usePast(facts, 'pane')
  const timeline = useTimeline((state) => state.timeline)
  const hasLast = useMemo(() => lastCall(timeline, facts.sessionId) !== undefined, [timeline, facts.sessionId])
  /** What is drawn may lie a moment behind; what is taken back is the last call that the host knows. */
  const undoLast = async (): Promise<void> => {
    await loadTimeline()
    const last = lastCall(useTimeline.getState().timeline, facts.sessionId)
    const wish = last?.callId == null ? null : undoCallWish(last.callId, callLabel(last, facts.commands))
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
          <Button size="small" look="quiet" icon={GitCompare} onClick={onCompare}>{say('timeline.compare')}</Button>
          <IconButton icon={Maximize2} label={say('timeline.open-page')} keys={keyName('Mod+2')} onClick={onOpenPage} />
        </span>
      </div>
      <Filters sessionId={facts.sessionId} place="pane" />
      <NowRow onOpen={onOpenNow} />
      {list(rows)}
      <UncoveredDialog />
      <div className="row" style={{ padding: '10px 12px', borderTop: '1px solid var(--line)' }}>
        <Button size="small" icon={Undo2} disabled={!hasLast} onClick={() => void undoLast()}>{say('timeline.undo-last')}</Button>
        <Button size="small" look="quiet" onClick={onOpenPage}>{say('timeline.roll-back')}</Button>
      </div>
    </aside>
  )
}
