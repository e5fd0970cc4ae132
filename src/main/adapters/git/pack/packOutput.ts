import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { RawId } from '../store/gitObjects'
import { encodeIndex, hashFile, type Packed, writeAllAt, writeDurably } from './packFormat'

/** What is gathered before it is written. */
const roomBytes = 1 << 20

const sync = promisify(fs.fsync)

/**
 * A pack (version 2) written from front to back under a temporary name, which git knows as garbage, until it is whole and
 * flushed. Takes entries that are packed already, or their bytes as they are made.
 */
export class PackOutput {
  readonly #folder: string
  readonly #temporary: string
  readonly #fd: number
  readonly #packed = new Map<RawId, Packed>()
  readonly #room = Buffer.allocUnsafe(roomBytes)
  #used = 0
  #offset = 12
  #isOpen = true

  /** @param tag says whose temporary file it is, so that a dead owner's is swept. */
  constructor(folder: string, tag: string) {
    this.#folder = folder
    this.#temporary = join(folder, `tmp_pack_${tag}_${randomUUID()}`)
    this.#fd = fs.openSync(this.#temporary, 'wx+', 0o600)
  }

  get count(): number {
    return this.#packed.size
  }

  /** Where the next entry begins. */
  get offset(): number {
    return this.#offset
  }

  has(id: RawId): boolean {
    return this.#packed.has(id)
  }

  /** Where an object's entry begins. */
  offsetOf(id: RawId): number | undefined {
    return this.#packed.get(id)?.offset
  }

  /** Takes a whole entry. */
  add(id: RawId, head: Uint8Array, packed: Uint8Array): void {
    const offset = this.#offset
    this.write(head)
    this.write(packed)
    this.note({ id, offset, crc: crc32(packed, crc32(head)) })
  }

  /** Takes bytes of an entry that is being made; `note` tells what it was. */
  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#room.length) this.#flush()
    this.#offset += bytes.length
    if (bytes.length > this.#room.length) return writeAllAt(this.#fd, bytes, this.#offset - bytes.length)
    this.#room.set(bytes, this.#used)
    this.#used += bytes.length
  }

  note(entry: Packed): void {
    this.#packed.set(entry.id, entry)
  }

  /** Takes back what was written from an offset on. */
  takeBack(offset: number): void {
    this.#flush()
    this.#offset = offset
  }

  /**
   * Completes pack and index, durably, and gives the pack's path without its ending. The folder is for the caller to flush.
   * The count stands in the head and is known only now, so the sum is taken over what was written, while the disk takes it.
   * @param beforeSeen is given that path before anybody can see a pack there.
   */
  async finish(beforeSeen: (name: string) => void = () => undefined): Promise<string> {
    this.#flush()
    const head = Buffer.alloc(12)
    head.write('PACK')
    head.writeUInt32BE(2, 4)
    head.writeUInt32BE(this.#packed.size, 8)
    writeAllAt(this.#fd, head, 0)
    // Behind the end may lie what was taken back.
    fs.ftruncateSync(this.#fd, this.#offset)
    const [index, sum] = await this.#indexWhile(sync(this.#fd))
    writeAllAt(this.#fd, sum, this.#offset)
    fs.fsyncSync(this.#fd)
    this.#close()
    const name = join(this.#folder, `pack-${sum.toString('hex')}`)
    const indexFile = `${this.#temporary}.idx`
    writeDurably(indexFile, index)
    beforeSeen(name)
    fs.renameSync(this.#temporary, `${name}.pack`)
    // The index last: git takes a pack for present when its index is.
    fs.renameSync(indexFile, `${name}.idx`)
    return name
  }

  /** Gives up; leaves nothing behind. */
  abandon(): void {
    this.#close()
    fs.rmSync(this.#temporary, { force: true })
    fs.rmSync(`${this.#temporary}.idx`, { force: true })
  }

  /** The index and the pack's sum. Whatever happens, nobody uses the file any more when this settles. */
  async #indexWhile(flushing: Promise<void>): Promise<readonly [index: Buffer, sum: Buffer]> {
    try {
      const sum = hashFile(this.#fd)
      return [encodeIndex(this.#packed.values(), sum), sum]
    } finally {
      await flushing
    }
  }

  #close(): void {
    if (this.#isOpen) fs.closeSync(this.#fd)
    this.#isOpen = false
  }

  #flush(): void {
    if (this.#used > 0) writeAllAt(this.#fd, this.#room.subarray(0, this.#used), this.#offset - this.#used)
    this.#used = 0
  }
}
