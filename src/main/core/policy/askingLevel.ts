import type { AskingLevel } from '../../../shared/domain/session'
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

/** Levels from strictest to loosest; loosening happens only in main, by a person. */
const looseness: Readonly<Record<AskingLevel, number>> = { 'read-only': 0, all: 1, writes: 2, commands: 3 }

/** True when `to` asks less than `from`. */
export function isLooser(from: AskingLevel, to: AskingLevel): boolean {
  return looseness[to] > looseness[from]
}
