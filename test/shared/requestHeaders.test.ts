import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headersFault } from '../../src/shared/domain/requestHeaders'

const code = (name: string, value = 'x') => headersFault({ [name]: value })?.code ?? null

test('R86 R92 keys belong into the field Key, by whatever header they would go', () => {
  const keys = ['Authorization', 'proxy-authorization', 'X-API-Key', 'api-key', 'apikey', 'x-goog-api-key', 'Cookie', 'x-auth-token', 'Ocp-Apim-Subscription-Key', 'client_secret']
  expect(keys.filter((name) => code(name) !== 'provider.header-is-key')).toEqual([])
  expect(['x-team', 'anthropic-version', 'HTTP-Referer', 'x-max-tokens', 'idempotency-key', 'x-monkey'].filter((name) => code(name) !== null)).toEqual([])
})

test('R86 what would end a header or begin another one is refused, in names and values', () => {
  expect(['', 'a b', 'a:', 'a\nb', 'a\r\nb', '\u0000', 'é'].map((name) => code(name))).toEqual(Array(7).fill('provider.header-bad-name'))
  expect(['a\nb', 'a\r', '\u0000', '\u007f', '\u0085', '语'].map((value) => code('x-team', value))).toEqual(Array(6).fill('provider.header-bad-value'))
  expect(['', 'a\tb', 'Crème, 2; q="1"'].map((value) => code('x-team', value))).toEqual([null, null, null])
})

test('R86 no text that passes as a value is refused by the platform', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => { if (code('x-team', value) === null) expect(() => new Headers({ 'x-team': value })).not.toThrow() }))
})
