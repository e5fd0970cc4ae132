import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { argumentsOf } from '../../../../src/main/core/mcp/argumentSchema'
import { cleanTool } from '../../../../src/main/core/mcp/cleanTool'
import type { McpToolDefinition } from '../../../../src/shared/domain/mcp'
import { schemaLab } from '../../../lab/schema'
import { limitsOf, toolWith } from './schemaWorld'
import { refusals } from './strictSchema'

const casesF = path.resolve(import.meta.dirname, '../../../cases/F')
const cleaned = (schema: unknown, provider = 'openai'): unknown => cleanTool(toolWith(schema), limitsOf(provider)).schema
/** The cleaned form of one property, the rest of the schema given beside it. */
const property = (schema: unknown, provider = 'openai', root: object = {}): unknown => (cleaned({ ...root, type: 'object', properties: { p: schema } }, provider) as { properties: { p: unknown } }).properties.p

const f01 = JSON.parse(readFileSync(path.join(casesF, 'f01.tools.json'), 'utf8')) as readonly [McpToolDefinition, McpToolDefinition]

test('R52 f01: a reference is written out, and arguments of its shape reach the server as they are', () => {
  const [list, tree] = f01
  expect(cleanTool(list, limitsOf('openai')).schema).toEqual({ type: 'object', properties: { query_model: { type: 'object', properties: { limit: { type: 'integer', default: 20 } } } }, required: ['query_model'] })
  const args = { root: { v: 'a', kids: [{ v: 'b', kids: [{ kids: [{ kids: [{ v: 'deep' }] }] }] }] } }
  expect(cleanTool(tree, limitsOf('openai')).restore(args)).toBe(args)
  expect(argumentsOf(tree.inputSchema).safeParse(args)).toEqual({ success: true, data: args })
  expect(argumentsOf(list.inputSchema).safeParse({ query_model: { limit: 5 } }).success).toBe(true)
})

test('R52 f01: a part that holds itself is bounded, and says what it would be', () => {
  const text = JSON.stringify(cleanTool(f01[1], limitsOf('openai')).schema)
  expect(text.match(/"v":/gu)).toHaveLength(3)
  expect(text).toContain('The same form again as \\"N\\" further out. Has v, kids.')
})

test.each(['#/$defs/a~1b%20c', '#/%24defs/a~1b%20c', 'https://example.com/root#/$defs/a~1b%20c', '#inner', 'part.json'])('R52: the reference %s is found', (ref) => {
  const target = { $anchor: 'inner', $id: 'part.json', type: 'integer', description: 'target' }
  expect(property({ $ref: ref, description: 'own words' }, 'openai', { $id: 'https://example.com/root', $defs: { 'a/b c': target } })).toEqual({ type: 'integer', description: 'own words' })
})

test.each<readonly [string, unknown, unknown]>([
  ['allOf is merged', { allOf: [{ properties: { a: { minimum: 1 } }, required: ['a'] }, { properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'string' } } }] }, { type: 'object', properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'string' } }, required: ['a'] }],
  ['a nullable union', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: ['string', 'null'] }],
  ['a union of constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
  ['an enum of mixed types', { enum: ['a', 1, null] }, { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'integer', enum: [1] }, { type: 'null' }] }],
  ['limits of draft 4', { type: 'integer', minimum: 0, exclusiveMinimum: true }, { type: 'integer', exclusiveMinimum: 0 }],
  ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
  ['a tuple', { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false }, { type: 'array', description: 'By position: number; number.', maxItems: 2, items: { type: 'number' } }],
  ['names that are only patterns', { patternProperties: { '^x': { type: 'string' } }, additionalProperties: false }, { type: 'object', description: 'Names match ^x.', additionalProperties: { type: 'string' } }],
  ['an unknown format', { type: 'string', format: 'odd' }, { type: 'string', description: 'Limits: format odd.' }],
  ['a required name that is not there', { type: 'object', properties: {}, required: ['a'] }, { type: 'object', properties: { a: {} }, required: ['a'] }],
  ['a form elsewhere', { $ref: 'https://example.com/x.json' }, { description: 'Its form is described elsewhere.' }],
  ['properties called like keywords', { type: 'object', properties: { $ref: { type: 'string' }, type: { type: 'string' }, default: { type: 'number' } } }, { type: 'object', properties: { $ref: { type: 'string' }, type: { type: 'string' }, default: { type: 'number' } } }],
  ['what only tools need', { $comment: 'c', examples: ['x'], $id: 'i', type: 'string', title: 'P' }, { type: 'string' }],
  ['objects that differ only in words', { anyOf: [{ type: 'object', description: 'a' }, { type: 'object', deprecated: true }], description: 'd' }, { anyOf: [{ type: 'object', description: 'a', additionalProperties: true }, { type: 'object', description: 'Deprecated.', additionalProperties: true }], description: 'd' }],
  ['one of two names', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { type: 'object', description: 'Needs a, or b.', properties: { a: { type: 'string' }, b: { type: 'string' } } }],
])('R52: %s', (_name, schema, expected) => {
  expect(property(schema)).toEqual(expected)
})

test('R52: a union of objects at the top becomes one object that says which names go together', () => {
  const schema = { oneOf: [{ type: 'object', properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] }, { type: 'object', properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] }] }
  expect(cleaned(schema)).toEqual({
    type: 'object',
    description: 'One of these: {kind="file", path}; or {kind="url", url}.',
    properties: { kind: { type: 'string', enum: ['file', 'url'] }, path: { type: 'string' }, url: { type: 'string' } },
    required: ['kind'],
  })
})

test('R52: a provider of a narrow subset gets words for what it does not take', () => {
  expect(property({ type: ['integer', 'null'], enum: [1, 2, null], default: 1 }, 'gemini')).toEqual({ type: 'integer', description: 'One of 1, 2. Default: 1.', nullable: true })
  expect(property({ type: ['string', 'number', 'null'] }, 'gemini')).toEqual({ anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true })
  expect(property({ anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] }, 'deepseek')).toEqual({ anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] })
})

test('R52: descriptions lose hidden characters and are cut with a mark', () => {
  const words = `Reads${'\u200b'} a${'\u202e'} file.${'\u{e0049}'}\r\n\u0007Ends. 😀`
  expect(cleanTool(toolWith({}, words), limitsOf('openai')).description).toBe('Reads a file.\nEnds. 😀')
  const { description } = cleanTool(toolWith({}, '😀'.repeat(2000)), limitsOf('openai'))
  expect(description).toMatch(/^(?:😀)+… \[cut\]$/u)
  expect(description.length).toBeLessThanOrEqual(1024)
  expect(JSON.stringify(property({ enum: ['ok', 'bad\u200b'] }))).toBe('{"type":"string","description":"Other values are not shown.","enum":["ok"]}')
})

const doubling = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at}`, { type: 'object', properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } } }]))
const products = { allOf: Array.from({ length: 12 }, (_, at) => ({ anyOf: [{ properties: { [`a${at}`]: { $ref: '#' } } }, { properties: { [`b${at}`]: { $ref: '#' } } }] })) }
const nested = (depth: number): unknown => JSON.parse(`${'{"not":{"items":'.repeat(depth)}{}${'}}'.repeat(depth)}`) as unknown
test.each<readonly [string, unknown]>([
  ['references that double at each step', { $defs: doubling, properties: { x: { $ref: '#/$defs/d0' } } }],
  ['a product of unions that holds itself', products],
  ['a reference to itself', { $ref: '#' }],
  ['references in a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } }, properties: { x: { $ref: '#/$defs/a' } } }],
  ['50,000 levels', nested(25_000)],
  ['50,000 properties', { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, { type: 'string' }])) }],
  ['a long list of values', { properties: { x: { enum: Array.from({ length: 100_000 }, (_, at) => `v${at}`) } } }],
  ['wide unions', { properties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { anyOf: Array.from({ length: 40 }, (_, k) => ({ type: 'object', properties: { [`k${k}`]: { type: 'string' } } })) }])) }],
])('R52: %s: bounded, and the arguments pass or are judged', (_name, schema) => {
  for (const limits of ['openai', 'gemini', 'unknown'].map(limitsOf)) expect(refusals(cleanTool(toolWith(schema), limits).schema, limits)).toEqual([])
  expect(typeof argumentsOf(schema).safeParse({ x: { a: { b: 1 } } }).success).toBe('boolean')
})

test.each([null, undefined, [], 'x', 5, true, false, { type: 'string' }, { type: null, properties: [] }])('R52: the malformed schema %j becomes an object that takes anything', (schema) => {
  expect(cleaned(schema)).toEqual({ type: 'object', properties: {} })
})

test('R47 R52 f03: the lab prints each tool as it is sent, one a line, also of several servers', async () => {
  const tools = JSON.parse(readFileSync(path.join(casesF, 'f03.tools.json'), 'utf8')) as readonly McpToolDefinition[]
  const print = async (input: unknown): Promise<readonly { readonly name: string }[]> => {
    const lines: { readonly name: string }[] = []
    await schemaLab(['--provider', 'openai'], { bytes: () => Buffer.from(JSON.stringify(input)) }, (line) => void lines.push(line as { readonly name: string }))
    return lines
  }
  const both = await print([{ server: 'github.com/acme/tools', tools }, { server: 'github.com_acme_tools', tools }])
  expect(new Set(both.map(({ name }) => name)).size).toBe(18)
  expect(await print({ server: 'github.com_acme_tools', tools })).toEqual(both.slice(9))
  expect((await print({ tools })).at(-1)).toEqual({ name: 'mcp__server__read_file', description: 'd', parameters: { type: 'object', properties: {} } })
  expect(await print(tools)).toEqual(await print({ tools }))
  await expect(schemaLab([], { bytes: () => Buffer.from('[]') }, () => undefined)).rejects.toMatchObject({ name: 'LabUsage' })
})
