import { textHash } from './shortHash'

/** The types of JSON Schema. */
export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

/**
 * A schema in one normal form: references followed, `allOf` merged, every kind of union a list of choices.
 * With choices, only `description`, `notes` and `bounds` of the shape itself count: all else was moved into the choices, and
 * no choice has choices. Names are in a Map, so that none of them can be taken for a keyword or a prototype.
 */
export interface Shape {
  /** Empty: any. */
  readonly types: readonly TypeName[]
  readonly description: string
  /** Sentences for the model about what the form could not keep. */
  readonly notes: readonly string[]
  /** The only values, from `enum` and `const`. */
  readonly values: readonly unknown[] | null
  readonly properties: ReadonlyMap<string, Shape>
  readonly required: readonly string[]
  /** Properties of other names: none, of a shape, or nothing said. */
  readonly rest: Shape | false | null
  readonly items: Shape | null
  /** Items by position. */
  readonly tuple: readonly Shape[]
  /** Keywords with a plain value: limits, format, pattern, default. */
  readonly bounds: Readonly<Record<string, unknown>>
  readonly choices: readonly Shape[]
}

/** The shape of any value. */
export const anything: Shape = { types: [], description: '', notes: [], values: null, properties: new Map(), required: [], rest: null, items: null, tuple: [], bounds: {}, choices: [] }

/** A JSON object, untrusted. */
export type Raw = Readonly<Record<string, unknown>>

/** A JSON object, not a list and not null. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The type of a JSON value; a whole number is an integer. */
export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as 'string' | 'boolean') : 'object'
}

/** True when a value of `type` is taken where `types` are; every integer is a number. */
export function allows(types: readonly TypeName[], type: TypeName): boolean {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** Says nothing at all about its values. */
export function isAnything(shape: Shape): boolean {
  return shape.types.length === 0 && shape.values === null && shape.choices.length === 0 && shape.properties.size === 0 && shape.required.length === 0 && shape.items === null && shape.tuple.length === 0
}

/** Says no more than types: no values and no parts. */
export function isPlain(shape: Shape): boolean {
  return shape.values === null && shape.properties.size === 0 && shape.required.length === 0 && shape.rest === null && shape.items === null && shape.tuple.length === 0
}

/**
 * A text that two shapes share when they are the same. Parts that stand in many places are looked at once: what is written
 * out could be exponentially larger than what was read.
 */
export function shapeKey(shape: Shape): string {
  const known = keys.get(shape)
  if (known !== undefined) return known
  const parts = [...shape.properties].map(([name, each]) => [name, shapeKey(each)])
  const nested = [shape.rest ? shapeKey(shape.rest) : shape.rest, shape.items && shapeKey(shape.items), shape.tuple.map(shapeKey), shape.choices.map(shapeKey)]
  const text = JSON.stringify([shape.types, shape.description, shape.notes, shape.values, shape.required, shape.bounds, parts, nested])
  const key = textHash(text)
  keys.set(shape, key)
  return key
}

const keys = new WeakMap<Shape, string>()

/** A JSON value without what lies deep in it or comes late: what is looked at must be small, whatever was sent. */
export function pruned(value: unknown, depth = 5): unknown {
  if (typeof value === 'string') return value.slice(0, 1000)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, 20).map((each) => pruned(each, depth - 1))
  return Object.fromEntries(Object.entries(value).slice(0, 20).map(([name, each]) => [name, pruned(each, depth - 1)]))
}

/** A value as short text for a note. */
export function brief(value: unknown, length = 200): string {
  const text = JSON.stringify(pruned(value)) ?? ''
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
