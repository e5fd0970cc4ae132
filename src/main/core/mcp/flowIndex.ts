/** Characters of the pieces that are compared. */
export const gramLength = 12
/** Of so many pieces in a row one is kept: a common stretch of `gramLength + window - 1` = 20 characters is always met. */
const window = 9
const base = 0x01000193
/** `base` to the power of `gramLength - 1`, to take the first character out of a rolling hash. */
const leading = Array.from({ length: gramLength - 1 }).reduce<number>((power) => Math.imul(power, base), 1)
const firstCapacity = 4096

/** A stretch that an index has too; places in the units that were looked up, the end not in it. `at` is the place in the index. */
export interface FlowMatch {
  readonly start: number
  readonly end: number
  readonly at: number
}

/**
 * Remembers reduced texts by winnowed pieces (Schleimer, Wilkerson, Aiken: Winnowing, 2003) and finds stretches of them
 * again. Memory is two generations of at most `halfCapacity` units; the older one goes when the newer one is full.
 */
export class FlowIndex<Mark> {
  private newer = new Generation<Mark>()
  private older: Generation<Mark> | null = null

  private readonly halfCapacity: number

  constructor(halfCapacity: number) {
    this.halfCapacity = halfCapacity
  }

  /** Units that are remembered. */
  get length(): number {
    return this.newer.length + (this.older?.length ?? 0)
  }

  /** `extra` are places whose pieces are kept in any case: where ids begin. */
  add(units: Uint16Array, extra: readonly number[], mark: Mark): void {
    const taken = units.length > this.halfCapacity ? units.subarray(units.length - this.halfCapacity) : units
    if (this.newer.length + taken.length > this.halfCapacity) {
      this.older = this.newer
      this.newer = new Generation()
    }
    const skipped = units.length - taken.length
    this.newer.add(taken, extra.flatMap((place) => (place >= skipped ? [place - skipped] : [])), mark)
  }

  /** Calls back with each stretch, as long as it goes on both sides; not twice within one. A true answer ends the looking. */
  matches(units: Uint16Array, take: (match: FlowMatch, mark: Mark) => boolean): void {
    for (const generation of [this.newer, this.older]) if (generation?.matches(units, take) === true) return
  }
}

class Generation<Mark> {
  length = 0
  private units = new Uint16Array(firstCapacity)
  private readonly marks: { readonly start: number; readonly mark: Mark }[] = []
  /** Open addressing; a slot holds a place + 1. */
  private slots = new Uint32Array(firstCapacity)
  private filled = 0

  add(units: Uint16Array, extra: readonly number[], mark: Mark): void {
    // A zero between two texts, which no text holds.
    const start = this.length === 0 ? 0 : this.length + 1
    this.reserve(start + units.length)
    this.units.set(units, start)
    this.length = start + units.length
    this.marks.push({ start, mark })
    for (const place of extra) if (place + gramLength <= units.length) this.insert(start + place)
    this.winnow(start)
  }

  matches(units: Uint16Array, take: (match: FlowMatch, mark: Mark) => boolean): boolean {
    let until = 0
    return someGram(units, 0, units.length, (place, hash) => {
      if (place + gramLength <= until) return false
      const at = this.find(units, place, hash)
      if (at === -1) return false
      const match = this.extend(units, place, at)
      until = match.end
      return take(match, this.markAt(match.at))
    })
  }

  /** Keeps the least piece of every window, the last one of equals. */
  private winnow(start: number): void {
    const hashes = new Uint32Array(window)
    const first = start
    const last = this.length - gramLength
    let least = -1
    let leastHash = 0
    let kept = -1
    someGram(this.units, start, this.length, (place, hash) => {
      hashes[(place - first) % window] = hash
      if (least === -1 || hash <= leastHash) {
        least = place
        leastHash = hash
      } else if (place - least >= window) {
        least = place - window + 1
        for (let each = least + 1; each <= place; each += 1) if ((hashes[(each - first) % window] ?? 0) <= (hashes[(least - first) % window] ?? 0)) least = each
        leastHash = hashes[(least - first) % window] ?? 0
      }
      const isFull = place - first >= window - 1 || place === last
      if (isFull && least !== kept) this.insert(least)
      if (isFull) kept = least
      return false
    })
  }

  private insert(place: number): void {
    if (this.filled * 2 >= this.slots.length) this.grow()
    let slot = slotOf(mixed(hashAt(this.units, place)), this.slots.length)
    for (let held = this.slots[slot] ?? 0; held !== 0; held = this.slots[slot] ?? 0) {
      if (isSame(this.units, held - 1, this.units, place)) return
      slot = (slot + 1) & (this.slots.length - 1)
    }
    this.slots[slot] = place + 1
    this.filled += 1
  }

  private find(units: Uint16Array, place: number, hash: number): number {
    let slot = slotOf(hash, this.slots.length)
    for (let held = this.slots[slot] ?? 0; held !== 0; held = this.slots[slot] ?? 0) {
      if (isSame(this.units, held - 1, units, place)) return held - 1
      slot = (slot + 1) & (this.slots.length - 1)
    }
    return -1
  }

  private extend(units: Uint16Array, place: number, at: number): FlowMatch {
    let back = 0
    while (place - back > 0 && at - back > 0 && units[place - back - 1] !== 0 && units[place - back - 1] === this.units[at - back - 1]) back += 1
    let on = gramLength
    while (place + on < units.length && at + on < this.length && units[place + on] !== 0 && units[place + on] === this.units[at + on]) on += 1
    return { start: place - back, end: place + on, at: at - back }
  }

  private markAt(place: number): Mark {
    let low = 0
    let high = this.marks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.marks[middle]?.start ?? 0) <= place) low = middle
      else high = middle - 1
    }
    const found = this.marks[low]
    if (found === undefined) throw new Error('a place in no text')
    return found.mark
  }

  private reserve(length: number): void {
    if (length <= this.units.length) return
    const larger = new Uint16Array(Math.max(length, this.units.length * 2))
    larger.set(this.units.subarray(0, this.length))
    this.units = larger
  }

  private grow(): void {
    const held = this.slots.filter((slot) => slot !== 0)
    this.slots = new Uint32Array(this.slots.length * 2)
    this.filled = 0
    for (const slot of held) this.insert(slot - 1)
  }
}

/** Goes through all pieces with a rolling hash until one answers true. */
function someGram(units: Uint16Array, from: number, until: number, take: (place: number, hash: number) => boolean): boolean {
  if (until - from < gramLength) return false
  let hash = hashAt(units, from)
  for (let place = from; ; place += 1) {
    if (take(place, mixed(hash))) return true
    if (place + gramLength >= until) return false
    hash = (Math.imul(hash - Math.imul(units[place] ?? 0, leading), base) + (units[place + gramLength] ?? 0)) | 0
  }
}

function hashAt(units: Uint16Array, place: number): number {
  let hash = 0
  for (let at = 0; at < gramLength; at += 1) hash = (Math.imul(hash, base) + (units[place + at] ?? 0)) | 0
  return hash
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 16)) >>> 0
}

function slotOf(hash: number, slots: number): number {
  return hash & (slots - 1)
}

function isSame(a: Uint16Array, aPlace: number, b: Uint16Array, bPlace: number): boolean {
  for (let at = 0; at < gramLength; at += 1) if (a[aPlace + at] !== b[bPlace + at]) return false
  return true
}
