import path from 'node:path'
import fc from 'fast-check'
import { loadCatalogue, schemaLimits } from '../../../../src/main/adapters/model/catalogue'
import type { McpToolDefinition } from '../../../../src/shared/domain/mcp'
import type { SchemaLimits } from '../../../../src/shared/domain/schemaLimits'

const catalogue = await loadCatalogue(path.resolve(import.meta.dirname, '../../../../resources'))

/** Every set of the catalogue, and its default. */
export const providers: readonly (readonly [string, SchemaLimits])[] = ['unknown', ...Object.keys(catalogue.schemaLimits.sets)].map((id) => [id, schemaLimits(catalogue, id)])

/** The limits of one provider. */
export function limitsOf(id: string): SchemaLimits {
  return schemaLimits(catalogue, id)
}

/** A tool with this schema, which may be anything that came over the wire. */
export function toolWith(inputSchema: unknown, description = 'd'): McpToolDefinition {
  return { name: 't', description, inputSchema: inputSchema as McpToolDefinition['inputSchema'] }
}

const name = fc.constantFrom('a', 'b', 'type', '$ref', 'properties', 'default', '__proto__', 'constructor', 'required', 'a b', 'filter[id]', '城市', '', 'x'.repeat(80), '$top', 'a.b', 'zero\u200bwidth')
const ref = fc.constantFrom('#', '#/$defs/A', '#/$defs/B', '#/definitions/C', '#/$defs/a~1b%20c', '#/properties/a', '#anchor', '#/nowhere', 'https://example.com/s.json', '%', '')
const value = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), fc.constant({ a: 1 }), fc.constant([1]))
const words = fc.oneof(fc.constantFrom('', 'plain', 'hid\u200bden\u202e \u{e0041}\u0007', '说明', 'x'.repeat(5000), '\ud800'), fc.string())
const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any')

/** Any schema: right, odd and wrong ones, with references in circles. */
export const schemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown; object: unknown }>((tie) => {
  const map = fc.dictionary(name, tie('schema'), { maxKeys: 3 })
  const list = fc.array(tie('schema'), { maxLength: 3 })
  const names = fc.array(name, { maxLength: 3 })
  const bound = fc.oneof(fc.integer({ min: -5, max: 20 }), fc.boolean())
  return {
    schema: fc.oneof({ maxDepth: 4, depthIdentifier: 'schema' }, { weight: 1, arbitrary: fc.oneof(fc.boolean(), fc.record({ $ref: ref }), fc.record({ type: typeName }), fc.constantFrom(null, 'x', 5, [])) }, { weight: 4, arbitrary: tie('object') }),
    object: sparse({
        type: fc.oneof(typeName, fc.array(typeName, { maxLength: 3 })),
        description: words,
        title: words,
        properties: map,
        required: fc.oneof(names, fc.boolean()),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.constantFrom('^x', '(a+)+$', '['), tie('schema'), { maxKeys: 2 }),
        items: fc.oneof(tie('schema'), list),
        prefixItems: list,
        anyOf: list,
        oneOf: list,
        allOf: list,
        not: tie('schema'),
        if: tie('schema'),
        then: tie('schema'),
        else: tie('schema'),
        dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
        dependentSchemas: map,
        dependencies: map,
        unevaluatedProperties: tie('schema'),
        enum: fc.array(value, { maxLength: 4 }),
        const: value,
        default: value,
        nullable: fc.boolean(),
        minimum: bound,
        maximum: bound,
        exclusiveMinimum: bound,
        minLength: bound,
        maxItems: bound,
        multipleOf: bound,
        pattern: fc.constantFrom('^a', '(a+)+$', '[', '^[\\w\\-]+$'),
        format: fc.constantFrom('date-time', 'uri', 'odd'),
        $defs: fc.record({ A: tie('schema'), B: tie('schema'), 'a/b c': tie('schema') }, { requiredKeys: [] }),
        definitions: fc.record({ C: tie('schema') }),
        $ref: ref,
        $anchor: fc.constantFrom('anchor', 'other'),
        $id: fc.constantFrom('https://example.com/root', 'part'),
        $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'),
        $comment: words,
        examples: fc.array(value, { maxLength: 2 }),
      }),
  }
}).schema

/** An object with a few of these fields: with all of them at each depth nothing would ever be made. */
function sparse(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const entry = fc.oneof(...Object.entries(fields).map(([key, arbitrary]) => fc.tuple(fc.constant(key), arbitrary)))
  return fc.array(entry, { minLength: 1, maxLength: 5 }).map((entries) => Object.fromEntries(entries))
}
