import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { BlobStore } from '../../core/ports/blobStore'
import type { OutputSpool } from '../../core/ports/outputSpool'
import { flushFolder, writeWhole } from '../../native/wholeFile'
import { makeSpoolWriter } from './spoolWriter'

/** Names are the SHA-256 of the content, hex; anything else is no name and never becomes a path. */
const namePattern = /^[0-9a-f]{64}$/
const spoolNamePattern = /^[\w-]{1,100}$/

/**
 * Blobs in a folder of our own, `ab/cdef…` by their hash, mode 0600. A blob is whole or not there: it is written beside its
 * place, flushed and renamed. A blob whose content no longer fits its name is answered as missing.
 */
export function makeBlobStore(folder: string): BlobStore & OutputSpool {
  const placeOf = (name: string): string => path.join(folder, name.slice(0, 2), name.slice(2))
  const spoolOf = (name: string): string => {
    if (!spoolNamePattern.test(name)) throw new Error(`not a name of a spool: ${name}`)
    return path.join(folder, 'growing', name)
  }
  const adopt = async (file: string, hash: string): Promise<string> => {
    const place = placeOf(hash)
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    await rename(file, place)
    await flushFolder(path.dirname(place))
    return hash
  }
  return {
    async put(bytes) {
      const name = createHash('sha256').update(bytes).digest('hex')
      if ((await readIfWhole(placeOf(name), name)) === null) await writeWhole(placeOf(name), bytes)
      return name
    },
    get: (name) => (namePattern.test(name) ? readIfWhole(placeOf(name), name) : Promise.resolve(null)),
    begin: (name) => makeSpoolWriter(spoolOf(name), adopt),
    async peek(name, maxBytes) {
      try {
        return await readEnd(spoolOf(name), maxBytes)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async recover(name) {
      // Under a name of its own first: a second recovery, or a new writer, must not meet it half-way.
      const file = `${spoolOf(name)}.${randomUUID()}`
      try {
        await rename(spoolOf(name), file)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
      await flushFile(file)
      return adopt(file, await hashOf(file))
    },
  }
}

async function readIfWhole(file: string, hash: string): Promise<Uint8Array | null> {
  try {
    const bytes = await readFile(file)
    if (createHash('sha256').update(bytes).digest('hex') === hash) return bytes
    await rm(file, { force: true })
    return null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function readEnd(file: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly atMs: number }> {
  const handle = await open(file, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    const length = Math.min(size, maxBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return { bytes: buffer.subarray(0, bytesRead), atMs: Math.round(mtimeMs) }
  } finally {
    await handle.close()
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
