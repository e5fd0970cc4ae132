import type { SchemaLimits } from '../../../shared/domain/schemaLimits'
import { cleanText } from './cleanText'
import { allows, brief, typeOf, type Raw, type Shape, type TypeName } from './shape'

const ofType: Readonly<Record<string, readonly TypeName[]>> = {
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  minProperties: ['object'],
  maxProperties: ['object'],
}
const said: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  minLength: 'shortest length',
  maxLength: 'longest length',
  pattern: 'pattern',
  format: 'format',
  minItems: 'least items',
  maxItems: 'most items',
  uniqueItems: 'no item twice:',
  minProperties: 'least names',
  maxProperties: 'most names',
}
const maxPattern = 200

/** Keywords for the schema, and sentences for what has no place in it. */
export interface Written {
  readonly schema: Raw
  readonly notes: readonly string[]
}

/** Limits, format, pattern and default of one type, as far as the provider takes them; the others are said in words. */
export function writeBounds(bounds: Shape['bounds'], type: TypeName, limits: SchemaLimits): Written {
  const schema: Record<string, unknown> = {}
  const words: string[] = []
  for (const [keyword, value] of Object.entries(wholeLimits(bounds, type, limits))) {
    if (!(ofType[keyword] ?? []).includes(type)) continue
    if (isTaken(keyword, value, limits)) schema[keyword] = value
    else words.push(`${said[keyword] ?? keyword} ${typeof value === 'string' ? value.slice(0, maxPattern) : brief(value)}`)
  }
  const notes = words.length === 0 ? [] : [`Limits: ${words.join(', ')}.`]
  if (!('default' in bounds)) return { schema, notes }
  const value = bounds['default']
  const fits = typeof value !== 'object' && allows([type], typeOf(value)) && isVisible(value) && JSON.stringify(value).length <= 200
  if (fits && limits.keywords.includes('default')) return { schema: { ...schema, default: value }, notes }
  return { schema, notes: [...notes, `Default: ${brief(value, 80)}.`] }
}

function isTaken(keyword: string, value: unknown, limits: SchemaLimits): boolean {
  if (!limits.keywords.includes(keyword)) return false
  if (keyword === 'format') return limits.formats.includes(String(value))
  return keyword !== 'pattern' || (String(value).length <= maxPattern && isVisible(value) && compiles(String(value)))
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    // The server's own dialect: said in words, not as a pattern that a provider refuses.
    return false
  }
}

/** A limit of whole numbers that is left out is the next one that is in. */
function wholeLimits(bounds: Shape['bounds'], type: TypeName, limits: SchemaLimits): Shape['bounds'] {
  const { exclusiveMinimum, exclusiveMaximum, ...others } = bounds
  if (type !== 'integer' || limits.keywords.includes('exclusiveMinimum')) return bounds
  const low = typeof exclusiveMinimum === 'number' ? [Math.floor(exclusiveMinimum) + 1] : []
  const high = typeof exclusiveMaximum === 'number' ? [Math.ceil(exclusiveMaximum) - 1] : []
  if (typeof others['minimum'] === 'number') low.push(others['minimum'])
  if (typeof others['maximum'] === 'number') high.push(others['maximum'])
  return { ...others, ...(low.length > 0 ? { minimum: Math.max(...low) } : {}), ...(high.length > 0 ? { maximum: Math.min(...high) } : {}) }
}

/** The values of one type as `enum`. Values with hidden characters are left out: a person could not see what they say. */
export function writeValues(shape: Shape, type: TypeName, limits: SchemaLimits): Written {
  const all = (shape.values ?? []).filter((value) => allows([type], typeOf(value)))
  if (all.length === 0) return { schema: {}, notes: [] }
  const isScalar = type !== 'object' && type !== 'array'
  const values = all.filter((value) => isVisible(value) && !(limits.enumsAreStrings && value === ''))
  const list = `${all.slice(0, 20).map((value) => brief(value, 80)).join(', ')}${all.length > 20 ? ', …' : ''}`
  if (!isScalar || values.length === 0 || values.length > limits.maxEnum || (limits.enumsAreStrings && type !== 'string')) return { schema: {}, notes: [`One of ${list}.`] }
  return { schema: { enum: values }, notes: values.length === all.length ? [] : ['Other values are not shown.'] }
}

function isVisible(value: unknown): boolean {
  return typeof value !== 'string' || cleanText(`"${value}"`) === `"${value}"`
}
