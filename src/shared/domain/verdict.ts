import type { Said } from './result'

/**
 * A guard's answer about one call.
 * `deny` never runs and no one can approve it (R62); `ask` needs a person for this one call, no rule may answer;
 * `allowable` may be let run by a person, or by a rule that fits.
 */
export interface Verdict {
  readonly kind: 'deny' | 'ask' | 'allowable'
  readonly reason: Said
}

/** One simple command of a command line as the guard understood it. Paths are as resolved against the working folder at that point. */
export interface CommandPart {
  readonly argv: readonly string[]
  readonly verdict: Verdict['kind']
  readonly reason: Said
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  readonly hosts: readonly string[]
  /** False where no snapshot can take the effect back: sent out, or changed outside the project. */
  readonly canUndo: boolean
}

/** The verdict of a whole command line: the most severe part decides. `parts` is empty when the text could not be parsed. */
export interface CommandVerdict extends Verdict {
  readonly parts: readonly CommandPart[]
}

const severity = { allowable: 0, ask: 1, deny: 2 } as const

/** The more severe of two verdicts; the first when equal. */
export function severest<V extends Verdict>(first: V, second: V): V {
  return severity[second.kind] > severity[first.kind] ? second : first
}
