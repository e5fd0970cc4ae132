import type { RuleShape } from '../../../shared/domain/rule'
import type { BackTest } from '../../../shared/ipc/views'
import { fitsPart, fitsPlaces } from './permissionFits'
import { patternFits } from './permissionGlob'
import type { PermissionQuestion } from './permissionQuestion'
import { answersOf, type LivePermission } from './permissions'
import { exactShape } from './permissionShapes'
import type { JudgedPart } from './shell/call'

/** A past call that a rule would have let run, and what else would have answered in it. */
export interface RanCall {
  readonly question: PermissionQuestion
  readonly isDenied: boolean
  /** Somebody or something said yes to it; what was skipped was never wanted. */
  readonly isAllowed: boolean
  readonly beside: readonly LivePermission[]
}

type CommandShape = Extract<RuleShape, { readonly kind: 'command' }>

/** More shapes than these are no rule that anybody reads; they are the most used of so many. */
const maxShapes = 12
const maxCandidates = 100

/**
 * The exact variants of a wide shape that were allowed before and never denied: "Narrow to build, build:docs, lint". First with the
 * words after them still free, and word by word where that would run something that was denied. Null when there is no way. It goes in small steps, so that others get a turn.
 */
export function* narrowed(shape: RuleShape, ran: readonly RanCall[], nowMs: number): Generator<undefined, BackTest['narrowed']> {
  const ways = shape.kind === 'command' ? [filledIn, exactly] : shape.kind === 'files' ? [pathsOf] : []
  const denied = ran.filter(({ isDenied }) => isDenied)
  for (const way of ways) {
    const counted = new Map<string, Counted>()
    for (const one of ran) {
      if (one.isAllowed) count(way(shape, one.question), counted)
      yield
    }
    const shapes: RuleShape[] = []
    for (const one of mostUsed(counted)) {
      if (shapes.length < maxShapes && !denied.some(({ question }) => hasSay(one, question))) shapes.push(one)
      yield
    }
    let wouldRun = 0
    for (const one of shapes.length === 0 ? [] : ran) {
      if (runsWith(shapes, one, nowMs)) wouldRun += 1
      yield
    }
    if (wouldRun > 0) return { shapes, wouldRun }
  }
  return null
}

/** Its free words as they were; what it leaves open stays open. */
function filledIn(shape: RuleShape, { parts }: PermissionQuestion): readonly RuleShape[] {
  if (shape.kind !== 'command' || shape.words.every(({ kind }) => kind === 'exact')) return []
  return partsOf(shape, parts).map((part) => ({ ...shape, words: exactShape(part).words.slice(0, shape.words.length) }))
}

function exactly(shape: RuleShape, { parts }: PermissionQuestion): readonly RuleShape[] {
  return shape.kind === 'command' ? partsOf(shape, parts).map(exactShape) : []
}

function pathsOf(shape: RuleShape, { places }: PermissionQuestion): readonly RuleShape[] {
  return shape.kind === 'files' ? places.flatMap(({ facts: { relative } }) => (relative === null || relative === '' || relative.includes('*') ? [] : [{ ...shape, glob: relative }])) : []
}

function partsOf(shape: CommandShape, parts: readonly JudgedPart[]): readonly JudgedPart[] {
  return parts.filter((part) => fitsPart(shape, part))
}

function hasSay(shape: RuleShape, { parts, places }: PermissionQuestion): boolean {
  if (shape.kind === 'command') return parts.some((part) => fitsPart(shape, part))
  return shape.kind === 'files' && (fitsPlaces(shape.glob, places) || places.some(({ facts }) => patternFits(shape.glob, facts.relative ?? '')))
}

interface Counted {
  readonly shape: RuleShape
  times: number
}

function count(shapes: readonly RuleShape[], counted: Map<string, Counted>): void {
  for (const shape of shapes) {
    const key = JSON.stringify(shape)
    const known = counted.get(key) ?? { shape, times: 0 }
    known.times += 1
    counted.set(key, known)
  }
}

function mostUsed(counted: ReadonlyMap<string, Counted>): readonly RuleShape[] {
  return [...counted.values()].sort((a, b) => b.times - a.times).slice(0, maxCandidates).map(({ shape }) => shape)
}

function runsWith(shapes: readonly RuleShape[], { question, beside }: RanCall, nowMs: number): boolean {
  const own = shapes.map((shape, at): LivePermission => ({ by: 'rule', rule: { id: `narrow ${at}`, effect: 'allow', shape, workspaceId: null, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0 } }))
  return answersOf(question, [...own, ...beside], nowMs).used.some((each) => own.includes(each))
}
