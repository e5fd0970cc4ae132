import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished, expect, test } from 'vitest'
import { GitStores } from '../../../../src/main/adapters/git/gitStores'
import { ownIdentity } from '../../../../src/main/native/processIdentity'
import { fsck, makeScratch, nativeTree, scan, valueOf, workersFolder, type Scratch } from '../../../support/sideRepository'

/** The built worker, in a thread that dies at the next message of the kind that stands in `dies`; with `locked`, while it holds the store's lock. */
function mortalWorkers(scratch: Scratch): { readonly folder: string; readonly dieAt: (name: string, isLocked?: boolean) => void } {
  const folder = join(scratch.top, 'workers')
  const dies = join(folder, 'dies.json')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'gitWorker.js'), `
    import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
    import { parentPort, threadId } from 'node:worker_threads'
    // First, so that no message is lost; its answers come later than what is done here.
    await import(${JSON.stringify(pathToFileURL(join(workersFolder, 'gitWorker.js')).href)})
    parentPort.on('message', ({ name }) => {
      const at = existsSync(${JSON.stringify(dies)}) ? JSON.parse(readFileSync(${JSON.stringify(dies)}, 'utf8')) : null
      if (at?.name !== name) return
      rmSync(${JSON.stringify(dies)})
      if (at.lock) writeFileSync(at.lock, JSON.stringify({ ...at.owner, token: 'dead', thread: threadId }))
      process.exit(1)
    })
  `)
  return { folder, dieAt: (name, isLocked = false) => writeFileSync(dies, JSON.stringify({ name, ...(isLocked ? { lock: join(scratch.store, 'countersign.lock'), owner: ownIdentity() } : {}) })) }
}

const facts = { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 }

test('R78 R80 a dead snapshot worker is a fault once: the next question starts another, with the bounds as they were set, and no lock in its way', { timeout: 30_000 }, async () => {
  const scratch = makeScratch()
  onTestFinished(() => scratch.remove())
  const workers = mortalWorkers(scratch)
  const store = valueOf(await new GitStores({ workersFolder: workers.folder, dataFolder: scratch.data }).open('w1', scratch.project))
  writeFileSync(join(scratch.project, 'a'), '1')
  writeFileSync(join(scratch.project, 'big'), Buffer.alloc(5000))
  await store.setBounds({ fileBytes: 1000, files: 100, readMs: 10_000, leaveOut: [] })

  workers.dieAt('scan')
  expect(await store.scan(new AbortController().signal)).toMatchObject({ ok: false, fault: { code: 'snapshot.stopped' } })
  const taken = await scan(store)
  expect(taken.skipped).toEqual([{ path: 'big', reason: 'too-large' }])

  workers.dieAt('commit', true)
  await expect(store.commit(taken, facts)).rejects.toMatchObject({ fault: { code: 'snapshot.stopped' } })
  expect(existsSync(join(scratch.store, 'countersign.lock'))).toBe(true)
  valueOf(await store.commit(await scan(store), facts))
  rmSync(join(scratch.project, 'big'))
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
  await store.close()
  fsck(scratch.store)
})

test('many that ask at once after the death share one new worker; a store that was closed starts none', { timeout: 30_000 }, async () => {
  const scratch = makeScratch()
  onTestFinished(() => scratch.remove())
  const workers = mortalWorkers(scratch)
  const store = valueOf(await new GitStores({ workersFolder: workers.folder, dataFolder: scratch.data }).open('w1', scratch.project))
  writeFileSync(join(scratch.project, 'a'), '1')
  workers.dieAt('stats')
  await expect(store.stats()).rejects.toMatchObject({ fault: { code: 'snapshot.stopped' } })
  const trees = await Promise.all([scan(store), scan(store), store.stats().then(() => scan(store))])
  expect(new Set(trees.map(({ tree }) => tree)).size).toBe(1)
  await store.close()
  expect(await store.scan(new AbortController().signal)).toMatchObject({ ok: false, fault: { code: 'snapshot.stopped' } })
  fsck(scratch.store)
})
