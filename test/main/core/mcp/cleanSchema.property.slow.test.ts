import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentsOf } from '../../../../src/main/core/mcp/argumentSchema'
import { cleanTool } from '../../../../src/main/core/mcp/cleanTool'
import { limitsOf, providers, schemas, toolWith } from './schemaWorld'
import { refusals } from './strictSchema'

const wire = schemas.map((schema) => JSON.parse(JSON.stringify(schema)) as unknown)

test.each(providers)('R52: whatever a server sends, %s gets a schema within its limits, the same each time, and the original is untouched', (_id, limits) => {
  fc.assert(
    fc.property(wire, (schema) => {
      const before = JSON.stringify(schema)
      const cleaned = cleanTool(toolWith(schema), limits).schema
      expect(refusals(cleaned, limits)).toEqual([])
      expect(cleanTool(toolWith(schema), limits).schema).toEqual(cleaned)
      expect(JSON.stringify(schema)).toBe(before)
    }),
    { numRuns: 250 },
  )
})

test.each(providers)('R52: a cleaned schema cleaned again for %s stays within its limits and keeps its properties', (_id, limits) => {
  fc.assert(
    fc.property(wire, (schema) => {
      const once = cleanTool(toolWith(schema), limits).schema
      const twice = cleanTool(toolWith(once), limits).schema
      expect(refusals(twice, limits)).toEqual([])
      expect(Object.keys(twice['properties'] as object)).toEqual(Object.keys(once['properties'] as object))
      expect(twice['required']).toEqual(once['required'])
    }),
    { numRuns: 150 },
  )
})

test('R52: names that a provider refuses come back as they were, at every depth, and nothing else changes', () => {
  const limits = limitsOf('anthropic')
  const key = fc.oneof(fc.constantFrom('filter[id]', '城市', '', '__proto__', '$top', 'x'.repeat(80), 'plain', 'a b', 'a_b'), fc.string({ unit: 'binary', maxLength: 10 }))
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), (names, value) => {
      const own = Object.fromEntries(names.map((name) => [name, {}]))
      const schema = { type: 'object', properties: { ...own, list: { type: 'array', items: { type: 'object', properties: own } } } }
      const { schema: cleaned, restore } = cleanTool(toolWith(schema), limits)
      const sent = Object.keys(cleaned['properties'] as object).filter((name) => name !== 'list' || names.includes('list'))
      const wanted = Object.fromEntries(names.map((name) => [name, value]))
      const given = Object.fromEntries(sent.slice(0, names.length).map((name) => [name, value]))
      expect(Object.entries(restore({ ...given, list: [given] }))).toEqual(Object.entries({ ...wanted, list: [wanted] }))
    }),
  )
})

test('R52: arguments are never changed by judging them, and whatever the schema is, judging ends', () => {
  fc.assert(
    fc.property(wire, fc.dictionary(fc.string(), fc.jsonValue()), (schema, args) => {
      const result = argumentsOf(schema).safeParse(args)
      if (result.success) expect(result.data).toBe(args)
      else expect(result.error.issues.length).toBeGreaterThan(0)
    }),
    { numRuns: 500 },
  )
})
