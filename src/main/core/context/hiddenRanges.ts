import type { AgentEvent } from '../../../shared/domain/event'
import type { RollbackId } from '../../../shared/domain/ids'

interface HiddenRange {
  readonly fromSeq: number
  readonly toSeq: number
  isOn: boolean
}

/** Which events a rollback of the conversation hides, kept up as events come. */
export class HiddenRanges {
  private readonly ranges = new Map<RollbackId, HiddenRange>()

  /** Takes an event in order; true when what is hidden may have changed. */
  add(event: AgentEvent): boolean {
    if (event.type === 'rolled-back' && event.hidden) {
      this.ranges.set(event.rollbackId, { ...event.hidden, isOn: true })
      return true
    }
    if (event.type !== 'rollback-undone' || !this.toggle(event.undoneId)) return false
    const range = this.ranges.get(event.undoneId)
    // Undoing the undo hides the range again.
    if (range) this.ranges.set(event.rollbackId, range)
    return true
  }

  /** Shows what a rollback hides, or hides it again; false where it hides nothing. */
  toggle(id: RollbackId): boolean {
    const range = this.ranges.get(id)
    if (range) range.isOn = !range.isOn
    return range !== undefined
  }

  has(seq: number): boolean {
    for (const range of this.ranges.values()) if (range.isOn && seq >= range.fromSeq && seq <= range.toSeq) return true
    return false
  }
}
