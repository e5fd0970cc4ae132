import { ArrowLeft, CircleDot, History, Link, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallId } from '../../../shared/domain/ids'
import type { AuditRecord } from '../../../shared/ipc/views'
import { Button, IconButton } from '../../ui/Button'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { Seal } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { choose } from './auditStore'
import { breakOf, exactClock, hashText, sealOfRow } from './auditWords'
import { ThreeTexts } from './ThreeTexts'

export interface RecordLinks {
  /** Shows a call in the timeline; null where it has no moment there. */
  readonly toTimeline: (callId: CallId) => (() => void) | null
  /** Opens the plan that takes a call back; null where there is nothing to take back. */
  readonly toUndo: (callId: CallId, label: string) => (() => void) | null
}

/** The whole record of one row: who wanted what, who let it, what came of it, and how that can be proven. */
export function RecordPanel({ entry, record, firstBroken, isAlone, links }: { readonly entry: number; readonly record: AuditRecord | null; readonly firstBroken: number | null; readonly isAlone: boolean; readonly links: RecordLinks }) {
  const say = useWords()
  const title = say('audit.record', { entry: String(entry) })
  const seal = record && sealOfRow(record.row, say)
  const callId = record?.row.callId ?? null
  const show = callId === null ? null : links.toTimeline(callId)
  const undo = callId === null || !record ? null : links.toUndo(callId, record.row.on)
  return (
    <section className={classes('main recordpane', isAlone && 'alone')} aria-label={title} data-zone="record" tabIndex={-1}>
      <div className="head">
        {isAlone && <IconButton icon={ArrowLeft} label={say('audit.back')} onClick={() => void choose(null)} />}
        <h2 className="nowrap">{title}</h2>
        {seal && <Seal {...seal} />}
        <span className="end row">
          {show && <Button size="small" look="quiet" icon={History} onClick={show}>{say('audit.in-timeline')}</Button>}
          {undo && <Button size="small" icon={Undo2} onClick={undo}>{say('audit.undo-call')}</Button>}
          {!isAlone && <IconButton icon={X} label={say('audit.back')} onClick={() => void choose(null)} />}
        </span>
      </div>
      {record === null ? <div className="panelbody" aria-busy /> : (
        <div className="panelbody">
          {breakOf(record.row.entry, firstBroken) !== null && <Note tone="bad" role="alert">{say('audit.after-break')}</Note>}
          <p>{say.fact(record.sentence)}</p>
          <ThreeTexts record={record} />
          <Steps record={record} />
          <Facts record={record} />
          {record.output !== null && <><h3 className="small med dim">{say(record.effective === null ? 'audit.told' : 'audit.output')}</h3><pre className="code outputbox"><Exact text={record.output} /></pre></>}
          <div className="note ok"><Link className="i" size={14} aria-hidden /><div className="grow">{say('audit.limits')}</div></div>
        </div>
      )}
    </section>
  )
}

function Steps({ record }: { readonly record: AuditRecord }) {
  const say = useWords()
  return (
    <ul className="recordsteps">
      {record.steps.map((step) => (
        <li key={step.entry}>
          <CircleDot className="i dim" size={14} aria-hidden />
          <span className="mono faint nowrap">{exactClock(step.atMs, say)}</span>
          <span className="wrap-any"><Exact text={say.fact(step.say)} /></span>
        </li>
      ))}
    </ul>
  )
}

function Facts({ record }: { readonly record: AuditRecord }) {
  const say = useWords()
  const { changed, beforeSnapshot, afterSnapshot, sources, masked } = record
  const counts = { created: changed.filter((file) => file.before === null && file.after !== null).length, deleted: changed.filter((file) => file.after === null && file.before !== null).length }
  const snapshots = [beforeSnapshot, afterSnapshot].filter((id) => id !== null).map((id) => id.slice(0, 12))
  return (
    <dl className="kv">
      <Fact word={say('audit.effects')}>
        {changed.length === 0 ? say('audit.effects-none') : say('audit.effects-counts', { ...counts, changed: changed.length - counts.created - counts.deleted })}
        {changed.length > 0 && <ul className="mono small">{changed.slice(0, 50).map((file) => <li key={file.path} className="wrap-any" title={`${file.before ?? '–'} → ${file.after ?? '–'}`}><Exact text={file.path} /></li>)}{changed.length > 50 && <li>{say('session.and-more', { count: changed.length - 50 })}</li>}</ul>}
      </Fact>
      {snapshots.length > 0 && <Fact word={say('audit.snapshots')}><span className="mono">{snapshots.join(' → ')}</span></Fact>}
      {sources.length > 0 && <Fact word={say('audit.sources')}>{sources.map((source) => <div key={source} className="t-warn wrap-any"><Exact text={source} /></div>)}</Fact>}
      {masked > 0 && <Fact word={say('audit.masked')}>{say('audit.masked-count', { count: masked })}</Fact>}
      <Fact word={say('audit.this-entry')}><span className="mono" title={record.chain}>{hashText(record.chain)}</span></Fact>
      <Fact word={say('audit.entry-before')}><span className="mono" title={record.prev}>{hashText(record.prev)}</span></Fact>
      <Fact word={say('audit.author')}>{say(record.isSigned ? 'audit.author-signed' : 'audit.author-open')}</Fact>
    </dl>
  )
}

function Fact({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return <><dt>{word}</dt><dd>{children}</dd></>
}
