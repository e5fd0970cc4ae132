import type { Function as FunctionNode, ParsedScript } from 'unbash'
import type { JudgedPart, PlacedPath, RuleFit, Stream, Where } from './call'
import type { ShellState } from './state'

/** What one judgement carries through the tree: where it is, what it found, and how much it may still do. */
export interface Walk {
  readonly where: Where
  readonly classify: (path: string) => readonly PlacedPath[]
  /** Parts in the order in which they were met. */
  readonly parts: JudgedPart[]
  /** Counts down; at zero loops and functions are no longer unrolled, which only makes verdicts more severe. */
  readonly budget: { left: number; /** Commands and texts that others run are judged this often still: wrappers in wrappers multiply. */ runs: number }
  /** How deep nested scripts and compounds are. */
  readonly depth: number
  /** Functions that are being judged, against endless recursion. */
  readonly running: readonly FunctionNode[]
  /** Functions that were defined, with whether anything called them. */
  readonly defined: Map<FunctionNode, boolean>
  /** Whether rules may answer for parts met here. */
  readonly fit: RuleFit
  /** Parse errors of all scripts met, and `tooDeep`. */
  readonly faults: string[]
  readonly engine: Engine
}

/** The walker, handed down so that commands can hold scripts and scripts commands. */
export interface Engine {
  script(script: ParsedScript, state: ShellState, stdin: Stream, walk: Walk): Ran
  functionBody(node: FunctionNode, state: ShellState, stdin: Stream, walk: Walk): Ran
}

/** What a piece of the tree leaves behind. */
export interface Ran {
  readonly state: ShellState
  readonly output: Stream
}

/** Deeper nesting is not judged (unbash's own limit for one script is 256). */
const maxDepth = 48

/** The fault that stands for giving up. */
export const tooDeep = 'too deep'

/** Thrown to give up on text that is nested too deeply; the entry answers with `ask`. */
export class TooDeep extends Error {}

/** The walk for what another command runs. Where that multiplies beyond any sense it is given up, and the whole asks. */
export function innerWalk(walk: Walk): Walk {
  if (--walk.budget.runs < 0) throw new TooDeep()
  return deeper(walk)
}

/** The walk one level further down. */
export function deeper(walk: Walk): Walk {
  if (walk.depth >= maxDepth) throw new TooDeep()
  return { ...walk, depth: walk.depth + 1 }
}
