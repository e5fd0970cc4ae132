import { ArrowDown, ArrowUp } from 'lucide-react'
import { createContext, useCallback, useContext, useRef, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react'
import { TableVirtuoso, type ItemProps, type TableVirtuosoHandle } from 'react-virtuoso'
import type { Memory } from '../../../shared/domain/memory'
import type { SayCode } from '../../../shared/words/codes'
import { isComposing } from '../../ui/keys'
import { useMinute } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { beginEdit, remove, tick, tickAll, tickNone } from './memoryActs'
import { MemoryCells } from './MemoryCells'
import { rowAt, showRange, sortBy, useMemories, type Order } from './memoryStore'

interface Acts {
  readonly onKey: (event: KeyboardEvent<HTMLElement>, index: number) => void
}
const ActsContext = createContext<Acts>({ onKey: () => undefined })

/** The entries as a table, of which only the rows near the window are in the page. */
export function MemoryTable({ onOpenSource }: { readonly onOpenSource: (memory: Memory) => void }) {
  const total = useMemories((state) => state.head?.total ?? 0)
  const list = useMemories((state) => state.list)
  const isInBin = useMemories((state) => state.shown === 'bin')
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const table = useRef<TableVirtuosoHandle>(null)
  const nowMs = useMinute()
  const goTo = useCallback((index: number) => goToRow(table, index), [])
  const onKey = useCallback((event: KeyboardEvent<HTMLElement>, index: number) => onRowKey(event, index, goTo), [goTo])
  const draw = useCallback((index: number) => <Cells index={index} isInBin={isInBin} nowMs={nowMs} onOpenSource={onOpenSource} onEdited={goTo} />, [isInBin, nowMs, onOpenSource, goTo])
  return (
    <div className="memscroll" ref={setScroller} data-zone="memory" tabIndex={-1}>
      <div className="card memcard">
        {scroller && (
          <ActsContext value={{ onKey }}>
            <TableVirtuoso
              key={list} ref={table} customScrollParent={scroller} totalCount={total} computeItemKey={keyOf} itemContent={draw} fixedHeaderContent={isInBin ? drawBinHead : drawHead} components={parts}
              rangeChanged={({ startIndex, endIndex }) => showRange(startIndex, endIndex)} increaseViewportBy={300}
            />
          </ActsContext>
        )}
      </div>
    </div>
  )
}

/** A row keeps its place in the page while it is the same entry. */
function keyOf(index: number): string {
  return rowAt(useMemories.getState().chunks, index)?.memory.id ?? `unread-${index}`
}

const parts = { Table: Frame, TableRow: Row }

function Frame(props: ComponentProps<'table'>) {
  const say = useWords()
  const total = useMemories((state) => state.head?.total ?? 0)
  return <table {...props} className="memtable" aria-label={say('memory.table')} aria-rowcount={total + 1} />
}

function Row({ item: _item, context: _context, ...props }: ItemProps<unknown> & { readonly context?: unknown }) {
  const index = props['data-index']
  const { onKey } = useContext(ActsContext)
  const isAt = useMemories((state) => state.at === index)
  const isTicked = useMemories((state) => { const id = rowAt(state.chunks, index)?.memory.id; return id !== undefined && state.selected.has(id) })
  return <tr {...props} aria-rowindex={index + 2} className={isTicked ? 'ticked' : ''} tabIndex={isAt ? 0 : -1} onKeyDown={(event) => onKey(event, index)} onFocus={() => useMemories.setState({ at: index })} />
}

interface CellsProps {
  readonly index: number
  readonly isInBin: boolean
  readonly nowMs: number
  readonly onOpenSource: (memory: Memory) => void
  readonly onEdited: (index: number) => void
}

function Cells({ index, ...rest }: CellsProps) {
  const row = useMemories((state) => rowAt(state.chunks, index))
  if (!row) return <td colSpan={rest.isInBin ? 7 : 8}><span className="skeleton" /></td>
  return <MemoryCells row={row} index={index} {...rest} />
}

/** The keyboard goes to a row; one that is not in the page is scrolled to first. */
function goToRow(table: RefObject<TableVirtuosoHandle | null>, index: number): void {
  useMemories.setState({ at: index })
  const focus = (): boolean => {
    const row = document.querySelector<HTMLElement>(`.memtable tr[data-index="${index}"]`)
    row?.focus()
    return row !== null
  }
  // After what stood in the row's place is drawn.
  requestAnimationFrame(() => { if (!focus()) table.current?.scrollIntoView({ index, done: () => void focus() }) })
}

const steps: Readonly<Record<string, (at: number, total: number) => number>> = {
  ArrowDown: (at) => at + 1, ArrowUp: (at) => at - 1, PageDown: (at) => at + 10, PageUp: (at) => at - 10, Home: () => 0, End: (_at, total) => total - 1,
}

/** Arrows move, Space ticks, F2 or Enter edits, Delete deletes. A control in the row keeps its own keys. */
function onRowKey(event: KeyboardEvent<HTMLElement>, index: number, goTo: (index: number) => void): void {
  if (isComposing(event) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const { chunks, head, selected, shown } = useMemories.getState()
  const memory = rowAt(chunks, index)?.memory
  const isOwn = event.target === event.currentTarget
  const step = steps[event.key]
  if (step) {
    event.preventDefault()
    const to = Math.max(0, Math.min((head?.total ?? 1) - 1, step(index, head?.total ?? 1)))
    if (event.shiftKey) void tick(to, true, true)
    return goTo(to)
  }
  if (!memory) return
  const isEditable = shown !== 'bin'
  const act = event.key === ' ' && isOwn ? () => void tick(index, !selected.has(memory.id), event.shiftKey)
    : isEditable && ((event.key === 'Enter' && isOwn) || event.key === 'F2') ? () => beginEdit(memory)
      : isEditable && event.key === 'Delete' ? () => void remove(selected.has(memory.id) ? [...selected.keys()] : [memory.id]).then(() => goTo(index))
        : null
  if (!act) return
  event.preventDefault()
  act()
}

const drawHead = () => <Head isInBin={false} />
const drawBinHead = () => <Head isInBin />

function Head({ isInBin }: { readonly isInBin: boolean }) {
  const say = useWords()
  return (
    <tr aria-rowindex={1}>
      <th className="c-tick"><TickAll /></th>
      <th className="c-pin"><span className="sr">{say('memory.pin')}</span></th>
      <Column by="text" />
      <Column by="scope" className="c-scope" />
      <Column by="source" className="c-source" />
      <Column by="at" {...(isInBin ? { code: 'memory.deleted' as const } : {})} className="c-age num" />
      {isInBin ? <th className="c-fate"><span className="sr">{say('memory.restore')}</span></th> : <><Column by="score" className="c-score num" /><th className="c-fate">{say('memory.fate')}</th></>}
    </tr>
  )
}

const names = { text: 'memory.fact', scope: 'memory.scope', source: 'memory.source', at: 'memory.age', score: 'memory.score' } as const

/** The age grows as the time of an entry falls; the arrow says how the ages run. */
function Column({ by, code = names[by], className = '' }: { readonly by: Order['by']; readonly code?: SayCode; readonly className?: string }) {
  const say = useWords()
  const order = useMemories((state) => state.order)
  const isBy = order.by === by
  const isDown = by === 'at' ? !order.isDescending : order.isDescending
  const Arrow = isDown ? ArrowDown : ArrowUp
  return (
    <th className={className} aria-sort={isBy ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className="sort" onClick={() => sortBy(by)}>{say(code)}{isBy && <Arrow className="i" size={12} aria-hidden />}</button>
    </th>
  )
}

function TickAll() {
  const say = useWords()
  const count = useMemories((state) => state.selected.size)
  const total = useMemories((state) => state.head?.total ?? 0)
  const isAll = total > 0 && count >= total
  const box = useCallback((element: HTMLInputElement | null) => { if (element) element.indeterminate = count > 0 && !isAll }, [count, isAll])
  return <input ref={box} type="checkbox" className="cb" aria-label={say('memory.select-all')} checked={isAll} disabled={total === 0} onChange={() => { if (count > 0) tickNone(); else void tickAll() }} />
}
