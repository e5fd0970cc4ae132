import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDelta, encodeDelta } from '../../../../src/main/adapters/git/pack/delta'

/** Bytes of few kinds, so that blocks repeat and hashes meet. */
const base = fc.uint8Array({ maxLength: 600, max: 3 }).map((bytes) => Buffer.from(bytes))
const edit = fc.record({ at: fc.nat(600), remove: fc.nat(80), put: fc.uint8Array({ maxLength: 200, max: 3 }) })

function edited(bytes: Buffer, edits: readonly { readonly at: number; readonly remove: number; readonly put: Uint8Array }[]): Buffer {
  return edits.reduce((now, { at, remove, put }) => Buffer.concat([now.subarray(0, at), put, now.subarray(at + remove)]), bytes)
}

test('R80 a delta gives back its target, whatever was edited', () => {
  fc.assert(
    fc.property(base, fc.array(edit, { maxLength: 6 }), (from, edits) => {
      const target = edited(from, edits)
      const delta = encodeDelta(from, target, Infinity)
      expect(delta && applyDelta(from, delta).equals(target)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('R80 moved and repeated parts are copied, over more than one order where they are long', () => {
  const parts = [randomBytes(70_000), randomBytes(3000), randomBytes(200_000)] as const
  const from = Buffer.concat([parts[0], parts[1], parts[2]])
  const target = Buffer.concat([Buffer.from('head'), parts[2], parts[0], parts[0], Buffer.from('tail'), parts[1]])
  const delta = encodeDelta(from, target, Infinity)
  expect(delta?.length).toBeLessThan(300)
  expect(delta && applyDelta(from, delta).equals(target)).toBe(true)
})

test('R80 the hash of a block is the same rolled and made anew', () => {
  const from = randomBytes(4096)
  // Far from any block's beginning, so that only a rolling hash finds it.
  const target = Buffer.concat([randomBytes(777), from.subarray(100, 1200), randomBytes(333)])
  expect(encodeDelta(from, target, Infinity)?.length).toBeLessThan(777 + 333 + 60)
})

test('a delta that would take more than allowed is none', () => {
  const [from, target] = [randomBytes(2000), randomBytes(2000)]
  expect(encodeDelta(from, target, 1000)).toBeNull()
  expect(encodeDelta(from, target, 3000)?.length).toBeLessThan(2100)
})

test('empty objects have deltas as well', () => {
  for (const [from, target] of [['', ''], ['', 'abc'], ['abc', '']] as const) {
    const delta = encodeDelta(Buffer.from(from), Buffer.from(target), Infinity)
    expect(delta && applyDelta(Buffer.from(from), delta).toString()).toBe(target)
  }
})

test('a delta of another base is refused', () => {
  const delta = encodeDelta(Buffer.from('a base of some length'), Buffer.from('a base of some other length'), Infinity)
  expect(() => applyDelta(Buffer.from('another'), delta ?? Buffer.alloc(0))).toThrow('does not fit')
})
