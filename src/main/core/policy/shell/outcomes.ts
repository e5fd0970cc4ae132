import { said, type Said, type Values } from '../../../../shared/domain/result'
import type { SayCode } from '../../../../shared/words/codes'
import { hasMark, showMarks } from './marks'
import { joinStreams, plainStream, type JudgedPart, type Outcome, type Stream } from './call'

const severity = { allowable: 0, ask: 1, deny: 2 } as const

/** Reasons that say least, from the least on; among harmless findings the one that says most is told. */
const quiet: readonly string[] = ['guard.nothing-against', 'guard.steers', 'guard.prints', 'guard.reads', 'guard.reads-git']

function outcome(kind: Outcome['kind'], code: SayCode, values: Values): Outcome {
  return {
    kind, reason: said(namedCode(code, values), shownValues(values)), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, parts: [], isHidden: false, output: plainStream, state: null,
  }
}

/** A machine that is not named is not told. */
function namedCode(code: SayCode, { host, program }: Values): SayCode {
  const isNamed = typeof host === 'string' && host !== '?' && (typeof program !== 'string' || !program.split(' ').includes(host))
  if (isNamed || (code !== 'guard.network' && code !== 'guard.remote-effect')) return code
  return code === 'guard.network' ? 'guard.network-somewhere' : 'guard.remote-effect-somewhere'
}

/** Marks are for the guard; people read `*` and `…`. */
function shownValues(values: Values): Values {
  const texts = Object.entries(values)
  if (!texts.some(([, value]) => typeof value === 'string' && hasMark(value))) return values
  return Object.fromEntries(texts.map(([name, value]) => [name, typeof value === 'string' ? showMarks(value) : value]))
}

/** May be let run by a person or a rule. */
export function allow(code: SayCode, values: Values = {}): Outcome {
  return outcome('allowable', code, values)
}

/** Needs a person. Most of what is asked about cannot be taken back for certain, so that is the default. */
export function ask(code: SayCode, values: Values = {}, canUndo = false): Outcome {
  return { ...outcome('ask', code, values), canUndo }
}

/** Never runs. */
export function deny(code: SayCode, values: Values = {}): Outcome {
  return { ...outcome('deny', code, values), canUndo: false }
}

/** The nothing that others are joined to: gives way to every other reason. */
export const nothing: Outcome = outcome('allowable', 'guard.nothing-against', {})

/** All findings about one command as one: the most severe reason, the first among equals, and every effect. */
export function join(...found: readonly Outcome[]): Outcome {
  return found.reduce(joinTwo, nothing)
}

function joinTwo(a: Outcome, b: Outcome): Outcome {
  if (a === nothing) return b
  if (b === nothing) return a
  const first = severity[b.kind] > severity[a.kind] || (b.kind === a.kind && says(b) > says(a)) ? b : a
  return {
    kind: first.kind,
    reason: first.reason,
    reads: merged(a.reads, b.reads),
    writes: merged(a.writes, b.writes),
    deletes: merged(a.deletes, b.deletes),
    hosts: merged(a.hosts, b.hosts),
    canUndo: a.canUndo && b.canUndo,
    parts: a.parts.length === 0 ? b.parts : b.parts.length === 0 ? a.parts : [...a.parts, ...b.parts],
    isHidden: a.isHidden && b.isHidden,
    output: mixed(a.output, b.output),
    state: b.state ?? a.state,
  }
}

/** How much a reason says. */
function says(found: { readonly reason: Said }): number {
  const at = quiet.indexOf(found.reason.code)
  return at < 0 ? quiet.length : at
}

function merged(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0) return a
  return a.length === 0 ? b : [...new Set([...a, ...b])]
}

function mixed(a: Stream, b: Stream): Stream {
  if (b === plainStream) return a
  if (a === plainStream) return b
  return { ...joinStreams(a, b), text: null }
}

/** The outcome with an output stream. */
export function withOutput(found: Outcome, output: Partial<Stream>): Outcome {
  return { ...found, output: { ...found.output, ...output } }
}

/** Parts that a rule may never answer. */
export function wrapped(parts: readonly JudgedPart[]): readonly JudgedPart[] {
  return parts.map((part) => ({ ...part, fit: 'wrapped' }))
}

/** The part that decides: the most severe, and among equals the first whose reason says most. */
export function severestPart(parts: readonly JudgedPart[]): JudgedPart | null {
  const isWorse = (part: JudgedPart, than: JudgedPart): boolean => severity[part.verdict] > severity[than.verdict] || (part.verdict === than.verdict && says(part) > says(than))
  return parts.reduce<JudgedPart | null>((worst, part) => (worst === null || isWorse(part, worst) ? part : worst), null)
}

/** True when any part is denied. */
export function isDenied(found: Outcome): boolean {
  return found.kind === 'deny' || found.parts.some((part) => part.verdict === 'deny')
}

/** The finding that an expansion may run commands or is not understood. */
export function asksExpansion(text: string): Outcome {
  return ask('guard.expansion', { text: text.slice(0, 80) })
}
