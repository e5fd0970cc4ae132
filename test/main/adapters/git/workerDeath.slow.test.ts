import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { GitStores } from '../../../../src/main/adapters/git/gitStores'
import { mortalWorkers } from '../../../support/mortalWorkers'
import { fsck, makeScratch, nativeTree, scan, valueOf } from '../../../support/sideRepository'

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
