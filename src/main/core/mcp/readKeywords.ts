import { joined, either } from './mergeShapes'
import { allows, anything, brief, isRaw, pruned, typeOf, type Raw, type Shape, type TypeName } from './shape'

const typeNames: readonly TypeName[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** Which type a keyword speaks of, where `type` is missing. */
const hints: readonly (readonly [TypeName, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
/** Longer patterns are no help to a model. */
const maxPattern = 200
/** A longer list of values is as good as none. */
const maxValues = 2000
const maxWords = 100_000

/** Reads a nested schema; null for one that nothing fits. */
type ReadChild = (raw: unknown) => Shape | null

/** The shape of a schema's own keywords, without references and combinations. Keywords with impossible values are left out. */
export function readKeywords(raw: Raw, readChild: ReadChild): Shape {
  const values = valuesOf(raw)
  const types = typesOf(raw, values)
  const object = readObject(raw, readChild)
  const array = readArray(raw, readChild)
  return {
    ...anything,
    ...(allows(types, 'object') && object),
    ...(allows(types, 'array') && array),
    types,
    values,
    description: text(raw['description']) || titleOf(raw),
    notes: joined(object.notes ?? [], array.notes ?? [], textNotes(raw)),
    bounds: { ...boundsOf(raw), ...array.bounds },
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxWords).trim() : ''
}

/** A title helps only where it is a sentence; generators put the name there again. */
function titleOf(raw: Raw): string {
  const title = text(raw['title'])
  return title.split(/\s+/u).length > 2 ? title : ''
}

function valuesOf(raw: Raw): readonly unknown[] | null {
  if (Object.hasOwn(raw, 'const')) return [prunedValue(raw['const'])]
  const values: unknown = raw['enum']
  if (!Array.isArray(values) || values.length === 0 || values.length > maxValues) return null
  const list = (values as readonly unknown[]).map(prunedValue)
  return raw['nullable'] === true && !list.includes(null) ? [...list, null] : list
}

/** Only plain values are ever sent; the others are only spoken of. */
function prunedValue(value: unknown): unknown {
  return typeof value === 'object' ? pruned(value) : value
}

function typesOf(raw: Raw, values: readonly unknown[] | null): readonly TypeName[] {
  const named: readonly unknown[] = Array.isArray(raw['type']) ? raw['type'] : [raw['type']]
  const types = joined(typeNames.filter((type) => named.includes(type)))
  if (types.length > 0) {
    const plain = types.includes('number') ? types.filter((type) => type !== 'integer') : types
    return raw['nullable'] === true ? joined(plain, ['null']) : plain
  }
  if (values) return joined(values.map(typeOf))
  const hinted = hints.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(raw, keyword))).map(([type]) => type)
  return hinted.length === 1 ? hinted : []
}

function readObject(raw: Raw, readChild: ReadChild): Partial<Shape> {
  const properties = new Map<string, Shape>()
  const impossible = new Set<string>()
  for (const [name, part] of Object.entries(isRaw(raw['properties']) ? raw['properties'] : {})) {
    const shape = readChild(part)
    if (shape) properties.set(name, shape)
    else impossible.add(name)
  }
  const required = joined(Array.isArray(raw['required']) ? raw['required'].filter((name) => typeof name === 'string' && !impossible.has(name)) : [])
  const { rest, notes } = readRest(raw, readChild)
  return { properties, required: required as readonly string[], rest, notes: [...notes, ...dependencyNotes(raw)] }
}

function readRest(raw: Raw, readChild: ReadChild): { readonly rest: Shape | false | null; readonly notes: readonly string[] } {
  const patterns = Object.entries(isRaw(raw['patternProperties']) ? raw['patternProperties'] : {})
  const shapes = patterns.map(([, part]) => readChild(part)).filter((each) => each !== null)
  const others = raw['additionalProperties']
  const names = isRaw(raw['propertyNames']) ? [`Names: ${brief(raw['propertyNames'])}.`] : []
  if (shapes.length > 0) {
    const notes = [`Names match ${patterns.slice(0, 5).map(([pattern]) => cut(pattern)).join(' or ')}.`, ...names]
    return { rest: isRaw(others) || others === true ? null : either(shapes), notes }
  }
  if (others === false) return { rest: false, notes: names }
  return { rest: isRaw(others) ? readChild(others) ?? false : null, notes: names }
}

function dependencyNotes(raw: Raw): readonly string[] {
  return [raw['dependentRequired'], raw['dependencies']]
    .filter(isRaw)
    .flatMap((each) => Object.entries(each))
    .filter(([, needs]) => Array.isArray(needs) && needs.length > 0)
    .map(([name, needs]) => `With ${name} also ${(needs as readonly unknown[]).map(String).join(', ')}.`)
}

function readArray(raw: Raw, readChild: ReadChild): Partial<Shape> {
  const list: readonly unknown[] = Array.isArray(raw['prefixItems']) ? raw['prefixItems'] : Array.isArray(raw['items']) ? raw['items'] : []
  const after = Array.isArray(raw['prefixItems']) || !Array.isArray(raw['items']) ? raw['items'] : raw['additionalItems']
  const tuple = list.map((part) => readChild(part) ?? anything)
  const notes = raw['contains'] === undefined ? [] : [`Holds at least one ${brief(raw['contains'], 120)}.`]
  if (after === false) return { tuple, notes, bounds: { maxItems: tuple.length } }
  return { tuple, notes, items: after === undefined || Array.isArray(after) ? null : readChild(after) }
}

function boundsOf(raw: Raw): Readonly<Record<string, unknown>> {
  const bounds: Record<string, unknown> = {}
  for (const keyword of counts) if (Number.isInteger(raw[keyword]) && Number(raw[keyword]) >= 0) bounds[keyword] = raw[keyword]
  for (const keyword of numbers) if (typeof raw[keyword] === 'number' && Number.isFinite(raw[keyword])) bounds[keyword] = raw[keyword]
  if (typeof raw['multipleOf'] === 'number' && raw['multipleOf'] > 0) bounds['multipleOf'] = raw['multipleOf']
  if (raw['uniqueItems'] === true) bounds['uniqueItems'] = true
  if (typeof raw['pattern'] === 'string') bounds['pattern'] = raw['pattern']
  if (typeof raw['format'] === 'string') bounds['format'] = raw['format']
  if (Object.hasOwn(raw, 'default')) bounds['default'] = prunedValue(raw['default'])
  // Draft 4: the limit itself is meant to be left out.
  for (const [flag, limit] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
    if (raw[flag] !== true || bounds[limit] === undefined) continue
    bounds[flag] = bounds[limit]
    delete bounds[limit]
  }
  return bounds
}

function textNotes(raw: Raw): readonly string[] {
  const notes: string[] = []
  if (raw['deprecated'] === true) notes.push('Deprecated.')
  const media = [raw['contentEncoding'], raw['contentMediaType']].filter((each) => typeof each === 'string')
  if (media.length > 0) notes.push(`Content: ${media.join(', ')}.`)
  return notes
}

function cut(pattern: string): string {
  return pattern.length > maxPattern ? `${pattern.slice(0, maxPattern)}…` : pattern
}
