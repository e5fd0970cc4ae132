import type { McpToolDefinition } from '../../../shared/domain/mcp'
import { canonicalJson } from './canonicalJson'
import { escapeHidden } from './hiddenText'

type Fields = Readonly<Record<string, unknown>>

const typeWords = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** Parts of a schema that name properties or definitions: drawn one a line. */
const named = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Deeper objects are drawn as JSON on the line of their property. */
const deepest = 5

/**
 * A tool's whole definition, one fact a line: name, title, the description's lines, each schema with one line a property,
 * annotations. Nothing is left out and nothing hidden stays hidden; two definitions give the same text exactly when they
 * have the same hash.
 */
export function textOfTool(tool: McpToolDefinition): string {
  const lines = [
    `name: ${tool.name === '' ? '' : bareOrQuoted(tool.name)}`,
    ...(tool.title === undefined || tool.title === '' ? [] : [`title: ${bareOrQuoted(tool.title)}`]),
    ...(tool.description === '' ? [] : ['description', ...tool.description.split('\n').map((line) => `  ${line}`)]),
    ...linesOfFields('inputSchema', tool.inputSchema),
    ...linesOfFields('outputSchema', tool.outputSchema ?? {}),
    ...linesOfFields('annotations', tool.annotations ?? {}),
  ]
  return lines.map(escapeHidden).join('\n')
}

/** `inputSchema.required: ["a"]`, and for parts that name properties a heading with one line a property. */
function linesOfFields(path: string, fields: Fields): readonly string[] {
  return sorted(fields).flatMap(([key, value]) => {
    const place = `${path}.${keyText(key)}`
    if (path === 'annotations' || !named.has(key) || !isTable(value)) return [`${place}: ${canonicalJson(value)}`]
    return [place, ...linesOfProperties(value, 1)]
  })
}

function linesOfProperties(properties: Fields, depth: number): readonly string[] {
  const indent = '  '.repeat(depth)
  return sorted(properties).flatMap(([key, schema]) => {
    if (!isObject(schema)) return [`${indent}${keyText(key)} = ${canonicalJson(schema)}`]
    const inner = isTable(schema['properties']) && depth < deepest ? schema['properties'] : null
    const { type, ...rest } = typeOf(schema)
    const { description, left } = descriptionOf(inner === null ? rest.left : without(rest.left, 'properties'))
    const facts = [type, ...description, ...(sorted(left).length === 0 ? [] : [canonicalJson(left)])]
    return [`${indent}${keyText(key)}: ${facts.join('  ')}`, ...(inner === null ? [] : linesOfProperties(inner, depth + 1))]
  })
}

/** `string`, `string[]`, or `any` where the type is no plain word; `left` is what the word does not say. */
function typeOf(schema: Fields): { readonly type: string; readonly left: Fields } {
  const { type, items } = schema
  if (typeof type !== 'string' || !typeWords.has(type)) return { type: 'any', left: schema }
  const left = without(schema, 'type')
  if (type !== 'array' || !isObject(items) || sorted(items).length !== 1 || typeof items['type'] !== 'string' || !typeWords.has(items['type'])) return { type, left }
  return { type: `${items['type']}[]`, left: without(left, 'items') }
}

/** A description in brackets where it is one plain line, else as JSON. */
function descriptionOf(schema: Fields): { readonly description: readonly string[]; readonly left: Fields } {
  const text = schema['description']
  if (typeof text !== 'string') return { description: [], left: schema }
  return { description: [/[()\n]/u.test(text) ? JSON.stringify(text) : `(${text})`], left: without(schema, 'description') }
}

function keyText(key: string): string {
  return /^[\w$-]+$/u.test(key) ? key : JSON.stringify(key)
}

function bareOrQuoted(text: string): string {
  return /^[^"\n][^\n]*$/u.test(text) ? text : JSON.stringify(text)
}

function without(fields: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
}

function sorted(fields: Fields): readonly (readonly [string, unknown])[] {
  return Object.entries(fields).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object that names at least one thing. */
function isTable(value: unknown): value is Fields {
  return isObject(value) && sorted(value).length > 0
}
