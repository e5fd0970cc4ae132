import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import type { ObjectType, RawId } from '../store/gitObjects'

export const typeNumber: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 }
/** Two threads may do this at once, when memory is fullest. */
const readBytes = 512 << 10
/** From here on an offset needs the second table of the index. */
const largeOffset = 0x80000000

export interface Packed {
  readonly id: RawId
  readonly offset: number
  readonly crc: number
}

/** An entry's type when it is told from another one in the same pack. */
const offsetDelta = 6

/** What stands before the bytes of a delta: its size, and how far back its base begins. */
export function deltaHead(size: number, back: number): Buffer {
  const bytes = [back & 0x7f]
  for (let rest = Math.floor(back / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (--rest & 0x7f))
  return Buffer.concat([entryHead(offsetDelta, size), Buffer.from(bytes)])
}

/** Type and size before the bytes of an entry. */
export function entryHead(type: number, size: number): Buffer {
  const room = Buffer.allocUnsafe(mostHeadBytes)
  return room.subarray(0, writeEntryHead(room, type, size))
}

/** The most an entry's head takes. */
export const mostHeadBytes = 10

/** Writes an entry's head to the beginning of a buffer, and gives its length. */
export function writeEntryHead(into: Buffer, type: number, size: number): number {
  let length = 0
  let rest = Math.floor(size / 16)
  let byte = (type << 4) | (size & 15)
  while (rest > 0) {
    into[length++] = byte | 0x80
    byte = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  into[length++] = byte
  return length
}

export function writeAllAt(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, at + done)
}

/** The count stands in the head and is known only at the end, so the sum is taken over the finished file. */
export function hashFile(fd: number): Buffer {
  const hash = createHash('sha1')
  const room = Buffer.allocUnsafe(readBytes)
  for (let at = 0; ; ) {
    const got = fs.readSync(fd, room, 0, room.length, at)
    if (got === 0) return hash.digest()
    hash.update(room.subarray(0, got))
    at += got
  }
}

/** An index of version 2. */
export function encodeIndex(packed: Iterable<Packed>, packSum: Buffer): Buffer {
  // By their first byte, and only then in order: a third of the time.
  const byLead: Packed[][] = Array.from({ length: 256 }, () => [])
  for (const one of packed) byLead[one.id.charCodeAt(0)]?.push(one)
  const sorted = byLead.flatMap((some) => some.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)))
  const large = sorted.filter((one) => one.offset >= largeOffset)
  const count = sorted.length
  const index = Buffer.alloc(8 + 1024 + count * 28 + large.length * 8 + 40)
  index.writeUInt32BE(0xff744f63, 0)
  index.writeUInt32BE(2, 4)
  writeFanOut(index, byLead)
  const at = { ids: 1032, crcs: 1032 + count * 20, offsets: 1032 + count * 24, large: 1032 + count * 28 }
  let largeSeen = 0
  sorted.forEach((one, i) => {
    index.write(one.id, at.ids + i * 20, 'latin1')
    index.writeUInt32BE(one.crc, at.crcs + i * 4)
    if (one.offset < largeOffset) index.writeUInt32BE(one.offset, at.offsets + i * 4)
    else {
      index.writeUInt32BE(largeOffset + largeSeen, at.offsets + i * 4)
      index.writeBigUInt64BE(BigInt(one.offset), at.large + largeSeen * 8)
      largeSeen++
    }
  })
  const end = at.large + large.length * 8
  packSum.copy(index, end)
  createHash('sha1').update(index.subarray(0, end + 20)).digest().copy(index, end + 20)
  return index
}

/** How many ids begin with a byte up to each. */
function writeFanOut(index: Buffer, byLead: readonly (readonly Packed[])[]): void {
  let total = 0
  byLead.forEach((some, byte) => {
    total += some.length
    index.writeUInt32BE(total, 8 + byte * 4)
  })
}

export function writeDurably(file: string, bytes: Buffer): void {
  const fd = fs.openSync(file, 'wx', 0o600)
  try {
    writeAllAt(fd, bytes, 0)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
