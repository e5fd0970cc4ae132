type Path = readonly string[]
/** Where a value is wrong, below the value itself; null: it is right. */
type Check = (value: unknown, within: Within) => Path | null

interface Within {
  /** What a reference begins at. */
  readonly root: unknown
  readonly depth: number
}

/** Deeper ones are not written by people. */
const maxDepth = 60
const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

/**
 * Where a JSON Schema is none (draft 4 to 2020-12): the keys that lead there, or null. An answer that was held against such a
 * schema could only be wrong. Keywords nobody knows say nothing, and a reference to elsewhere is not followed.
 */
export function schemaFault(schema: unknown): Path | null {
  return aSchema(schema, { root: schema, depth: 0 })
}

const aSchema: Check = (value, { root, depth }) => {
  if (typeof value === 'boolean') return null
  if (!isMap(value) || depth > maxDepth) return []
  for (const [keyword, part] of Object.entries(value)) {
    const check = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    const path = check?.(part, { root, depth: depth + 1 })
    if (path) return [keyword, ...path]
  }
  return null
}

const is = (holds: (value: unknown) => boolean): Check => (value) => (holds(value) ? null : [])
const listOf = (check: Check, least = 0): Check => (value, within) => (Array.isArray(value) && value.length >= least ? firstFault(Object.entries(value), check, within) : [])
const mapOf = (check: Check): Check => (value, within) => (isMap(value) ? firstFault(Object.entries(value), check, within) : [])
const either = (...checks: readonly Check[]): Check => (value, within) => {
  const paths = checks.map((check) => check(value, within))
  return paths.includes(null) ? null : (paths.find((path) => path !== null && path.length > 0) ?? [])
}

function firstFault(parts: readonly (readonly [string, unknown])[], check: Check, within: Within): Path | null {
  for (const [key, part] of parts) {
    const path = check(part, within)
    if (path) return [key, ...path]
  }
  return null
}

const aText = is((value) => typeof value === 'string')
const aNumber = is(isNumber)
const aCount = is((value) => isNumber(value) && Number.isInteger(value) && value >= 0)
const aSwitch = is((value) => typeof value === 'boolean')
const aType = is((value) => typeof value === 'string' && types.includes(value))
const aPattern = is((value) => typeof value === 'string' && isPattern(value))
const schemas = mapOf(aSchema)
const texts = listOf(aText)

const keywords: Readonly<Record<string, Check>> = {
  type: either(aType, listOf(aType, 1)),
  $ref: (value, { root }) => (typeof value === 'string' && leads(value, root) ? null : []),
  enum: listOf(() => null),
  required: texts,
  properties: schemas, $defs: schemas, definitions: schemas, dependentSchemas: schemas,
  patternProperties: (value, within) => (isMap(value) ? firstFault(Object.entries(value), (part, inside) => aSchema(part, inside), within) ?? badKey(value) : []),
  additionalProperties: aSchema, unevaluatedProperties: aSchema, propertyNames: aSchema,
  items: either(aSchema, listOf(aSchema)), prefixItems: listOf(aSchema, 1), additionalItems: aSchema, unevaluatedItems: aSchema, contains: aSchema,
  allOf: listOf(aSchema, 1), anyOf: listOf(aSchema, 1), oneOf: listOf(aSchema, 1), not: aSchema, if: aSchema, then: aSchema, else: aSchema,
  dependentRequired: mapOf(texts), dependencies: mapOf(either(texts, aSchema)),
  minimum: aNumber, maximum: aNumber, multipleOf: is((value) => isNumber(value) && value > 0),
  // Draft 4 has switches here.
  exclusiveMinimum: either(aNumber, aSwitch), exclusiveMaximum: either(aNumber, aSwitch),
  minLength: aCount, maxLength: aCount, minItems: aCount, maxItems: aCount, minProperties: aCount, maxProperties: aCount, minContains: aCount, maxContains: aCount,
  pattern: aPattern, uniqueItems: aSwitch,
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false // a SyntaxError is the answer
  }
}

function badKey(value: Readonly<Record<string, unknown>>): Path | null {
  const key = Object.keys(value).find((one) => !isPattern(one))
  return key === undefined ? null : [key]
}

/** Of a path within the schema; a name or an address elsewhere is let be. */
function leads(ref: string, root: unknown): boolean {
  if (!ref.startsWith('#/')) return true
  let at: unknown = root
  for (const step of ref.slice(2).split('/')) {
    const key = unescaped(step)
    if (typeof at !== 'object' || at === null || key === null || !Object.hasOwn(at, key)) return false
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return true
}

function unescaped(step: string): string | null {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return null // no such escape: it leads nowhere
  }
}
