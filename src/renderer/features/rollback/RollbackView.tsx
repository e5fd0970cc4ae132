import { ChevronLeft, LoaderCircle } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import type { PlanAction } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Segmented, Switch } from '../../ui/fields'
import { Note } from '../../ui/parts'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { actionLooks } from './actionLook'
import { NotCovered } from './NotCovered'
import { Outcome } from './Outcome'
import { fateOf, othersTaken } from './planDecisions'
import { PlanFoot } from './PlanFoot'
import type { OtherCall, RollbackState } from './planState'
import { PlanTable } from './PlanTable'
import { makePlan, setKeep, setOthers, setScope, useRollback } from './rollbackStore'
import { RowDetail } from './RowDetail'
import { Writing } from './Writing'

/** The plan: what will be written to every path, and why. Nothing is written before the button. */
export function RollbackView({ others, onBack }: { readonly others: readonly OtherCall[]; readonly onBack: () => void }) {
  const say = useWords()
  const state = useRollback()
  const { wish, scope, done, busy } = state
  const isPlanning = !done && wish !== null
  const hasOthers = wish !== null && wish.sessionId !== null && !wish.target.only && others.some(({ sessionId }) => sessionId !== wish.sessionId)
  return (
    <section className="page planpage">
      <div className="phead">
        <div className="grow"><h1><Exact text={wish?.title ?? say('timeline.plan.title')} /></h1>{isPlanning && <p>{say('timeline.plan.about')}</p>}</div>
        <Button look="quiet" icon={ChevronLeft} disabled={busy === 'writing'} onClick={onBack}>{say('timeline.plan.back')}</Button>
      </div>
      {isPlanning && <div className="row planbar">
        <Segmented
          label={say('timeline.plan.what')} value={scope} onChange={setScope}
          options={(['files', 'conversation', 'both'] as const).map((value) => ({ value, label: say(`timeline.plan.${value}`), isDisabled: busy === 'writing' || (value !== 'files' && wish.turnId == null) }))}
        />
        {scope !== 'conversation' && <span style={{ marginLeft: 12 }}><Switch label={say('timeline.plan.keep')} isOn={wish.target.keepUserEdits} isDisabled={busy !== null} onChange={(isOn) => void setKeep(isOn)} /></span>}
        {scope !== 'conversation' && hasOthers && <span style={{ marginLeft: 12 }}><Switch label={say('timeline.plan.keep-others')} isOn={wish.target.ofSession !== undefined} isDisabled={busy !== null} onChange={(isOn) => void setOthers(isOn)} /></span>}
        {state.plan && scope !== 'conversation' && <Summary state={state} />}
      </div>}
      <Fault state={state} />
      {done ? <Outcome state={state} /> : isPlanning ? <PlanBody state={state} others={others} /> : <Waiting state={state} />}
      {isPlanning && <PlanFoot state={state} onBack={onBack} />}
    </section>
  )
}

/** A plan that no longer fits is made anew; of anything else it is said what did not happen. */
function Fault({ state: { fault, wish, plan, done } }: { readonly state: RollbackState }) {
  const say = useWords()
  if (!fault) return null
  const isOld = wish !== null && !done && ['rollback.head-moved', 'rollback.change-unknown', 'rollback.change-whole', 'rollback.no-conflict'].includes(fault.code)
  const anew = wish !== null && !done && (isOld || !plan) ? <Button size="small" onClick={() => void makePlan()}>{say(isOld ? 'timeline.plan.anew' : 'timeline.plan.again')}</Button> : undefined
  return <div className="planpad"><Note tone={isOld ? 'warn' : 'bad'} role="alert" actions={anew}>{fault.code === 'rollback.head-moved' ? say('timeline.plan.moved') : say.fact(fault)}</Note></div>
}

function Summary({ state }: { readonly state: RollbackState }) {
  const say = useWords()
  const { plan, unticked, left, drafts } = state
  const counts = useMemo(() => {
    const found = new Map<PlanAction, number>()
    for (const row of plan?.rows ?? []) {
      const { action } = fateOf(row, { unticked, left, drafts })
      found.set(action, (found.get(action) ?? 0) + 1)
    }
    return [...found].sort(([a], [b]) => actionLooks[a].order - actionLooks[b].order)
  }, [plan, unticked, left, drafts])
  if (counts.length === 0) return null
  return (
    <span className="end small dim" role="status">
      {say('timeline.plan.summary', { files: plan?.rows.length ?? 0 })}{counts.map(([action, count], at) => <Fragment key={action}>{at > 0 && say('timeline.plan.comma')}<span className={action === 'conflict' ? 't-warn med' : undefined}>{say(`timeline.plan.count.${action}`, { count })}</span></Fragment>)}
    </span>
  )
}

const longMs = 10_000

/** Something is under way and there is nothing to show yet. */
function Waiting({ state: { busy, busySinceMs, progress } }: { readonly state: RollbackState }) {
  const say = useWords()
  const now = useNow()
  const isLong = now - busySinceMs > longMs
  return (
    <div className="grow planpad">
      {busy === 'making' && <p className="row dim" role="status"><LoaderCircle className="i spin" size={14} aria-hidden />{say(isLong ? 'timeline.plan.making-long' : 'timeline.plan.making')}</p>}
      {busy === 'writing' && <p className="row dim" role="status"><LoaderCircle className="i spin" size={14} aria-hidden /><Writing progress={progress} before={say('timeline.plan.writing')} /></p>}
    </div>
  )
}

const namedSessions = 5

/** Whose work goes with it, before the person looks at paths. */
function Others({ state, others }: { readonly state: RollbackState; readonly others: readonly OtherCall[] }) {
  const say = useWords()
  const taken = state.wish?.target.ofSession === undefined ? othersTaken(state, others) : []
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
  const { plan, scope, open } = state
  if (scope === 'conversation') return <div className="grow planpad"><Note tone="info">{say('timeline.plan.conversation-about')}</Note></div>
  if (!plan) return <Waiting state={state} />
  const row = open && plan.rows.find((one) => one.path === open.path)
  return (
    <div className="planbody" inert={state.busy === 'writing'}>
      <Others state={state} others={others} />
      {scope === 'both' && <Note tone="info">{say('timeline.plan.both-about')}</Note>}
      {plan.rows.length === 0 ? <Note tone="ok" role="status">{say('timeline.plan.nothing')}</Note> : <PlanTable state={state} />}
      <NotCovered state={state} />
      {row && open && <RowDetail key={row.path} row={row} look={open} state={state} />}
    </div>
  )
}
