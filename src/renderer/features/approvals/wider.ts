import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { Remember, RuleShape } from '../../../shared/domain/rule'

/** How long a wider answer holds: as its turn or session does, or ending sooner. */
export const widerEnds = ['lifetime', 'minutes', 'uses'] as const
export type WiderEnd = (typeof widerEnds)[number]
/** An answer that also lets the same be answered later. */
export interface WiderChoice {
  readonly lifetime: 'turn' | 'session'
  readonly ends: WiderEnd
}

const grantedMs = 10 * 60_000
const grantedUses = 5

/** What goes with "allow" for a choice; the time counts from the answer on. */
export function rememberOf({ lifetime, ends }: WiderChoice, shapes: readonly RuleShape[], nowMs: number): Remember {
  return { lifetime, shapes, isForAllProjects: false, expiresAtMs: ends === 'minutes' ? nowMs + grantedMs : null, usesLeft: ends === 'uses' ? grantedUses : null }
}

/** What a shape covers beyond the very call it is given at; null when nothing (e14). */
export type WiderReach = 'arguments' | 'words' | 'content' | 'pages'
export function reachOf(shape: RuleShape): WiderReach | null {
  switch (shape.kind) {
    case 'tool': return 'arguments'
    case 'files': return 'content'
    case 'host': return 'pages'
    case 'command': return shape.isOpen || shape.words.some((word) => word.kind !== 'exact') ? 'words' : null
  }
}

/** Text from outside marks the turn: what is allowed for it would answer nothing. */
export function isTainted({ taint }: ApprovalRequest): boolean {
  return taint !== undefined && taint.length > 0
}

/** Whether what would be allowed runs what the project says: whoever changes that changes what was allowed. */
export function runsProject({ preview }: ApprovalRequest): boolean {
  return preview.kind === 'command' && preview.parts.some(({ reason }) => projectRuns.has(reason.code))
}

const projectRuns: ReadonlySet<string> = new Set(['guard.script-runs', 'guard.in-script', 'guard.builds', 'guard.runs-script', 'guard.script'])

/** What could be allowed for longer at a card; `never` where no rule may answer, null where the question is none of rules. */
export function widerShapes({ preview, remembered }: ApprovalRequest): readonly RuleShape[] | 'never' | null {
  switch (preview.kind) {
    case 'question':
    case 'sampling':
    case 'elicitation':
    case 'open-address':
    case 'memory':
    case 'trial': return null
    default:
      if (remembered === undefined) return null
      if (remembered === null) return 'never'
      return remembered.length === 0 ? null : remembered
  }
}
