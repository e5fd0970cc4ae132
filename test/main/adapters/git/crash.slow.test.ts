import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { childOf, type Child } from '../../../support/childProcess'
import type { SnapshotJob } from '../../../support/children/snapshotChild'
import { migrationsDir, openIn, workerFile } from '../../../support/scratchDatabase'
import { fsck, git, makeScratch, nativeTree, openStore, scan, valueOf, workersFolder, type Scratch } from '../../../support/sideRepository'
import { openWorld } from '../../../support/snapshotWorld'
import { ownIdentity } from '../../../../src/main/native/processIdentity'

const start = childOf('snapshotChild')

function child(scratch: Scratch, job: Pick<SnapshotJob, 'job' | 'name'> & Partial<SnapshotJob>): Child {
  return start({ project: scratch.project, data: scratch.data, workersFolder, migrationsDir, workerFile, ...job })
}

function fill(project: string, files: number, salt: string): void {
  for (let i = 0; i < files; i++) {
    const folder = join(project, `d${i % 40}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `f${i}`), content(salt, i).repeat(40 + (i % 300)))
  }
}

function content(salt: string, i: number): string {
  return createHash('sha256').update(`${salt}${i}`).digest('hex')
}

function leftOvers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)tmp_/.test(name))
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test('R78 case c16: a snapshot killed at any moment leaves nothing behind and no harm', { timeout: 120_000 }, async () => {
  const scratch = makeScratch()
  fill(scratch.project, 3000, 'a')
  for (const afterMs of [0, 40, 120, 250, 400]) {
    const one = child(scratch, { job: 'scan', name: `killed-${afterMs}` })
    await one.line('scanning')
    await wait(afterMs)
    one.process.kill('SIGKILL')
    await one.ended
    if (readdirSync(scratch.store).includes('HEAD')) fsck(scratch.store)
  }
  const store = await openStore(scratch)
  expect(leftOvers(scratch.store)).toEqual([])
  const taken = await scan(store)
  await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 })
  const { bytes } = await store.stats()
  await store.close()
  const fresh = { ...scratch, data: join(scratch.top, 'fresh') }
  const other = await openStore(fresh)
  await scan(other)
  const full = (await other.stats()).bytes
  await other.close()
  fsck(scratch.store)
  expect({ tree: taken.tree, isSmall: bytes < full * 1.2 }).toEqual({ tree: nativeTree(scratch), isSmall: true })
  scratch.remove()
})

/** What is seen on disk when the kill comes, and what the journal then says. */
const moments: Readonly<Record<string, { readonly isReached: (project: string) => boolean; readonly state: string | null }>> = {
  'before it writes': { isReached: () => true, state: null },
  'at the first removal': { isReached: (project) => !existsSync(join(project, 'made/d9/f9')), state: 'applying' },
  'among the writes': { isReached: (project) => readFileSync(join(project, 'd20/f20'), 'utf8').startsWith(content('a', 20)), state: 'applying' },
}

test.each(Object.entries(moments))('R78 a rollback killed %s is finished at the next start, or never happened, and can be undone', { timeout: 60_000 }, async (_, { isReached, state }) => {
  const scratch = makeScratch()
  fill(scratch.project, 160, 'a')
  const world = await openWorld({ scratch })
  const { before } = await world.call('agent', () => {
    fill(scratch.project, 120, 'b')
    rmSync(join(scratch.project, 'd39'), { recursive: true })
    fill(join(scratch.project, 'made'), 40, 'c')
  })
  const mutated = nativeTree(scratch)
  const target = (await world.snapshots.rows()).find(({ id }) => id === before)
  await world.close()

  const killed = child(scratch, { job: 'roll-back', name: 'r', to: before })
  await killed.line('applying')
  while (!isReached(scratch.project)) await wait(1)
  killed.process.kill('SIGKILL')
  await killed.ended
  if (state !== null) {
    const database = await openIn(scratch.data)
    expect((await database.timeline.rollbacks(world.snapshots.workspace.id)).map((one) => one.state)).toEqual([state])
    await database.close()
  }

  const again = await openWorld({ scratch, isRecorded: false })
  const { rollbacks } = await again.snapshots.reading.timeline()
  const done = rollbacks.find((one) => one.state === 'applied')
  expect(rollbacks.every((one) => one.state === 'applied' || one.state === 'undone')).toBe(true)
  if (state !== null) expect(done?.failed).toBe(0)
  expect(nativeTree(scratch)).toBe(done ? target?.tree : mutated)
  if (done) {
    expect(valueOf(await again.snapshots.undo(done.id)).state).toBe('applied')
    expect(nativeTree(scratch)).toBe(mutated)
  }
  await again.close()
  scratch.remove()
})

test('R97 two processes on one project: calls take turns, no change is claimed by the other, the store stays whole', { timeout: 60_000 }, async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'a'), '1')
  const world = await openWorld({ scratch })
  const children = ['one', 'two'].map((name) => child(scratch, { job: 'calls', name, times: 6 }))
  await Promise.all(children.map(({ ended }) => ended))
  expect(children.map(({ lines }) => lines.length)).toEqual([6, 6])
  const story = await world.story()
  expect(story.filter((line) => line.startsWith('drift'))).toEqual([])
  const made = story.filter((line) => line.startsWith('after-call')).map((line) => line.replace('after-call agent ', ''))
  expect(made.sort()).toEqual(['one', 'two'].flatMap((name) => [0, 1, 2, 3, 4, 5].map((time) => `${name}-${time}`)))
  const commits = git(['--git-dir', join(scratch.data, 'snapshots', world.snapshots.workspace.id), 'rev-list', 'main']).split('\n')
  expect((await world.snapshots.rows()).every(({ commit }) => commits.includes(commit))).toBe(true)
  await world.close()
  scratch.remove()
})

test('R78 locks left by a killed process, ours or plain git’s, are no hindrance', async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'a'), '1')
  const store = await openStore(scratch)
  const taken = await scan(store)
  const dead = JSON.stringify({ pid: 999_999_999, startedAt: '1', scope: ownIdentity().scope, token: 'x' })
  writeFileSync(join(scratch.store, 'countersign.lock'), dead)
  for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock', 'config.lock']) writeFileSync(join(scratch.store, name), '')
  const commit = await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 })
  expect(commit.ok).toBe(true)
  await store.close()
  expect(git(['--git-dir', scratch.store, 'rev-parse', 'main'])).toBe(valueOf(commit))
  scratch.remove()
})

