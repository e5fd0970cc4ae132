import { dereference, validate, type Schema } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaFault } from '../../../../src/main/adapters/skills/schemaFault'

test.each<readonly [string, unknown]>([
  ['type', { type: 'nonsense' }],
  ['type', { type: [] }],
  ['type.1', { type: ['string', 'text'] }],
  ['type', { type: 5 }],
  ['required', { required: 'a' }],
  ['required.1', { required: ['a', 5] }],
  ['properties', { properties: ['a'] }],
  ['properties.a', { properties: { a: 'string' } }],
  ['properties.a.items.type', { properties: { a: { items: { type: 'nubmer' } } } }],
  ['items', { items: 5 }],
  ['items.1.type', { items: [{}, { type: 'x' }] }],
  ['anyOf', { anyOf: [] }],
  ['anyOf.0', { anyOf: ['string'] }],
  ['not.minimum', { not: { minimum: '1' } }],
  ['multipleOf', { multipleOf: 0 }],
  ['minLength', { minLength: -1 }],
  ['pattern', { pattern: '(' }],
  ['patternProperties.[', { patternProperties: { '[': {} } }],
  ['enum', { enum: 'a' }],
  ['uniqueItems', { uniqueItems: 'yes' }],
  ['$ref', { $ref: '#/$defs/gone', $defs: { here: {} } }],
  ['$ref', { $ref: '#/%E0%A4%A' }],
  ['$defs.a.type', { $defs: { a: { type: 'date' } } }],
  ['dependentRequired.a', { dependentRequired: { a: 'b' } }],
])('R59 a schema is refused at %s: %j', (path, schema) => {
  expect(schemaFault(schema)?.join('.')).toBe(path)
})

test.each([
  {}, { type: ['string', 'null'] }, { properties: { type: { enum: ['nonsense'] }, $ref: true } }, { const: { type: 'nonsense' }, default: { required: 'x' }, examples: [{ type: 5 }] },
  { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'integer' } } }, { $ref: 'https://example.com/schema' }, { $ref: '#' }, { exclusiveMinimum: true, minimum: 0 }, { exclusiveMinimum: 0 },
  { items: [{}, true] }, { additionalProperties: false }, { dependencies: { a: ['b'], c: { required: ['d'] } } }, { format: 'date', 'x-own': 5, nullable: true }, { patternProperties: { '^a': { type: 'string' } } },
])('R59 a schema passes: %j', (schema) => {
  expect(schemaFault(schema)).toBeNull()
})

test('R59 what passes is never refused by the validator as a schema, whatever it is made of', () => {
  const leaf = fc.oneof(fc.constantFrom('string', 'nonsense', '#/$defs/a', '#/gone', '[', ''), fc.integer({ min: -2, max: 3 }), fc.boolean(), fc.constant(null))
  const keys = fc.constantFrom('type', 'properties', 'items', 'required', 'anyOf', 'not', '$ref', '$defs', 'a', 'minimum', 'pattern', 'enum', 'uniqueItems', 'minLength')
  const { tree } = fc.letrec((tie) => ({ tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(keys, tie('tree'), { maxKeys: 4 })) }))
  fc.assert(fc.property(tree, fc.jsonValue(), (schema, value) => {
    if (schemaFault(schema) !== null) return
    const judge = (): unknown => validate(value, schema as Schema, '2020-12', dereference(schema as Schema), true)
    // A reference in a circle is no fault of form: it is the validator's to say.
    if (!JSON.stringify(schema).includes('$ref')) expect(judge).not.toThrow()
  }), { numRuns: 300 })
})

test('a schema that is deep, wide or a mere value ends without harm', () => {
  let deep: unknown = {}
  for (let level = 0; level < 5000; level++) deep = { not: deep }
  expect(schemaFault(deep)?.length).toBeLessThan(100)
  for (const value of [null, 5, 'x', []]) expect(schemaFault(value)).toEqual([])
})
