import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asksForSecret, valuesOf } from '../../../src/main/services/mcpFormValues'
import type { McpFormField } from '../../../src/shared/domain/mcp'

const field = (name: string, more: Partial<McpFormField> = {}): McpFormField => ({ name, title: '', description: '', kind: 'text', options: [], isRequired: false, initial: null, format: null, minimum: null, maximum: null, ...more })

test.each([['password'], ['userPassword'], ['api_key'], ['access-token'], ['sshKey'], ['client_secret'], ['key'], ['PIN'], ['密码']])('R51 a field called %s asks for a secret', (name) => {
  expect(asksForSecret({ message: 'Fill in', fields: [field(name)] })).toBe(true)
})

test.each([['colour'], ['max_tokens'], ['keyboard'], ['monkey'], ['email'], ['pinned'], ['passage']])('R51 a field called %s does not', (name) => {
  expect(asksForSecret({ message: 'Fill in', fields: [field(name)] })).toBe(false)
})

test('R51 only what the form asked for goes back, of the kind it asked for', () => {
  const fields = [field('n', { kind: 'integer', minimum: 1, maximum: 9 }), field('c', { kind: 'choice', options: [{ value: 'a', title: 'A' }] }), field('t', { isRequired: true, initial: 'x' })]
  expect(valuesOf({ kind: 'edited', args: { n: 3, c: 'a', t: 'hi', extra: 'dropped' } }, fields)).toEqual({ n: 3, c: 'a', t: 'hi' })
  expect(valuesOf({ kind: 'edited', args: { n: 10, t: 'hi' } }, fields)).toBeNull()
  expect(valuesOf({ kind: 'edited', args: { n: 1.5, t: 'hi' } }, fields)).toBeNull()
  expect(valuesOf({ kind: 'edited', args: { c: 'b', t: 'hi' } }, fields)).toBeNull()
  expect(valuesOf({ kind: 'edited', args: { n: 3 } }, fields)).toBeNull()
  expect(valuesOf({ kind: 'allow' }, fields)).toEqual({ t: 'x' })
  expect(valuesOf({ kind: 'deny', reason: '' }, fields)).toBeNull()
})

test('R51 whatever comes from the window, no name goes back that the form did not have', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (args) => {
      const values = valuesOf({ kind: 'edited', args }, [field('a'), field('b', { kind: 'boolean' })])
      return values === null || Object.keys(values).every((name) => name === 'a' || name === 'b')
    }),
  )
})
