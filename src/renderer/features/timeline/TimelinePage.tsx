import { GitCompare, History, RotateCcw, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Author } from '../../../shared/domain/snapshot'
import type { ChangedPath } from '../../../shared/ipc/timelineViews'
import { Button } from '../../ui/Button'
import { DiffEditor } from '../../ui/DiffEditor'
import { Exact, PathText } from '../../ui/Exact'
import { AuthorMark, LineCounts } from '../../ui/marks'
import { Chip, Empty, Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { authorMarks, authorWord, rowText } from './rowWords'
import { Filters, NowRow, pointWish, turnWish, undoCallWish, usePast, type RollbackWish, type TimelineFacts } from './Timeline'
import { changedSince, sumLines, type PastRow } from './timelineRows'
import { lookAt, openFile, useTimeline } from './timelineStore'

export interface PageProps {
  readonly facts: TimelineFacts
  readonly onWish: (wish: RollbackWish) => void
  readonly onUndoRollback: (rollbackId: string) => void
  readonly list: (rows: readonly PastRow[]) => ReactNode
}

/** All moments of the folder; at the right, the chosen one. */
export function TimelinePage({ facts, onWish, onUndoRollback, list }: PageProps) {
  const say = useWords()
  const rows = usePast(facts)
  const { timeline, selected } = useTimeline()
  const row = rows.find((one) => one.key === selected)
  const lastRollback = timeline.rollbacks.findLast((one) => one.undoOf === null && (one.state === 'applied' || one.state === 'partly'))
  return (
    <>
      <section className="tl wide" style={{ width: 'min(500px, 42%)' }} data-zone="timeline" tabIndex={-1}>
        <div className="head">
          <h1>{say('timeline.title')}</h1>
          <span className="small faint cut">{say('timeline.points', { points: timeline.rows.length })}</span>
          {lastRollback && <span className="end"><Button size="small" icon={Undo2} onClick={() => onUndoRollback(lastRollback.id)}>{say('timeline.undo-rollback')}</Button></span>}
        </div>
        <Filters sessionId={facts.sessionId} />
        <NowRow />
        {list(rows)}
      </section>
      <section className="main" aria-label={say('timeline.detail')}>
        {row && row.kind !== 'folded' && row.kind !== 'open'
          ? <Detail row={row} facts={facts} onWish={onWish} />
          : <Empty icon={History}>{say(rows.length === 0 ? 'timeline.empty' : 'timeline.choose')}</Empty>}
      </section>
    </>
  )
}

type Chosen = Extract<PastRow, { readonly kind: 'point' | 'turn' }>

function Detail({ row, facts, onWish }: { readonly row: Chosen; readonly facts: TimelineFacts; readonly onWish: (wish: RollbackWish) => void }) {
  const say = useWords()
  const { look, fault } = useTimeline()
  const title = row.kind === 'turn' ? { words: say('timeline.turn', { turn: row.turn.number }), mono: '' } : rowText(row.row, row.rollback, facts.commands, say)
  const isNow = look?.b === null
  return (
    <>
      <div className="head">
        {row.kind === 'point' && row.row.author !== null && row.row.kind !== 'after-rollback' ? authorMarks[row.row.author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={row.isTakenBack} />) : <AuthorMark kind="system" isHollow={row.kind === 'turn'} />}
        <h2 className="cut">{title.words} <Exact text={title.mono} className="mono" /></h2>
        <Chip>{say.time(row.atMs)}</Chip>
        {row.kind === 'point' && row.isTakenBack && <Chip><Undo2 size={12} aria-hidden />{say('timeline.taken-back')}</Chip>}
      </div>
      <div className="col" style={{ padding: '12px 20px', gap: 12, flex: 1, overflow: 'auto' }}>
        <div className="row" style={{ flexWrap: 'wrap' }}>
          <p className="dim grow">{say(isNow ? 'timeline.since-then' : 'timeline.this-changed')}</p>
          <Actions row={row} facts={facts} onWish={onWish} />
        </div>
        {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
        {look?.changes && <Changes changes={look.changes} row={row} isNow={isNow} />}
      </div>
    </>
  )
}

function Actions({ row, facts, onWish }: { readonly row: Chosen; readonly facts: TimelineFacts; readonly onWish: (wish: RollbackWish) => void }) {
  const say = useWords()
  const callId = row.kind === 'point' && row.row.kind === 'after-call' ? row.row.callId : null
  const undo = callId !== null && row.kind === 'point' && !row.isTakenBack ? undoCallWish(callId, facts.commands.get(callId) ?? row.row.changed.map((change) => change.path).join(', ')) : null
  const back = row.kind === 'turn' ? turnWish(row.turn) : pointWish(row.row, facts, say.time(row.atMs))
  return (
    <span className="row" style={{ flexWrap: 'wrap' }}>
      {undo && <Button icon={Undo2} aria-label={say('timeline.undo-call')} onClick={() => onWish(undo)}>{say('timeline.undo-call')}…</Button>}
      {back && <Button icon={RotateCcw} aria-label={say('timeline.back-to-here')} onClick={() => onWish(back)}>{say('timeline.back-to-here')}…</Button>}
      {row.kind === 'point' && <Button icon={GitCompare} onClick={() => void lookAt(row.row.id, null)}>{say('timeline.compare-now')}</Button>}
    </span>
  )
}

const effects = { added: 'timeline.created', modified: 'timeline.changed', deleted: 'timeline.deleted', mode: 'timeline.mode', type: 'timeline.type' } as const

function Changes({ changes, row, isNow }: { readonly changes: readonly ChangedPath[]; readonly row: Chosen; readonly isNow: boolean }) {
  const say = useWords()
  const { timeline, file } = useTimeline()
  if (changes.length === 0) return <Note tone="info">{say(isNow ? 'timeline.disk-equal' : 'timeline.no-change')}</Note>
  const since = (path: string): readonly Author[] => (row.kind === 'point' && !isNow ? changedSince(timeline, row.row.id, path) : [])
  return (
    <>
      <div className="card" style={{ overflow: 'auto', maxHeight: 260, flex: 'none' }}>
        <table aria-label={say('timeline.files')}>
          <thead><tr><th scope="col">{say('timeline.file')}</th><th scope="col">{say('timeline.effect')}</th><th scope="col">{say('timeline.since-by')}</th><th scope="col" className="num">{say('timeline.lines')} <LineCounts {...sumLines(changes)} /></th></tr></thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.path} aria-selected={file?.path === change.path}>
                <td><button type="button" className="mono" onClick={() => void openFile(change)}><PathText path={change.path} limit={60} /></button></td>
                <td>{say(effects[change.change])}</td>
                <td><span className="row">{since(change.path).map((author) => <span key={author} className="row small" style={{ gap: 5 }}>{authorMarks[author].map((kind) => <AuthorMark key={kind} kind={kind} />)}{authorWord(author, say)}</span>)}</span></td>
                <td className="num">{change.lines && <LineCounts {...change.lines} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {file && (file.isBinary
        ? <Note tone="info">{say('timeline.binary')}</Note>
        : <div className="card editor" style={{ minHeight: 240 }}><div><DiffEditor before={file.before} after={file.after} path={file.path} name={file.path} sideNames={{ before: say('timeline.before'), after: say('timeline.after') }} /></div></div>)}
    </>
  )
}
