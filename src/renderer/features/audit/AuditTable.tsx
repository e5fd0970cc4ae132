import { useCallback, useRef, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react'
import { TableVirtuoso, type ItemProps, type TableVirtuosoHandle } from 'react-virtuoso'
import { classes } from '../../ui/classes'
import { Exact } from '../../ui/Exact'
import { isComposing } from '../../ui/keys'
import { Seal } from '../../ui/marks'
import { useMinute } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { choose, readMore, useAudit } from './auditStore'
import { breakOf, clockText, sealOfRow } from './auditWords'

/** The rows of the record, of which only those near the window are in the page. */
export function AuditTable({ firstBroken }: { readonly firstBroken: number | null }) {
  const count = useAudit((state) => state.rows.length)
  const list = useAudit((state) => state.list)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const table = useRef<TableVirtuosoHandle>(null)
  const draw = useCallback((index: number) => <Cells index={index} firstBroken={firstBroken} />, [firstBroken])
  return (
    <div className="auditscroll" ref={setScroller} onKeyDown={(event) => onRowKey(event, table)}>
      {scroller && <TableVirtuoso key={list} ref={table} context={{ firstBroken }} customScrollParent={scroller} totalCount={count} computeItemKey={keyOf} itemContent={draw} fixedHeaderContent={drawHead} components={parts} endReached={() => void readMore()} increaseViewportBy={300} />}
    </div>
  )
}

interface TableContext {
  readonly firstBroken: number | null
}

/** A call keeps its place while it goes on: its number grows with each entry. */
function keyOf(index: number): string {
  const row = useAudit.getState().rows[index]
  return row ? (row.callId ?? `entry-${row.entry}`) : `none-${index}`
}

const parts = { Table: Frame, TableRow: Row }

function Frame({ context: _context, ...props }: ComponentProps<'table'> & { readonly context?: TableContext }) {
  const say = useWords()
  return <table {...props} className="audittable" aria-label={say('audit.table')} />
}

function Row({ item: _item, context, ...props }: ItemProps<unknown> & { readonly context?: TableContext }) {
  const index = props['data-index']
  const entry = useAudit((state) => state.rows[index]?.entry)
  const isAt = useAudit((state) => state.at === index)
  const isChosen = useAudit((state) => entry !== undefined && state.chosen === entry)
  const state = entry === undefined ? null : breakOf(entry, context?.firstBroken ?? null)
  return (
    <tr
      {...props} className={classes(isChosen && 'on', state === 'first' && 'breakrow', state === 'after' && 'hatched')} tabIndex={isAt ? 0 : -1} aria-selected={isChosen}
      onFocus={() => useAudit.setState({ at: index })} onClick={() => { useAudit.setState({ at: index }); if (entry !== undefined) void choose(entry) }}
    />
  )
}

function Cells({ index, firstBroken }: { readonly index: number } & TableContext) {
  const say = useWords()
  const nowMs = useMinute()
  const row = useAudit((state) => state.rows[index])
  if (!row) return <td colSpan={6} />
  const seal = sealOfRow(row, say)
  return (
    <>
      <td className="num small faint mono">{row.entry}{breakOf(row.entry, firstBroken) !== null && <span className="sr">{say('audit.after-break')}</span>}</td>
      <td className="small mono nowrap">{row.atMs === 0 ? '' : clockText(row.atMs, say, nowMs)}</td>
      <td className="med nowrap">{say(`audit.what.${row.what}`)}</td>
      <td className="mono cut on" title={row.on}><Exact text={row.on} /></td>
      <td>{seal ? <Seal {...seal} /> : <span className="small faint">{say(`audit.by.${row.by.actor}`)}</span>}</td>
      <td className={classes('small cut', row.tone !== 'plain' && `t-${row.tone}`)}><Exact text={say.fact(row.outcome)} /></td>
    </>
  )
}

const drawHead = () => <Head />

function Head() {
  const say = useWords()
  return <tr><th scope="col" className="num c-entry">#</th><th scope="col" className="c-time">{say('audit.time')}</th><th scope="col" className="c-what">{say('audit.kind')}</th><th scope="col">{say('audit.on')}</th><th scope="col" className="c-by">{say('audit.decided-by')}</th><th scope="col" className="c-outcome">{say('audit.outcome')}</th></tr>
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1, ArrowUp: (at) => at - 1, PageDown: (at) => at + 10, PageUp: (at) => at - 10, Home: () => 0, End: (_at, last) => last,
}

/** Arrows move, Enter opens, Esc closes what is open. */
function onRowKey(event: KeyboardEvent<HTMLElement>, table: RefObject<TableVirtuosoHandle | null>): void {
  if (isComposing(event) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const { at, rows } = useAudit.getState()
  const row = rows[at]
  const step = steps[event.key]
  if (!step) {
    if ((event.key !== 'Enter' && event.key !== ' ') || !row) return
    event.preventDefault()
    return void choose(row.entry)
  }
  event.preventDefault()
  const to = Math.max(0, Math.min(rows.length - 1, step(at, rows.length - 1)))
  useAudit.setState({ at: to })
  const focus = (): boolean => {
    const found = document.querySelector<HTMLElement>(`.audittable tr[data-index="${to}"]`)
    found?.focus()
    return found !== null
  }
  if (!focus()) table.current?.scrollIntoView({ index: to, done: () => void focus() })
}
