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
