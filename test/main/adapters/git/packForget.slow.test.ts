import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAuditAnchors } from '../../../../src/main/adapters/git/store/auditAnchors'
import type { SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import { forget, isStored, layout, notRestored, pack, take, type Moment } from '../../../support/packedStore'
import { fsck, git, makeScratch, openStore, scan, valueOf, type Scratch } from '../../../support/sideRepository'

const facts = { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 }

/** Every snapshot has a file of its own, one that changes, and now and then another list of bits. */
async function history(store: SnapshotStore, scratch: Scratch, snapshots: number): Promise<Moment[]> {
  mkdirSync(join(scratch.project, 'd'))
  const moments: Moment[] = []
  for (let i = 0; i < snapshots; i++) {
    writeFileSync(join(scratch.project, 'd', `own${i}`), randomBytes(2000))
    writeFileSync(join(scratch.project, 'text'), `${'a line of text\n'.repeat(60)}${i}\n`)
    if (i % 3 === 0) chmodSync(join(scratch.project, 'd/own0'), 0o600 + i)
    if (i > 2) writeFileSync(join(scratch.project, 'd', `own${i - 2}`), '')
    moments.push(await take(store, scratch))
  }
  return moments
}

const layouts: Readonly<Record<string, (store: SnapshotStore) => Promise<unknown>>> = { loose: () => Promise.resolve(), packed: pack }

test.each(Object.entries(layouts))('R80 forgetting, %s: what is kept comes back under its old id, the rest is gone, and plain git finds the store whole', async (_, arrange) => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 12)
  await arrange(store)
  const kept = moments.filter((_one, i) => i === 2 || i === 3 || i === 7 || i >= 10)
  const report = await forget(store, kept)
  fsck(scratch.store)
  expect(report.bytesAfter).toBeLessThan(report.bytesBefore)
  expect(moments.map(({ commit }) => isStored(scratch.store, commit))).toEqual(moments.map((one) => kept.includes(one)))
  expect(moments.map(({ tree }) => isStored(scratch.store, tree))).toEqual(moments.map((one) => kept.includes(one)))
  expect(git(['--git-dir', scratch.store, 'rev-list', '--all', '--glob=refs/countersign/kept']).split('\n')).toEqual(expect.arrayContaining(kept.map(({ commit }) => commit)))
  expect((await store.missing(moments)).map(({ objects }) => objects === 0)).toEqual(moments.map((one) => kept.includes(one)))
  expect(await notRestored(store, scratch, kept)).toEqual([])
  // The story goes on, and can be forgotten and packed again.
  writeFileSync(join(scratch.project, 'after'), 'x')
  const later = await take(store, scratch)
  await pack(store)
  await forget(store, [...kept.slice(1), later])
  git(['--git-dir', scratch.store, 'gc', '-q', '--prune=now'])
  fsck(scratch.store)
  expect(await notRestored(store, scratch, [...kept.slice(1), later])).toEqual([])
  await store.close()
  scratch.remove()
})

test('R80 what was committed after the newest that is named stays: it may not have been known yet', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 5)
  await forget(store, moments.slice(2, 3))
  expect(moments.map(({ commit }) => isStored(scratch.store, commit))).toEqual([false, false, true, true, true])
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R80 the newest snapshot stays though nobody names it; forgetting twice changes nothing', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 5)
  await forget(store, [])
  const once = layout(scratch.store)
  expect(moments.map(({ commit }) => isStored(scratch.store, commit))).toEqual([false, false, false, false, true])
  const again = await forget(store, [])
  expect({ bytes: again.bytesAfter, ...layout(scratch.store) }).toEqual({ bytes: again.bytesBefore, ...once })
  expect(readFileSync(join(scratch.store, 'shallow'), 'utf8')).toBe(`${moments[4]?.commit}\n`)
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R78 a scan believes nothing that was forgotten since: it is stored again', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  await history(store, scratch, 3)
  writeFileSync(join(scratch.project, 'new'), 'never committed so far')
  const uncommitted = await scan(store)
  await forget(store, [])
  expect(isStored(scratch.store, uncommitted.tree)).toBe(false)
  const [lack] = await store.missing([uncommitted])
  expect(lack).toEqual({ objects: 1, files: 1, paths: ['.'] })
  // By itself, when what was scanned is still what the disk holds.
  valueOf(await store.commit(uncommitted, facts))
  expect((await store.missing([uncommitted]))[0]?.objects).toBe(0)
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R78 what was forgotten between scan and commit and is no longer on disk is told as missing, never committed', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  await history(store, scratch, 2)
  writeFileSync(join(scratch.project, 'new'), 'one')
  const uncommitted = await scan(store)
  await forget(store, [])
  writeFileSync(join(scratch.project, 'new'), 'two')
  expect(await store.commit(uncommitted, facts)).toEqual({ ok: false, fault: { code: 'snapshot.object-missing', values: { object: uncommitted.tree } } })
  valueOf(await store.commit(await scan(store), facts))
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R80 what somebody has named in the store with plain git stays', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 5)
  const named = moments[2]
  git(['--git-dir', scratch.store, 'tag', 'mine', named?.commit ?? ''])
  // Also writes a graph of the commits and moves all names into one file.
  git(['--git-dir', scratch.store, 'gc', '-q', '--prune=now'])
  await forget(store, [])
  fsck(scratch.store)
  expect(moments.map(({ commit }) => isStored(scratch.store, commit))).toEqual([true, true, true, false, true])
  expect(await readAuditAnchors(scratch.data)).toHaveLength(1)
  expect(await notRestored(store, scratch, [moments[1], moments[4]].flatMap((one) => one ?? []))).toEqual([])
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R68 the audit chain is read from packed commits as from loose ones, up to what was forgotten', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 6)
  const loose = await readAuditAnchors(scratch.data)
  await pack(store)
  expect(existsSync(join(scratch.store, 'objects', moments[5]?.commit.slice(0, 2) ?? '', moments[5]?.commit.slice(2) ?? ''))).toBe(false)
  expect(await readAuditAnchors(scratch.data)).toEqual(loose)
  expect(loose.length).toBe(6)
  await forget(store, moments.slice(3))
  expect(await readAuditAnchors(scratch.data)).toEqual(loose.slice(0, 3))
  await store.close()
  scratch.remove()
})
