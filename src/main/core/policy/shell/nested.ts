import { parse } from 'unbash'
import type { JudgedPart, Outcome, RuleFit, Stream } from './call'
import { hasMark, showMarks } from './marks'
import { ask, join, nothing, severestPart } from './outcomes'
import type { ShellState } from './state'
import { innerWalk, type Walk } from './walkTypes'

/** How nested text is run. */
export interface NestedRun {
  readonly state: ShellState
  readonly stdin: Stream
  readonly fit: RuleFit
}

const shownLength = 80

/**
 * Judges text that a command hands to a shell (`eval`, `sh -c`, a here-document). Known text is judged like any other and
 * shows as its own parts; text that is not known whole asks, and what can be seen of it may still be denied.
 */
export function judgeText(text: string, run: NestedRun, walk: Walk): Outcome {
  const parts: JudgedPart[] = []
  const inner: Walk = { ...innerWalk(walk), parts, fit: run.fit }
  const ran = walk.engine.script(parse(text), run.state, run.stdin, inner)
  const worst = severestPart(parts)
  const found: Outcome = { ...nothing, kind: worst?.verdict ?? 'allowable', reason: worst?.reason ?? nothing.reason, parts, output: ran.output, state: ran.state, isHidden: true }
  if (!hasMark(text)) return found
  return { ...join({ ...found, parts: [] }, ask('guard.unknown-text', { text: showMarks(text).slice(0, shownLength) })), parts, isHidden: false, output: ran.output, state: ran.state }
}
