import { FileSearch, GitCompare, RefreshCw, RotateCcw, ScrollText, Undo2, X } from 'lucide-react'
import { useMemo } from 'react'
import type { Author } from '../../../shared/domain/snapshot'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { AuthorMark, Seal } from '../../ui/marks'
import { Chip, Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { BrokenPoint } from './BrokenPoint'
import { ChangedFiles } from './ChangedFiles'
import { FileDiff } from './FileDiff'
import { momentOf } from './openMoment'
import { searchPaths } from './pathStore'
import { authorMarks, momentText, rowText } from './rowWords'
import { changedSince, takenBack, wasEditedBefore, type PastRow } from './timelineRows'
import { lookAt, useTimeline } from './timelineStore'
import { wishesOf } from './timelineWishes'
import { useTimelineWorld } from './timelineWorld'
import { UnknownChoice } from './UnknownChoice'
import { exactTime, whenText } from './whenText'

export type Chosen = Extract<PastRow, { readonly kind: 'point' | 'turn' }>

/** One moment: what it changed, who changed that since, and the ways to take it back. */
export function Detail({ row }: { readonly row: Chosen }) {
  const say = useWords()
  const look = useTimeline((state) => state.look)
  return (
    <>
      <DetailHead row={row} />
      <div className="tlbody">
        {row.kind === 'point' && row.row.missing > 0 && <BrokenPoint row={row.row} />}
        {row.kind === 'point' && row.unknown && <UnknownChoice call={row.unknown} />}
        <div className="row tlacts">
          <p className="dim grow">{look?.b === null ? say('timeline.since-then') : sentence(row, say)}</p>
          <Actions row={row} />
        </div>
        <Compared row={row} />
      </div>
    </>
  )
}

function DetailHead({ row }: { readonly row: Chosen }) {
  const say = useWords()
  const { facts, sayCall, onOpenRecord } = useTimelineWorld()
  const title = row.kind === 'turn' ? { words: say('timeline.turn', { turn: row.turn.number }), mono: row.turn.title } : rowText(row.row, row.rollback, facts.commands, say)
  const callId = row.kind === 'point' && row.row.kind === 'after-call' ? row.row.callId : null
  const told = callId === null ? null : sayCall(callId)
  const chips = [told?.turn == null ? null : say('timeline.turn', { turn: told.turn }), exactTime(row.atMs, say), told?.span ?? null, told?.exitCode == null ? null : say('timeline.exit', { code: String(told.exitCode) })]
  const marks = row.kind === 'point' && row.row.author !== null && row.row.kind !== 'after-rollback' ? authorMarks[row.row.author] : (['system'] as const)
  return (
    <div className="head">
      {marks.map((kind) => <AuthorMark key={kind} kind={kind} isHollow={row.kind === 'turn' || row.takenBackBy !== null} />)}
      <h2 className="cut" title={`${title.words} ${title.mono}`.trim()}>{title.words} <Exact text={title.mono} className={row.kind === 'turn' ? 'dim' : 'mono'} /></h2>
      <Chip>{chips.filter((one) => one !== null).join(' · ')}</Chip>
      {told?.seal && <Seal {...told.seal} />}
      {callId !== null && <span className="end"><Button size="small" look="quiet" icon={ScrollText} onClick={() => onOpenRecord(callId)}>{say('timeline.open-record')}</Button></span>}
    </div>
  )
}

/** What is looked at, in words, and what became of it. */
function sentence(row: Chosen, say: Speaker): string {
  if (row.kind === 'turn') return say('timeline.turn-changed')
  const { kind, author } = row.row
  const what = kind === 'after-rollback' ? say('timeline.rollback-changed') : kind === 'drift' ? say('timeline.you-changed') : kind !== 'after-call' ? say('timeline.this-changed') : say(author === 'command' ? 'timeline.command-changed' : author === 'unknown' ? 'timeline.cut-short-changed' : 'timeline.call-changed')
  const by = row.takenBackBy ?? row.partlyBackBy
  if (by === null) return what
  const { timeline } = useTimeline.getState()
  const isKept = by.target.keepUserEdits && wasEditedBefore(timeline, row.row, by)
  const isYours = takenBack(timeline).kept.has(row.row.id)
  const then = say(row.takenBackBy === null ? 'timeline.partly-back-at' : isYours ? 'timeline.taken-back-yours' : isKept ? 'timeline.taken-back-kept' : 'timeline.taken-back-at', { time: whenText(by.atMs, say) })
  return say.locale === 'en' ? `${what} ${then}` : `${what}${then}`
}

function Actions({ row }: { readonly row: Chosen }) {
  const say = useWords()
  const { facts, onWish } = useTimelineWorld()
  const timeline = useTimeline((state) => state.timeline)
  const { undo, bringBack, back } = useMemo(() => wishesOf(row, facts, (id) => momentText(id, 'a', timeline, facts, say)), [row, facts, say, timeline])
  const moment = momentOf(row)
  return (
    <span className="row" style={{ flexWrap: 'wrap' }}>
      {undo && <Button icon={Undo2} aria-label={say('timeline.undo-call')} onClick={() => onWish(undo)}>{say('timeline.undo-call')}…</Button>}
      {bringBack && <Button icon={RefreshCw} aria-label={say('timeline.bring-back')} onClick={() => onWish(bringBack)}>{say('timeline.bring-back')}…</Button>}
      {back && <Button icon={RotateCcw} aria-label={say('timeline.back-to-here')} onClick={() => onWish(back)}>{say('timeline.back-to-here')}…</Button>}
      {moment !== null && <Button icon={GitCompare} onClick={() => void lookAt(moment, null, 'compare')}>{say('timeline.compare-now')}</Button>}
      {moment !== null && <IconButton icon={FileSearch} size="normal" look="plain" label={say('timeline.find-file')} onClick={() => void searchPaths(moment)} />}
    </span>
  )
}

/** What is on disk and in no point yet. */
export function NowDetail() {
  const say = useWords()
  const last = useTimeline((state) => state.timeline.rows.at(-1)?.id)
  return (
    <>
      <div className="head"><h2>{say('timeline.now')}</h2></div>
      <div className="tlbody">
        <div className="row tlacts"><p className="dim grow">{say('timeline.now-changed')}</p>{last !== undefined && <IconButton icon={FileSearch} size="normal" look="plain" label={say('timeline.find-file')} onClick={() => void searchPaths(last)} />}</div>
        <Compared row={null} />
      </div>
    </>
  )
}

/** Any two moments, or one and the disk. */
export function CompareDetail({ onClose }: { readonly onClose: () => void }) {
  const say = useWords()
  return (
    <>
      <div className="head"><GitCompare className="i dim" size={14} aria-hidden /><h2>{say('timeline.comparing')}</h2><span className="end"><IconButton icon={X} label={say('timeline.compare-close')} onClick={onClose} /></span></div>
      <div className="tlbody">
        <p className="dim">{say('timeline.compare-about')}</p>
        <Compared row={null} />
      </div>
    </>
  )
}

/** The files that differ in what is looked at, and the one that is open. */
function Compared({ row }: { readonly row: Chosen | null }) {
  const say = useWords()
  const timeline = useTimeline((state) => state.timeline)
  const look = useTimeline((state) => state.look)
  const file = useTimeline((state) => state.file)
  const fault = useTimeline((state) => state.fault)
  const point = row?.kind === 'point' ? row.row.id : null
  const since = useMemo(() => {
    if (point === null) return null
    const known = new Map<string, readonly Author[]>()
    return (path: string): readonly Author[] => known.get(path) ?? (known.set(path, changedSince(timeline, point, path)), known.get(path) ?? [])
  }, [timeline, point])
  if (!look) return null
  const { changes } = look
  return (
    <>
      {fault && <Note tone="bad" role="alert"><Exact text={say.fact(fault)} /></Note>}
      {changes && changes.length === 0 && <Note tone="info">{say(look.b === null ? (look.kind === 'now' ? 'timeline.now-equal' : 'timeline.disk-equal') : 'timeline.no-change')}</Note>}
      {changes && changes.length > 0 && <ChangedFiles look={look} changes={changes} since={look.b === null ? null : since} />}
      {changes === null && !fault && <div className="card tlfiles" aria-busy><p className="skeleton" /></div>}
      <FileDiff look={look} file={file} />
    </>
  )
}
