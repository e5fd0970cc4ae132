import { narrowingOf, type Narrowing } from '../skills/narrow'
import type { Turn, TurnPorts } from './turnPorts'

/**
 * What the skills of a turn leave of the tools in one step; null: all. Only skills that were loaded before the step count: the
 * calls of a reply were made on the tools that it was offered, and a skill loaded among them is read after them. So the
 * outcome does not hang on which of them was faster, nor on a crash in between.
 */
export function narrowingAt(step: number, turn: Turn, { record }: Pick<TurnPorts, 'record'>): Narrowing | null {
  return narrowingOf(record.skills(turn).loaded.filter((one) => one.turnId === turn.turnId && one.step < step))
}
