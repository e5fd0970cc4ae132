import { expect, test } from 'vitest'
import { argumentsOf } from '../../../../src/main/core/mcp/argumentSchema'
import { isQuickPattern } from '../../../../src/main/core/mcp/quickPattern'

const problems = (schema: unknown, args: unknown): readonly string[] => (argumentsOf(schema).safeParse(args).error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
const passes = (schema: unknown, args: unknown): boolean => argumentsOf(schema).safeParse(args).success
const p = (schema: unknown): unknown => ({ type: 'object', properties: { p: schema } })

test('R52: the original schema judges the arguments, in words that a model can act on', () => {
  const schema = { $defs: { Q: { type: 'object', properties: { limit: { type: 'integer' }, mode: { enum: ['a', 'b'] } }, required: ['limit'], additionalProperties: false } }, type: 'object', properties: { q: { $ref: '#/$defs/Q' }, 'a/b': { type: 'string' } }, required: ['q'] }
  expect(problems(schema, { q: { limit: 5, mode: 'a' } })).toEqual([])
  expect(problems(schema, {})).toEqual(['q: is missing'])
  expect(problems(schema, { q: { mode: 'c', more: 1 }, 'a/b': 1 })).toEqual(['q.limit: is missing', 'q.mode: must be one of "a","b"', 'q.more: is not allowed here', 'a/b: must be string, not number'])
  expect(problems(schema, [])).toEqual([': must be an object'])
  expect(problems(schema, 'x')).toEqual([': must be an object'])
})

test('R52: of a union only the nearest form is spoken of', () => {
  const schema = p({ oneOf: [{ properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] }, { properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] }] })
  expect(problems(schema, { p: { kind: 'url', url: 5 } })).toEqual(['p: fits none of the forms that the schema allows', 'p.url: must be string, not number'])
})

test('R52: arguments come out as the very object that went in, `__proto__` and all', () => {
  const args = JSON.parse('{"__proto__":{"a":1},"p":2}') as object
  expect(argumentsOf(p({})).parse(args)).toBe(args)
})

test.each<readonly [string, unknown, unknown]>([
  ['a reference elsewhere', p({ $ref: 'https://example.com/s.json' }), { p: 1 }],
  ['a reference in a circle', { $defs: { a: { $ref: '#/$defs/a' } }, properties: { p: { $ref: '#/$defs/a' } } }, { p: 1 }],
  ['a wrong pattern', p({ pattern: '[' }), { p: 'x' }],
  ['an unknown type', p({ type: 'any' }), { p: 'x' }],
  ['OpenAPI null', p({ type: 'string', nullable: true }), { p: null }],
  ['formats that exclude each other', p({ oneOf: [{ format: 'email' }, { format: 'uri' }] }), { p: 'x' }],
  ['a dropped pattern inside not', p({ not: { pattern: '(a+)+$' } }), { p: 'x' }],
  ['names by a slow pattern', p({ patternProperties: { '^(a+)+$': {} }, additionalProperties: false }), { p: { aa: 1 } }],
  ['a type that is null', { type: null, properties: [] }, { p: 1 }],
  ['a schema that is none', 5, { p: 1 }],
  ['an empty enum', p({ enum: [] }), { p: 1 }],
  ['limits of draft 4 without naming it', p({ minimum: 0, exclusiveMinimum: true }), { p: 1 }],
  ['more values than are judged', p({ type: 'array', items: { type: 'string' } }), { p: Array.from({ length: 3000 }, () => 1) }],
])('R52: what cannot be judged here is left to the server: %s', (_name, schema, args) => {
  expect(passes(schema, args)).toBe(true)
})

test.each<readonly [string, unknown, unknown]>([
  ['limits of draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', ...(p({ minimum: 1, exclusiveMinimum: true }) as object) }, { p: 1 }],
  ['draft 7 dependencies', { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } }, { a: 1 }],
  ['a quick pattern', p({ pattern: '^[a-z]+$' }), { p: 'A' }],
  ['not', p({ not: { type: 'string' } }), { p: 'x' }],
  ['a condition', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }],
  ['items by position', p({ prefixItems: [{ type: 'string' }], items: false }), { p: ['a', 'b'] }],
  ['unevaluated names', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { b: 1 }],
])('R52: what can be judged is: %s', (_name, schema, args) => {
  expect(passes(schema, args)).toBe(false)
})

test.each(['^[a-z]+$', '^\\d{4}-\\d{2}-\\d{2}$', '^(GET|POST)$', '^https?://', '^[\\w-]+\\.ts$', '\\p{L}', '^.{1,64}$'])('R52: the pattern %s is tried', (pattern) => {
  expect(isQuickPattern(pattern)).toBe(true)
})

test.each(['(a+)+$', '(a|a)*b', '^(?=a)b', '(.)\\1', 'a*a*a*b', `${'a?'.repeat(30)}b`, `${'(a|a)'.repeat(30)}b`, '[', '^(?:a+){9}$', 'x'.repeat(600)])('R52: the pattern %s is left to the server', (pattern) => {
  expect(isQuickPattern(pattern)).toBe(false)
})
