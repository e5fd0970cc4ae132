import type { McpFormField } from '../../../shared/domain/mcp'
import { isObject, listOf, textOf, type Json } from './messages'

type Value = string | number | boolean | readonly string[]
type Option = McpFormField['options'][number]

const mostFields = 100

/**
 * The fields of an elicitation's schema, in its order: text, numbers, switches, one of a list, several of a list, each with
 * titles where the server gives them (`oneOf`, `anyOf`, `enumNames`). `minimum` and `maximum` are of the value for numbers, of
 * its characters for text, of the number chosen for several.
 * @returns null when the schema holds anything else, as a nested object
 */
export function fieldsOf(schema: unknown): readonly McpFormField[] | null {
  if (!isObject(schema) || schema['type'] !== 'object' || !isObject(schema['properties'])) return null
  const required = listOf(schema['required'])
  const entries = Object.entries(schema['properties'])
  if (entries.length > mostFields) return null
  const fields = entries.map(([name, property]) => (isObject(property) ? fieldOf(name, property, required.includes(name)) : null))
  return fields.every((field) => field !== null) ? fields : null
}

function fieldOf(name: string, property: Json, isRequired: boolean): McpFormField | null {
  const kind = kindOf(property)
  if (kind === null) return null
  const options = kind === 'choice' ? optionsOf(property) : kind === 'choices' && isObject(property['items']) ? optionsOf(property['items']) : []
  if ((kind === 'choice' || kind === 'choices') && options.length === 0) return null
  const [low, high] = kind === 'text' ? ['minLength', 'maxLength'] : kind === 'choices' ? ['minItems', 'maxItems'] : ['minimum', 'maximum']
  const base = { name, title: textOf(property['title']) || name, description: textOf(property['description']), kind, options, isRequired, format: kind === 'text' ? formatOf(property['format']) : null }
  const field: McpFormField = { ...base, initial: null, minimum: numberOf(property[low ?? '']), maximum: numberOf(property[high ?? '']) }
  const initial = property['default']
  return isValue(initial) && fits(field, initial) ? { ...field, initial } : field
}

function kindOf(property: Json): McpFormField['kind'] | null {
  switch (property['type']) {
    case 'string': return 'enum' in property || 'oneOf' in property || 'anyOf' in property ? 'choice' : 'text'
    case 'number': return 'number'
    case 'integer': return 'integer'
    case 'boolean': return 'boolean'
    case 'array': return 'choices'
    default: return null
  }
}

function optionsOf(property: Json): readonly Option[] {
  const titled = listOf(property['oneOf'] ?? property['anyOf']).flatMap((one) => (isObject(one) && typeof one['const'] === 'string' ? [{ value: one['const'], title: textOf(one['title']) || one['const'] }] : []))
  if (titled.length > 0) return titled
  const titles = listOf(property['enumNames'])
  return listOf(property['enum']).flatMap((value, at) => (typeof value === 'string' ? [{ value, title: textOf(titles[at]) || value }] : []))
}

function formatOf(format: unknown): McpFormField['format'] {
  return format === 'email' || format === 'uri' || format === 'date' || format === 'date-time' ? format : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

/**
 * What goes back to the server: only fields that it asked for, each of the kind it asked for.
 * @returns null when a needed one is missing or one does not fit
 */
export function valuesFor(fields: readonly McpFormField[], values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> | null {
  const given: [string, Value][] = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    if (value === undefined) {
      if (field.isRequired) return null
      continue
    }
    if (!fits(field, value)) return null
    given.push([field.name, value])
  }
  return Object.fromEntries(given)
}

function fits(field: McpFormField, value: Value): boolean {
  const isWithin = (size: number): boolean => (field.minimum === null || size >= field.minimum) && (field.maximum === null || size <= field.maximum)
  const isOption = (one: string): boolean => field.options.some((option) => option.value === one)
  switch (field.kind) {
    case 'text': return typeof value === 'string' && isWithin([...value].length) && (value === '' || hasFormat(field.format, value))
    case 'number': return typeof value === 'number' && Number.isFinite(value) && isWithin(value)
    case 'integer': return Number.isSafeInteger(value) && isWithin(Number(value))
    case 'boolean': return typeof value === 'boolean'
    case 'choice': return typeof value === 'string' && isOption(value)
    case 'choices': return Array.isArray(value) && value.every(isOption) && new Set(value).size === value.length && isWithin(value.length)
  }
}

/** As far as a form can tell; the server has the last word. */
function hasFormat(format: McpFormField['format'], value: string): boolean {
  switch (format) {
    case null: return true
    case 'email': return /^[^\s@]+@[^\s@]+$/.test(value)
    case 'uri': return URL.canParse(value)
    case 'date': return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    case 'date-time': return /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/.test(value) && !Number.isNaN(Date.parse(value))
  }
}
