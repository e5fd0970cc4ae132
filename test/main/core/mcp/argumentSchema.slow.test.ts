import { expect, test } from 'vitest'
import { argumentsOf } from '../../../../src/main/core/mcp/argumentSchema'

const passes = (schema: unknown, args: unknown): boolean => argumentsOf(schema).safeParse(args).success
const p = (schema: unknown): unknown => ({ type: 'object', properties: { p: schema } })

test('R52: a recursive union and a pattern made to run for ever end', () => {
  const tree = { $defs: { T: { anyOf: [{ type: 'object', properties: { k: { $ref: '#/$defs/T' } }, required: ['x'] }, { type: 'object', properties: { k: { $ref: '#/$defs/T' } }, required: ['y'] }] } }, properties: { t: { $ref: '#/$defs/T' } } }
  const deep = JSON.parse(`${'{"k":'.repeat(60)}1${'}'.repeat(60)}`) as unknown
  expect(passes(tree, { t: deep })).toBe(true)
  expect(passes(p({ pattern: '^(a+)+$' }), { p: `${'a'.repeat(50_000)}!` })).toBe(true)
})
