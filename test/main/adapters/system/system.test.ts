import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/main/adapters/system/clock'
import { sha256 } from '../../../../src/main/adapters/system/hasher'
import { makeIdSource } from '../../../../src/main/adapters/system/idSource'

test('R94: ids are whole UUIDs of version 7, each once, in the order of their making whatever the clock does', () => {
  const clock = fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_010 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(clock, (times) => {
      let at = 0
      const ids = makeIdSource({ nowMs: () => times[at++ % times.length] ?? 0 })
      const made = times.map(() => ids.next())
      for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect([...made].sort()).toEqual(made)
      expect(new Set(made).size).toBe(made.length)
    }),
  )
})

test('R94: more ids than a millisecond has numbers still sort', () => {
  const ids = makeIdSource({ nowMs: () => 1_700_000_000_000 })
  const made = Array.from({ length: 10_000 }, () => ids.next())
  expect([...made].sort()).toEqual(made)
  expect(new Set(made).size).toBe(10_000)
  expect(made[0]?.startsWith('018bcfe5-6800-7')).toBe(true)
})

test('E19: a nonce is 128 random bits, and no two are alike', () => {
  const ids = makeIdSource(systemClock)
  const nonces = Array.from({ length: 1000 }, () => ids.nonce())
  expect(new Set(nonces).size).toBe(1000)
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
})

test('the hash is SHA-256 in hex, of text as UTF-8', () => {
  expect(sha256.ofText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256.ofBytes(Buffer.from('密钥'))).toBe(sha256.ofText('密钥'))
})
