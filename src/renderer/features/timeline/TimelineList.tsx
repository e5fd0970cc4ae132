import { createContext, useCallback, useContext, useMemo, useRef, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react'
import { Virtuoso, type ItemProps, type VirtuosoHandle } from 'react-virtuoso'
import type { CallId } from '../../../shared/domain/ids'
import type { Timeline, TimelineRow } from '../../../shared/ipc/timelineViews'
import { ContextMenu } from '../../ui/ContextMenu'
import { isComposing } from '../../ui/keys'
import type { MenuItem } from '../../ui/Menu'
import { useWords } from '../../ui/words'
import { Row, SpineRow } from './PointRows'
import type { PastRow } from './timelineRows'
import { momentOf, pick } from './openMoment'
import { useTimeline } from './timelineStore'
import { whenText } from './whenText'

interface ListProps {
  readonly rows: readonly PastRow[]
  readonly selected: string | null
  readonly commands: ReadonlyMap<CallId, string>
  /** The session that a row names; null where there is no doubt whose it is. */
  readonly whose: (row: TimelineRow) => string | null
  /** Marks one under another, without words. */
  readonly isSpine: boolean
  readonly onOpen: (row: PastRow) => void
  /** What else can be done with a row (Shift+F10); none in the spine. */
  readonly menu?: (row: PastRow) => readonly MenuItem[]
  /** A row was picked as one side of a comparison by its letter: shows it, where it is not shown here. */
  readonly onCompare?: () => void
}

interface ListContext {
  readonly total: number
  readonly forgotten: Timeline['forgotten']
}

/** Which row takes the keyboard, by its key. */
const AtContext = createContext<string | null>(null)

/**
 * The one list named "Timeline": rows in the pane and on the page, marks in the spine. Only what is near the window is in the
 * page. Arrows move, Enter opens, A and B pick the two sides of a comparison.
 */
export function TimelineList({ rows, selected, commands, whose, isSpine, onOpen, menu, onCompare }: ListProps) {
  const say = useWords()
  const list = useRef<VirtuosoHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const forgotten = useTimeline((state) => state.timeline.forgotten)
  const [at, setAt] = useState<string | null>(selected)
  const [items, setItems] = useState<readonly MenuItem[]>([])
  const tab = rows.some((row) => row.key === at) ? at : (rows[0]?.key ?? null)
  const context = useMemo<ListContext>(() => ({ total: rows.length, forgotten: isSpine ? null : forgotten }), [rows.length, isSpine, forgotten])
  const draw = useCallback(
    (_index: number, row: PastRow) => <Drawn row={row} isSpine={isSpine} selected={selected} commands={commands} whose={whose} onOpen={onOpen} />,
    [isSpine, selected, commands, whose, onOpen],
  )
  return (
    <AtContext value={tab}>
      <ContextMenu name={say('timeline.title')} items={items} onClose={() => focusRow(box, list, rows.findIndex((row) => row.key === tab))}>
        <div
          ref={box} className="list" onFocus={(event) => setAt(keyAt(event.target, rows) ?? at)}
          onContextMenuCapture={(event) => { const row = rows.find((one) => one.key === keyAt(event.target, rows)); setItems(row && menu && !isSpine ? menu(row) : []) }}
          onKeyDown={(event) => onKey(event, rows, box, list, onCompare)}
        >
          <Virtuoso ref={list} style={{ height: '100%' }} data={rows} context={context} computeItemKey={keyOf} itemContent={draw} components={parts} increaseViewportBy={400} tabIndex={-1} />
        </div>
      </ContextMenu>
    </AtContext>
  )
}

type DrawnProps = Pick<ListProps, 'isSpine' | 'selected' | 'commands' | 'whose' | 'onOpen'> & { readonly row: PastRow }

function Drawn({ row, isSpine, selected, ...rest }: DrawnProps) {
  const tabIndex = useContext(AtContext) === row.key ? 0 : -1
  return isSpine ? <SpineRow row={row} tabIndex={tabIndex} {...rest} /> : <Row row={row} isSelected={row.key === selected} tabIndex={tabIndex} {...rest} />
}

const parts = { List, Item, Footer }

/** Below the oldest point: that there were older ones. */
function Footer({ context }: { readonly context?: ListContext }) {
  const say = useWords()
  const forgotten = context?.forgotten
  return forgotten ? <p className="small faint tlforgotten">{say('timeline.forgotten', { count: forgotten.points, date: whenText(forgotten.untilMs, say) })}</p> : <div style={{ height: 6 }} />
}

function List({ context: _context, ...props }: ComponentProps<'ul'> & { readonly context?: ListContext }) {
  const say = useWords()
  return <ul {...props} aria-label={say('timeline.list')} />
}

function Item({ item: _item, context, ...props }: ItemProps<PastRow> & { readonly context?: ListContext }) {
  const index = props['data-index']
  const total = context?.total ?? 0
  const isLast = index === total - 1
  return <li {...props} className={`${index === 0 ? 'first' : ''} ${isLast && context?.forgotten == null ? 'last' : ''}`} aria-setsize={total} aria-posinset={index + 1} />
}

function keyOf(_index: number, row: PastRow): string {
  return row.key
}

function indexAt(target: EventTarget | null): number {
  const item = target instanceof Element ? target.closest<HTMLElement>('li[data-index]') : null
  return item ? Number(item.dataset['index']) : -1
}

function keyAt(target: EventTarget | null, rows: readonly PastRow[]): string | null {
  return rows[indexAt(target)]?.key ?? null
}

/** The keyboard goes to a row; one that is not in the page is scrolled to first. */
function focusRow(box: RefObject<HTMLDivElement | null>, list: RefObject<VirtuosoHandle | null>, index: number): void {
  const focus = (): boolean => {
    const button = box.current?.querySelector<HTMLElement>(`li[data-index="${index}"] button`)
    button?.focus()
    return button != null
  }
  if (focus()) list.current?.scrollIntoView({ index })
  else list.current?.scrollIntoView({ index, done: () => requestAnimationFrame(() => void focus()) })
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1, ArrowUp: (at) => at - 1, PageDown: (at) => at + 10, PageUp: (at) => at - 10, Home: () => 0, End: (_at, last) => last,
}

function onKey(event: KeyboardEvent<HTMLElement>, rows: readonly PastRow[], box: RefObject<HTMLDivElement | null>, list: RefObject<VirtuosoHandle | null>, onCompare: (() => void) | undefined): void {
  if (isComposing(event) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const at = indexAt(event.target)
  const row = rows[at]
  const step = steps[event.key]
  if (step) {
    event.preventDefault()
    // Above the first row stands what is on disk.
    if (at === 0 && event.key === 'ArrowUp') return box.current?.parentElement?.querySelector<HTMLElement>('[data-now]')?.focus()
    return focusRow(box, list, Math.max(0, Math.min(rows.length - 1, step(at, rows.length - 1))))
  }
  const side = { a: 'a', b: 'b' }[event.key.toLowerCase()]
  const moment = row ? momentOf(row) : null
  if (side === undefined || moment === null) return
  event.preventDefault()
  pick(side === 'a' ? 'a' : 'b', moment)
  onCompare?.()
}
