import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { ObjectType, RawId } from './gitObjects'
import { encodeIndex, entryHead, hashFile, type Packed, typeNumber, writeAllAt, writeDurably } from './packFormat'
import type { PackedEntry } from './projectGitPack'
import type { Lender } from './projectGitPacks'

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
    const head = entryHead(typeNumber[type], body.length)
    // A small window and one output chunk: nothing is searched for in a stored block, so none of it is needed.
    const packed = deflateSync(body, { level: 0, memLevel: 1, windowBits: 9, chunkSize: Math.max(64, body.length + 64 + (body.length >> 8)) })
    this.#append(id, crc32(packed, crc32(head)), [head, packed])
  }

  /** Takes an entry as it lies in another pack. */
  addPacked(id: RawId, { bytes, crc }: Pick<PackedEntry, 'bytes' | 'crc'>): void {
    if (!this.#ids.has(id)) this.#append(id, crc, [bytes])
  }

  #append(id: RawId, crc: number, parts: readonly Buffer[]): void {
    this.#ids.add(id)
    this.#packed.push({ id, offset: this.#offset, crc })
    for (const part of parts) this.#write(part)
  }

  /** Completes pack and index, durably, and gives the pack's name without its ending. */
  finish(): string {
    this.#flush()
    const head = Buffer.alloc(12)
    head.write('PACK')
    head.writeUInt32BE(2, 4)
    head.writeUInt32BE(this.#packed.length, 8)
    fs.writeSync(this.#fd, head, 0, 12, 0)
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

  #write(bytes: Buffer): void {
    if (this.#used + bytes.length > this.#room.length) this.#flush()
    this.#offset += bytes.length
    if (bytes.length > this.#room.length) return writeAllAt(this.#fd, bytes, this.#offset - bytes.length)
    bytes.copy(this.#room, this.#used)
    this.#used += bytes.length
  }

  #flush(): void {
    if (this.#used > 0) writeAllAt(this.#fd, this.#room.subarray(0, this.#used), this.#offset - this.#used)
    this.#used = 0
  }
}
