import * as fs from 'node:fs'
import type { ObjectType, RawId } from '../store/gitObjects'
import { PackOutput } from './packOutput'
import { streamEntry, writeEntry } from './storedEntry'
import type { PackedEntry } from '../project/projectGitPack'
import type { Lender } from '../project/projectGitPacks'

/** Ends the name of a mark beside a pack: it holds entries that somebody else compressed and that were never opened. */
export const unprovenEnding = '.unproven'

/**
 * Streams objects into one pack: one file written from front to back instead of thousands of small ones.
 * Blocks are stored, not compressed: compressing is most of the time of a first snapshot and can be done later.
 */
export class PackWriter {
  readonly #out: PackOutput
  readonly #lender: Lender | null
  #isLent = false

  /**
   * @param tag says whose temporary file it is, so that a dead owner's is swept.
   * @param lender is asked for blobs that are compressed already.
   */
  constructor(folder: string, tag: string, lender: Lender | null = null) {
    this.#out = new PackOutput(folder, tag)
    this.#lender = lender
  }

  get isEmpty(): boolean {
    return this.#out.count === 0
  }

  has(id: RawId): boolean {
    return this.#out.has(id)
  }

  add(type: ObjectType, id: RawId, body: Uint8Array): void {
    if (this.#out.has(id)) return
    const lent = type === 'blob' ? this.#lender?.entry(id, body.length) : null
    if (lent) {
      this.#isLent = true
      this.addPacked(id, lent)
      return
    }
    const { offset } = this.#out
    this.#out.note({ id, offset, crc: writeEntry(type, body, (bytes) => this.#out.write(bytes)) })
  }

  /**
   * Takes content of `size` bytes piece by piece. Null when `read` gives fewer. What `isKnown` already is not kept a second time.
   * @param read fills a buffer and says how much of it; 0 at the end.
   */
  addStream(type: ObjectType, size: number, read: (into: Buffer) => number, isKnown: (id: RawId) => boolean): RawId | null {
    const { offset } = this.#out
    const entry = streamEntry(type, size, read, (bytes) => this.#out.write(bytes))
    if (entry && !isKnown(entry.id)) this.#out.note({ id: entry.id, offset, crc: entry.crc })
    else this.#out.takeBack(offset)
    return entry?.id ?? null
  }

  /** Takes an entry as it lies in another pack. */
  addPacked(id: RawId, { bytes, crc }: Pick<PackedEntry, 'bytes' | 'crc'>): void {
    if (this.#out.has(id)) return
    const { offset } = this.#out
    this.#out.write(bytes)
    this.#out.note({ id, offset, crc })
  }

  /** Completes pack and index, durably, and gives the pack's name without its ending. */
  finish(): Promise<string> {
    return this.#out.finish((name) => {
      if (this.#isLent) fs.closeSync(fs.openSync(name + unprovenEnding, 'w', 0o600))
    })
  }

  /** Gives up; leaves nothing behind. */
  abandon(): void {
    this.#out.abandon()
  }
}
