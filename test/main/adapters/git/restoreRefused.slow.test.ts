import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RestoreStep } from '../../../../src/main/core/ports/snapshotStore'
import type { SnapshotId, TurnId } from '../../../../src/shared/domain/ids'
import type { RollbackRecord } from '../../../../src/shared/domain/rollback'
import { asUser, isRoot, nobody } from '../../../support/asUser'
import { bundleForNode } from '../../../support/bundleForNode'
import type { FullDiskJob } from '../../../support/children/fullDiskChild'
import { applySteps, makeScratch, openStore, picture, scan, valueOf, workersFolder } from '../../../support/sideRepository'
import { canMountSmallDisk, runOnSmallDisk } from '../../../support/smallDisk'
import { openWorld, type SnapshotWorld } from '../../../support/snapshotWorld'

async function rollBack(world: SnapshotWorld, to: SnapshotId): Promise<RollbackRecord> {
  const target = { to, keepUserEdits: false }
  const { head } = valueOf(await world.snapshots.plans.plan(target))
  return valueOf(await world.snapshots.apply({ target, scope: 'both', sessionId: world.sessionId, turnId: 'turn-1' as TurnId, head, unticked: [], resolved: {}, leftChanges: {} }))
}

async function hiddenBy(world: SnapshotWorld): Promise<readonly boolean[]> {
  const events = await world.database.events.read(world.sessionId)
  return events.flatMap((event) => (event.type === 'rolled-back' ? [event.hidden !== null] : []))
}

/** A project with a turn in which `mutate` happened. */
async function mutatedWorld(fill: (world: SnapshotWorld) => void, mutate: (world: SnapshotWorld) => void): Promise<{ readonly world: SnapshotWorld; readonly before: SnapshotId }> {
  const world = await openWorld()
  fill(world)
  const { before } = await world.call('agent', () => mutate(world), { turnId: 'turn-1' })
  return { world, before }
}

test.runIf(isRoot)('R78 case c01: as an ordinary user, what may not be written is listed, the rest is done, the conversation stays; with the right given all comes back', { timeout: 60_000 }, async () => {
  const { world, before } = await mutatedWorld(
    (world) => ['ro/f', 'ro/g', 'a', 'z'].forEach((name) => world.write(name, '1\n')),
    (world) => {
      for (const name of ['ro/f', 'a', 'z']) world.write(name, '2\n')
      rmSync(world.at('ro/g'))
      world.write('ro/new', '2\n')
    },
  )
  spawnSync('chown', ['-R', String(nobody), world.scratch.top])
  chownSync(world.at('ro'), 0, 0)
  const first = await asUser(nobody, () => rollBack(world, before))
  expect({ state: first.state, done: [...first.done].sort(), failed: first.failed.map(({ path: one, reason }) => `${one} ${reason.code}`).sort() }).toEqual({
    state: 'partly',
    done: ['a', 'z'],
    failed: ['ro/f path.not-permitted', 'ro/g path.not-permitted', 'ro/new path.not-permitted'],
  })
  expect(['a', 'z', 'ro/f', 'ro/new'].map((name) => readFileSync(world.at(name), 'utf8'))).toEqual(['1\n', '1\n', '2\n', '2\n'])
  chownSync(world.at('ro'), nobody, 0)
  const second = await asUser(nobody, () => rollBack(world, before))
  expect({ state: second.state, done: [...second.done].sort() }).toEqual({ state: 'applied', done: ['ro/f', 'ro/g', 'ro/new'] })
  expect(await hiddenBy(world)).toEqual([false, true])
})

test.runIf(isRoot)('R78 a folder of one’s own that was made read-only is no hindrance to an ordinary user, and is as it was at the end', { timeout: 60_000 }, async () => {
  const { world, before } = await mutatedWorld(
    (world) => {
      world.write('ro/f', '1\n')
      world.write('gone/deep/f', '1\n')
      chmodSync(world.at('gone/deep'), 0o555)
      chmodSync(world.at('gone'), 0o555)
    },
    (world) => {
      world.write('ro/f', '2\n')
      chmodSync(world.at('ro/f'), 0o444)
      chmodSync(world.at('ro'), 0o555)
      chmodSync(world.at('gone'), 0o755)
      rmSync(world.at('gone'), { recursive: true })
    },
  )
  spawnSync('chown', ['-R', String(nobody), world.scratch.top])
  expect(await asUser(nobody, () => rollBack(world, before))).toMatchObject({ state: 'applied', failed: [] })
  const now = picture(world.scratch.project)
  expect(now).toEqual({ ro: 'folder 755', 'ro/f': 'file 644 1\n', gone: 'folder 555', 'gone/deep': 'folder 555', 'gone/deep/f': 'file 644 1\n' })
})

test.runIf(isRoot)('R78 a read-only folder that the moment does not have goes with what is in it; with something nobody holds in it, it stays as it is', { timeout: 60_000 }, async () => {
  const { world, before } = await mutatedWorld(
    (world) => world.write('.gitignore', '*.log\n'),
    (world) => {
      for (const name of ['new/deep/f', 'stays/f', 'stays/mine.log']) world.write(name, '2\n')
      for (const name of ['new/deep', 'new', 'stays']) chmodSync(world.at(name), 0o555)
    },
  )
  spawnSync('chown', ['-R', String(nobody), world.scratch.top])
  expect(await asUser(nobody, () => rollBack(world, before))).toMatchObject({ state: 'applied', failed: [] })
  expect(picture(world.scratch.project)).toEqual({ '.gitignore': 'file 644 *.log\n', stays: 'folder 555', 'stays/mine.log': 'file 644 2\n' })
})

test('R78 a folder in the way that holds what no snapshot holds stays, is told, and stops no other', { timeout: 60_000 }, async () => {
  const { world, before } = await mutatedWorld(
    (world) => {
      world.write('.gitignore', '*.log\n')
      world.write('x', '1\n')
      world.write('a', '1\n')
    },
    (world) => {
      rmSync(world.at('x'))
      world.write('x/keep.log', 'mine')
      world.write('a', '2\n')
    },
  )
  expect(await rollBack(world, before)).toMatchObject({ state: 'partly', done: ['a'] })
  expect({ kept: readFileSync(world.at('x/keep.log'), 'utf8'), a: readFileSync(world.at('a'), 'utf8') }).toEqual({ kept: 'mine', a: '1\n' })
  expect(await hiddenBy(world)).toEqual([false])
})

function canBeImmutable(): boolean {
  const scratch = makeScratch()
  const file = join(scratch.project, 'probe')
  writeFileSync(file, '')
  const isSet = spawnSync('chattr', ['+i', file]).status === 0
  if (isSet) spawnSync('chattr', ['-i', file])
  scratch.remove()
  return isSet
}

test.runIf(isRoot && canBeImmutable())('R78 a file that nobody may change, and a name too long for the disk, are told and stop no other', { timeout: 60_000 }, async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const at = (name: string): string => join(scratch.project, name)
  mkdirSync(at('d'))
  for (const name of ['a', 'd/fixed', 'z']) writeFileSync(at(name), '1\n')
  const before = await scan(store)
  for (const name of ['a', 'd/fixed', 'z']) writeFileSync(at(name), '2\n')
  const steps: RestoreStep[] = (await store.diff(before, await scan(store))).map(({ path: one, before: to, after: from }) => ({ path: one, to, from }))
  const long = 'n'.repeat(300)
  spawnSync('chattr', ['+i', at('d/fixed')])
  try {
    expect(await applySteps(store, [...steps, { path: long, to: steps[0]?.to ?? null, from: null }], before)).toEqual({ 'd/fixed': 'path.not-permitted', [long]: 'path.too-long' })
  } finally {
    spawnSync('chattr', ['-i', at('d/fixed')])
  }
  expect(picture(scratch.project)).toEqual({ a: 'file 644 1\n', d: 'folder 755', 'd/fixed': 'file 644 2\n', z: 'file 644 1\n' })
  await store.close()
  scratch.remove()
})

let child = ''
beforeAll(async () => {
  child = await bundleForNode(path.resolve(import.meta.dirname, '../../../support/children/fullDiskChild.ts'))
})
afterAll(() => rmSync(path.dirname(child), { recursive: true, force: true }))

test.runIf(canMountSmallDisk())('R78 a disk that fills half way: what is done is whole, the rest is listed and as it was, and with room again the rest comes back', { timeout: 60_000 }, () => {
  const scratch = makeScratch()
  const job: FullDiskJob = { project: scratch.project, data: scratch.data, workersFolder }
  const run = runOnSmallDisk(scratch.project, child, job)
  expect(run.stderr).toBe('')
  expect(run.stdout.trim().split('\n')).toEqual(['failed some true all for want of room true', 'done are whole true', 'failed are as before true', 'left over ', 'again ', 'whole true 40'])
  scratch.remove()
})
