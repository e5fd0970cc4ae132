import * as fs from 'node:fs'
import { inflateSync } from 'node:zlib'
import type { ObjectType, RawId } from './gitObjects'

export interface StoredObject {
  readonly type: ObjectType
  readonly body: Buffer
}

const plainTypes: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob' }
const offsetDelta = 6
const idDelta = 7

/** One pack with its index (version 2) held open. Reads packs written by plain git too, deltas included. */
export class PackReader {
  readonly name: string
  readonly #fd: number
  readonly #index: Buffer
  readonly #count: number
  #offsets: Float64Array | null = null

  /** @param name the pack's path without its ending. */
  constructor(name: string) {
    this.name = name
    this.#index = fs.readFileSync(`${name}.idx`)
    if (this.#index.readUInt32BE(0) !== 0xff744f63 || this.#index.readUInt32BE(4) !== 2) throw new Error(`${name}.idx is no index of version 2`)
    this.#count = this.#index.readUInt32BE(8 + 255 * 4)
    this.#fd = fs.openSync(`${name}.pack`, 'r')
  }

  get count(): number {
    return this.#count
  }

  has(id: RawId): boolean {
    return this.#find(id) >= 0
  }

  /** Null when the pack does not hold it. `outside` finds the base of a delta that lies elsewhere. */
  read(id: RawId, outside: (id: RawId) => StoredObject | null): StoredObject | null {
    const place = this.#find(id)
    return place < 0 ? null : this.#readAt(this.#offsetOf(place), outside)
  }

  /** Calls back with every id in it. */
  forEachId(visit: (id: RawId) => void): void {
    for (let i = 0; i < this.#count; i++) visit(this.#index.toString('latin1', 1032 + i * 20, 1052 + i * 20))
  }

  close(): void {
    fs.closeSync(this.#fd)
  }

  #find(id: RawId): number {
    const lead = id.charCodeAt(0)
    let low = lead === 0 ? 0 : this.#index.readUInt32BE(8 + (lead - 1) * 4)
    let high = this.#index.readUInt32BE(8 + lead * 4) - 1
    const wanted = Buffer.from(id, 'latin1')
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = this.#index.compare(wanted, 0, 20, 1032 + middle * 20, 1052 + middle * 20)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  #offsetOf(place: number): number {
    const short = this.#index.readUInt32BE(1032 + this.#count * 24 + place * 4)
    if (short < 0x80000000) return short
    return Number(this.#index.readBigUInt64BE(1032 + this.#count * 28 + (short - 0x80000000) * 8))
  }

  #readAt(offset: number, outside: (id: RawId) => StoredObject | null): StoredObject {
    const bytes = this.#entryBytes(offset)
    let at = 0
    let byte = bytes[at++] ?? 0
    const type = (byte >> 4) & 7
    while (byte & 0x80) byte = bytes[at++] ?? 0
    const plain = plainTypes[type]
    if (plain) return { type: plain, body: inflateSync(bytes.subarray(at)) }
    const base = type === offsetDelta ? this.#baseByOffset(bytes, at, offset, outside) : type === idDelta ? this.#baseById(bytes, at, outside) : null
    if (!base) throw new Error(`${this.name}.pack: unknown entry at ${offset}`)
    return { type: base.object.type, body: applyDelta(base.object.body, inflateSync(bytes.subarray(base.next))) }
  }

  #baseByOffset(bytes: Buffer, from: number, offset: number, outside: (id: RawId) => StoredObject | null): { object: StoredObject; next: number } {
    let at = from
    let byte = bytes[at++] ?? 0
    let back = byte & 0x7f
    while (byte & 0x80) {
      byte = bytes[at++] ?? 0
      back = (back + 1) * 128 + (byte & 0x7f)
    }
    return { object: this.#readAt(offset - back, outside), next: at }
  }

  #baseById(bytes: Buffer, from: number, outside: (id: RawId) => StoredObject | null): { object: StoredObject; next: number } {
    const object = outside(bytes.toString('latin1', from, from + 20))
    if (!object) throw new Error(`${this.name}.pack: the base of a delta is missing`)
    return { object, next: from + 20 }
  }

  /** From the entry's start to the next entry's: what an entry takes is nowhere written down. */
  #entryBytes(offset: number): Buffer {
    this.#offsets ??= Float64Array.from({ length: this.#count }, (_, i) => this.#offsetOf(i)).sort()
    const offsets = this.#offsets
    let low = 0
    let high = offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((offsets[middle] ?? 0) > offset) high = middle
      else low = middle + 1
    }
    const end = offsets[low] ?? fs.fstatSync(this.#fd).size - 20
    const bytes = Buffer.allocUnsafe(end - offset)
    for (let done = 0; done < bytes.length; ) {
      const got = fs.readSync(this.#fd, bytes, done, bytes.length - done, offset + done)
      if (got === 0) throw new Error(`${this.name}.pack is cut short`)
      done += got
    }
    return bytes
  }
}

/** Git's delta: two sizes, then pieces copied from the base or given in place. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = delta[at++] ?? 0
      value += (byte & 0x7f) * shift
      if (!(byte & 0x80)) return value
    }
  }
  const bits = (mask: number, first: number, count: number): number => {
    let value = 0
    for (let i = 0; i < count; i++) if (mask & (first << i)) value += (delta[at++] ?? 0) * 256 ** i
    return value
  }
  if (number() !== base.length) throw new Error('a delta does not fit its base')
  const whole = Buffer.allocUnsafe(number())
  let done = 0
  while (at < delta.length) {
    const order = delta[at++] ?? 0
    if (order & 0x80) {
      const from = bits(order, 0x01, 4)
      const length = bits(order, 0x10, 3) || 0x10000
      done += base.copy(whole, done, from, from + length)
    } else {
      done += delta.copy(whole, done, at, at + order)
      at += order
    }
  }
  if (done !== whole.length) throw new Error('a delta is damaged')
  return whole
}
