import { ChevronRight, CircleHelp, Clock, LoaderCircle, Undo2, Unlink } from 'lucide-react'
import type { CallId } from '../../../shared/domain/ids'
import type { TimelineRow } from '../../../shared/ipc/timelineViews'
import { classes } from '../../ui/classes'
import { Exact, PathText } from '../../ui/Exact'
import { AuthorMark, LineCounts } from '../../ui/marks'
import { Tip } from '../../ui/Tip'
import { useWords } from '../../ui/words'
import { momentOf } from './openMoment'
import { authorMarks, pointWord, rowText } from './rowWords'
import type { PastRow } from './timelineRows'
import { unfold, useTimeline } from './timelineStore'
import { whenText } from './whenText'

interface RowProps {
  readonly row: PastRow
  readonly tabIndex: number
  readonly commands: ReadonlyMap<CallId, string>
  readonly whose: (row: TimelineRow) => string | null
  readonly onOpen: (row: PastRow) => void
}

const openWords = { waiting: 'timeline.waits', running: 'timeline.running', unknown: 'timeline.unknown' } as const
const openIcons = {
  waiting: <Clock className="i t-warn" size={14} aria-hidden />,
  running: <LoaderCircle className="i t-cmd spin" size={14} aria-hidden />,
  unknown: <CircleHelp className="i t-warn" size={14} aria-hidden />,
} as const

/** One row of the list; each is one button. */
export function Row({ row, isSelected, tabIndex, commands, whose, onOpen }: RowProps & { readonly isSelected: boolean }) {
  const say = useWords()
  const current = isSelected ? 'true' : undefined
  if (row.kind === 'folded') {
    const sessions = new Set(row.rows.map((one) => one.sessionId)).size
    return <button type="button" className="pt small faint fold" tabIndex={tabIndex} onClick={() => unfold(row.key)}><span className="foldmark" aria-hidden /><span className="cut grow">{say('timeline.folded', { calls: row.rows.length, sessions })}</span><ChevronRight className="i" size={14} aria-hidden /></button>
  }
  if (row.kind === 'turn') {
    return <button type="button" className="turn" tabIndex={tabIndex} aria-current={current} onClick={() => onOpen(row)}><AuthorMark kind="system" isHollow /><span className="cut grow" title={`${say('timeline.turn', { turn: row.turn.number })} ${row.turn.title}`}>{say('timeline.turn', { turn: row.turn.number })} <span className="dim" style={{ fontWeight: 400 }}><Exact text={row.turn.title} /></span></span><Side of={row} />{row.turn.session !== undefined && <SessionTag title={row.turn.session || say('session.untitled')} />}<span className="time">{whenText(row.atMs, say)}</span></button>
  }
  if (row.kind === 'open') {
    const { call } = row
    return <button type="button" className="pt" tabIndex={tabIndex} onClick={() => onOpen(row)}><AuthorMark kind={call.isCommand ? 'command' : 'agent'} isHollow={call.state !== 'running'} /><span className="cut grow" title={call.label}><Exact text={call.label} className="mono" /> {say(openWords[call.state])}</span>{openIcons[call.state]}</button>
  }
  return <PointRow row={row} current={current} tabIndex={tabIndex} commands={commands} session={whose(row.row)} onOpen={onOpen} />
}

/** Whose a row is, where several sessions stand together. */
function SessionTag({ title }: { readonly title: string }) {
  const say = useWords()
  return <span className="whose cut" title={title}><span className="sr">{say('timeline.of-session')} </span><Exact text={title} /></span>
}

type Point = Extract<PastRow, { readonly kind: 'point' }>

interface PointProps extends Pick<RowProps, 'tabIndex' | 'commands' | 'onOpen'> {
  readonly row: Point
  readonly current: 'true' | undefined
  readonly session: string | null
}

function PointRow({ row, current, tabIndex, commands, session, onOpen }: PointProps) {
  const say = useWords()
  const { row: point, takenBackBy, partlyBackBy } = row
  const text = rowText(point, row.rollback, commands, say)
  const isBroken = point.missing > 0
  // A moment that is no change of anybody's; a rollback counts as none.
  const isTimed = point.author === null || point.kind === 'after-rollback'
  return (
    <button type="button" className={classes('pt', takenBackBy && 'undone', isBroken && 'brokenrow')} tabIndex={tabIndex} aria-current={current} onClick={() => onOpen(row)}>
      <Marks row={row} />
      <span className="sr">{pointWord(point, say)}: </span>
      <span className="cut grow" title={`${text.words} ${text.mono}`.trim()}>{text.words} {text.mono !== '' && (isCommand(row) ? <Exact text={text.mono} className="mono" /> : <PathText path={text.mono} limit={34} />)}</span>
      <Side of={row} />
      {session !== null && <SessionTag title={session} />}
      {(takenBackBy ?? partlyBackBy) && <span title={say(takenBackBy ? 'timeline.taken-back' : 'timeline.partly-back')}><Undo2 className="i" size={14} aria-label={say(takenBackBy ? 'timeline.taken-back' : 'timeline.partly-back')} /></span>}
      {isBroken ? <span className="row small t-bad nowrap" style={{ gap: 4 }}><Unlink className="i" size={14} aria-hidden />{say('timeline.broken')}</span> : point.lines && !isTimed && <LineCounts {...point.lines} />}
      {row.unknown && <span className="row small t-warn nowrap" style={{ gap: 4 }}>{say('timeline.unknown')}{openIcons.unknown}</span>}
      {isTimed && <span className="time">{whenText(point.atMs, say)}</span>}
    </button>
  )
}

/** Its text is what ran, and no path. */
function isCommand({ row, unknown }: Point): boolean {
  return row.author === 'command' || unknown?.isCommand === true
}

/** Which side of the comparison on screen this moment is. */
function Side({ of }: { readonly of: PastRow }) {
  const side = useTimeline(({ look }) => {
    const moment = look?.kind === 'compare' ? momentOf(of) : null
    return moment === null ? null : look?.a === moment ? 'A' : look?.b === moment ? 'B' : null
  })
  return side && <span className="sidemark">{side}</span>
}

function Marks({ row }: { readonly row: Point }) {
  const { author } = row.row
  if (author === null || row.row.kind === 'after-rollback') return <AuthorMark kind="system" />
  return <>{authorMarks[author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={row.takenBackBy !== null || author === 'unknown'} />)}</>
}

/** The same row as a mark alone; its words are its name. */
export function SpineRow({ row, tabIndex, commands, whose, onOpen }: RowProps) {
  const say = useWords()
  const name = spineName(row)
  return (
    <Tip text={name}>
      <button type="button" className="pt" tabIndex={tabIndex} aria-label={name} onClick={() => (row.kind === 'folded' ? unfold(row.key) : onOpen(row))}>
        {row.kind === 'turn' || row.kind === 'folded' ? <span className="turnsep" /> : row.kind === 'open' ? <AuthorMark kind={row.call.isCommand ? 'command' : 'agent'} isHollow={row.call.state !== 'running'} /> : <Marks row={row} />}
      </button>
    </Tip>
  )

  function spineName(one: PastRow): string {
    if (one.kind === 'turn') return `${say('timeline.turn', { turn: one.turn.number })} ${one.turn.title}`
    if (one.kind === 'folded') return say('timeline.folded', { calls: one.rows.length, sessions: new Set(one.rows.map((each) => each.sessionId)).size })
    if (one.kind === 'open') return `${one.call.label} ${say(openWords[one.call.state])}`
    const text = rowText(one.row, one.rollback, commands, say)
    const session = whose(one.row)
    return `${pointWord(one.row, say)}: ${text.words} ${text.mono}${session === null ? '' : `, ${say('timeline.of-session')} ${session}`}${one.row.missing > 0 ? `, ${say('timeline.broken')}` : ''}${one.unknown ? `, ${say('timeline.unknown')}` : ''}`
  }
}
