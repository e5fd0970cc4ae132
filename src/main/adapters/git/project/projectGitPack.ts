import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { diskPath } from '../../../native/byteText'
import type { RawId } from '../store/gitObjects'

/** An object in a pack as it lies there: its head (type and size) and its compressed bytes together. */
export interface PackedEntry {
  /** As packs number them: 1 to 3 are whole objects, 3 is a blob. */
  readonly type: number
  readonly size: number
  readonly bytes: Buffer
  /** Where in `bytes` the compressed ones begin. */
  readonly from: number
  readonly crc: number
}

const idsAt = 8 + 1024
const largeOffset = 0x80000000
/** More than a million objects: then looking one up takes longer to prepare than it saves. */
export const mostIndexBytes = 48 << 20
/**
 * One pack of somebody else, read without trust: what does not fit together is not there. Gives whole entries with the bytes
 * they have, for copying; those that are differences to another are left alone.
 */
export class RawPack {
  readonly #fd: number
  readonly #index: Buffer
  readonly #count: number
  /** Where entries begin, in order. */
  readonly #offsets: Float64Array
  /** Where the last one ends. */
  readonly #end: number

  private constructor(fd: number, index: Buffer, offsets: Float64Array, end: number) {
    this.#fd = fd
    this.#index = index
    this.#count = countIn(index)
    this.#offsets = offsets
    this.#end = end
  }

  /**
   * Null when it cannot be read, when index and pack are not of each other, or when the index is damaged.
   * @param name the pack's path without its ending, byte text.
   */
  static open(name: string): RawPack | null {
    const index = readIndex(`${name}.idx`)
    const pack = index && openPlain(`${name}.pack`)
    if (!index || !pack) return null
    const end = pack.size - 20
    if (isPackOf(pack.fd, end, index)) {
      const offsets = offsetsIn(index)
      if (areApart(offsets, end)) return new RawPack(pack.fd, index, offsets, end)
    }
    fs.closeSync(pack.fd)
    return null
  }

  /** Null for what is not there, is not whole, takes more than `most` bytes, or does not have the sum its index says. */
  entry(id: RawId, most = Number.MAX_SAFE_INTEGER): PackedEntry | null {
    const place = placeOf(this.#index, id)
    if (place < 0) return null
    const offset = offsetAt(this.#index, this.#count, place)
    const length = this.#endOf(offset) - offset
    if (length > most) return null
    const bytes = Buffer.allocUnsafe(length)
    if (!readFully(this.#fd, bytes, offset)) return null
    const crc = crc32(bytes)
    if (crc !== this.#index.readUInt32BE(idsAt + this.#count * 20 + place * 4)) return null
    return decoded(bytes, crc)
  }

  ids(): RawId[] {
    return Array.from({ length: this.#count }, (_, i) => this.#index.toString('latin1', idsAt + i * 20, idsAt + 20 + i * 20))
  }

  close(): void {
    fs.closeSync(this.#fd)
  }

  /** Where the next entry begins: what an entry takes is nowhere written down. */
  #endOf(offset: number): number {
    let low = 0
    let high = this.#offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#offsets[middle] ?? 0) > offset) high = middle
      else low = middle + 1
    }
    return this.#offsets[low] ?? this.#end
  }
}

/** An index of version 2 whose parts have their sizes and whose sum is right. Those with longer ids (SHA-256) do not. */
function readIndex(file: string): Buffer | null {
  const opened = openPlain(file)
  if (!opened) return null
  try {
    if (opened.size < idsAt + 40 || opened.size > mostIndexBytes) return null
    const index = Buffer.allocUnsafe(opened.size)
    return readFully(opened.fd, index, 0) && isIndex(index) ? index : null
  } finally {
    fs.closeSync(opened.fd)
  }
}

function isIndex(index: Buffer): boolean {
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2) return false
  for (let byte = 1; byte < 256; byte++) if (index.readUInt32BE(8 + byte * 4) < index.readUInt32BE(4 + byte * 4)) return false
  const count = countIn(index)
  if (index.length < idsAt + count * 28 + 40) return false
  let large = 0
  for (let i = 0; i < count; i++) if (index.readUInt32BE(idsAt + count * 24 + i * 4) >= largeOffset) large++
  if (index.length !== idsAt + count * 28 + large * 8 + 40) return false
  return createHash('sha1').update(index.subarray(0, -20)).digest().equals(index.subarray(-20))
}

function countIn(index: Buffer): number {
  return index.readUInt32BE(8 + 255 * 4)
}

function offsetsIn(index: Buffer): Float64Array {
  const count = countIn(index)
  const offsets = new Float64Array(count)
  for (let i = 0; i < count; i++) offsets[i] = offsetAt(index, count, i)
  return offsets.sort()
}

/** No two entries at one place, and all of them between the pack's head and its sum. */
function areApart(offsets: Float64Array, end: number): boolean {
  let last = 11
  for (const offset of offsets) {
    if (offset <= last) return false
    last = offset
  }
  return last < end
}

/** Out of every bound when the second table does not reach so far. */
function offsetAt(index: Buffer, count: number, place: number): number {
  const short = index.readUInt32BE(idsAt + count * 24 + place * 4)
  if (short < largeOffset) return short
  const at = idsAt + count * 28 + (short - largeOffset) * 8
  return at + 8 <= index.length - 40 ? Number(index.readBigUInt64BE(at)) : -1
}

function placeOf(index: Buffer, id: RawId): number {
  const lead = id.charCodeAt(0)
  let low = lead === 0 ? 0 : index.readUInt32BE(4 + lead * 4)
  let high = index.readUInt32BE(8 + lead * 4) - 1
  const wanted = Buffer.from(id, 'latin1')
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = index.compare(wanted, 0, 20, idsAt + middle * 20, idsAt + 20 + middle * 20)
    if (order === 0) return middle
    // `order` says how the index's id stands to the wanted one.
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The pack names its version and count, and ends with the sum that its index names. */
function isPackOf(fd: number, end: number, index: Buffer): boolean {
  if (end < 12) return false
  const head = Buffer.alloc(12)
  const sum = Buffer.alloc(20)
  if (!readFully(fd, head, 0) || !readFully(fd, sum, end)) return false
  return head.toString('latin1', 0, 4) === 'PACK' && [2, 3].includes(head.readUInt32BE(4)) && head.readUInt32BE(8) === countIn(index) && sum.equals(index.subarray(-40, -20))
}

/** Null unless it is a whole object with a zlib stream after its head. */
function decoded(bytes: Buffer, crc: number): PackedEntry | null {
  let from = 0
  let byte = bytes[from++] ?? 0
  const type = (byte >> 4) & 7
  let size = byte & 15
  for (let unit = 16; byte & 0x80; unit *= 128) {
    if (from > 8) return null
    byte = bytes[from++] ?? 0
    size += (byte & 0x7f) * unit
  }
  if (type < 1 || type > 3 || from + 8 > bytes.length) return null
  return { type, size, bytes, from, crc }
}

/** Only a file itself, never a link, and without waiting for a pipe. Null for what cannot be opened. */
function openPlain(file: string): { readonly fd: number; readonly size: number } | null {
  let fd: number
  try {
    fd = fs.openSync(diskPath(file), fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0))
  } catch {
    return null
  }
  const stats = fs.fstatSync(fd)
  if (stats.isFile()) return { fd, size: stats.size }
  fs.closeSync(fd)
  return null
}

/** False when the file is shorter, or the disk fails. */
function readFully(fd: number, bytes: Buffer, at: number): boolean {
  try {
    for (let done = 0; done < bytes.length; ) {
      const got = fs.readSync(fd, bytes, done, bytes.length - done, at + done)
      if (got === 0) return false
      done += got
    }
    return true
  } catch {
    return false
  }
}
