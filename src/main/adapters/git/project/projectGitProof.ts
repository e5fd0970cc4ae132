import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { toBytes } from '../../../native/byteText'
import { withFileLock } from '../../../native/fileLock'
import { raiseGeneration } from '../store/generation'
import { idOf, type ObjectType, type RawId } from '../store/gitObjects'
import { flushFolder } from '../store/objectStore'
import { PackWriter, unprovenEnding } from '../pack/packWriter'
import { RawPack, type PackedEntry } from './projectGitPack'
import { lockWaitMs, ownTag, storeLock } from '../store/storeFiles'
import { removeStored } from '../store/storeRemoval'

const types: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob']

/** A mark without its pack is removed after this. */
const strayMs = 60 * 60_000

/** Puts content under its id. */
export type Put = (id: RawId, body: Uint8Array) => void

/**
 * Opens what was copied from the project's own packs, piece by piece while nothing else is to be done: the sums of the copy
 * show damage, but only the content shows that an entry is what its id says. A pack in which one is not is written anew, with
 * the content from disk while it is still there.
 */
export class PackProof {
  readonly #name: string
  readonly #pack: RawPack | null
  readonly #ids: readonly RawId[]
  readonly #bad = new Set<RawId>()
  #next = 0

  private constructor(name: string) {
    this.#name = name
    this.#pack = RawPack.open(toBytes(name))
    this.#ids = this.#pack?.ids() ?? []
  }

  /** Of the first pack in the folder that is marked; null when there is none. */
  static begin(folder: string): PackProof | null {
    for (const mark of fs.readdirSync(folder)) {
      if (!mark.endsWith(unprovenEnding)) continue
      const name = join(folder, basename(mark, unprovenEnding))
      if (fs.existsSync(`${name}.idx`)) return new PackProof(name)
      // Its pack is about to appear, or was removed.
      const stats = fs.lstatSync(join(folder, mark), { throwIfNoEntry: false })
      if (stats && Date.now() - stats.mtimeMs > strayMs) fs.rmSync(join(folder, mark), { force: true })
    }
    return null
  }

  /** Looks at about so many bytes. True when that was all. */
  proceed(bytes: number): boolean {
    for (let seen = 0; seen < bytes; this.#next++) {
      const id = this.#ids[this.#next]
      if (id === undefined) return true
      const entry = this.#pack?.entry(id)
      if (!entry || !isWhatItSays(id, entry)) this.#bad.add(id)
      seen += entry?.size ?? 0
    }
    return this.#next >= this.#ids.length
  }

  /**
   * Takes the mark away, after all was looked at.
   * @param folder the store's.
   * @param restore puts what it still finds of the bad ones.
   */
  async finish(folder: string, restore: (bad: ReadonlySet<RawId>, put: Put) => void): Promise<void> {
    if (this.#bad.size === 0) return fs.rmSync(this.#name + unprovenEnding, { force: true })
    await this.#writeAnew(restore)
    await withFileLock(storeLock(folder), lockWaitMs, () => {
      raiseGeneration(folder, 'forgotten')
      removeStored(folder, [this.#name], [])
      return Promise.resolve()
    })
  }

  close(): void {
    this.#pack?.close()
  }

  async #writeAnew(restore: (bad: ReadonlySet<RawId>, put: Put) => void): Promise<void> {
    const writer = new PackWriter(join(this.#name, '..'), ownTag())
    try {
      for (const id of this.#ids) {
        const entry = this.#bad.has(id) ? null : this.#pack?.entry(id)
        if (entry) writer.addPacked(id, entry)
      }
      restore(this.#bad, (id, body) => writer.add('blob', id, body))
      await writer.finish()
    } catch (error) {
      writer.abandon()
      throw error
    }
    flushFolder(join(this.#name, '..'))
  }
}

/** Its stream ends where the entry does, and what comes out has the size and the id. */
function isWhatItSays(id: RawId, { type, size, bytes, from }: PackedEntry): boolean {
  const kind = types[type]
  if (!kind) return false
  try {
    const packed = bytes.subarray(from)
    const opened = inflateSync(packed, { info: true, maxOutputLength: Math.max(1, size) }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
    return opened.buffer.length === size && opened.engine.bytesWritten === packed.length && idOf(kind, opened.buffer) === id
  } catch {
    return false
  }
}
