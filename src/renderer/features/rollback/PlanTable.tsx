import { useMemo, useRef, type ComponentProps, type KeyboardEvent } from 'react'
import { TableVirtuoso, type ItemProps } from 'react-virtuoso'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { LineCount } from '../../../shared/domain/snapshot'
import { authorCode } from '../../../shared/domain/authorCode'
import { PathText } from '../../ui/Exact'
import { Tick } from '../../ui/fields'
import { AuthorMark, LineCounts } from '../../ui/marks'
import { useWords } from '../../ui/words'
import { actionLooks, authorShapes } from './actionLook'
import { fateOf, leftOf, linesOf, totalLines } from './planDecisions'
import type { RollbackState } from './planState'
import { openRow, tick, tickAll, useRollback } from './rollbackStore'

/** So many rows are drawn at once; of more, only those near the window are in the page. */
const fewRows = 100

interface Item {
  readonly row: PlanRow
  readonly planned: LineCount | null
}

/** What is to become of every path. A row opens what it would write. */
export function PlanTable({ state }: { readonly state: RollbackState }) {
  const { plan, lines } = state
  const box = useRef<HTMLDivElement>(null)
  const items = useMemo(() => (plan?.rows ?? []).map((row, at): Item => ({ row, planned: lines[at] ?? null })).sort((a, b) => actionLooks[a.row.action].order - actionLooks[b.row.action].order), [plan, lines])
  const isLong = items.length > fewRows
  return (
    <div ref={box} className="card plantable" data-long={isLong} data-shares={state.open !== null} onKeyDown={(event) => moveBetween(event, box.current)}>
      {isLong
        ? <TableVirtuoso style={{ height: '100%' }} data={items} components={parts} computeItemKey={(_, { row }) => row.path} fixedHeaderContent={() => <Head items={items} />} itemContent={(_, item) => <Cells item={item} />} />
        : <Frame><thead><Head items={items} /></thead><tbody>{items.map((item) => <Row key={item.row.path} path={item.row.path}><Cells item={item} /></Row>)}</tbody></Frame>}
    </div>
  )
}

/** Up and down go from row to row. */
function moveBetween(event: KeyboardEvent, box: HTMLElement | null): void {
  if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || event.nativeEvent.isComposing || !(event.target instanceof HTMLElement) || !box) return
  const kind = event.target.matches('.cb') ? 'tbody .cb' : 'tbody .filebtn'
  const all = [...box.querySelectorAll<HTMLElement>(kind)]
  const here = all.indexOf(event.target)
  const next = all[here + (event.key === 'ArrowDown' ? 1 : -1)]
  if (here < 0 || !next) return
  event.preventDefault()
  next.focus()
}

const parts = { Table: Frame, TableRow: VirtualRow }

function Frame({ context: _context, ...props }: ComponentProps<'table'> & { readonly context?: unknown }) {
  const say = useWords()
  return <table {...props} aria-label={say('timeline.plan.table')} />
}

function VirtualRow({ item, context: _context, ...props }: ItemProps<Item> & { readonly context?: unknown }) {
  return <Row path={item.row.path} {...props} />
}

function Row({ path, ...props }: ComponentProps<'tr'> & { readonly path: string }) {
  const isOpen = useRollback((state) => state.open?.path === path)
  return <tr {...props} aria-selected={isOpen} />
}

function Head({ items }: { readonly items: readonly Item[] }) {
  const say = useWords()
  const state = useRollback()
  const total = useMemo(() => totalLines(items.map(({ row, planned }) => linesOf(row, planned, state, diskOf(row, state)))), [items, state])
  const able = items.filter(({ row }) => row.action !== 'leave' && row.action !== 'cannot')
  const isAll = able.length > 0 && able.every(({ row }) => !state.unticked.has(row.path))
  return (
    <tr>
      <th scope="col" className="c-tick"><Tick label={say('timeline.plan.tick-all')} isOn={isAll} isDisabled={able.length === 0 || state.busy !== null} onChange={tickAll} /></th>
      <th scope="col">{say('timeline.file')}</th><th scope="col">{say('timeline.plan.action')}</th><th scope="col">{say('timeline.since-by')}</th><th scope="col" className="c-why">{say('timeline.plan.why')}</th>
      <th scope="col" className="num">{say('timeline.lines')} <LineCounts {...total} /></th>
    </tr>
  )
}

/** What is on disk where a conflict is open; its lines are counted against it. */
function diskOf(row: PlanRow, { open }: RollbackState): string | null {
  return open?.kind === 'conflict' && open.path === row.path ? open.view.disk : null
}

const ownReasons: Partial<Readonly<Record<PlanRow['action'], 'rollback.made-since' | 'rollback.deleted-since'>>> = { delete: 'rollback.made-since', recreate: 'rollback.deleted-since' }

function Cells({ item: { row, planned } }: { readonly item: Item }) {
  const say = useWords()
  const state = useRollback()
  const { action, by } = fateOf(row, state)
  const { icon: Icon, look } = actionLooks[action]
  const isTicked = !state.unticked.has(row.path)
  const known = state.wish?.authors?.get(row.path)
  const authors = known === undefined ? row.authors : [known]
  // What cannot be done holds the conversation back, so there it can be left out.
  const isFixed = row.action === 'leave' || (row.action === 'cannot' && state.scope === 'files')
  const lines = linesOf(row, planned, state, diskOf(row, state))
  return (
    <>
      <td className="c-tick"><Tick label={say('timeline.plan.tick-path', { path: row.path })} isOn={isTicked && !isFixed && by !== 'all-left' && by !== 'disk'} isDisabled={isFixed || state.busy !== null} onChange={(isOn) => tick(row, isOn)} /></td>
      <td><button type="button" className="mono filebtn" aria-expanded={state.open?.path === row.path} onClick={() => void openRow(row)}><PathText path={row.path} limit={44} /></button></td>
      <td><span className={`row nowrap ${look}`} style={{ gap: 6 }}><Icon size={14} className="i" aria-hidden />{say(by === 'resolved' ? 'timeline.plan.resolved' : `timeline.plan.action.${action}`)}</span></td>
      <td><span className="row planwho">{authors.map((author) => <span key={author} className="row small nowrap" style={{ gap: 5 }}>{authorShapes[author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={author === 'unknown'} />)}{say(authorCode(author, known !== undefined))}</span>)}</span></td>
      <td className="small dim">{why()}</td>
      <td className="num">{lines && <LineCounts {...lines} />}</td>
    </>
  )

  function why(): string {
    switch (by) {
      // Known to be the call's own: nothing of the person's goes with it.
      case 'plan': return known === 'command' && row.reason.code === 'rollback.yours-set-aside' ? say(ownReasons[row.action] ?? 'rollback.reverted') : say.fact(row.reason)
      case 'unticked': return say('timeline.plan.unticked')
      case 'all-left': return say('timeline.plan.all-left')
      case 'some-left': { const out = leftOf(row, state.left); return say('timeline.plan.some-left', { kept: (out?.total ?? 0) - (out?.numbers.length ?? 0), total: out?.total ?? 0 }) }
      case 'resolved': return say('timeline.plan.as-resolved')
      case 'earlier': return say('rollback.taken-earlier')
      case 'disk': return say('timeline.plan.taken-disk')
    }
  }
}
