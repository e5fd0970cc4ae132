import * as fs from 'node:fs'
import { inflateSync } from 'node:zlib'
import { BodyCache } from '../store/bodyCache'
import { applyDelta } from './delta'
import type { ObjectType, RawId } from '../store/gitObjects'

export interface StoredObject {
  readonly type: ObjectType
  readonly body: Buffer
}

/** What stands before the packed bytes of an entry. */
export interface EntryHead {
  /** Null for a delta. */
  readonly type: ObjectType | null
  /** Of what comes out when the bytes are inflated. */
  readonly size: number
  /** Of a delta: where its base begins in this pack, or the base's id. */
  readonly base: number | RawId | null
  /** How many bytes the head takes. */
  readonly length: number
}

const plainTypes: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob' }
const offsetDelta = 6
const idDelta = 7
/** Enough for most objects, so that most are read with one call. */
const firstRead = 4096
const trailer = 20
const cacheBytes = 4 << 20

/** One pack with its index (version 2) held open. Reads packs written by plain git too, deltas included. Damage is thrown. */
export class PackReader {
  readonly name: string
  readonly #fd: number
  readonly #index: Buffer
  readonly #count: number
  readonly #end: number
  readonly #bases = new BodyCache<number, StoredObject>(cacheBytes)

  /** @param name the pack's path without its ending. */
  constructor(name: string) {
    this.name = name
    this.#index = fs.readFileSync(`${name}.idx`)
    if (this.#index.readUInt32BE(0) !== 0xff744f63 || this.#index.readUInt32BE(4) !== 2) throw new Error(`${name}.idx is no index of version 2`)
    this.#count = this.#index.readUInt32BE(8 + 255 * 4)
    if (this.#index.length < 1032 + this.#count * 28 + 2 * trailer) throw new Error(`${name}.idx is cut short`)
    this.#fd = fs.openSync(`${name}.pack`, 'r')
    this.#end = fs.fstatSync(this.#fd).size - trailer
  }

  get count(): number {
    return this.#count
  }

  /** Where the entries end. */
  get end(): number {
    return this.#end
  }

  has(id: RawId): boolean {
    return this.#find(id) >= 0
  }

  /** Null when the pack does not hold it. `outside` finds the base of a delta that lies elsewhere. */
  read(id: RawId, outside: (id: RawId) => StoredObject | null): StoredObject | null {
    const place = this.#find(id)
    return place < 0 ? null : this.#readAt(this.offsetAt(place), outside)
  }

  /** Calls back with every id in it and its place in the index. */
  forEachId(visit: (id: RawId, place: number) => void): void {
    for (let i = 0; i < this.#count; i++) visit(this.idAt(i), i)
  }

  close(): void {
    fs.closeSync(this.#fd)
  }

  /** The place of an id in the index; -1 for none. */
  placeOf(id: RawId): number {
    return this.#find(id)
  }

  idAt(place: number): RawId {
    return this.#index.toString('latin1', 1032 + place * 20, 1052 + place * 20)
  }

  crcAt(place: number): number {
    return this.#index.readUInt32BE(1032 + this.#count * 20 + place * 4)
  }

  offsetAt(place: number): number {
    const short = this.#index.readUInt32BE(1032 + this.#count * 24 + place * 4)
    if (short < 0x80000000) return short
    return Number(this.#index.readBigUInt64BE(1032 + this.#count * 28 + (short - 0x80000000) * 8))
  }

  /** The bytes as they lie in the file. */
  bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let done = 0; done < length; ) {
      const got = fs.readSync(this.#fd, bytes, done, length - done, offset + done)
      if (got === 0) throw new Error(`${this.name}.pack is cut short`)
      done += got
    }
    return bytes
  }

  headOf(bytes: Buffer, offset: number): EntryHead {
    let at = 0
    let byte = bytes[at++] ?? 0
    const kind = (byte >> 4) & 7
    let size = byte & 15
    for (let unit = 16; byte & 0x80; unit *= 128) {
      byte = bytes[at++] ?? 0
      size += (byte & 0x7f) * unit
    }
    const type = plainTypes[kind]
    if (type) return { type, size, base: null, length: at }
    if (kind === idDelta) return { type: null, size, base: bytes.toString('latin1', at, at + 20), length: at + 20 }
    if (kind !== offsetDelta) throw new Error(`${this.name}.pack: unknown entry at ${offset}`)
    byte = bytes[at++] ?? 0
    let back = byte & 0x7f
    while (byte & 0x80) {
      byte = bytes[at++] ?? 0
      back = (back + 1) * 128 + (byte & 0x7f)
    }
    if (back === 0 || offset - back < 12) throw new Error(`${this.name}.pack: a delta at ${offset} has no base`)
    return { type: null, size, base: offset - back, length: at }
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

  #readAt(offset: number, outside: (id: RawId) => StoredObject | null): StoredObject {
    const { head, body } = this.#inflateAt(offset)
    if (head.type) return { type: head.type, body }
    const base = typeof head.base === 'number' ? this.#baseAt(head.base, outside) : outside(head.base ?? '')
    if (!base) throw new Error(`${this.name}.pack: the base of a delta is missing`)
    return { type: base.type, body: applyDelta(base.body, body) }
  }

  #baseAt(offset: number, outside: (id: RawId) => StoredObject | null): StoredObject {
    const known = this.#bases.get(offset)
    if (known) return known
    const object = this.#readAt(offset, outside)
    this.#bases.add(offset, object)
    return object
  }

  /** What an entry takes is nowhere written down; what follows it does no harm to the inflating. */
  #inflateAt(offset: number): { readonly head: EntryHead; readonly body: Buffer } {
    const rest = this.#end - offset
    let bytes = this.bytesAt(offset, Math.min(firstRead, rest))
    const head = this.headOf(bytes, offset)
    const likely = Math.min(rest, head.length + 64 + head.size + (head.size >> 5))
    if (likely > bytes.length) bytes = this.bytesAt(offset, likely)
    const body = inflated(bytes.subarray(head.length), head.size) ?? inflateSync(this.bytesAt(offset, rest).subarray(head.length))
    if (body.length !== head.size) throw new Error(`${this.name}.pack: the entry at ${offset} is damaged`)
    return { head, body }
  }
}

/** Null when the bytes end too early. */
function inflated(bytes: Buffer, size: number): Buffer | null {
  try {
    return inflateSync(bytes, { chunkSize: Math.max(64, size + 1) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return null
    throw error
  }
}
