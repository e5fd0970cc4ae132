import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlanRow } from '../../../shared/domain/rollback'
import { IconButton } from '../../ui/Button'
import { PathText } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { actionLooks } from './actionLook'
import { fateOf } from './planDecisions'
import type { RollbackState } from './planState'
import { closeRow } from './rollbackStore'

interface DetailFrameProps {
  readonly row: PlanRow
  readonly state: RollbackState
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The pane below the table. */
export function DetailFrame({ row, state, about, actions, children }: DetailFrameProps) {
  const say = useWords()
  const { action } = fateOf(row, state)
  const { icon: Icon, look } = actionLooks[action]
  return (
    <section className="card plandetail" aria-label={row.action === 'conflict' ? say('timeline.plan.conflict-in', { path: row.path }) : say('timeline.plan.changes-of', { path: row.path })}>
      <div className="row plandetailhead">
        <Icon className={`i ${look}`} size={14} aria-hidden /><PathText path={row.path} limit={52} className="med" />{about}
        <span className="end row">{actions}<IconButton icon={X} label={say('timeline.plan.close-row')} onClick={closeRow} /></span>
      </div>
      {children}
    </section>
  )
}
