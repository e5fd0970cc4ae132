import { allows, anything, brief, isAnything, shapeKey, typeOf, type Shape, type TypeName } from './shape'

/** Choices that two unions may be multiplied to; beyond it the product is not worth its size. */
const maxChoices = 16
const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** What fits both (`allOf`), or null when nothing can. Words of the first go before those of the second. */
export function both(a: Shape, b: Shape): Shape | null {
  const known = merged.get(a)?.get(b)
  if (known !== undefined) return known
  const result = merge(a, b)
  if (!merged.has(a)) merged.set(a, new WeakMap())
  merged.get(a)?.set(b, result)
  return result
}

/** Parts that stand in many places would else be merged once for each way that leads to them. */
const merged = new WeakMap<Shape, WeakMap<Shape, Shape | null>>()

function merge(a: Shape, b: Shape): Shape | null {
  if (a.choices.length === 0 && b.choices.length === 0) return bothLeaves(a, b)
  const left = a.choices.length === 0 ? [wordless(a)] : a.choices
  const right = b.choices.length === 0 ? [wordless(b)] : b.choices
  if (left.length * right.length > maxChoices) return withOptional(a, b)
  const choices = left.flatMap((one) => right.map((other) => bothLeaves(one, other))).filter((each) => each !== null)
  if (choices.length === 0) return null
  return { ...anything, description: a.description || b.description, notes: joined(a.notes, b.notes), bounds: { ...b.bounds, ...a.bounds }, choices }
}

/** The shape itself, or its choices. */
export function leaves(shape: Shape): readonly Shape[] {
  return shape.choices.length === 0 ? [shape] : shape.choices
}

/** What is said of the union as a whole is said there, not again in each choice. */
function wordless(shape: Shape): Shape {
  return { ...shape, description: '', notes: [] }
}

function bothLeaves(a: Shape, b: Shape): Shape | null {
  const types = bothTypes(a.types, b.types)
  const values = bothValues(a.values, b.values)?.filter((value) => allows(types ?? [], typeOf(value))) ?? null
  if (types === null || values?.length === 0) return null
  const { properties, refused } = bothProperties(a, b)
  const required = joined(a.required, b.required)
  if (required.some((name) => refused.has(name))) return null
  return {
    ...anything,
    types,
    values,
    properties,
    required,
    description: a.description || b.description,
    notes: joined(a.notes, b.notes),
    rest: bothRests(a, b),
    items: a.items && b.items ? (both(a.items, b.items) ?? a.items) : (a.items ?? b.items),
    tuple: a.tuple.length >= b.tuple.length ? a.tuple : b.tuple,
    bounds: bothBounds(a.bounds, b.bounds),
  }
}

function bothTypes(a: readonly TypeName[], b: readonly TypeName[]): readonly TypeName[] | null {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const shared = joined(a.filter((type) => allows(b, type)), b.filter((type) => allows(a, type)))
  return shared.length === 0 ? null : shared
}

function bothValues(a: readonly unknown[] | null, b: readonly unknown[] | null): readonly unknown[] | null {
  if (a === null || b === null) return a ?? b
  const known = new Set(b.map((value) => JSON.stringify(value)))
  return a.filter((value) => known.has(JSON.stringify(value)))
}

function bothProperties(a: Shape, b: Shape): { readonly properties: ReadonlyMap<string, Shape>; readonly refused: ReadonlySet<string> } {
  const properties = new Map(a.properties)
  const refused = new Set<string>()
  for (const [name, shape] of b.properties) {
    const mine = properties.get(name)
    const result = mine ? both(mine, shape) : shape
    if (result) properties.set(name, result)
    else {
      properties.delete(name)
      refused.add(name)
    }
  }
  return { properties, refused }
}

/** `additionalProperties: false` beside properties of another part refuses them by the letter; nobody means that. */
function bothRests(a: Shape, b: Shape): Shape | false | null {
  if (a.rest === null || b.rest === null) {
    const [closed, open] = a.rest === null ? [b, a] : [a, b]
    if (closed.rest !== false) return closed.rest
    return [...open.properties.keys()].every((name) => closed.properties.has(name)) ? false : null
  }
  if (a.rest === false || b.rest === false) return false
  return both(a.rest, b.rest)
}

function bothBounds(a: Shape['bounds'], b: Shape['bounds']): Shape['bounds'] {
  const bounds: Record<string, unknown> = { ...b, ...a }
  const pick = (keywords: readonly string[], choose: (x: number, y: number) => number): void => {
    for (const keyword of keywords) {
      const [x, y] = [a[keyword], b[keyword]]
      if (typeof x === 'number' && typeof y === 'number') bounds[keyword] = choose(x, y)
    }
  }
  pick(lower, Math.max)
  pick(upper, Math.min)
  return bounds
}

/** The shape, with properties of another one that may be there: what `then`, `else` and `dependentSchemas` may ask for. */
export function withOptional(shape: Shape, other: Shape): Shape {
  if (shape.choices.length > 0) return { ...shape, choices: shape.choices.map((choice) => withOptional(choice, other)) }
  const extra = leaves(other).flatMap((leaf) => [...leaf.properties])
  return extra.length === 0 ? shape : { ...shape, types: shape.types.length === 0 ? ['object'] : shape.types, properties: new Map([...extra, ...shape.properties]) }
}

/**
 * One shape that takes whatever one of the choices takes, and more: properties of all, required what all require.
 * What tells the choices apart goes into a note.
 */
export function either(choices: readonly Shape[]): Shape {
  const [first, ...others] = distinct(choices.flatMap(leaves))
  if (!first) return anything
  if (others.length === 0) return first
  const all = [first, ...others]
  if (all.some(isAnything)) return { ...anything, notes: joined(...all.map((each) => each.notes)) }
  const objects = all.filter((each) => each.properties.size > 0)
  const arrays = all.filter((each) => allows(each.types, 'array') && each.types.length > 0)
  const items = arrays.map((each) => each.items ?? (each.tuple.length > 0 ? either(each.tuple) : anything))
  const rests = all.filter((each) => allows(each.types, 'object')).map((each) => each.rest)
  const [rest = null] = rests
  return {
    ...anything,
    types: all.some((each) => each.types.length === 0) ? [] : joined(...all.map((each) => each.types)),
    values: all.every((each) => each.values !== null) ? distinctValues(all.flatMap((each) => each.values ?? [])) : null,
    properties: eitherProperties(objects),
    required: (objects[0]?.required ?? []).filter((name) => objects.every((each) => each.required.includes(name))),
    rest: rests.every((each) => each === false) ? rest : rests.length === 1 ? rest : null,
    items: items.length === 0 ? null : either(items),
    notes: joined(...all.map((each) => each.notes), alternatives(all)),
    bounds: sharedBounds(all),
  }
}

function eitherProperties(objects: readonly Shape[]): ReadonlyMap<string, Shape> {
  const byName = new Map<string, Shape[]>()
  for (const each of objects) for (const [name, shape] of each.properties) byName.set(name, [...(byName.get(name) ?? []), shape])
  return new Map([...byName].map(([name, shapes]) => [name, oneOfThese(shapes)]))
}

/** Keeps the union as choices, so that whoever writes it can still say it exactly. */
function oneOfThese(shapes: readonly Shape[]): Shape {
  const own = distinct(shapes)
  const [first = anything] = own
  if (own.length === 1) return first
  return { ...anything, description: own.find((each) => each.description !== '')?.description ?? '', notes: joined(...own.map((each) => each.notes)), choices: distinct(own.flatMap(leaves)) }
}

function sharedBounds(all: readonly Shape[]): Shape['bounds'] {
  const [first, ...others] = all
  return Object.fromEntries(Object.entries(first?.bounds ?? {}).filter(([keyword, value]) => others.every((each) => JSON.stringify(each.bounds[keyword]) === JSON.stringify(value))))
}

/** Says which properties go together, when that is more than one way. */
function alternatives(all: readonly Shape[]): readonly string[] {
  const ways = distinctTexts(all.filter((each) => each.properties.size > 0).map(wayOf))
  return ways.length < 2 ? [] : [`One of these: ${ways.slice(0, 8).join('; or ')}${ways.length > 8 ? '; or others' : ''}.`]
}

function wayOf(shape: Shape): string {
  const names = [...shape.properties.keys()].slice(0, 12).map((name) => {
    const [value, ...more] = shape.properties.get(name)?.values ?? []
    const fixed = value !== undefined && more.length === 0 ? `=${brief(value, 60)}` : ''
    return `${name}${fixed}${shape.required.includes(name) ? '' : '?'}`
  })
  return `{${names.join(', ')}}`
}

/** The lists as one, each value once, in order. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return [...new Set(lists.flat())]
}

/** Each shape once. */
export function distinct(shapes: readonly Shape[]): readonly Shape[] {
  if (shapes.length < 2) return shapes
  return [...new Map(shapes.map((shape) => [shapeKey(shape), shape])).values()]
}

function distinctValues(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function distinctTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
