import { ChevronLeft, CircleSlash, Clock, GitMerge, LoaderCircle, Minus, Plus, Trash2, TriangleAlert, Undo2, type LucideIcon } from 'lucide-react'
import type { PlanAction, PlanRow } from '../../../shared/domain/rollback'
import type { Author } from '../../../shared/domain/snapshot'
import { Button } from '../../ui/Button'
import { Exact, PathText } from '../../ui/Exact'
import { Segmented, Switch, Tick } from '../../ui/fields'
import { AuthorMark, type MarkKind } from '../../ui/marks'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { Conflict } from './Conflict'
import { apply, openConflict, openConflicts, othersTaken, setKeep, setScope, tick, undo, useRollback, writingRows, type OtherCall, type RollbackState } from './rollbackStore'

const actions: Readonly<Record<PlanAction, { readonly icon: LucideIcon; readonly look: string; readonly order: number }>> = {
  conflict: { icon: TriangleAlert, look: 't-warn', order: 0 }, cannot: { icon: CircleSlash, look: 't-bad', order: 1 }, merge: { icon: GitMerge, look: 't-agent', order: 2 }, revert: { icon: Undo2, look: 't-info', order: 3 },
  delete: { icon: Trash2, look: 't-bad', order: 4 }, recreate: { icon: Plus, look: 't-ok', order: 5 }, leave: { icon: Minus, look: 'faint', order: 6 },
}
const marks: Readonly<Record<Author, readonly MarkKind[]>> = { agent: ['agent'], you: ['you'], command: ['command'], both: ['agent', 'you'], unknown: ['command'] }

/** The plan: what will be written to every path, and why. Nothing is written before the button. */
export function RollbackView({ others, onBack }: { readonly others: readonly OtherCall[]; readonly onBack: () => void }) {
  const say = useWords()
  const state = useRollback()
  const { wish, plan, scope, fault, done } = state
  return (
    <section className="page" style={{ overflow: 'hidden' }}>
      <div className="phead" style={{ paddingBottom: 8 }}>
        <div className="grow"><h1><Exact text={wish?.title ?? say('timeline.plan.title')} /></h1>{!done && <p>{say('timeline.plan.about')}</p>}</div>
        <Button look="quiet" icon={ChevronLeft} onClick={onBack}>{say('timeline.plan.back')}</Button>
      </div>
      {!done && <div className="row" style={{ padding: '0 24px 12px', flexWrap: 'wrap' }}>
        <Segmented
          label={say('timeline.plan.what')} value={scope} onChange={setScope}
          options={(['files', 'conversation', 'both'] as const).map((value) => ({ value, label: say(`timeline.plan.${value}`), isDisabled: (value !== 'files' && wish?.turnId == null) }))}
        />
        {scope !== 'conversation' && <span style={{ marginLeft: 12 }}><Switch label={say('timeline.plan.keep')} isOn={wish?.target.keepUserEdits ?? true} isDisabled={state.isBusy} onChange={(isOn) => void setKeep(isOn)} /></span>}
        {plan && scope !== 'conversation' && <span className="end small dim">{summary(plan.rows, state.unticked, say)}</span>}
      </div>}
      {fault && <div style={{ padding: '0 24px 10px' }}><Note tone="bad" role="alert">{say.fact(fault)}</Note></div>}
      {done ? <Outcome state={state} /> : <PlanBody state={state} others={others} />}
      {!done && <Foot state={state} onBack={onBack} />}
    </section>
  )
}

function summary(rows: readonly PlanRow[], unticked: ReadonlySet<string>, say: Speaker): string {
  const counts = new Map<PlanAction, number>()
  for (const row of rows) {
    const action = unticked.has(row.path) ? 'leave' : row.action
    counts.set(action, (counts.get(action) ?? 0) + 1)
  }
  const list = [...counts].sort(([a], [b]) => actions[a].order - actions[b].order).map(([action, count]) => say(`timeline.plan.count.${action}`, { count }))
  return say('timeline.plan.summary', { files: rows.length, list })
}

const namedSessions = 5

/** Whose work goes with it, before the person looks at paths. */
function Others({ state, others }: { readonly state: RollbackState; readonly others: readonly OtherCall[] }) {
  const say = useWords()
  const taken = othersTaken(state, others)
  if (taken.length === 0) return null
  return (
    <Note tone="warn" role="status">
      <ul>{taken.slice(0, namedSessions).map(({ sessionId, session, count }) => <li key={sessionId}><Exact text={say('timeline.plan.also-calls', { count, session })} /></li>)}</ul>
      {taken.length > namedSessions && <span>{say('timeline.plan.also-sessions', { count: taken.length - namedSessions })}</span>}
    </Note>
  )
}

function PlanBody({ state, others }: { readonly state: RollbackState; readonly others: readonly OtherCall[] }) {
  const say = useWords()
  const { plan, isBusy, scope, unticked, texts } = state
  if (!plan) return <div className="grow" style={{ padding: '0 24px' }}>{isBusy && <p className="row dim" role="status"><LoaderCircle className="i spin" size={14} aria-hidden />{say('timeline.plan.making')}</p>}</div>
  if (scope === 'conversation') return <div className="grow" style={{ padding: '0 24px' }}><Note tone="info">{say('timeline.plan.conversation-about')}</Note></div>
  const rows = [...plan.rows].sort((a, b) => actions[a.action].order - actions[b.action].order)
  const conflict = texts && rows.find((row) => row.path === texts.path && row.action === 'conflict')
  return (
    <div className="col grow" style={{ padding: '0 24px', gap: 10, overflow: 'auto' }}>
      <Others state={state} others={others} />
      <div className="card" style={{ overflow: 'auto', flex: conflict ? '0 1 auto' : 'none', ...(conflict ? { minHeight: 120 } : {}) }}>
        <table aria-label={say('timeline.plan.table')}>
          <thead><tr><th scope="col"><span className="sr">{say('timeline.plan.tick')}</span></th><th scope="col">{say('timeline.file')}</th><th scope="col">{say('timeline.plan.action')}</th><th scope="col">{say('timeline.since-by')}</th><th scope="col">{say('timeline.plan.why')}</th></tr></thead>
          <tbody>{rows.map((row) => <Row key={row.path} row={row} isTicked={!unticked.has(row.path)} isOpen={conflict?.path === row.path} isResolved={state.resolved[row.path] !== undefined} />)}</tbody>
        </table>
        {rows.length === 0 && <p className="dim" style={{ padding: 12 }}>{say('timeline.plan.nothing')}</p>}
      </div>
      {plan.notCovered.length > 0 && <Note tone="warn">{say('timeline.plan.not-covered')} <Exact text={plan.notCovered.slice(0, 20).join(', ')} className="mono wrap-any" />{plan.notCovered.length > 20 && ` ${say('session.and-more', { count: plan.notCovered.length - 20 })}`}</Note>}
      {conflict && texts && <Conflict row={conflict} texts={texts} result={state.resolved[conflict.path]} open={openConflicts(state).length} />}
    </div>
  )
}

interface RowProps {
  readonly row: PlanRow
  readonly isTicked: boolean
  readonly isOpen: boolean
  readonly isResolved: boolean
}

function Row({ row, isTicked, isOpen, isResolved }: RowProps) {
  const say = useWords()
  const isFixed = row.action === 'leave' || row.action === 'cannot'
  const shown = isTicked ? row.action : 'leave'
  const { icon: Icon, look } = actions[shown]
  return (
    <tr aria-selected={isOpen}>
      <td style={{ width: 40 }}><Tick label={say('timeline.plan.tick-path', { path: row.path })} isOn={isTicked && !isFixed} isDisabled={isFixed} onChange={(isOn) => tick(row.path, isOn)} /></td>
      <td><PathText path={row.path} limit={56} /></td>
      <td>{row.action === 'conflict' && isTicked
        ? <button type="button" className={`row nowrap ${look}`} style={{ gap: 6 }} onClick={() => void openConflict(row)}><Icon size={14} className="i" aria-hidden />{say(isResolved ? 'timeline.plan.resolved' : 'timeline.plan.action.conflict')}</button>
        : <span className={`row nowrap ${look}`} style={{ gap: 6 }}><Icon size={14} className="i" aria-hidden />{say(`timeline.plan.action.${shown}`)}</span>}
      </td>
      <td><span className="row">{row.authors.map((author) => <span key={author} className="row small nowrap" style={{ gap: 5 }}>{marks[author].map((kind) => <AuthorMark key={kind} kind={kind} isHollow={author === 'unknown'} />)}{say(`ui.author.${author}`)}</span>)}</span></td>
      <td className="small dim">{isTicked ? say.fact(row.reason) : say('timeline.plan.unticked')}</td>
    </tr>
  )
}

/** The button counts files; where it is inert the reason stands beside it. */
function Foot({ state, onBack }: { readonly state: RollbackState; readonly onBack: () => void }) {
  const say = useWords()
  const { plan, scope, isBusy } = state
  const count = writingRows(state).length
  const conflicts = scope === 'conversation' ? 0 : openConflicts(state).length
  const isEmpty = scope === 'files' && count === 0
  const isInert = !plan || isBusy || conflicts > 0 || isEmpty
  const why = isBusy && plan ? say('timeline.plan.writing') : conflicts > 0 ? say('timeline.plan.resolve-first', { count: conflicts }) : isEmpty && plan ? say('timeline.plan.nothing-ticked') : ''
  const label = scope === 'conversation' ? say('timeline.plan.go-conversation') : scope === 'both' ? say('timeline.plan.go-both', { count }) : say('timeline.plan.go', { count })
  return (
    <div className="row" style={{ padding: '12px 24px', borderTop: '1px solid var(--line)', background: 'var(--bg-2)', flex: 'none' }}>
      {why !== '' && <span className="row small dim" role="status"><Clock size={14} className="i" aria-hidden />{why}</span>}
      <span className="end row"><Button look="quiet" disabled={isBusy} onClick={onBack}>{say('ui.cancel')}</Button><Button look={isInert ? 'plain' : 'primary'} icon={Undo2} disabled={isInert} onClick={() => void apply()}>{label}</Button></span>
    </div>
  )
}

/** What really happened; nothing is called done that is not. */
function Outcome({ state }: { readonly state: RollbackState }) {
  const say = useWords()
  const { done, isBusy, scope } = state
  if (!done) return null
  const isUndo = done.undoOf !== null
  const sentence = isUndo ? say('timeline.plan.undone', { count: done.done.length }) : scope === 'conversation' ? say('timeline.plan.done-conversation') : say('timeline.plan.done', { count: done.done.length })
  return (
    <div className="col grow" style={{ padding: '0 24px', gap: 10, overflow: 'auto' }}>
      <Note tone={done.failed.length > 0 ? 'warn' : 'ok'} role="status" actions={isUndo ? undefined : <Button size="small" icon={Undo2} disabled={isBusy} onClick={() => void undo(done.id)}>{say('timeline.undo-rollback')}</Button>}>{sentence}</Note>
      {done.failed.length > 0 && <><h2 className="strong">{say('timeline.plan.failed', { count: done.failed.length })}</h2><ul>{done.failed.map((one) => <li key={one.path}><Exact text={one.path} className="mono" /> <span className="dim">{say.fact(one.reason)}</span></li>)}</ul></>}
      {done.done.length > 0 && <ul className="mono dim">{done.done.map((path) => <li key={path}><Exact text={path} /></li>)}</ul>}
    </div>
  )
}
