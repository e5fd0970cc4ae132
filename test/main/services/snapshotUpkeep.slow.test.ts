import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asId, type SnapshotId } from '../../../src/shared/domain/ids'
import { defaultBounds } from '../../../src/main/adapters/git/scan/limits'
import { valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const dayMs = 86_400_000

/** A world whose clock and rules the test holds. */
async function worldWith(rules: { keepDays?: number; keepPoints?: number; keepBytes?: number } = {}, needed: readonly SnapshotId[] = []) {
  // File times are the disk's, so the past is made by a clock that lags behind.
  const held = { lagMs: 40 * dayMs, needed, rules: { bounds: defaultBounds, keepDays: 30, keepPoints: 10_000, keepBytes: 2 ** 31, ...rules } }
  const world = await openWorld({ ports: { clock: { nowMs: () => Date.now() - held.lagMs }, rules: () => Promise.resolve(held.rules), neededPoints: () => Promise.resolve(held.needed) } })
  return { world, held }
}

async function fiveCalls(world: SnapshotWorld): Promise<readonly { readonly before: SnapshotId; readonly after: SnapshotId }[]> {
  const calls = []
  for (let round = 1; round <= 5; round++) calls.push(await world.call('agent', () => world.write('a', `round ${round}\n${'x'.repeat(1000 * round)}\n`)))
  return calls
}

test('R80 old points are let go when it is quiet, what is left can be gone back to, and the timeline says so', async () => {
  const { world, held } = await worldWith()
  await fiveCalls(world)
  held.lagMs = 0
  const late = await world.call('agent', () => world.write('a', 'late\n'))
  await world.snapshots.upkeep.tidy()
  const { rows, forgotten } = await world.snapshots.reading.timeline()
  expect(rows.map(({ id }) => id)).toEqual([late.before, late.after])
  expect(forgotten?.points).toBe(11)
  const target = { to: late.before, keepUserEdits: true }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  expect(valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, unticked: [], leftChanges: {}, resolved: {} })).state).toBe('applied')
  expect(readFileSync(world.at('a'), 'utf8').split('\n')[0]).toBe('round 5')
})

test('R80 nothing goes that a turn under way may go back to', async () => {
  const { world, held } = await worldWith({ keepPoints: 2 })
  const calls = await fiveCalls(world)
  held.needed = [calls[1]?.before ?? asId('')]
  await world.snapshots.upkeep.tidy()
  expect((await world.snapshots.rows()).map(({ id }) => id)).toEqual(calls.slice(1).flatMap(({ before, after }) => [before, after]))
})

test('R80 letting go by hand says before what it takes; packing loses no point', async () => {
  const { world } = await worldWith()
  const calls = await fiveCalls(world)
  const before = calls[3]?.before ?? asId<SnapshotId>('')
  expect(valueOf(await world.snapshots.upkeep.forget(before, true))).toEqual({ points: 7, kept: 0 })
  expect(await world.snapshots.rows()).toHaveLength(11)
  const space = valueOf(await world.snapshots.upkeep.pack())
  expect([space.points, space.isPackable]).toEqual([11, false])
  expect(valueOf(await world.snapshots.upkeep.forget(before, false))).toEqual({ points: 7, kept: 0 })
  expect((await world.snapshots.rows())[0]?.id).toBe(before)
  expect(valueOf(await world.snapshots.upkeep.space()).bytes).toBeLessThan(space.bytes)
  expect(await world.snapshots.upkeep.forget(asId('gone'), false)).toMatchObject({ ok: false, fault: { code: 'snapshot.unknown' } })
  expect(await world.snapshots.plans.plan({ to: calls[0]?.before ?? asId(''), keepUserEdits: true })).toMatchObject({ ok: false, fault: { code: 'snapshot.unknown' } })
})

test('R80 a call does not wait for tidying: it stops, and what it was doing is whole', async () => {
  const { world, held } = await worldWith()
  await fiveCalls(world)
  held.lagMs = 0
  const tidying = world.snapshots.upkeep.tidy()
  const call = await world.call('agent', () => world.write('b', '1'))
  await tidying
  expect((await world.snapshots.rows()).slice(-2).map(({ id }) => id)).toEqual([call.before, call.after])
  await world.snapshots.upkeep.tidy()
  expect((await world.snapshots.rows()).map(({ id }) => id)).toEqual([call.before, call.after])
})

test('R80 where the points take more room than they may, the oldest go until they fit', async () => {
  const { world, held } = await worldWith()
  for (let round = 1; round <= 12; round++) await world.call('agent', () => world.write('big', Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * round * 2_654_435_761) % 251)).toString('base64')))
  await world.snapshots.upkeep.tidy()
  const all = (await world.snapshots.rows()).length
  const { bytes } = valueOf(await world.snapshots.upkeep.space())
  held.rules = { ...held.rules, keepBytes: Math.round(bytes * 0.6) }
  await world.snapshots.upkeep.tidy()
  const left = (await world.snapshots.rows()).length
  expect(left).toBeLessThan(all)
  expect(left).toBeGreaterThan(1)
  expect(valueOf(await world.snapshots.upkeep.space()).bytes).toBeLessThan(bytes)
})
