import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { ObjectType, RawId } from '../store/gitObjects'
import { encodeIndex, hashFile, type Packed, writeAllAt, writeDurably } from './packFormat'
import { streamEntry, writeEntry } from './storedEntry'
import type { PackedEntry } from '../project/projectGitPack'
import type { Lender } from '../project/projectGitPacks'

/** What is gathered before it is written. */
const roomBytes = 1 << 20

/** Ends the name of a mark beside a pack: it holds entries that somebody else compressed and that were never opened. */
export const unprovenEnding = '.unproven'

/**
 * Streams objects into one pack (version 2): one file written from front to back instead of thousands of small ones.
 * Blocks are stored, not compressed: compressing is most of the time of a first snapshot and can be done later.
 * Under its own temporary name, which git knows as garbage, until it is whole and flushed.
 */
export class PackWriter {
  readonly #folder: string
  readonly #temporary: string
  readonly #fd: number
  readonly #packed: Packed[] = []
  readonly #ids = new Set<RawId>()
  readonly #room = Buffer.allocUnsafe(roomBytes)
  #used = 0
  readonly #lender: Lender | null
  #isLent = false
  #offset = 12
  #isOpen = true

  /**
   * @param tag says whose temporary file it is, so that a dead owner's is swept.
   * @param lender is asked for blobs that are compressed already.
   */
  constructor(folder: string, tag: string, lender: Lender | null = null) {
    this.#folder = folder
    this.#lender = lender
    this.#temporary = join(folder, `tmp_pack_${tag}_${randomUUID()}`)
    this.#fd = fs.openSync(this.#temporary, 'wx+', 0o600)
    fs.writeSync(this.#fd, Buffer.alloc(12), 0, 12, 0)
  }

  get isEmpty(): boolean {
    return this.#packed.length === 0
  }

  has(id: RawId): boolean {
    return this.#ids.has(id)
  }

  add(type: ObjectType, id: RawId, body: Uint8Array): void {
    if (this.#ids.has(id)) return
    const lent = type === 'blob' ? this.#lender?.entry(id, body.length) : null
    if (lent) {
      this.#isLent = true
      this.addPacked(id, lent)
      return
    }
    const offset = this.#offset
    this.#ids.add(id)
    this.#packed.push({ id, offset, crc: writeEntry(type, body, (bytes) => this.#write(bytes)) })
  }

  /**
   * Takes content of `size` bytes piece by piece. Null when `read` gives fewer. What `isKnown` already is not kept a second time.
   * @param read fills a buffer and says how much of it; 0 at the end.
   */
  addStream(type: ObjectType, size: number, read: (into: Buffer) => number, isKnown: (id: RawId) => boolean): RawId | null {
    this.#flush()
    const start = this.#offset
    const entry = streamEntry(type, size, read, (bytes) => this.#write(bytes))
    if (entry && !isKnown(entry.id)) {
      this.#ids.add(entry.id)
      this.#packed.push({ id: entry.id, offset: start, crc: entry.crc })
    } else {
      this.#used = 0
      this.#offset = start
    }
    return entry?.id ?? null
  }

  /** Takes an entry as it lies in another pack. */
  addPacked(id: RawId, { bytes, crc }: Pick<PackedEntry, 'bytes' | 'crc'>): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#packed.push({ id, offset: this.#offset, crc })
    this.#write(bytes)
  }

  /** Completes pack and index, durably, and gives the pack's name without its ending. */
  finish(): string {
    this.#flush()
    const head = Buffer.alloc(12)
    head.write('PACK')
    head.writeUInt32BE(2, 4)
    head.writeUInt32BE(this.#packed.length, 8)
    fs.writeSync(this.#fd, head, 0, 12, 0)
    // Behind the end may lie what was taken back.
    fs.ftruncateSync(this.#fd, this.#offset)
    const sum = hashFile(this.#fd)
    fs.writeSync(this.#fd, sum, 0, 20, this.#offset)
    fs.fsyncSync(this.#fd)
    this.#close()
    const name = join(this.#folder, `pack-${sum.toString('hex')}`)
    const index = `${this.#temporary}.idx`
    writeDurably(index, encodeIndex(this.#packed, sum))
    // Before the pack can be seen.
    if (this.#isLent) fs.closeSync(fs.openSync(name + unprovenEnding, 'w', 0o600))
    fs.renameSync(this.#temporary, `${name}.pack`)
    // The index last: git takes a pack for present when its index is.
    fs.renameSync(index, `${name}.idx`)
    return name
  }

  /** Gives up; leaves nothing behind. */
  abandon(): void {
    this.#close()
    fs.rmSync(this.#temporary, { force: true })
    fs.rmSync(`${this.#temporary}.idx`, { force: true })
  }

  #close(): void {
    if (this.#isOpen) fs.closeSync(this.#fd)
    this.#isOpen = false
  }

  #write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#room.length) this.#flush()
    this.#offset += bytes.length
    if (bytes.length > this.#room.length) return writeAllAt(this.#fd, bytes, this.#offset - bytes.length)
    this.#room.set(bytes, this.#used)
    this.#used += bytes.length
  }

  #flush(): void {
    if (this.#used > 0) writeAllAt(this.#fd, this.#room.subarray(0, this.#used), this.#offset - this.#used)
    this.#used = 0
  }
}
