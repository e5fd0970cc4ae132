import { Ellipsis, History, Package, Trash2, Undo2, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import type { SnapshotId } from '../../../shared/domain/ids'
import { Button, IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { Empty, Note } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { useWords } from '../../ui/words'
import { CompareDetail, Detail, NowDetail } from './Detail'
import { Filters } from './Filters'
import { ForgetDialog } from './ForgetDialog'
import { NowRow } from './NowRow'
import { closeCompare, momentOf, openNow } from './openMoment'
import { PathSearchDialog } from './PathSearchDialog'
import { usePaths } from './pathStore'
import { PathView } from './PathView'
import { askForget, closeNotice, pack, readSpace, useRoom } from './roomStore'
import { usePast } from './Timeline'
import type { PastRow } from './timelineRows'
import { nowKey, useTimeline } from './timelineStore'
import { TimelineWorldContext, type TimelineWorld } from './timelineWorld'
import { UnknownDetail } from './UnknownChoice'
import { UncoveredDialog } from './UncoveredDialog'
import { whenText } from './whenText'

export interface PageProps {
  readonly world: TimelineWorld
  readonly onUndoRollback: (rollbackId: string) => void
  readonly list: (rows: readonly PastRow[]) => ReactNode
}

/** All moments of the folder; at the right, the chosen one. */
export function TimelinePage({ world, onUndoRollback, list }: PageProps) {
  const rows = usePast(world.facts, 'page')
  const selected = useTimeline((state) => state.selected)
  const row = rows.find((one) => one.key === selected)
  return (
    <TimelineWorldContext value={world}>
      <section className="tl wide" data-zone="timeline" tabIndex={-1}>
        <PageHead selected={row ? momentOf(row) : null} onUndoRollback={onUndoRollback} />
        <Filters sessionId={world.facts.sessionId} place="page" />
        <NowRow onOpen={openNow} />
        {list(rows)}
        <HollowNote rows={rows} />
      </section>
      <Chosen rows={rows} row={row} />
      <PathSearchDialog />
      <UncoveredDialog />
      <ForgetDialog />
    </TimelineWorldContext>
  )
}

/** What is selected, compared, or opened as it was. */
function Chosen({ rows, row }: { readonly rows: readonly PastRow[]; readonly row: PastRow | undefined }) {
  const say = useWords()
  const path = usePaths((state) => state.look)
  const isComparing = useTimeline((state) => state.look?.kind === 'compare')
  const isNow = useTimeline((state) => state.selected === nowKey)
  const shown = path ? <PathView look={path} />
    : isComparing ? <CompareDetail onClose={() => closeCompare(rows)} />
      : isNow ? <NowDetail />
        : row && row.kind !== 'folded' && row.kind !== 'open' ? <Detail row={row} />
          : row?.kind === 'open' && row.call.state === 'unknown' ? <UnknownDetail call={row.call} />
          : <Empty icon={History}>{say(rows.length === 0 ? 'timeline.empty' : 'timeline.choose')}</Empty>
  const section = useKeptFocus(path ? 'path' : isComparing ? 'compare' : 'moment')
  return <section ref={section} className="main" aria-label={say('timeline.detail')} data-zone="moment" tabIndex={-1}>{shown}</section>
}

/** Where one thing gives way to another and takes the keyboard along, it stays in this place. */
function useKeptFocus(shown: string): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const before = useRef(shown)
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const onFocus = (): void => { last.current = document.activeElement }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  useEffect(() => {
    if (before.current === shown) return undefined
    before.current = shown
    // After a dialog that was closed gave the focus back.
    const due = setTimeout(() => { if ((document.activeElement ?? document.body) === document.body && last.current?.isConnected === false) section.current?.focus() }, 30)
    return () => clearTimeout(due)
  }, [shown])
  return section
}

/** How much there is, and the way to undo the last rollback. */
function PageHead({ selected, onUndoRollback }: { readonly selected: SnapshotId | null; readonly onUndoRollback: (rollbackId: string) => void }) {
  const say = useWords()
  const timeline = useTimeline((state) => state.timeline)
  const notice = useRoom((state) => state.notice)
  const last = timeline.rollbacks.find((one) => one.id === timeline.undoable)
  return (
    <>
      <div className="head">
        <h1>{say('timeline.title')}</h1>
        <span className="small faint cut">{say('timeline.kept', { points: timeline.rows.length, size: sizeText(timeline.bytes, say) })}</span>
        <span className="end row" style={{ gap: 4 }}>
          {last && <Button size="small" icon={Undo2} title={`${whenText(last.atMs, say)} ${say(`session.rolled-back.${last.scope}`, { files: last.done })}`} onClick={() => onUndoRollback(last.id)}>{say('timeline.undo-last-rollback')}</Button>}
          <RoomMenu selected={selected} />
        </span>
      </div>
      {notice && <div style={{ padding: '8px 12px 0' }}><Note tone={notice.tone} role={notice.tone === 'bad' ? 'alert' : 'status'} actions={<IconButton icon={X} label={say('ui.close')} onClick={closeNotice} />}>{say.fact(notice.say)}</Note></div>}
    </>
  )
}

function RoomMenu({ selected }: { readonly selected: SnapshotId | null }) {
  const say = useWords()
  const space = useRoom((state) => state.space)
  const isBusy = useRoom((state) => state.isBusy)
  const row = useTimeline((state) => state.timeline.rows.find((one) => one.id === selected))
  const hasOlder = useTimeline((state) => row !== undefined && state.timeline.rows[0]?.id !== row.id)
  const head = space && space.oldestAtMs !== null ? <p className="small dim">{say('timeline.room-head', { points: space.points, size: sizeText(space.bytes, say), date: whenText(space.oldestAtMs, say) })}</p> : undefined
  return (
    <Menu
      align="end" {...(head ? { head } : {})} canOpen={() => { void readSpace(); return true }}
      trigger={<IconButton icon={Ellipsis} label={say('timeline.room')} disabled={isBusy} />}
      items={[
        { key: 'pack', icon: Package, label: say('timeline.pack'), hint: say(space?.isPackable === false ? 'timeline.pack-none' : 'timeline.pack-about'), isDisabled: space?.isPackable === false, onChoose: () => void pack() },
        { key: 'let-go', icon: Trash2, label: say('timeline.let-go'), hint: row ? say('timeline.let-go-before', { date: whenText(row.atMs, say) }) : say('timeline.let-go-choose'), isDisabled: !hasOlder, onChoose: () => { if (row) void askForget(row.id) } },
      ]}
    />
  )
}

/** Says what hollow marks are, where there are some. */
function HollowNote({ rows }: { readonly rows: readonly PastRow[] }) {
  const say = useWords()
  const by = rows.find((row) => row.kind === 'point' && row.takenBackBy !== null)
  if (by?.kind !== 'point' || by.takenBackBy === null) return null
  return <div style={{ padding: '6px 12px 12px' }}><Note tone="info">{say('timeline.hollow', { time: whenText(by.takenBackBy.atMs, say) })}</Note></div>
}
