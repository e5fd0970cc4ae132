import { expect, onTestFinished, test } from 'vitest'
import { GitStores } from '../../../src/main/adapters/git/gitStores'
import type { SnapshotStore, SnapshotStores } from '../../../src/main/core/ports/snapshotStore'
import { never } from '../../../src/main/services/snapshotPorts'
import { SnapshotRecorder } from '../../../src/main/services/snapshotRecorder'
import { makeScratch, storesIn, valueOf, workersFolder } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

/** A world whose scans are noted by what they must look at: null is everything. */
async function watchedWorld(programs = { left: 0 }): Promise<{ readonly world: SnapshotWorld; readonly asked: () => readonly (readonly string[] | null)[] }> {
  const scratch = makeScratch()
  onTestFinished(() => scratch.remove())
  let near: (readonly string[] | null)[] = []
  const real = new GitStores({ workersFolder, dataFolder: scratch.data })
  const noting = (store: SnapshotStore): SnapshotStore => ({ ...store, close: () => store.close(), scan: (signal, wishes) => (near.push(wishes?.near ?? null), store.scan(signal, wishes)) })
  const stores: SnapshotStores = {
    async open(...args) {
      const opened = await real.open(...args)
      return opened.ok ? { ...opened, value: noting(opened.value) } : opened
    },
  }
  const world = await openWorld({ scratch, ports: { stores, programsLeft: () => programs.left } })
  const asked = (): readonly (readonly string[] | null)[] => {
    const all = near
    near = []
    return all
  }
  asked()
  return { world, asked }
}

const edit = (world: SnapshotWorld, name: string, turnId: string): Promise<unknown> => world.call('agent', () => world.write(name, `${Math.random()}`), { turnId, touched: [name] })
const command = (world: SnapshotWorld, turnId: string): Promise<unknown> => world.call('command', () => world.write('out', `${Math.random()}`), { turnId })

test('R75 only around file tools a scan may go by hints, and each turn begins with a look at everything', async () => {
  const { world, asked } = await watchedWorld()
  const scans: Record<string, unknown> = {}
  const note = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    await run()
    scans[name] = asked()
  }
  await note('first edit of a turn', () => edit(world, 'a', 't1'))
  await note('second', () => edit(world, 'b', 't1'))
  await note('a command', () => command(world, 't1'))
  await note('an edit after it', () => edit(world, 'c', 't1'))
  await note('first edit of another turn', () => edit(world, 'a', 't2'))
  await note('a snapshot of the person', () => world.snapshots.take())
  await note('an edit after that', () => edit(world, 'a', 't2'))
  expect(scans).toEqual({
    'first edit of a turn': [null, ['a']],
    second: [['b'], ['b']],
    'a command': [null, null],
    'an edit after it': [['c'], ['c']],
    'first edit of another turn': [null, ['a']],
    'a snapshot of the person': [null],
    'an edit after that': [null, ['a']],
  })
})

test('R75 while a program of a command still runs, everything is looked at', async () => {
  const programs = { left: 0 }
  const { world, asked } = await watchedWorld(programs)
  await edit(world, 'a', 't1')
  programs.left = 1
  await edit(world, 'b', 't1')
  expect(asked()).toEqual([null, ['a'], null, null])
})

test('R75 after an entry of another process everything is looked at', async () => {
  const { world, asked } = await watchedWorld()
  await edit(world, 'a', 't1')
  world.write('theirs', 'x')
  const store = valueOf(await storesIn(world.scratch.data).open(world.snapshots.workspace.id, world.scratch.project))
  const other = new SnapshotRecorder(world.snapshots.workspace, store, world.ports)
  valueOf(await other.scanAndNoteDrift(never, null))
  await store.close()
  await edit(world, 'b', 't1')
  expect(asked()).toEqual([null, ['a'], null, ['b']])
})

test('R75 what was not heard is looked for when it is quiet', async () => {
  const { world, asked } = await watchedWorld()
  await edit(world, 'a', 't1')
  await world.snapshots.upkeep.tidy()
  await world.snapshots.upkeep.tidy()
  expect(asked()).toEqual([null, ['a'], null])
})
