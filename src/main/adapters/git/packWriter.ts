import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { ObjectType, RawId } from './gitObjects'

const typeNumber: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 }
const flushBytes = 4 << 20
/** From here on an offset needs the second table of the index. */
const largeOffset = 0x80000000

interface Packed {
  readonly id: RawId
  readonly offset: number
  readonly crc: number
}

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
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #offset = 12
  #isOpen = true

  /** @param tag says whose temporary file it is, so that a dead owner's is swept. */
  constructor(folder: string, tag: string) {
    this.#folder = folder
    this.#temporary = join(folder, `tmp_pack_${tag}_${randomUUID()}`)
    this.#fd = fs.openSync(this.#temporary, 'wx+', 0o600)
    fs.writeSync(this.#fd, Buffer.alloc(12), 0, 12, 0)
  }

  has(id: RawId): boolean {
    return this.#ids.has(id)
  }

  add(type: ObjectType, id: RawId, body: Uint8Array): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    const head = entryHead(typeNumber[type], body.length)
    // A small window and one output chunk: nothing is searched for in a stored block, so none of it is needed.
    const packed = deflateSync(body, { level: 0, memLevel: 1, windowBits: 9, chunkSize: Math.max(64, body.length + 64 + (body.length >> 8)) })
    this.#packed.push({ id, offset: this.#offset, crc: crc32(packed, crc32(head)) })
    this.#waiting.push(head, packed)
    this.#waitingBytes += head.length + packed.length
    this.#offset += head.length + packed.length
    if (this.#waitingBytes > flushBytes) this.#flush()
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

function entryHead(type: number, size: number): Buffer {
  const bytes: number[] = []
  let rest = Math.floor(size / 16)
  let byte = (type << 4) | (size & 15)
  while (rest > 0) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  bytes.push(byte)
  return Buffer.from(bytes)
}

function writeAllAt(fd: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, at + done)
}

/** The count stands in the head and is known only at the end, so the sum is taken over the finished file. */
function hashFile(fd: number): Buffer {
  const hash = createHash('sha1')
  const room = Buffer.allocUnsafe(flushBytes)
  for (let at = 0; ; ) {
    const got = fs.readSync(fd, room, 0, room.length, at)
    if (got === 0) return hash.digest()
    hash.update(room.subarray(0, got))
    at += got
  }
}

function encodeIndex(packed: readonly Packed[], packSum: Buffer): Buffer {
  const sorted = [...packed].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const large = sorted.filter((one) => one.offset >= largeOffset)
  const count = sorted.length
  const index = Buffer.alloc(8 + 1024 + count * 28 + large.length * 8 + 40)
  index.writeUInt32BE(0xff744f63, 0)
  index.writeUInt32BE(2, 4)
  writeFanOut(index, sorted)
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
function writeFanOut(index: Buffer, sorted: readonly Packed[]): void {
  const counts = new Uint32Array(256)
  for (const one of sorted) counts[one.id.charCodeAt(0)] = (counts[one.id.charCodeAt(0)] ?? 0) + 1
  let total = 0
  counts.forEach((count, byte) => {
    total += count
    index.writeUInt32BE(total, 8 + byte * 4)
  })
}

function writeDurably(file: string, bytes: Buffer): void {
  const fd = fs.openSync(file, 'wx', 0o600)
  try {
    writeAllAt(fd, bytes, 0)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
