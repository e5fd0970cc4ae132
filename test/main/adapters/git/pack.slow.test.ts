import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import { deltas, layout, notRestored, pack, take, type Moment } from '../../../support/packedStore'
import { fsck, git, makeScratch, openStore, scan, valueOf, type Scratch } from '../../../support/sideRepository'

const never = new AbortController().signal

function lines(salt: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${salt} line ${i} of a text that says something\n`).join('')
}

/** A project of which every snapshot changes some files. */
async function history(store: SnapshotStore, scratch: Scratch, snapshots: number): Promise<Moment[]> {
  for (const folder of ['a/b', 'c']) mkdirSync(join(scratch.project, folder), { recursive: true })
  for (let i = 0; i < 12; i++) writeFileSync(join(scratch.project, i % 2 ? 'a/b' : 'c', `f${i}`), lines(`f${i}`, 40 + i))
  writeFileSync(join(scratch.project, 'binary'), randomBytes(20_000))
  const moments = [await take(store, scratch)]
  for (let i = 1; i < snapshots; i++) {
    appendFileSync(join(scratch.project, 'a/b/f1'), `edit ${i}\n`)
    writeFileSync(join(scratch.project, 'c', `f${(i % 6) * 2}`), lines(`f${i % 6}`, 30 + i))
    if (i % 7 === 0) chmodSync(join(scratch.project, 'c/f0'), i % 2 ? 0o600 : 0o644)
    moments.push(await take(store, scratch))
  }
  return moments
}

function packBytes(store: string): number {
  return layout(store).packs.reduce((sum, name) => sum + statSync(join(store, 'objects', 'pack', name)).size, 0)
}

/** The same objects packed from nothing by plain git. */
function nativePackBytes(scratch: Scratch): number {
  const copy = join(scratch.top, 'copy')
  cpSync(scratch.store, copy, { recursive: true })
  git(['--git-dir', copy, 'repack', '-a', '-d', '-f', '-q'])
  return packBytes(copy)
}

test('R80 packed, every snapshot comes back, older versions are deltas in chains of at most 50, and plain git agrees', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 130)
  const before = await store.stats()
  const report = await pack(store)
  expect(layout(scratch.store)).toEqual({ packs: [expect.any(String)], loose: 0 })
  fsck(scratch.store)
  const { longest, count } = deltas(scratch.store)
  expect({ isShort: longest <= 50, isDeep: longest > 40, isMostly: count > before.objects / 3 }).toEqual({ isShort: true, isDeep: true, isMostly: true })
  expect(await store.stats()).toEqual({ bytes: report.bytesAfter, objects: report.objects })
  expect(packBytes(scratch.store)).toBeLessThan(1.2 * nativePackBytes(scratch))
  expect(await notRestored(store, scratch, moments.filter((_, i) => i % 13 === 0))).toEqual([])
  await store.close()
  const again = await openStore(scratch)
  expect(await notRestored(again, scratch, [moments[1], moments[64]].flatMap((one) => one ?? []))).toEqual([])
  await again.close()
  scratch.remove()
})

test('R80 random files and edits: packed step by step, nothing is lost', { timeout: 120_000 }, async () => {
  const change = fc.record({ file: fc.constantFrom('a', 'b', 'd/c', 'd/e/f'), how: fc.constantFrom('append', 'rewrite', 'binary', 'remove', 'move', 'link'), size: fc.nat(3000) })
  const step = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), isPacked: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const scratch = makeScratch()
      mkdirSync(join(scratch.project, 'd/e'), { recursive: true })
      const store = await openStore(scratch)
      const moments = [await take(store, scratch)]
      for (const { changes, isPacked } of steps) {
        for (const one of changes) apply(scratch, one)
        moments.push(await take(store, scratch))
        if (isPacked) await pack(store)
        if (isPacked) fsck(scratch.store)
      }
      expect(await notRestored(store, scratch, moments)).toEqual([])
      await store.close()
      scratch.remove()
    }),
    { numRuns: 8 },
  )
})

function rename(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) renameSync(path, `${path}-moved`)
}

function apply({ project }: Scratch, { file, how, size }: { readonly file: string; readonly how: string; readonly size: number }): void {
  const path = join(project, file)
  if (how === 'append') appendFileSync(path, lines('x', size % 50))
  else if (how === 'move') rename(path)
  else rmSync(path, { force: true })
  if (how === 'rewrite') writeFileSync(path, lines(`${size}`, size % 80))
  if (how === 'binary') writeFileSync(path, randomBytes(size))
  if (how === 'link') symlinkSync(`target-${size}`, path)
}

test('R80 a few new objects never cost the rewriting of a large pack; many small ones do', async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'large'), randomBytes(400_000))
  const store = await openStore(scratch)
  const moments = [await take(store, scratch)]
  await pack(store)
  const [large = ''] = layout(scratch.store).packs
  for (let i = 0; i < 4; i++) {
    writeFileSync(join(scratch.project, 'small'), randomBytes(3000))
    moments.push(await take(store, scratch))
    await pack(store)
    expect({ isKept: layout(scratch.store).packs.includes(large), isFew: layout(scratch.store).packs.length <= 3, loose: layout(scratch.store).loose }).toEqual({ isKept: true, isFew: true, loose: 0 })
  }
  writeFileSync(join(scratch.project, 'more'), randomBytes(60_000))
  moments.push(await take(store, scratch))
  await pack(store)
  expect(layout(scratch.store).packs.length).toBe(1)
  fsck(scratch.store)
  expect(await notRestored(store, scratch, moments)).toEqual([])
  await store.close()
  scratch.remove()
})

test('R80 what plain git has packed is read, and packed on', async () => {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  const moments = await history(store, scratch, 12)
  git(['--git-dir', scratch.store, 'gc', '-q', '--prune=now'])
  expect(await notRestored(store, scratch, moments)).toEqual([])
  appendFileSync(join(scratch.project, 'a/b/f1'), 'more\n')
  moments.push(await take(store, scratch))
  await pack(store)
  fsck(scratch.store)
  expect(await notRestored(store, scratch, moments)).toEqual([])
  await store.close()
  scratch.remove()
})

test('R80 scans, commits and reads go on while it packs; stopped, it leaves the store as it was', async () => {
  const scratch = makeScratch()
  for (let i = 0; i < 900; i++) writeFileSync(join(scratch.project, `f${i}`), lines(`f${i}`, 150))
  const store = await openStore(scratch)
  const moments = [await take(store, scratch)]
  const before = layout(scratch.store)
  const stop = new AbortController()
  const stopped = store.pack(stop.signal, (done) => done > 0 && stop.abort())
  expect(await stopped).toEqual({ ok: false, fault: { code: 'snapshot.cancelled', values: {} } })
  expect(layout(scratch.store)).toEqual(before)
  let isPacking = true
  const packing = pack(store).finally(() => (isPacking = false))
  let during = 0
  while (isPacking) {
    appendFileSync(join(scratch.project, 'f1'), `edit ${during}\n`)
    moments.push(await take(store, scratch))
    const [, entry] = await store.entriesAt(moments[0] ?? { tree: '', side: '' }, ['f0', 'f1'])
    valueOf(await store.blob(entry?.oid ?? ''))
    during++
  }
  await packing
  await pack(store)
  fsck(scratch.store)
  expect(during).toBeGreaterThan(0)
  expect(await notRestored(store, scratch, moments)).toEqual([])
  await store.close()
  scratch.remove()
})

test('R80 packing is due for a first pack written in haste and for many small packs, and not after it was done', async () => {
  const scratch = makeScratch()
  for (let i = 0; i < 300; i++) writeFileSync(join(scratch.project, `f${i}`), randomBytes(32_000))
  const store = await openStore(scratch)
  expect(await store.isPackable()).toBe(false)
  await take(store, scratch)
  expect(await store.isPackable()).toBe(true)
  await pack(store)
  expect(await store.isPackable()).toBe(false)
  for (let i = 0; i < 120; i += 10) {
    for (let j = i; j < i + 10; j++) writeFileSync(join(scratch.project, `g${j}`), `${j}`)
    await scan(store)
  }
  expect(await store.isPackable()).toBe(true)
  await store.close()
  scratch.remove()
})

test('R80 closing the store stops packing and leaves nothing behind', async () => {
  const scratch = makeScratch()
  for (let i = 0; i < 900; i++) writeFileSync(join(scratch.project, `f${i}`), lines(`f${i}`, 150))
  const store = await openStore(scratch)
  await take(store, scratch)
  const before = layout(scratch.store)
  let tell = (): void => undefined
  const began = new Promise<void>((resolve) => (tell = resolve))
  const packing = store.pack(never, tell)
  await began
  await store.close()
  expect(await packing).toEqual({ ok: false, fault: { code: 'snapshot.cancelled', values: {} } })
  expect(layout(scratch.store)).toEqual(before)
  expect(readFileSync(join(scratch.store, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n')
  fsck(scratch.store)
  scratch.remove()
})
