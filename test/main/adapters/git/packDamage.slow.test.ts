import { randomBytes } from 'node:crypto'
import { chmodSync, openSync, closeSync, readFileSync, readSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layout, notRestored, pack, take } from '../../../support/packedStore'
import { fsck, git, makeScratch, openStore, scan, valueOf } from '../../../support/sideRepository'

function flip(file: string, at: number): void {
  chmodSync(file, 0o600)
  const fd = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(fd, byte, 0, 1, at)
  writeSync(fd, Buffer.from([(byte[0] ?? 0) ^ 0x41]), 0, 1, at)
  closeSync(fd)
}

/** Where an object's entry begins in a pack. */
function offsetIn(pack: string, id: string): number {
  const line = git(['show-index'], {}, undefined, readFileSync(pack.replace('.pack', '.idx'))).split('\n').find((one) => one.includes(id))
  return Number(line?.split(' ')[0])
}

const fault = (object: string): object => ({ ok: false, fault: { code: 'snapshot.object-missing', values: { object } } })

test('R78 damage in a pack is found when it is read and told; packing leaves that pack and says so; a scan heals it', async () => {
  const scratch = makeScratch()
  for (let i = 0; i < 5; i++) writeFileSync(join(scratch.project, `f${i}`), randomBytes(4000))
  const store = await openStore(scratch)
  const first = await take(store, scratch)
  await pack(store)
  writeFileSync(join(scratch.project, 'other'), 'other')
  const second = await take(store, scratch)
  const [name = ''] = layout(scratch.store).packs
  const file = join(scratch.store, 'objects', 'pack', name)
  const [entry] = await store.entriesAt(first, ['f3'])
  const oid = entry?.oid ?? ''
  flip(file, offsetIn(file, oid) + 1000)

  const stop = new AbortController().signal
  const report = valueOf(await store.pack(stop))
  expect(report).toMatchObject({ damaged: [] })
  // A pack that small new ones leave alone is not looked at; one that is rewritten is.
  for (let i = 0; i < 9; i++) writeFileSync(join(scratch.project, `g${i}`), randomBytes(4000))
  await take(store, scratch)
  expect(valueOf(await store.pack(stop))).toMatchObject({ damaged: [oid] })
  expect(layout(scratch.store).packs).toContain(name)
  expect(await store.blob(oid)).toEqual(fault(oid))
  expect(await store.missing([first, second])).toEqual([{ objects: 1, files: 1, paths: ['f3'] }, { objects: 1, files: 1, paths: ['f3'] }])

  await scan(store)
  expect((await store.missing([first]))[0]).toEqual({ objects: 0, files: 0, paths: [] })
  valueOf(await store.blob(oid))
  for (let i = 0; i < 9; i++) writeFileSync(join(scratch.project, `h${i}`), randomBytes(9000))
  await take(store, scratch)
  expect(valueOf(await store.pack(stop))).toMatchObject({ damaged: [] })
  expect(layout(scratch.store).packs).not.toContain(name)
  fsck(scratch.store)
  expect(await notRestored(store, scratch, [first, second])).toEqual([])
  await store.close()
  scratch.remove()
})

test('R78 a loose object that is damaged, cut or gone is told, and stored again by the next scan', async () => {
  const scratch = makeScratch()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(scratch.project, name), `content of ${name}`)
  const store = await openStore(scratch)
  const taken = await take(store, scratch)
  const entries = await store.entriesAt(taken, ['a', 'b', 'c'])
  const oids = entries.map((entry) => entry?.oid ?? '')
  const files = oids.map((oid) => join(scratch.store, 'objects', oid.slice(0, 2), oid.slice(2)))
  flip(files[0] ?? '', 12)
  chmodSync(files[1] ?? '', 0o600)
  writeFileSync(files[1] ?? '', readFileSync(files[2] ?? ''))
  rmSync(files[2] ?? '')
  expect(await Promise.all(oids.map((oid) => store.blob(oid)))).toEqual(oids.map(fault))
  const [lack] = await store.missing([taken])
  expect(lack).toEqual({ objects: 3, files: 3, paths: ['a', 'b', 'c'] })
  await scan(store)
  expect((await store.missing([taken]))[0]?.objects).toBe(0)
  fsck(scratch.store)
  await store.close()
  scratch.remove()
})

test('R78 a damaged loose object is never packed, and stays until its content comes back', async () => {
  const scratch = makeScratch()
  writeFileSync(join(scratch.project, 'a'), randomBytes(500))
  const store = await openStore(scratch)
  const taken = await take(store, scratch)
  const [entry] = await store.entriesAt(taken, ['a'])
  const oid = entry?.oid ?? ''
  const file = join(scratch.store, 'objects', oid.slice(0, 2), oid.slice(2))
  flip(file, 100)
  writeFileSync(join(scratch.project, 'a'), 'another content')
  expect(valueOf(await store.pack(new AbortController().signal))).toMatchObject({ damaged: [oid] })
  expect(statSync(file, { throwIfNoEntry: false })).toBeDefined()
  expect(await store.blob(oid)).toEqual(fault(oid))
  await store.close()
  scratch.remove()
})
