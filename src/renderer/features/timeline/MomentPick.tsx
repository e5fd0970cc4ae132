import { useMemo, useState } from 'react'
import type { SnapshotId } from '../../../shared/domain/ids'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { AuthorMark } from '../../ui/marks'
import { PickList } from '../../ui/PickList'
import { useWords } from '../../ui/words'
import { momentOf, pick } from './openMoment'
import { authorMarks, momentText, rowText } from './rowWords'
import { pastRows, type PastRow } from './timelineRows'
import { useTimeline } from './timelineStore'
import { useTimelineWorld } from './timelineWorld'
import { whenText } from './whenText'

const mostOptions = 200

/** One side of a comparison as a button that says the moment and offers another. */
export function MomentButton({ side, id }: { readonly side: 'a' | 'b'; readonly id: SnapshotId | null }) {
  const say = useWords()
  const { facts } = useTimelineWorld()
  const timeline = useTimeline((state) => state.timeline)
  const [isOpen, setIsOpen] = useState(false)
  const text = useMemo(() => momentText(id, side, timeline, facts, say), [id, side, timeline, facts, say])
  return (
    <>
      <Button size="small" className="moment" title={text} onClick={() => setIsOpen(true)}><span className="cut"><Exact text={say(side === 'a' ? 'timeline.side-a' : 'timeline.side-b', { moment: text })} /></span></Button>
      {isOpen && <MomentDialog side={side} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Every moment of the folder, newest first, to pick one; for B also the disk. */
export function MomentDialog({ side, onClose }: { readonly side: 'a' | 'b'; readonly onClose: () => void }) {
  const say = useWords()
  const { facts } = useTimelineWorld()
  const timeline = useTimeline((state) => state.timeline)
  const [text, setText] = useState('')
  const all = useMemo(() => pastRows(timeline, facts.turns, [], { sessionId: null, hidden: new Set(), unfolded: new Set() }), [timeline, facts])
  const found = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return all.flatMap((row) => {
      const id = momentOf(row)
      const shown = id === null ? '' : describe(row)
      return id !== null && words.every((word) => shown.toLowerCase().includes(word)) ? [{ row, id }] : []
    })
    function describe(row: PastRow): string {
      if (row.kind === 'turn') return `${whenText(row.atMs, say)} ${say('timeline.turn', { turn: row.turn.number })} ${row.turn.title}`
      if (row.kind !== 'point') return ''
      const { words: said, mono } = rowText(row.row, row.rollback, facts.commands, say)
      return `${whenText(row.atMs, say)} ${said} ${mono} ${row.row.changed.map((change) => change.path).join(' ')}`
    }
  }, [all, text, facts, say])
  const take = (id: SnapshotId | null) => (): void => { onClose(); pick(side, id) }
  const disk = side === 'b' && text === '' ? [{ key: 'disk', content: <span className="med">{say('timeline.at.now')}</span>, onPick: take(null) }] : []
  const options = [...disk, ...found.slice(0, mostOptions).map(({ row, id }) => ({ key: row.key, content: <MomentOption row={row} />, onPick: take(id) }))]
  const rest = found.length - mostOptions
  const name = say(side === 'a' ? 'timeline.pick-a' : 'timeline.pick-b')
  return (
    <Dialog name={name} isOpen onClose={onClose}>
      <PickList name={name} placeholder={say('timeline.pick-input')} text={text} onText={setText} options={options} foot={options.length === 0 ? say('timeline.pick-none') : rest > 0 ? say('timeline.pick-more', { count: rest }) : null} />
    </Dialog>
  )
}

function MomentOption({ row }: { readonly row: PastRow }) {
  const say = useWords()
  const { facts } = useTimelineWorld()
  if (row.kind === 'turn') return <><AuthorMark kind="system" isHollow /><span className="cut grow">{say('timeline.turn', { turn: row.turn.number })} <span className="dim"><Exact text={row.turn.title} /></span></span><span className="time">{whenText(row.atMs, say)}</span></>
  if (row.kind !== 'point') return null
  const { words, mono } = rowText(row.row, row.rollback, facts.commands, say)
  const marks = row.row.author === null ? (['system'] as const) : authorMarks[row.row.author]
  return <>{marks.map((kind) => <AuthorMark key={kind} kind={kind} isHollow={row.takenBackBy !== null} />)}<span className="cut grow">{words} <Exact text={mono} className="mono" /></span><span className="time">{whenText(row.atMs, say)}</span></>
}
