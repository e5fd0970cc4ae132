import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { GitStores } from '../../../src/main/adapters/git/gitStores'
import type { MutatingCall } from '../../../src/main/core/ports/callSnapshots'
import type { SnapshotPorts } from '../../../src/main/services/snapshotPorts'
import { asId, type CallId, type TurnId } from '../../../src/shared/domain/ids'
import { mortalWorkers } from '../../support/mortalWorkers'
import { asNobodyIn, makeScratch } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const call = (world: SnapshotWorld): MutatingCall => ({ callId: asId<CallId>('c1'), sessionId: world.sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'agent', touches: null })
const enter = (world: SnapshotWorld) => world.snapshots.enter(call(world), new AbortController().signal)

/** What is told of undo, in order. */
function telling(): { readonly told: (string | null)[]; readonly onProgress: NonNullable<SnapshotPorts['onProgress']> } {
  const told: (string | null)[] = []
  return { told, onProgress: ({ isDone, fault }) => isDone && void told.push(fault?.code ?? null) }
}

test.skipIf(process.getuid?.() !== 0)('R80 a store that may not be written stops undo and says so; when it may be again, undo goes on by itself', async () => {
  const { told, onProgress } = telling()
  const world = await openWorld({ isRecorded: false, ports: { retryMs: 20, onProgress } })
  await asNobodyIn(world.scratch, async () => {
    await world.call('agent', () => world.write('a', '1'))
    const store = join(world.scratch.data, 'snapshots', world.snapshots.workspace.id)
    for (const folder of [store, join(store, 'objects')]) chmodSync(folder, 0o555)
    world.write('a', '2')
    expect(await enter(world)).toMatchObject({ ok: false, fault: { code: 'snapshot.failed', values: { why: { code: 'snapshot.not-permitted' } } } })
    expect(told).toEqual(['snapshot.not-permitted'])
    for (const folder of [store, join(store, 'objects')]) chmodSync(folder, 0o755)
    await vi.waitFor(() => expect(told.at(-1)).toBe(null), { timeout: 10_000 })
    expect((await world.story()).at(-1)).toBe('drift you a')
  })
})

test('R80 a dead snapshot worker stops one call and no more', async () => {
  const scratch = makeScratch()
  const { told, onProgress } = telling()
  const workers = mortalWorkers(scratch)
  const world = await openWorld({ scratch, isRecorded: false, ports: { onProgress, stores: new GitStores({ workersFolder: workers.folder, dataFolder: scratch.data }) } })
  await world.call('agent', () => world.write('a', '1'))
  workers.dieAt('scan')
  expect(await enter(world)).toMatchObject({ ok: false, fault: { code: 'snapshot.failed', values: { why: { code: 'snapshot.stopped' } } } })
  writeFileSync(world.at('b'), 'mine')
  await world.call('agent', () => world.write('a', '2'))
  expect([told, await world.story()]).toEqual([['snapshot.stopped', null], ['before-call', 'after-call agent a', 'drift you b', 'before-call', 'after-call agent a']])
  await world.close()
  scratch.remove()
})

test('R80 folders that are not there yet are known not to be held, where the rules or the list of outputs leave them out', async () => {
  const world = await openWorld()
  world.write('package.json', '{}')
  expect(await world.snapshots.coverageOf(['node_modules/', 'dist/', 'src/'])).toEqual({ kind: 'partial', skipped: [{ path: 'node_modules/', reason: 'ignored' }, { path: 'dist/', reason: 'ignored' }] })
})
