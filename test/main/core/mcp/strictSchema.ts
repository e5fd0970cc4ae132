import type { SchemaLimits } from '../../../../src/shared/domain/schemaLimits'

type Raw = Readonly<Record<string, unknown>>

const always = ['type', 'description', 'properties', 'required', 'items']
const scalars = ['string', 'number', 'integer', 'boolean', 'null']
// Zero-width, direction, tags, soft hyphen, and control characters but for tab and line break.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u

/** Everything in a cleaned schema that a provider with these limits would refuse; written apart from the code it checks. */
export function refusals(schema: unknown, limits: SchemaLimits): readonly string[] {
  const found: string[] = []
  let schemas = 0
  const say = (where: string, what: string): void => void found.push(`${where}: ${what}`)
  const propertyName = new RegExp(`^(?:${limits.propertyName})$`, 'u')

  const check = (value: unknown, where: string, depth: number): void => {
    schemas += 1
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return say(where, 'is no object')
    const raw = value as Raw
    if (depth > limits.maxDepth) say(where, 'is too deep')
    for (const key of Object.keys(raw)) if (!always.includes(key) && !limits.keywords.includes(key)) say(where, `has ${key}`)
    checkType(raw, where)
    checkWords(raw, where)
    checkEnum(raw, where)
    checkObject(raw, where, depth)
    if (raw['type'] === 'array' && raw['items'] === undefined) say(where, 'is an array without items')
    if (raw['items'] !== undefined) check(raw['items'], `${where}/items`, depth + 1)
    const { format, pattern } = raw
    if (format !== undefined && (typeof format !== 'string' || !limits.formats.includes(format))) say(where, 'has a format')
    if (pattern !== undefined && (typeof pattern !== 'string' || !(new RegExp(pattern, 'u') instanceof RegExp))) say(where, 'has a bad pattern')
    if (raw['anyOf'] !== undefined) checkUnion(raw, where, depth)
  }
  const checkType = (raw: Raw, where: string): void => {
    const types: readonly unknown[] = Array.isArray(raw['type']) ? raw['type'] : raw['type'] === undefined ? [] : [raw['type']]
    if (Array.isArray(raw['type']) && !limits.takesTypeArrays) say(where, 'has a list of types')
    if (new Set(types).size !== types.length || (Array.isArray(raw['type']) && types.length < 2)) say(where, 'has odd types')
    if (types.some((type) => ![...scalars, 'object', 'array'].includes(String(type)))) say(where, 'has an unknown type')
    if (limits.needsType && types.length === 0 && raw['anyOf'] === undefined) say(where, 'has no type')
    if (types.includes('null') && limits.keywords.includes('nullable')) say(where, 'has the type null')
  }
  const checkWords = (raw: Raw, where: string): void => {
    const words = raw['description']
    if (words === undefined) return
    if (typeof words !== 'string' || words === '' || words.length > limits.maxPropertyDescription || unseen.test(words)) say(where, 'has a bad description')
  }
  const checkEnum = (raw: Raw, where: string): void => {
    const values = raw['enum']
    if (values === undefined) return
    if (!Array.isArray(values) || values.length === 0 || values.length > limits.maxEnum + 1) return say(where, 'has a bad enum')
    if (values.some((each) => typeof each === 'object' && each !== null)) say(where, 'has an enum of parts')
    if (limits.enumsAreStrings && values.some((each) => typeof each !== 'string' || each === '')) say(where, 'has an enum not of strings')
  }
  const checkObject = (raw: Raw, where: string, depth: number): void => {
    const properties = (raw['properties'] ?? {}) as Raw
    for (const [name, part] of Object.entries(properties)) {
      if (!propertyName.test(name)) say(where, `has a property ${name}`)
      check(part, `${where}/${name}`, depth + 1)
    }
    const required = raw['required']
    if (required !== undefined && (!Array.isArray(required) || required.length === 0 || required.some((name) => !Object.hasOwn(properties, String(name))))) say(where, 'requires what it has not')
    const rest = raw['additionalProperties']
    if (rest === undefined || typeof rest === 'boolean') return
    if (!limits.takesMapValues) say(where, 'has a map')
    check(rest, `${where}/*`, depth + 1)
  }
  const checkUnion = (raw: Raw, where: string, depth: number): void => {
    const members = raw['anyOf']
    if (depth === 0) say(where, 'has a union at the top')
    if (raw['type'] !== undefined) say(where, 'has a type beside anyOf')
    if (!Array.isArray(members) || members.length < 2) return say(where, 'has a union of less than two')
    members.forEach((member: Raw, at) => {
      if (member['type'] === undefined) say(where, 'has a member without type')
      check(member, `${where}/anyOf/${at}`, depth + 1)
    })
  }

  check(schema, '', 0)
  const top = schema as Raw
  if (top['type'] !== 'object' || typeof top['properties'] !== 'object') say('', 'is no object at the top')
  if (schemas > limits.maxSchemas) say('', `has ${schemas} schemas`)
  if (JSON.stringify(schema).length > limits.maxSize) say('', 'is too large')
  return found
}
