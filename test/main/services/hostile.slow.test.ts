import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SnapshotPorts } from '../../../src/main/services/snapshotPorts'
import { openSnapshots } from '../../../src/main/services/snapshots'
import type { SnapshotId } from '../../../src/shared/domain/ids'
import type { RollbackRecord } from '../../../src/shared/domain/rollback'
import { makeHeadlessWorld } from '../../support/headlessRun'
import { asNobodyIn, makeScratch, picture, valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

async function rollBack(world: SnapshotWorld, to: SnapshotId, more: { keepUserEdits?: boolean; paths?: readonly string[] } = {}): Promise<RollbackRecord> {
  const target = { to, keepUserEdits: true, ...more }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  return valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: world.sessionId, turnId: null, head: plan.head, unticked: [], leftChanges: {}, resolved: {} }))
}

const pictureOf = (world: SnapshotWorld): Record<string, string> => picture(world.scratch.project)
const outcomeOf = ({ state, done, failed }: RollbackRecord): object => ({ state, done: [...done].sort(), failed: failed.map(({ path, reason }) => `${path} ${reason.code}`) })

test('R80 case c25: rules that went, came and were turned round since: what they kept out is nobody’s to delete, late files too', async () => {
  const world = await openWorld()
  world.write('.gitignore', '*.env\n/cache/*\n!/cache/keep\n')
  world.write('cache/keep', '1')
  world.write('cache/x', 'private')
  world.write('p.env', 'secret')
  world.write('sub/.gitignore', '!*.env\n')
  world.write('sub/q.env', 'held')
  const { before } = await world.call('command', () => {
    rmSync(world.at('.gitignore'))
    rmSync(world.at('sub/.gitignore'))
    world.write('sub/q.env', 'changed')
  })
  world.write('late.env', 'mine')
  const mutated = pictureOf(world)
  const record = await rollBack(world, before, { keepUserEdits: false })
  expect(outcomeOf(record)).toEqual({ state: 'applied', done: ['.gitignore', 'sub/.gitignore', 'sub/q.env'], failed: [] })
  expect(pictureOf(world)).toMatchObject({ 'cache/x': 'file 644 private', 'p.env': 'file 644 secret', 'late.env': 'file 644 mine', 'sub/q.env': 'file 644 held' })
  valueOf(await world.snapshots.undo(record.id))
  expect(pictureOf(world)).toEqual(mutated)
})

test('R78 case c25: a command hid a held folder by a rule: what it holds is told as not done, and a second rollback does it', async () => {
  const world = await openWorld()
  world.write('src/a', '1')
  world.write('src/b', '1')
  const then = pictureOf(world)
  const { before } = await world.call('command', () => {
    world.write('.gitignore', 'src/\n')
    world.write('src/a', '2')
    rmSync(world.at('src/b'))
  })
  const first = await rollBack(world, before)
  expect(outcomeOf(first)).toEqual({ state: 'partly', done: ['.gitignore'], failed: ['src/a rollback.cannot-not-held', 'src/b rollback.cannot-not-held'] })
  expect(outcomeOf(await rollBack(world, before))).toEqual({ state: 'applied', done: ['src/a', 'src/b'], failed: [] })
  expect(pictureOf(world)).toEqual(then)
})

test('R78 an undo, and the undo of that, after the person went on each time, keep every edit', async () => {
  const world = await openWorld()
  const text = (): string => readFileSync(world.at('f'), 'utf8')
  world.write('f', 'a\nb\nc\nd\ne\n')
  const { before } = await world.call('agent', () => world.write('f', 'A\nb\nc\nd\ne\n'))
  const record = await rollBack(world, before)
  world.write('f', 'a\nb\nc\nd\nE\n')
  world.write('new', 'mine')
  const undone = valueOf(await world.snapshots.undo(record.id))
  expect(text()).toBe('A\nb\nc\nd\nE\n')
  world.write('f', 'A\nb\nC\nd\nE\n')
  valueOf(await world.snapshots.undo(undone.id))
  expect({ f: text(), new: readFileSync(world.at('new'), 'utf8') }).toEqual({ f: 'a\nb\nC\nd\nE\n', new: 'mine' })
})

test('R76 one path alone: a folder that is gone, a file that is a folder now, a place below what is a file now', async () => {
  const world = await openWorld()
  for (const name of ['d/a', 'd/e/b', 'x', 'y/z', 'dd']) world.write(name, '1')
  const { before } = await world.call('command', () => {
    for (const name of ['d', 'x', 'y']) rmSync(world.at(name), { recursive: true })
    world.write('x/in', '2')
    world.write('y', '2')
    world.write('dd', '2')
  })
  expect(outcomeOf(await rollBack(world, before, { paths: ['d'] }))).toEqual({ state: 'applied', done: ['d/a', 'd/e/b'], failed: [] })
  expect(outcomeOf(await rollBack(world, before, { paths: ['x'] }))).toEqual({ state: 'applied', done: ['x', 'x/in'], failed: [] })
  expect(outcomeOf(await rollBack(world, before, { paths: ['y/z'] }))).toEqual({ state: 'partly', done: [], failed: ['y/z rollback.cannot-blocked'] })
  expect(pictureOf(world)).toEqual({ d: 'folder 755', 'd/a': 'file 644 1', 'd/e': 'folder 755', 'd/e/b': 'file 644 1', dd: 'file 644 2', x: 'file 644 1', y: 'file 644 2' })
})

test('case c14: repositories inside that came, went or changed kinds: their own files are never touched, what stands beside them is', async () => {
  const world = await openWorld()
  world.write('inner/.git/HEAD', 'x')
  world.write('inner/f', '1')
  world.write('sub/.git', 'gitdir: ../.git/modules/sub\n')
  world.write('sub/g', '1')
  world.write('t', '1')
  const { before } = await world.call('command', () => {
    rmSync(world.at('inner'), { recursive: true })
    world.write('inner', 'a file')
    rmSync(world.at('t'))
    for (const name of ['t/.git/HEAD', 't/u', 'made/.git/HEAD', 'made/m', 'sub/g']) world.write(name, '2')
    world.write('sub/.git', 'gitdir: elsewhere\n')
  })
  const mutated = pictureOf(world)
  const record = await rollBack(world, before)
  expect(outcomeOf(record)).toEqual({ state: 'partly', done: ['inner', 'inner/f', 'made/m', 'sub/g', 't/u'], failed: ['t rollback.cannot-blocked'] })
  expect(pictureOf(world)).toMatchObject({ 'inner/f': 'file 644 1', 'sub/g': 'file 644 1', 'sub/.git': 'file 644 gitdir: elsewhere\n', 't/.git/HEAD': 'file 644 2', 'made/.git/HEAD': 'file 644 2' })
  valueOf(await world.snapshots.undo(record.id))
  expect(pictureOf(world)).toEqual(mutated)
})

test.skipIf(process.getuid?.() !== 0)('R80 a moment taken while a folder could not be entered deletes nothing in it', async () => {
  const world = await openWorld()
  world.write('d/f', 'mine')
  await asNobodyIn(world.scratch, async () => {
    chmodSync(world.at('d'), 0o444)
    const { snapshot } = valueOf(await world.snapshots.take())
    chmodSync(world.at('d'), 0o755)
    await rollBack(world, snapshot.id, { keepUserEdits: false })
    chmodSync(world.at('d'), 0o755)
    expect(readFileSync(world.at('d/f'), 'utf8')).toBe('mine')
  })
})

test('R76 R80 the command line takes a path however it is spelled, and no home folder, however it is reached', { timeout: 60_000 }, async () => {
  const world = makeHeadlessWorld({ 'src/a': '1' })
  try {
    const { lines } = await world.run(['snapshot', 'take', '--project', world.project])
    const id = String(lines[0]?.['id'])
    rmSync(`${world.project}/src/a`)
    for (const path of ['./src//a', 'src/../src/a/', '.', world.project, `${world.project}/src/./a`]) {
      const planned = await world.run(['snapshot', 'plan', '--project', world.project, '--to', id, '--keep-user-edits', 'no', '--path', path])
      expect([path, planned.lines.map((line) => line['path'])]).toEqual([path, ['src/a']])
    }
    mkdirSync(`${world.project}/home`)
    symlinkSync('home', `${world.project}/link`)
    const refused = await world.run(['snapshot', 'take', '--project', `${world.project}/home`], { HOME: `${world.project}/link` })
    expect([refused.code, refused.words]).toEqual([1, expect.stringContaining('is a home folder')])
  } finally {
    world.remove()
  }
})

/** A rollback of another process on the same project that ends when it begins to write. */
async function breakOff(world: SnapshotWorld, to: SnapshotId): Promise<void> {
  const stop = new Error('killed')
  const timeline: SnapshotPorts['timeline'] = {
    ...world.ports.timeline,
    async updateRollback(record) {
      await world.ports.timeline.updateRollback(record)
      throw stop
    },
  }
  const killed = valueOf(await openSnapshots(world.snapshots.workspace, { ...world.ports, timeline }, { isRecorded: false }))
  const target = { to, keepUserEdits: true }
  const { head } = valueOf(await killed.plans.plan(target))
  await expect(killed.apply({ target, scope: 'files', sessionId: null, turnId: null, head, unticked: [], leftChanges: {}, resolved: {} })).rejects.toBe(stop)
  await killed.close()
}

const statesOf = async (world: SnapshotWorld): Promise<readonly string[]> => (await world.ports.timeline.rollbacks(world.snapshots.workspace.id)).map(({ state }) => state)

test('R78 a rollback that broke off beside a window that stays open is finished before the next call, not over what that one does', async () => {
  const world = await openWorld()
  world.write('f', '1')
  const { before } = await world.call('agent', () => world.write('f', '2'))
  await breakOff(world, before)
  const seen: string[] = []
  await world.call('agent', () => void seen.push(readFileSync(world.at('f'), 'utf8')))
  expect({ seen, states: await statesOf(world), story: (await world.story()).slice(-4) }).toEqual({ seen: ['1'], states: ['applied'], story: ['before-rollback', 'after-rollback you f', 'before-call', 'after-call agent'] })
})

test('R78 a rollback that broke off and whose moment is lost since is told as failed; the project opens, and nothing waits for it', async () => {
  const world = await openWorld()
  world.write('f', '1')
  world.write('d/g', '1')
  const { before } = await world.call('agent', () => world.write('f', '2'))
  await breakOff(world, before)
  const lost = (await world.snapshots.rows()).find(({ id }) => id === before)?.side ?? ''
  const [file, away] = [`${world.scratch.data}/snapshots/${world.snapshots.workspace.id}/objects/${lost.slice(0, 2)}/${lost.slice(2)}`, `${world.scratch.top}/away`]
  await world.close()
  renameSync(file, away)
  try {
    const again = await openWorld({ scratch: world.scratch, isRecorded: false })
    const [record] = await again.ports.timeline.rollbacks(again.snapshots.workspace.id)
    expect(record && outcomeOf(record)).toEqual({ state: 'partly', done: [], failed: ['f snapshot.object-missing'] })
    await again.call('agent', () => again.write('f', '3'))
  } finally {
    if (existsSync(away)) renameSync(away, file)
  }
})

test('R78 a rollback of one folder is unknown to another', async () => {
  const [world, other] = [await openWorld(), makeScratch()]
  world.write('f', '1')
  const { before } = await world.call('agent', () => world.write('f', '2'))
  const record = await rollBack(world, before)
  const workspace = await world.database.timeline.workspace(other.project, 'other')
  const beside = valueOf(await openSnapshots(workspace, world.ports, { isRecorded: false }))
  const undone = await beside.undo(record.id)
  await beside.close()
  other.remove()
  expect(undone.ok ? null : undone.fault.code).toBe('rollback.unknown')
})
