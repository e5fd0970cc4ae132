import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { RawId } from '../store/gitObjects'
import type { EntryHead, PackReader } from './packReader'
import { unprovenEnding } from './packWriter'

/** An entry as it lies in a pack: its head, its base by id, and its packed bytes. */
export interface RawEntry {
  readonly head: EntryHead
  /** Null for a whole object. */
  readonly base: RawId | null
  readonly packed: Buffer
}

/** From here on zlib's own mark in the stream says that it was compressed with care (level 6 and up). */
const carefulMark = 2

/** The entries of a pack in the order of the file, to be taken over without unpacking them. */
export class PackEntries {
  readonly #pack: PackReader
  /** Where entries begin, in order, and their places in the index. */
  readonly #offsets: Float64Array
  readonly #places: Uint32Array
  readonly #isProven: boolean

  constructor(pack: PackReader) {
    this.#pack = pack
    this.#isProven = !existsSync(pack.name + unprovenEnding)
    const places = Uint32Array.from({ length: pack.count }, (_, place) => place)
    const offsets = Float64Array.from(places, (place) => pack.offsetAt(place))
    this.#places = places.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))
    this.#offsets = Float64Array.from(this.#places, (place) => offsets[place] ?? 0)
  }

  /** Ids in the order of the file: a base mostly comes before what is made from it. */
  ids(): RawId[] {
    return Array.from(this.#places, (place) => this.#pack.idAt(place))
  }

  /** Null when it is not there, when its bytes are not those that were written, when they were not compressed with care, or by somebody else and not opened since. */
  careful(id: RawId): RawEntry | null {
    const place = this.#pack.placeOf(id)
    if (place < 0 || !this.#isProven) return null
    const offset = this.#pack.offsetAt(place)
    const rank = this.#rankOf(offset)
    const bytes = this.#pack.bytesAt(offset, (this.#offsets[rank + 1] ?? this.#pack.end) - offset)
    if (crc32(bytes) !== this.#pack.crcAt(place)) return null
    const head = this.#pack.headOf(bytes, offset)
    const packed = bytes.subarray(head.length)
    if ((packed[1] ?? 0) >> 6 < carefulMark) return null
    if (typeof head.base !== 'number') return { head, base: head.base, packed }
    const baseRank = this.#rankOf(head.base)
    return this.#offsets[baseRank] === head.base ? { head, base: this.#pack.idAt(this.#places[baseRank] ?? 0), packed } : null
  }

  /** The first at or after an offset. */
  #rankOf(offset: number): number {
    let low = 0
    let high = this.#offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#offsets[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** How many entries of a pack are looked at to tell how it was compressed. */
const samples = 32

/** Whether a pack was written in haste, at least in part: by the marks of some of its entries. One that was packed anew has none such. */
export function isHasty(pack: PackReader): boolean {
  const step = Math.max(1, Math.floor(pack.count / samples))
  for (let place = 0; place < pack.count; place += step) if (isEntryHasty(pack, pack.offsetAt(place))) return true
  return false
}

function isEntryHasty(pack: PackReader, offset: number): boolean {
  const bytes = pack.bytesAt(offset, Math.min(64, pack.end - offset))
  return (bytes[pack.headOf(bytes, offset).length + 1] ?? 0) >> 6 < carefulMark
}
