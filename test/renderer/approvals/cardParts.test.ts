import { expect, test } from 'vitest'
import { addressFacts } from '../../../src/renderer/features/approvals/address'
import { faultOf, valuesOf } from '../../../src/renderer/features/approvals/formValues'
import { readArguments } from '../../../src/renderer/features/approvals/answerOf'
import type { McpFormField } from '../../../src/shared/domain/mcp'

const field = (more: Partial<McpFormField>): McpFormField => ({ name: 'f', title: '', description: '', kind: 'text', options: [], isRequired: false, initial: null, format: null, minimum: null, maximum: null, ...more })

test.each([
  ['https://example.org/a?b', 'example.org', []],
  ['https://user:pw@example.org:8443/', 'example.org:8443', ['user']],
  ['https://good.example@evil.example/', 'evil.example', ['user']],
  ['https://evil.example\\@good.example/', 'evil.example', []],
  ['https://g\u0456thub.example/', 'xn--gthub-n2e.example', ['letters']],
  ['https://xn--gthub-n4a.example/', 'xn--gthub-n4a.example', ['punycode']],
  ['http://example.org/', 'example.org', ['plain']],
  ['http://127.0.0.1:3000/cb', '127.0.0.1:3000', []],
  ['javascript:alert(1)', null, []],
  ['file:///etc/passwd', null, []],
  ['not an address', null, []],
] as const)('R51: %s is read as a browser reads it', (address, host, warnings) => {
  const facts = addressFacts(address)
  expect([facts.host, facts.warnings]).toEqual([host, warnings])
  if (facts.pieces) expect(facts.pieces.join('')).toBe(address)
})

test('R51: a host that hidden characters hide stands out nowhere it is not', () => {
  expect(addressFacts('https://exam\tple.org/').pieces?.[1] ?? null).not.toBe('example.org')
})

test.each([
  [field({ isRequired: true }), '', 'approval.form.missing'],
  [field({ minimum: 3 }), 'ab', 'approval.form.short'],
  [field({ maximum: 2 }), '码码码', 'approval.form.long'],
  [field({ maximum: 2 }), '👍👍', null],
  [field({ kind: 'number' }), 'abc', 'approval.form.no-number'],
  [field({ kind: 'number' }), '0x10', 'approval.form.no-number'],
  [field({ kind: 'number', minimum: 1 }), '0.5', 'approval.form.small'],
  [field({ kind: 'number' }), '-1.5e3', null],
  [field({ kind: 'integer' }), '1.5', 'approval.form.no-whole'],
  [field({ kind: 'integer' }), '9007199254740993', 'approval.form.no-whole'],
  [field({ kind: 'integer', maximum: 8 }), '9', 'approval.form.large'],
  [field({ kind: 'choice', options: [{ value: 'a', title: 'A' }] }), 'b', 'approval.form.missing'],
  [field({ kind: 'choices', minimum: 2 }), ['a'], 'approval.form.few'],
  [field({ format: 'uri' }), 'example.org', 'approval.form.format.uri'],
  [field({ format: 'uri' }), 'https://example.org', null],
  [field({ format: 'date' }), '2026-02-30', 'approval.form.format.date'],
  [field({ format: 'date' }), '2026-02-28', null],
  [field({ format: 'date-time' }), '2026-11-03T14:02', 'approval.form.format.date-time'],
  [field({ format: 'date-time' }), '2026-11-03T14:02:00+01:00', null],
] as const)('R51: a field %o with %o', (one, value, code) => {
  expect(faultOf(one, { f: value })?.code ?? null).toBe(code)
})

test('R51: what the server proposed is sent unless it was changed; what was not filled in is left out', () => {
  const fields = [field({ name: 'a', initial: 'x' }), field({ name: 'b', kind: 'integer', initial: 3 }), field({ name: 'c' }), field({ name: 'd', kind: 'boolean' }), field({ name: 'e', kind: 'boolean', initial: true }), field({ name: '__proto__', initial: 'own' })]
  expect(valuesOf(fields, {})).toEqual(Object.fromEntries([['a', 'x'], ['b', 3], ['e', true], ['__proto__', 'own']]))
  expect(valuesOf(fields, { a: '', b: '4', d: false, e: false, ['__proto__']: 'typed' })).toEqual(Object.fromEntries([['b', 4], ['d', false], ['e', false], ['__proto__', 'typed']]))
})

test('arguments keep every name, also one that JavaScript has a use for', () => {
  const read = readArguments('{"__proto__": {"x": 1}, "n": 0.1}')
  expect(read.ok && Object.keys(read.value)).toEqual(['__proto__', 'n'])
})
