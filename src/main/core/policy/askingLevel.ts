import type { AgentEvent } from '../../../shared/domain/event'
import type { TurnId } from '../../../shared/domain/ids'
import { isLooser, type AskingLevel } from '../../../shared/domain/session'
import type { Effect } from '../../../shared/domain/tool'

const free: Readonly<Record<AskingLevel, readonly Effect[]>> = {
  all: [],
  writes: ['read'],
  commands: ['read', 'write'],
  'read-only': ['read'],
}

/** Whether the level lets an allowable call of this effect run without asking (R64). It never answers what a guard asks. */
export function levelLets(level: AskingLevel, effect: Effect): boolean {
  return free[level].includes(effect)
}

/**
 * The level that a turn goes by now: the one it began with, or the strictest that the person has set since. A looser one holds
 * from the next turn on.
 */
export function levelOfTurn(events: readonly AgentEvent[], turn: { readonly turnId: TurnId; readonly level: AskingLevel }): AskingLevel {
  let level = turn.level
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]
    if (event?.type === 'level-changed' && isLooser(event.level, level)) level = event.level
    if (event?.type === 'turn-started' && event.turnId === turn.turnId) return level
  }
  return turn.level
}
