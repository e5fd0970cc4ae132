import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangeCache } from '../../../src/main/services/changeCache'
import { asId, type SnapshotId } from '../../../src/shared/domain/ids'
import type { TreeChange } from '../../../src/shared/domain/snapshot'

const change: TreeChange = { path: 'a', change: 'added', before: null, after: null }
const many = (count: number): readonly TreeChange[] => Array.from({ length: count }, () => change)
const id = (name: number): SnapshotId => asId<SnapshotId>(String(name))

test('R79 of what points changed only so much is kept, what was asked for last the longest, and too much at once not at all', () => {
  const cache = new ChangeCache(10)
  for (const [name, count] of [[1, 3], [2, 3]] as const) cache.set(id(name), many(count))
  cache.get(id(1))
  cache.set(id(3), many(2))
  cache.set(id(4), many(10))
  expect([1, 2, 3, 4].map((name) => cache.get(id(name))?.length)).toEqual([3, undefined, 2, undefined])
  cache.clear()
  expect(cache.get(id(1))).toBe(undefined)
})

test('R79, property: whatever is kept is right, and never more than there is room for', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 8 }), fc.boolean()), { maxLength: 40 }), (steps) => {
      const cache = new ChangeCache(12)
      for (const [name, isSet] of steps) {
        if (isSet) cache.set(id(name), many(name))
        else expect([undefined, name]).toContain(cache.get(id(name))?.length)
        const kept = Array.from({ length: 9 }, (_, one) => cache.get(id(one))).filter((one) => one !== undefined)
        expect(kept.reduce((sum, one) => sum + one.length + 1, 0)).toBeLessThanOrEqual(12)
      }
    }),
    { numRuns: 60 },
  )
})
