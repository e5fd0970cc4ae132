import { isQuickPattern } from './quickPattern'
import { isRaw, type Raw } from './shape'

/** A copy for the validator, which writes marks into what it is given. `schemas`: how many there are in it. */
export interface Prepared {
  readonly schema: unknown
  readonly schemas: number
}

const maxSchemas = 5000
const maxDepth = 100
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains']
const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const names = ['$id', '$anchor', '$ref', '$recursiveRef', '$recursiveAnchor', 'uniqueItems']
const single = ['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'then', 'else']
const lists = ['prefixItems', 'allOf', 'anyOf', 'oneOf']
const maps = ['$defs', 'definitions', 'properties', 'dependentSchemas']
/** Rules that refuse more when a rule inside them asks for less. */
const contrary = ['not', 'if', 'unevaluatedProperties', 'unevaluatedItems', 'maxContains']

/** One walk. `isLoose`: a rule was left out, so contrary ones must be as well. */
interface Walk {
  readonly takesPatterns: boolean
  readonly isLoose: boolean
  schemas: number
  left: number
}

/**
 * A schema with only what the validator understands and may be trusted to judge; null when it is too large. Malformed keywords,
 * formats and slow patterns are left out. When anything was, `not`, `if`, `unevaluated…` and the "only one" of `oneOf` go too:
 * they could refuse what the whole schema takes.
 */
export function prepareSchema(raw: unknown, takesPatterns: boolean): Prepared | null {
  for (const isLoose of [false, true]) {
    const walk: Walk = { takesPatterns, isLoose, schemas: 0, left: 0 }
    const schema = copy(raw, walk, 0)
    if (walk.schemas > maxSchemas) return null
    if (isLoose || walk.left === 0) return { schema, schemas: walk.schemas }
  }
  return null
}

/** The draft that `$schema` names; 2020-12 where it names none that is known, as the protocol says. Of draft 4 a prepared schema has nothing left that 7 has not. */
export function draftOf(raw: unknown): '7' | '2019-09' | '2020-12' {
  const uri = isRaw(raw) && typeof raw['$schema'] === 'string' ? raw['$schema'] : ''
  if (/draft-0?[3-7]\b/u.test(uri)) return '7'
  return uri.includes('2019-09') ? '2019-09' : '2020-12'
}

function copy(raw: unknown, walk: Walk, depth: number): unknown {
  walk.schemas += depth > maxDepth ? maxSchemas + 1 : 1
  if (walk.schemas > maxSchemas || typeof raw === 'boolean') return raw === false ? false : true
  if (!isRaw(raw)) return leave(walk, true)
  const nested = (part: unknown): unknown => copy(part, walk, depth + 1)
  const result: Record<string, unknown> = { ...copyPlain(raw, walk), ...copyTypes(raw, walk) }
  for (const key of single) if (raw[key] !== undefined) result[key] = Array.isArray(raw[key]) && key === 'items' ? raw[key].map(nested) : nested(raw[key])
  for (const key of lists) if (Array.isArray(raw[key]) && raw[key].length > 0) result[key] = raw[key].map(nested)
  for (const key of maps) if (isRaw(raw[key])) result[key] = mapped(raw[key], nested)
  if (!walk.isLoose) for (const key of contrary) if (raw[key] !== undefined) result[key] = key === 'maxContains' ? raw[key] : nested(raw[key])
  if (walk.isLoose && result['oneOf'] !== undefined) {
    result['allOf'] = [...((result['allOf'] as readonly unknown[] | undefined) ?? []), { anyOf: result['oneOf'] }]
    delete result['oneOf']
  }
  copyPatterns(raw, result, walk, nested)
  copyDependencies(raw, result, nested)
  return result
}

function leave<T>(walk: Walk, value: T): T {
  walk.left += 1
  return value
}

function mapped(map: Raw, nested: (part: unknown) => unknown): Raw {
  return Object.fromEntries(Object.entries(map).map(([key, part]) => [key, nested(part)]))
}

function copyPlain(raw: Raw, walk: Walk): Raw {
  const result: Record<string, unknown> = {}
  for (const key of names) if (typeof raw[key] === 'string' || typeof raw[key] === 'boolean') result[key] = raw[key]
  for (const key of counts) if (key !== 'maxContains' && Number.isInteger(raw[key])) result[key] = raw[key]
  for (const key of limits) if (typeof raw[key] === 'number') result[key] = raw[key]
  // Draft 4 says with true that the limit itself is left out.
  if (raw['exclusiveMinimum'] === true && typeof raw['minimum'] === 'number') result['exclusiveMinimum'] = raw['minimum']
  if (raw['exclusiveMaximum'] === true && typeof raw['maximum'] === 'number') result['exclusiveMaximum'] = raw['maximum']
  if (Array.isArray(raw['required'])) result['required'] = raw['required'].filter((name) => typeof name === 'string')
  if (isRaw(raw['dependentRequired'])) result['dependentRequired'] = namesByName(raw['dependentRequired'])
  if (raw['format'] !== undefined || raw['$dynamicRef'] !== undefined) leave(walk, null)
  return result
}

function copyTypes(raw: Raw, walk: Walk): Raw {
  const result: Record<string, unknown> = {}
  const given: readonly unknown[] = Array.isArray(raw['type']) ? raw['type'] : raw['type'] === undefined ? [] : [raw['type']]
  const isNullable = raw['nullable'] === true
  if (isNullable) leave(walk, null)
  if (given.every((type) => typeof type === 'string' && types.includes(type))) {
    if (given.length > 0) result['type'] = isNullable ? [...given, 'null'] : given.length === 1 ? given[0] : given
  } else leave(walk, null)
  if (Object.hasOwn(raw, 'const')) result['const'] = raw['const']
  const values: unknown = raw['enum']
  if (Array.isArray(values) && values.length > 0) result['enum'] = isNullable ? [...(values as readonly unknown[]), null] : values
  else if (values !== undefined) leave(walk, null)
  return result
}

function copyPatterns(raw: Raw, result: Record<string, unknown>, walk: Walk, nested: (part: unknown) => unknown): void {
  const pattern = raw['pattern']
  if (pattern !== undefined) {
    if (walk.takesPatterns && typeof pattern === 'string' && isQuickPattern(pattern)) result['pattern'] = pattern
    else leave(walk, null)
  }
  const byPattern = raw['patternProperties']
  if (!isRaw(byPattern)) return
  if (walk.takesPatterns && Object.keys(byPattern).every(isQuickPattern)) {
    result['patternProperties'] = mapped(byPattern, nested)
    return
  }
  leave(walk, null)
  // Which names are additional cannot be said any more.
  delete result['additionalProperties']
}

/** The older name of two keywords; the validator takes names in it for keywords. */
function copyDependencies(raw: Raw, result: Record<string, unknown>, nested: (part: unknown) => unknown): void {
  if (!isRaw(raw['dependencies'])) return
  const entries = Object.entries(raw['dependencies'])
  const schemas = Object.fromEntries(entries.filter(([, part]) => !Array.isArray(part)).map(([name, part]) => [name, nested(part)]))
  result['dependentRequired'] = { ...namesByName(raw['dependencies']), ...(result['dependentRequired'] as Raw | undefined) }
  result['dependentSchemas'] = { ...schemas, ...(result['dependentSchemas'] as Raw | undefined) }
}

function namesByName(map: Raw): Raw {
  return Object.fromEntries(Object.entries(map).flatMap(([name, needs]) => (Array.isArray(needs) ? [[name, needs.filter((each) => typeof each === 'string')]] : [])))
}
