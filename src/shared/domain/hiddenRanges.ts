import type { AgentEvent } from './event'
import type { RollbackId } from './ids'

/** A rollback and whether it stands. `names` are its own and those of every undo of it; `hidden` is null where it left the conversation alone. */
export interface StandingRollback {
  readonly names: readonly RollbackId[]
  readonly hidden: { readonly fromSeq: number; readonly toSeq: number } | null
  readonly isOn: boolean
}

/**
 * The rollbacks of a session after one more event, in order; the same list where the event is none of theirs. Undoing one ends it,
 * and undoing that undo lets it stand again. Every fold over a session takes what is hidden from here (R76, R78).
 */
export function afterRollback(known: readonly StandingRollback[], event: AgentEvent): readonly StandingRollback[] {
  if (event.type === 'rolled-back') return [...known.filter(({ names }) => !names.includes(event.rollbackId)), { names: [event.rollbackId], hidden: event.hidden, isOn: true }]
  if (event.type !== 'rollback-undone') return known
  return toggled(known, event.undoneId).map((one) => (one.names.includes(event.undoneId) && !one.names.includes(event.rollbackId) ? { ...one, names: [...one.names, event.rollbackId] } : one))
}

/** The same as if a rollback, or an undo of it, were undone now. */
export function toggled(known: readonly StandingRollback[], id: RollbackId): readonly StandingRollback[] {
  return known.map((one) => (one.names.includes(id) ? { ...one, isOn: !one.isOn } : one))
}

/** Whether a rollback that stands hides an event. */
export function isHiddenBy(known: readonly StandingRollback[], seq: number): boolean {
  return known.some(({ hidden, isOn }) => isOn && hidden !== null && seq >= hidden.fromSeq && seq <= hidden.toSeq)
}
