import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleForNode } from '../../../support/bundleForNode'
import { childOf, type Child } from '../../../support/childProcess'
import type { PackJob } from '../../../support/children/packChild'
import { isStored, layout, notRestored, take, type Moment } from '../../../support/packedStore'
import { fsck, git, makeScratch, openStore, scan, valueOf, workersFolder, type Scratch } from '../../../support/sideRepository'
import { ownIdentity } from '../../../../src/main/native/processIdentity'
import { canMountSmallDisk, runOnSmallDisk } from '../../../support/smallDisk'

const start = childOf('packChild')
let bundle = ''
beforeAll(async () => {
  bundle = await bundleForNode(path.resolve(import.meta.dirname, '../../../support/children/packChild.ts'))
})
afterAll(() => rmSync(path.dirname(bundle), { recursive: true, force: true }))

function jobOn(scratch: Scratch, job: Pick<PackJob, 'job'> & Partial<PackJob>): PackJob {
  return { project: scratch.project, data: scratch.data, workersFolder, ...job }
}

const child = (scratch: Scratch, job: Pick<PackJob, 'job'> & Partial<PackJob>): Child => start(jobOn(scratch, job))
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const isKept = ({ commit }: { readonly commit: string }): boolean => commit < '8'

function leftOvers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)tmp_/.test(name))
}

test('R78 killed at any moment of packing and forgetting, nothing that is kept is lost, and the next start sweeps', { timeout: 240_000 }, async () => {
  const scratch = makeScratch()
  mkdirSync(join(scratch.project, 'd'))
  for (let i = 0; i < 400; i++) writeFileSync(join(scratch.project, 'd', `f${i}`), `text ${i}\n`.repeat(300))
  const moments: Moment[] = []
  for (const [kill, afterMs] of [['packing', 0], ['packing', 60], ['packing', 200], ['packing', 500], ['forgetting', 0], ['forgetting', 40], ['forgetting', 120], ['forgetting', 300]] as const) {
    const store = await openStore(scratch)
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 12; j++) writeFileSync(join(scratch.project, 'd', `f${(moments.length * 7 + j * 11) % 400}`), `text ${moments.length} ${j}\n`.repeat(300))
      moments.push(await take(store, scratch))
    }
    await store.close()
    const one = child(scratch, { job: 'clean' })
    await one.line(kill)
    await wait(afterMs)
    one.process.kill('SIGKILL')
    await one.ended
    fsck(scratch.store)
    expect(moments.filter(isKept).filter(({ commit }) => !isStored(scratch.store, commit))).toEqual([])
  }
  const done = child(scratch, { job: 'clean' })
  expect((await done.ended).code).toBe(0)
  const store = await openStore(scratch)
  expect({ leftOvers: leftOvers(scratch.store), ...layout(scratch.store) }).toEqual({ leftOvers: [], packs: [expect.any(String)], loose: expect.any(Number) as number })
  expect(await notRestored(store, scratch, moments.filter(isKept))).toEqual([])
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R78 a pack whose index was not yet written, or already removed, is swept at the next start', async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'a'), '1')
  const store = await openStore(scratch)
  await take(store, scratch)
  await store.close()
  const dead = { pid: 999_999_999, startedAt: '1', scope: ownIdentity().scope, token: 'x' }
  writeFileSync(join(scratch.store, 'countersign.lock.0-1.tmp'), JSON.stringify(dead))
  const orphan = join(scratch.store, 'objects', 'pack', `pack-${'a'.repeat(40)}.pack`)
  writeFileSync(orphan, 'PACK')
  const again = await openStore(scratch)
  expect(layout(scratch.store).packs).toEqual([])
  expect(readdirSync(scratch.store).filter((name) => name.endsWith('.tmp'))).toEqual([])
  await again.close()
  scratch.remove()
})

test('R97 one process takes snapshots while another packs and forgets: whatever is kept can be read at the end', { timeout: 240_000 }, async () => {
  const scratch = makeScratch()
  for (let i = 0; i < 60; i++) writeFileSync(join(scratch.project, `f${i}`), randomBytes(500))
  const store = await openStore(scratch)
  await take(store, scratch)
  const worker = child(scratch, { job: 'commits', times: 10_000 })
  const cleaner = child(scratch, { job: 'clean', times: 1000 })
  // Neither keeps the other from its work; how fast each is depends on the machine.
  await cleaner.line('cleaned 1')
  await vi.waitFor(() => expect(worker.lines.filter((line) => line.startsWith('taken')).length).toBeGreaterThanOrEqual(60), 120_000)
  expect([worker.process.exitCode, cleaner.process.exitCode]).toEqual([null, null])
  for (const one of [cleaner, worker]) {
    one.process.kill('SIGKILL')
    await one.ended
  }
  const taken = worker.lines.flatMap((line) => {
    const [, time = '', commit = '', tree = '', side = ''] = /^taken (\d+) (\w+) (\w+) (\w+)$/.exec(line) ?? []
    return commit === '' ? [] : [{ time, commit, tree, side }]
  })
  expect(taken.length).toBeGreaterThanOrEqual(60)
  const kept = taken.filter(isKept)
  expect((await store.missing(kept)).filter(({ objects }) => objects > 0)).toEqual([])
  for (const moment of kept) {
    const [entry] = await store.entriesAt(moment, ['n'])
    expect(Buffer.from(valueOf(await store.blob(entry?.oid ?? ''))).toString()).toBe(`${moment.time}\n`)
    expect(isStored(scratch.store, moment.commit)).toBe(true)
  }
  // This process had the old packs open all the time; its next snapshot is no worse.
  const now = await take(store, scratch)
  expect(await notRestored(store, scratch, [now])).toEqual([])
  await store.close()
  fsck(scratch.store)
  expect(git(['--git-dir', scratch.store, 'rev-parse', 'main'])).toBe(now.commit)
  scratch.remove()
})

test('R78 case c16: five snapshots of much random data killed under way leave less than a fifth beside one full one', { timeout: 240_000 }, async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'work'), 'the last complete snapshot')
  const store = await openStore(scratch)
  const complete = await take(store, scratch)
  await store.close()
  mkdirSync(join(scratch.project, 'data'))
  for (let i = 0; i < 60; i++) writeFileSync(join(scratch.project, 'data', `${i}.bin`), randomBytes(1 << 20))
  for (const afterMs of [120, 250, 400, 500, 650]) {
    const one = child(scratch, { job: 'commits' })
    await wait(afterMs)
    one.process.kill('SIGKILL')
    await one.ended
  }
  const again = await openStore(scratch)
  expect(leftOvers(scratch.store)).toEqual([])
  await take(again, scratch)
  const { bytes } = await again.stats()
  const fresh = await openStore({ ...scratch, data: join(scratch.top, 'fresh') })
  await scan(fresh)
  const full = (await fresh.stats()).bytes
  await fresh.close()
  expect(bytes).toBeLessThan(full * 1.2)
  expect(await notRestored(again, scratch, [complete])).toEqual([])
  expect(readFileSync(join(scratch.project, 'work'), 'utf8')).toBe('the last complete snapshot')
  await again.close()
  fsck(scratch.store)
  scratch.remove()
})

test.runIf(canMountSmallDisk())('R78 packing on a full disk says so, leaves the store as it was, and works with room again', () => {
  const scratch = makeScratch()
  const run = runOnSmallDisk(scratch.top, bundle, jobOn(scratch, { job: 'disk-full' }), ['project', 'data'])
  expect(run.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))).toEqual([])
  expect(run.stdout.trim().split('\n')).toEqual(['full snapshot.disk-full true', 'again 2 0'])
  scratch.remove()
})
