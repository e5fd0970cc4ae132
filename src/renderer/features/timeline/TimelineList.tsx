import { ChevronRight, Clock, LoaderCircle, Undo2 } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import type { CallId } from '../../../shared/domain/ids'
import type { TimelineRow } from '../../../shared/ipc/timelineViews'
import { Exact, PathText } from '../../ui/Exact'
import { AuthorMark, LineCounts } from '../../ui/marks'
import { Tip } from '../../ui/Tip'
import { useWords } from '../../ui/words'
import { authorMarks, pointWord, rowText } from './rowWords'
import type { PastRow } from './timelineRows'
import { unfold } from './timelineStore'

interface ListProps {
  readonly rows: readonly PastRow[]
  readonly selected: string | null
  readonly commands: ReadonlyMap<CallId, string>
  /** The session that a row names; null where there is no doubt whose it is. */
  readonly whose: (row: TimelineRow) => string | null
  /** Marks one under another, without words. */
  readonly isSpine: boolean
  readonly onOpen: (row: PastRow) => void
}

/** The one list named "Timeline": rows in the pane and on the page, marks in the spine. Arrows move, Enter opens. */
export function TimelineList({ rows, selected, commands, whose, isSpine, onOpen }: ListProps) {
  const say = useWords()
  const list = useRef<HTMLUListElement>(null)
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus()
  }
  return (
    <ul ref={list} className="list" aria-label={say('timeline.list')} onKeyDown={onKey}>
      {rows.map((row) => <li key={row.key}>{isSpine ? <SpineRow row={row} commands={commands} whose={whose} onOpen={onOpen} /> : <Row row={row} isSelected={row.key === selected} commands={commands} whose={whose} onOpen={onOpen} />}</li>)}
    </ul>
  )
}

type RowProps = Pick<ListProps, 'commands' | 'whose' | 'onOpen'> & { readonly row: PastRow }

function Row({ row, isSelected, commands, whose, onOpen }: RowProps & { readonly isSelected: boolean }) {
  const say = useWords()
  if (row.kind === 'folded') {
    const sessions = new Set(row.rows.map((one) => one.sessionId)).size
    return <button type="button" className="pt small faint" onClick={() => unfold(row.key)}><span className="cut grow">{say('timeline.folded', { calls: row.rows.length, sessions })}</span><ChevronRight className="i" size={14} aria-hidden /></button>
  }
  if (row.kind === 'turn') {
    return <button type="button" className="turn" onClick={() => onOpen(row)}><AuthorMark kind="system" isHollow /><span className="cut grow">{say('timeline.turn', { turn: row.turn.number })} <span className="dim" style={{ fontWeight: 400 }}><Exact text={row.turn.title} /></span></span><span className="time">{say.time(row.atMs)}</span></button>
  }
  if (row.kind === 'open') {
    const { call } = row
    return <button type="button" className="pt" onClick={() => onOpen(row)}><AuthorMark kind={call.isCommand ? 'command' : 'agent'} isHollow={call.isWaiting} /><span className="cut grow"><Exact text={call.label} className="mono" /> {say(call.isWaiting ? 'timeline.waits' : 'timeline.running')}</span>{call.isWaiting ? <Clock className="i t-warn" size={14} aria-hidden /> : <LoaderCircle className="i t-cmd spin" size={14} aria-hidden />}</button>
  }
  const { row: point, isTakenBack } = row
  const text = rowText(point, row.rollback, commands, say)
  const session = whose(point)
  return (
    <button type="button" className={isTakenBack ? 'pt undone' : 'pt'} aria-current={isSelected ? 'true' : undefined} onClick={() => onOpen(row)}>
      <Marks row={row} />
      <span className="sr">{pointWord(point, say)}: </span>
      <span className="cut grow">{text.words} {text.mono !== '' && (point.author === 'command' ? <Exact text={text.mono} className="mono" /> : <PathText path={text.mono} limit={34} />)}</span>
      {session !== null && <span className="whose cut" title={session}><span className="sr">{say('timeline.of-session')} </span><Exact text={session} /></span>}
      {isTakenBack && <Undo2 className="i" size={14} aria-label={say('timeline.taken-back')} />}
      {point.lines ? <LineCounts {...point.lines} /> : null}
      {point.author === null && <span className="time">{say.time(point.atMs)}</span>}
    </button>
  )
}

function Marks({ row }: { readonly row: Extract<PastRow, { readonly kind: 'point' }> }) {
  const { author } = row.row
  if (author === null || row.row.kind === 'after-rollback') return <AuthorMark kind="system" />
  return <>{authorMarks[author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={row.isTakenBack || author === 'unknown'} />)}</>
}

function SpineRow({ row, commands, whose, onOpen }: RowProps) {
  const say = useWords()
  const name = spineName(row)
  return (
    <Tip text={name}>
      <button type="button" className="pt" aria-label={name} onClick={() => (row.kind === 'folded' ? unfold(row.key) : onOpen(row))}>
        {row.kind === 'turn' || row.kind === 'folded' ? <span className="turnsep" /> : row.kind === 'open' ? <AuthorMark kind={row.call.isCommand ? 'command' : 'agent'} isHollow={row.call.isWaiting} /> : <Marks row={row} />}
      </button>
    </Tip>
  )

  function spineName(one: PastRow): string {
    if (one.kind === 'turn') return `${say('timeline.turn', { turn: one.turn.number })} ${one.turn.title}`
    if (one.kind === 'folded') return say('timeline.folded', { calls: one.rows.length, sessions: new Set(one.rows.map((each) => each.sessionId)).size })
    if (one.kind === 'open') return `${one.call.label} ${say(one.call.isWaiting ? 'timeline.waits' : 'timeline.running')}`
    const text = rowText(one.row, one.rollback, commands, say)
    const session = whose(one.row)
    return `${pointWord(one.row, say)}: ${text.words} ${text.mono}${session === null ? '' : `, ${say('timeline.of-session')} ${session}`}`
  }
}
