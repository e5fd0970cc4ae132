import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pointsBefore, pointsToLetGo } from '../../../../src/main/core/snapshot/retention'
import { asId, type SnapshotId } from '../../../../src/shared/domain/ids'
import type { SnapshotKind } from '../../../../src/shared/domain/snapshot'

const day = 86_400_000

function points(kinds: readonly SnapshotKind[], atMs: (at: number) => number = (at) => at * day) {
  return kinds.map((kind, at) => ({ id: asId<SnapshotId>(`p${at}`), atMs: atMs(at), kind, callId: null }))
}

const none: ReadonlySet<SnapshotId> = new Set()
const call: readonly SnapshotKind[] = ['before-call', 'after-call']

test('R80 points go when they are too old or too many, and the last one never', () => {
  const some = points(['opened', 'drift', 'drift', 'drift', 'drift'])
  expect(pointsToLetGo(some, none, { keepDays: 2, keepPoints: 100 }, 4 * day)).toEqual({ points: 2, kept: 0 })
  expect(pointsToLetGo(some, none, { keepDays: 100, keepPoints: 2 }, 4 * day)).toEqual({ points: 3, kept: 0 })
  expect(pointsToLetGo(some, none, { keepDays: 1, keepPoints: 1 }, 400 * day)).toEqual({ points: 4, kept: 1 })
  expect(pointsToLetGo([], none, { keepDays: 1, keepPoints: 1 }, 0)).toEqual({ points: 0, kept: 0 })
})

test('R80 nothing goes from the first point on that something needs, and a call stays whole', () => {
  const some = points(['opened', ...call, ...call, 'drift'])
  expect(pointsBefore(some, none, asId('p4'))).toEqual({ points: 3, kept: 1 })
  expect(pointsBefore(some, none, asId('p5'))).toEqual({ points: 5, kept: 0 })
  expect(pointsBefore(some, new Set([asId<SnapshotId>('p1')]), asId('p5'))).toEqual({ points: 1, kept: 4 })
  expect(pointsBefore(some, none, asId('unknown'))).toEqual({ points: 0, kept: 0 })
})

test('R80 whatever the points: no needed one goes, what goes is a beginning, and what stays begins whole', () => {
  const kind = fc.constantFrom<SnapshotKind>('opened', 'drift', 'before-call', 'after-call', 'before-rollback', 'after-rollback', 'manual')
  fc.assert(fc.property(fc.array(kind, { maxLength: 30 }), fc.array(fc.nat(29), { maxLength: 3 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 30 }), (kinds, wanted, keepDays, keepPoints) => {
    const some = points(kinds)
    const needed = new Set(wanted.flatMap((at) => some[at]?.id ?? []))
    const { points: gone, kept } = pointsToLetGo(some, needed, { keepDays, keepPoints }, kinds.length * day)
    expect(some.slice(0, gone).some(({ id }) => needed.has(id))).toBe(false)
    if (gone > 0) expect(['after-call', 'after-rollback']).not.toContain(some[gone]?.kind)
    const due = some.filter(({ atMs }, at) => atMs < kinds.length * day - keepDays * day || at < some.length - keepPoints).length
    expect(gone + kept).toBe(due)
  }))
})
