import { findRef, refName } from './findRef'
import { both, distinct, either, joined, leaves, withOptional } from './mergeShapes'
import { readKeywords } from './readKeywords'
import { anything, brief, isRaw, type Raw, type Shape } from './shape'

/** How far a schema is followed. */
export interface Reach {
  /** Depth of nested schemas; deeper ones are only named. */
  readonly maxDepth: number
  /** How often a part may stand inside itself. */
  readonly unrolls: number
  /** Schemas looked at. */
  readonly maxSteps: number
}

/** `allOf`, references and unions inside one another, without going down to a part. */
const maxInPlace = 40
/** Different references in one schema; each may search the whole. */
const maxTargets = 500

interface Reading {
  readonly root: Raw
  readonly reach: Reach
  /** What references point at, as far as they were looked for. */
  readonly targets: Map<string, unknown>
  steps: number
}

interface Place {
  readonly depth: number
  readonly inPlace: number
  /** References that are being followed, outermost first. */
  readonly refs: readonly string[]
}

/** A schema in the normal form, or null when nothing can fit it; `isWhole` is false when it was more than `maxSteps`. */
export function readShape(root: Raw, reach: Reach): { readonly shape: Shape | null; readonly isWhole: boolean } {
  const reading: Reading = { root, reach, targets: new Map(), steps: 0 }
  const shape = read(root, reading, { depth: 0, inPlace: 0, refs: ['#'] })
  return { shape, isWhole: reading.steps <= reach.maxSteps }
}

function read(raw: unknown, reading: Reading, place: Place): Shape | null {
  reading.steps += 1
  if (raw === false) return null
  if (!isRaw(raw) || place.inPlace > maxInPlace || reading.steps > reading.reach.maxSteps) return anything
  const inside: Place = { ...place, inPlace: place.inPlace + 1 }
  let shape: Shape | null = readKeywords(raw, (part) => child(part, reading, place))
  for (const ref of refsOf(raw)) shape = shape && meet(shape, follow(ref, reading, inside))
  for (const part of listOf(raw['allOf'])) shape = shape && meet(shape, read(part, reading, inside))
  for (const keyword of ['oneOf', 'anyOf']) shape = shape && readUnion(shape, listOf(raw[keyword]), reading, inside)
  if (!shape) return null
  shape = readConditions(shape, raw, reading, inside)
  return close(shape, raw, (part) => child(part, reading, place))
}

function meet(shape: Shape, part: Shape | null): Shape | null {
  return part && both(shape, part)
}

function child(raw: unknown, reading: Reading, place: Place): Shape | null {
  if (place.depth + 1 >= reading.reach.maxDepth) return outline(raw, reading)
  return read(raw, reading, { ...place, depth: place.depth + 1, inPlace: 0 })
}

function refsOf(raw: Raw): readonly string[] {
  const refs = ['$ref', '$dynamicRef'].map((keyword) => raw[keyword]).filter((ref) => typeof ref === 'string')
  return raw['$recursiveRef'] === '#' ? [...refs, '#'] : refs
}

function follow(ref: string, reading: Reading, place: Place): Shape | null {
  const target = targetOf(ref, reading)
  if (target === undefined) return { ...anything, notes: ['Its form is described elsewhere.'] }
  if (place.refs.filter((each) => each === ref).length > reading.reach.unrolls) {
    const named = outline(target, reading) ?? anything
    return { ...named, notes: joined([sameAs(ref)], named.notes) }
  }
  return read(target, reading, { ...place, refs: [...place.refs, ref] })
}

function targetOf(ref: string, reading: Reading): unknown {
  if (!reading.targets.has(ref)) reading.targets.set(ref, reading.targets.size < maxTargets ? findRef(reading.root, ref) : undefined)
  return reading.targets.get(ref)
}

function sameAs(ref: string): string {
  const name = refName(ref)
  return name === '' ? 'The same form again as the whole.' : `The same form again as ${brief(name, 80)} further out.`
}

/** What stands where a schema is not followed: its types, and the names of its properties in a sentence. */
function outline(raw: unknown, reading: Reading): Shape | null {
  if (raw === false) return null
  let target = raw
  let description = ''
  for (let hops = 0; hops < 10 && isRaw(target); hops += 1) {
    if (description === '' && typeof target['description'] === 'string') description = target['description']
    const [ref] = refsOf(target)
    if (ref === undefined) break
    target = targetOf(ref, reading)
  }
  if (!isRaw(target)) return { ...anything, description }
  const shape = readKeywords(target, () => anything)
  const names = [...shape.properties.keys()]
  const notes = names.length === 0 ? [] : [`Has ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`]
  return { ...anything, types: shape.types, values: shape.values, bounds: shape.bounds, description, notes: joined(notes, shape.types.length === 0 ? unionNote(target) : []) }
}

function unionNote(raw: Raw): readonly string[] {
  const parts = [...listOf(raw['anyOf']), ...listOf(raw['oneOf']), ...listOf(raw['allOf'])]
  return parts.length === 0 ? [] : [`Form: ${brief(parts)}.`]
}

function readUnion(shape: Shape, members: readonly unknown[], reading: Reading, place: Place): Shape | null {
  if (members.length === 0) return shape
  if (members.every(isOnlyRequired)) return withNote(shape, `Needs ${members.map((each) => namesOf(each).join(' and ')).join(', or ')}.`)
  const fitting = members.map((member) => named(member, read(member, reading, place))).filter((each) => each !== null)
  const choices = distinct(fitting.flatMap(leaves))
  if (choices.length === 0) return fitting.length === members.length ? shape : null
  if (choices.length > 60) return both(shape, either(choices))
  const [only] = choices
  return both(shape, only && choices.length === 1 ? only : { ...anything, choices })
}

/** The words of a member of a union belong to each of its own choices. */
function named(raw: unknown, shape: Shape | null): Shape | null {
  if (!shape || shape.choices.length === 0 || !isRaw(raw)) return shape
  return { ...shape, choices: shape.choices.map((choice) => ({ ...choice, description: choice.description || shape.description, notes: joined(shape.notes, choice.notes) })) }
}

function isOnlyRequired(member: unknown): boolean {
  return isRaw(member) && namesOf(member).length > 0 && Object.keys(member).every((key) => ['required', 'type', 'title', 'description'].includes(key))
}

function namesOf(member: unknown): readonly string[] {
  const required = isRaw(member) ? member['required'] : []
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** What is asked for only sometimes: its properties may be given, and a note says when. */
function readConditions(shape: Shape, raw: Raw, reading: Reading, place: Place): Shape {
  let result = shape
  for (const part of [raw['then'], raw['else'], ...dependent(raw)].filter(isRaw)) {
    const extra = read(part, reading, place)
    if (extra) result = withOptional(result, extra)
  }
  if (isRaw(raw['if']) && (raw['then'] !== undefined || raw['else'] !== undefined)) {
    result = withNote(result, `If ${brief(raw['if'], 120)} then ${brief(raw['then'] ?? true, 120)}${raw['else'] === undefined ? '' : ` else ${brief(raw['else'], 120)}`}.`)
  }
  return raw['not'] === undefined ? result : withNote(result, `Not ${brief(raw['not'], 120)}.`)
}

function dependent(raw: Raw): readonly unknown[] {
  return [raw['dependentSchemas'], raw['dependencies']].filter(isRaw).flatMap((each) => Object.values(each))
}

/** `unevaluatedProperties` and `unevaluatedItems` see what all the parts brought, so they come last. */
function close(shape: Shape, raw: Raw, readChild: (part: unknown) => Shape | null): Shape {
  const rest = raw['unevaluatedProperties']
  if (rest === undefined || rest === true) return shape
  const value = rest === false ? false : (readChild(rest) ?? false)
  const closed = (leaf: Shape): Shape => (leaf.rest === null ? { ...leaf, rest: value } : leaf)
  return shape.choices.length === 0 ? closed(shape) : { ...shape, choices: shape.choices.map(closed) }
}

function withNote(shape: Shape, note: string): Shape {
  return { ...shape, notes: joined(shape.notes, [note]) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
