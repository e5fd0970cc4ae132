import type { AgentEvent } from '../../../shared/domain/event'
import { afterRollback, isHiddenBy, toggled, type StandingRollback } from '../../../shared/domain/hiddenRanges'
import type { RollbackId } from '../../../shared/domain/ids'

/** Which events a rollback of the conversation hides, kept up as events come. */
export class HiddenRanges {
  private rollbacks: readonly StandingRollback[] = []

  /** Takes an event in order; true when what is hidden may have changed. */
  add(event: AgentEvent): boolean {
    this.rollbacks = afterRollback(this.rollbacks, event)
    if (event.type === 'rolled-back') return event.hidden !== null
    return event.type === 'rollback-undone' && this.hides(event.undoneId)
  }

  /** Shows what a rollback hides, or hides it again; false where it hides nothing. */
  toggle(id: RollbackId): boolean {
    this.rollbacks = toggled(this.rollbacks, id)
    return this.hides(id)
  }

  has(seq: number): boolean {
    return isHiddenBy(this.rollbacks, seq)
  }

  private hides(id: RollbackId): boolean {
    return this.rollbacks.some(({ names, hidden }) => hidden !== null && names.includes(id))
  }
}
