import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeBlobStore } from '../../../../src/main/adapters/blobs/blobStore'

let folder: string
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'blobs-')), 'outputs')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const files = (): readonly string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))

test('a blob is found again under the hash of its content, once for the same content, for its owner alone', async () => {
  const blobs = makeBlobStore(folder)
  const bytes = Buffer.from('副署')
  const names = [await blobs.put(bytes), await blobs.put(bytes), await makeBlobStore(folder).put(bytes)]
  expect(names).toEqual([hashOf(bytes), hashOf(bytes), hashOf(bytes)])
  expect(Buffer.from((await blobs.get(names[0] ?? '')) ?? [])).toEqual(bytes)
  expect(files()).toHaveLength(1)
  expect([statSync(files()[0] ?? '').mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
})

test('what is no name of a blob is no blob, and never a path', async () => {
  const blobs = makeBlobStore(folder)
  mkdirSync(folder)
  writeFileSync(path.join(folder, '..', 'secret'), 'x')
  for (const name of ['', '../secret', `${'0'.repeat(62)}/..`, 'A'.repeat(64), '0'.repeat(64)]) expect(await blobs.get(name)).toBeNull()
  expect(() => blobs.begin('../x')).toThrow('not a name')
})

test('a blob that was changed or cut on the disk is missing, and can be stored again', async () => {
  const blobs = makeBlobStore(folder)
  const name = await blobs.put(Buffer.from('whole'))
  writeFileSync(files()[0] ?? '', 'who')
  expect(await blobs.get(name)).toBeNull()
  await blobs.put(Buffer.from('whole'))
  expect(Buffer.from((await blobs.get(name)) ?? []).toString()).toBe('whole')
})

test('a growing output becomes the blob of all its pieces, however they were cut', async () => {
  const blobs = makeBlobStore(folder)
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 8 }), async (lengths) => {
      const writer = blobs.begin(`call-${++run}`)
      const pieces = lengths.map((length, at) => Buffer.alloc(length, at + 1))
      for (const piece of pieces) {
        const copy = Buffer.from(piece)
        writer.write(copy)
        copy.fill(0)
      }
      const all = Buffer.concat(pieces)
      const name = await writer.keep()
      expect(name).toBe(all.length === 0 ? null : hashOf(all))
      if (name !== null) expect(Buffer.from((await blobs.get(name)) ?? []).equals(all)).toBe(true)
    }),
    { numRuns: 25 },
  )
  expect(files().filter((file) => file.includes('growing'))).toEqual([])
})

test('a dropped output leaves nothing', async () => {
  const blobs = makeBlobStore(folder)
  const short = blobs.begin('short')
  short.write(Buffer.from('a'))
  await short.drop()
  const long = blobs.begin('long')
  long.write(Buffer.alloc(500_000))
  expect(long.waitingBytes()).toBeGreaterThan(0)
  await long.drop()
  expect([long.waitingBytes(), files()]).toEqual([0, []])
})

test('what had been written when the app was killed is found again, once (R97)', async () => {
  const blobs = makeBlobStore(folder)
  const writer = blobs.begin('call-1')
  writer.write(Buffer.from('said so far'))
  const growing = path.join(folder, 'growing', 'call-1')
  await vi.waitFor(() => expect(readFileSync(growing, 'utf8')).toBe('said so far'))

  const next = makeBlobStore(folder)
  const name = await next.recover('call-1')
  expect(name).toBe(hashOf(Buffer.from('said so far')))
  expect(Buffer.from((await next.get(name ?? '')) ?? []).toString()).toBe('said so far')
  expect(await next.recover('call-1')).toBeNull()
  await writer.drop()
})

test('a disk that refuses is told of by the missing name, and nothing throws', async () => {
  const blobs = makeBlobStore(folder)
  writeFileSync(folder, 'a file where the folder should be')
  const writer = blobs.begin('call-1')
  for (let piece = 0; piece < 40; piece++) writer.write(Buffer.alloc(64 * 1024))
  expect(await writer.keep()).toBeNull()
  expect(writer.waitingBytes()).toBe(0)
  await blobs.begin('call-2').drop()
})
