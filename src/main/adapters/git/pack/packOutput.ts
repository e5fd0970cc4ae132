import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { RawId } from '../store/gitObjects'
import { encodeIndex, hashFile, type Packed, writeAllAt, writeDurably } from './packFormat'

const flushBytes = 4 << 20

/**
 * A pack (version 2) written from front to back under a temporary name, which git knows as garbage, until it is whole and
 * flushed. Takes entries that are packed already.
 */
export class PackOutput {
  readonly #folder: string
  readonly #temporary: string
  readonly #fd: number
  readonly #packed: Packed[] = []
  readonly #offsets = new Map<RawId, number>()
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #offset = 12
  #isOpen = true

  /** @param tag says whose temporary file it is, so that a dead owner's is swept. */
  constructor(folder: string, tag: string) {
    this.#folder = folder
    this.#temporary = join(folder, `tmp_pack_${tag}_${randomUUID()}`)
    this.#fd = fs.openSync(this.#temporary, 'wx+', 0o600)
  }

  get count(): number {
    return this.#packed.length
  }

  /** Where the next entry begins. */
  get offset(): number {
    return this.#offset
  }

  /** Where an object's entry begins. */
  offsetOf(id: RawId): number | undefined {
    return this.#offsets.get(id)
  }

  add(id: RawId, head: Buffer, packed: Buffer): void {
    this.#packed.push({ id, offset: this.#offset, crc: crc32(packed, crc32(head)) })
    this.#offsets.set(id, this.#offset)
    this.#waiting.push(head, packed)
    this.#waitingBytes += head.length + packed.length
    this.#offset += head.length + packed.length
    if (this.#waitingBytes > flushBytes) this.#flush()
  }

  /** Completes pack and index, durably, and gives the pack's path without its ending. The folder is for the caller to flush. */
  finish(): string {
    this.#flush()
    const head = Buffer.alloc(12)
    head.write('PACK')
    head.writeUInt32BE(2, 4)
    head.writeUInt32BE(this.#packed.length, 8)
    writeAllAt(this.#fd, head, 0)
    const sum = hashFile(this.#fd)
    writeAllAt(this.#fd, sum, this.#offset)
    fs.fsyncSync(this.#fd)
    this.#close()
    const name = join(this.#folder, `pack-${sum.toString('hex')}`)
    const index = `${this.#temporary}.idx`
    writeDurably(index, encodeIndex(this.#packed, sum))
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

  #flush(): void {
    if (this.#waitingBytes === 0) return
    const bytes = Buffer.concat(this.#waiting, this.#waitingBytes)
    writeAllAt(this.#fd, bytes, this.#offset - this.#waitingBytes)
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
