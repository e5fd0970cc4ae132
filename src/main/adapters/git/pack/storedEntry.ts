import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ObjectType, RawId } from '../store/gitObjects'
import { entryHead, typeNumber } from './packFormat'

/** The most a stored block of zlib holds. */
const blockBytes = 65_535
const modulus = 65_521
/** After so many bytes the sums of Adler-32 could outgrow 32 bits. */
const sumBytes = 4096

/** One entry of a pack made piece by piece, for content that is not to lie in memory as a whole. */
export interface StreamedEntry {
  readonly id: RawId
  readonly crc: number
}

/** The runtime's own forgets the sum so far where there are no bytes. */
function summed(bytes: Uint8Array, sum: number): number {
  return bytes.length === 0 ? sum : crc32(bytes, sum)
}

/**
 * Writes an entry of `size` bytes in stored blocks. Null when `read` gives fewer: then what was written is worth nothing.
 * @param read fills a buffer and says how much of it; 0 at the end.
 */
export function streamEntry(type: ObjectType, size: number, read: (into: Buffer) => number, write: (bytes: Buffer) => void): StreamedEntry | null {
  const hash = createHash('sha1').update(`${type} ${size}\0`)
  const room = Buffer.allocUnsafe(5 + blockBytes)
  let [crc, sum] = [0, 1]
  const put = (bytes: Buffer): void => {
    crc = summed(bytes, crc)
    write(bytes)
  }
  put(entryHead(typeNumber[type], size))
  put(zlibHead)
  for (let left = size, isLast = false; !isLast; ) {
    const wanted = Math.min(blockBytes, left)
    const block = room.subarray(5, 5 + wanted)
    if (!fill(block, read)) return null
    left -= wanted
    isLast = left === 0
    room[0] = isLast ? 1 : 0
    room.writeUInt16LE(wanted, 1)
    room.writeUInt16LE(wanted ^ 0xffff, 3)
    hash.update(block)
    sum = adler32(block, sum)
    put(room.subarray(0, 5 + wanted))
  }
  const end = Buffer.alloc(4)
  end.writeUInt32BE(sum)
  put(end)
  return { id: hash.digest('binary'), crc }
}

/** The same for content at hand: no memory is asked for, which for many small files costs more than copying. Gives the entry's sum. */
export function writeEntry(type: ObjectType, body: Uint8Array, write: (bytes: Uint8Array) => void): number {
  let crc = 0
  const put = (bytes: Uint8Array): void => {
    crc = summed(bytes, crc)
    write(bytes)
  }
  put(entryHead(typeNumber[type], body.length))
  put(zlibHead)
  for (let from = 0; from === 0 || from < body.length; from += blockBytes) {
    const block = body.subarray(from, from + blockBytes)
    blockHead[0] = from + blockBytes < body.length ? 0 : 1
    blockHead.writeUInt16LE(block.length, 1)
    blockHead.writeUInt16LE(block.length ^ 0xffff, 3)
    put(blockHead)
    put(block)
  }
  blockEnd.writeUInt32BE(adler32(body, 1))
  put(blockEnd)
  return crc
}

const zlibHead = Buffer.from([0x78, 0x01])
const blockHead = Buffer.alloc(5)
const blockEnd = Buffer.alloc(4)

function fill(block: Buffer, read: (into: Buffer) => number): boolean {
  for (let done = 0; done < block.length; ) {
    const got = read(block.subarray(done))
    if (got === 0) return false
    done += got
  }
  return true
}

/** The check sum at the end of a zlib stream. Eight bytes at a time, in whole numbers that may wrap: half the time of one by one. */
function adler32(bytes: Uint8Array, before: number): number {
  let [a, b] = [before & 0xffff, before >>> 16]
  const at = (i: number): number => bytes[i] ?? 0
  for (let from = 0; from < bytes.length; from += sumBytes) {
    const to = Math.min(from + sumBytes, bytes.length)
    let i = from
    for (; i + 8 <= to; i += 8) {
      const [p, q, r, s, t, u, v, w] = [at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5), at(i + 6), at(i + 7)]
      b = (b + (a << 3) + (p << 3) + q * 7 + r * 6 + s * 5 + (t << 2) + u * 3 + (v << 1) + w) | 0
      a = (a + p + q + r + s + t + u + v + w) | 0
    }
    for (; i < to; i++) {
      a += at(i)
      b = (b + a) | 0
    }
    a %= modulus
    b = (b >>> 0) % modulus
  }
  return ((b << 16) | a) >>> 0
}
