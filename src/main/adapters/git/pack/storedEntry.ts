import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ObjectType, RawId } from '../store/gitObjects'
import { adler32 } from './adler32'
import { mostHeadBytes, typeNumber, writeEntryHead } from './packFormat'

/** The most a stored block of zlib holds. */
const blockBytes = 65_535

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
export function streamEntry(type: ObjectType, size: number, read: (into: Buffer) => number, write: (bytes: Uint8Array) => void): StreamedEntry | null {
  const hash = createHash('sha1').update(`${type} ${size}\0`)
  // The sum is quicker over bytes that begin on a word.
  const room = Buffer.allocUnsafeSlow(blockBytes)
  let [crc, sum] = [0, 1]
  const put = (bytes: Uint8Array): void => {
    crc = summed(bytes, crc)
    write(bytes)
  }
  for (let from = 0; from === 0 || from < size; from += blockBytes) {
    const block = room.subarray(0, Math.min(blockBytes, size - from))
    if (!fill(block, read)) return null
    hash.update(block)
    sum = adler32(block, sum)
    put(leadOf(type, size, from))
    put(block)
  }
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
  for (let from = 0; from === 0 || from < body.length; from += blockBytes) {
    put(leadOf(type, body.length, from))
    put(body.length <= blockBytes ? body : body.subarray(from, from + blockBytes))
  }
  end.writeUInt32BE(adler32(body, 1))
  put(end)
  return crc
}

const lead = Buffer.alloc(mostHeadBytes + 2 + 5)
const end = Buffer.alloc(4)

/** What stands before the block that begins at `from`; before the first one also the heads of entry and stream. Good until the next. */
function leadOf(type: ObjectType, size: number, from: number): Uint8Array {
  let at = 0
  if (from === 0) {
    at = writeEntryHead(lead, typeNumber[type], size)
    lead[at++] = 0x78
    lead[at++] = 0x01
  }
  const length = Math.min(blockBytes, size - from)
  lead[at] = from + blockBytes < size ? 0 : 1
  lead.writeUInt16LE(length, at + 1)
  lead.writeUInt16LE(length ^ 0xffff, at + 3)
  return lead.subarray(0, at + 5)
}

function fill(block: Buffer, read: (into: Buffer) => number): boolean {
  for (let done = 0; done < block.length; ) {
    const got = read(block.subarray(done))
    if (got === 0) return false
    done += got
  }
  return true
}
