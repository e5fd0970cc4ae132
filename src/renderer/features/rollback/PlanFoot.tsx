import { Clock, LoaderCircle, TriangleAlert, Undo2 } from 'lucide-react'
import { Button } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { impossibleRows, openConflicts, writingRows } from './planDecisions'
import type { RollbackState } from './planState'
import { apply } from './rollbackStore'
import { Writing } from './Writing'

/** The button counts files; where it is inert the reason stands beside it. */
export function PlanFoot({ state, onBack }: { readonly state: RollbackState; readonly onBack: () => void }) {
  const say = useWords()
  const { plan, scope, busy } = state
  const count = writingRows(state).length
  const conflicts = scope === 'conversation' ? 0 : openConflicts(state).length
  const impossible = scope === 'both' ? impossibleRows(state).length : 0
  const isEmpty = scope === 'files' && count === 0
  const isInert = !plan || busy !== null || conflicts > 0 || impossible > 0 || isEmpty
  const label = scope === 'conversation' ? say('timeline.plan.go-conversation') : scope === 'both' ? say('timeline.plan.go-both', { count }) : say('timeline.plan.go', { count })
  const Icon = busy === 'writing' ? LoaderCircle : impossible > 0 ? TriangleAlert : Clock
  const why = reason()
  return (
    <div className="row planfoot">
      {why !== '' && <span className="row small dim grow" role="status"><Icon size={14} className={busy === 'writing' ? 'i spin' : 'i'} aria-hidden />{busy === 'writing' ? <Writing progress={state.progress} before={why} /> : <span>{why}</span>}</span>}
      <span className="end row"><Button look="quiet" disabled={busy === 'writing'} onClick={onBack}>{say('ui.cancel')}</Button><Button look={isInert ? 'plain' : 'primary'} icon={Undo2} disabled={isInert} onClick={() => void apply()}>{label}</Button></span>
    </div>
  )

  function reason(): string {
    if (!plan) return ''
    if (busy === 'writing') return scope === 'conversation' ? say('timeline.plan.writing') : say('timeline.plan.writing-count', { count })
    if (conflicts > 0) return say('timeline.plan.resolve-first', { count: conflicts })
    if (impossible > 0) return say('timeline.plan.cannot-first', { count: impossible })
    return isEmpty && plan.rows.length > 0 ? say('timeline.plan.nothing-ticked') : ''
  }
}
