/**
 * Git's delta format: an object as pieces copied from another one, its base, and bytes given in place. First two sizes, then
 * the pieces.
 */

const block = 16
/** Longest piece that one copy order of packs of version 2 may name. */
const longestCopy = 0x10000
/** How many blocks of one hash are tried: a base of equal blocks must not cost the square of its length. */
const tries = 32
/** Makes the hash of a block roll: the weight of the byte that leaves. */
const factor = 0x08088405
const leaving = weightOf(block - 1)

function weightOf(power: number): number {
  let weight = 1
  for (let i = 0; i < power; i++) weight = Math.imul(weight, factor)
  return weight
}

/**
 * What makes `target` from `base`; null when it would take more than `limit` bytes. What both begin and end with is found
 * without an index of the base, which is all there is to most edits.
 */
export function encodeDelta(base: Buffer, target: Buffer, limit: number): Buffer | null {
  const out = new DeltaWriter(base.length, target, limit)
  const most = Math.min(base.length, target.length)
  let head = 0
  while (head < most && base[head] === target[head]) head++
  let tail = 0
  while (tail < most - head && base[base.length - 1 - tail] === target[target.length - 1 - tail]) tail++
  if (head < block) head = 0
  if (tail < block) tail = 0
  out.copy(0, head)
  // Nothing to look for where a whole block cannot fit.
  if (target.length - head - tail >= block && base.length >= block) encodeMiddle(out, base, target, head, target.length - tail)
  out.fill(target.length - tail)
  out.copy(base.length - tail, tail)
  return out.bytes()
}

function encodeMiddle(out: DeltaWriter, base: Buffer, target: Buffer, from: number, until: number): void {
  const index = new BlockIndex(base)
  let hash = 0
  let isRolling = false
  for (let at = from; at + block <= until && !out.isTooLong; ) {
    hash = isRolling ? roll(hash, target[at - 1] ?? 0, target[at + block - 1] ?? 0) : hashAt(target, at)
    const found = index.longest(target, at, until, hash)
    isRolling = found.length < block
    if (isRolling) {
      at++
      continue
    }
    // Bytes before the block may be the same as well; those not yet written are taken back into the copy.
    let back = 0
    while (at - back > out.at && found.from - back > 0 && base[found.from - back - 1] === target[at - back - 1]) back++
    out.fill(at - back)
    out.copy(found.from - back, found.length + back)
    at += found.length
  }
}

function hashAt(bytes: Buffer, at: number): number {
  let hash = 0
  for (let i = 0; i < block; i++) hash = (Math.imul(hash, factor) + (bytes[at + i] ?? 0)) | 0
  return hash
}

function roll(hash: number, out: number, into: number): number {
  return (Math.imul(hash - Math.imul(out, leaving), factor) + into) | 0
}

/** Where each block of a base lies, by the hash of its bytes. */
class BlockIndex {
  readonly #base: Buffer
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #shift: number

  constructor(base: Buffer) {
    this.#base = base
    const count = Math.floor(base.length / block)
    const bits = Math.max(4, 32 - Math.clz32(count))
    this.#shift = 32 - bits
    this.#first = new Int32Array(1 << bits).fill(-1)
    this.#next = new Int32Array(count)
    // From the back, so that the first of equal blocks is tried first.
    for (let i = count - 1; i >= 0; i--) {
      const bucket = this.#bucketOf(hashAt(base, i * block))
      this.#next[i] = this.#first[bucket] ?? -1
      this.#first[bucket] = i
    }
  }

  longest(target: Buffer, at: number, until: number, hash: number): { readonly from: number; readonly length: number } {
    const base = this.#base
    let best = { from: 0, length: 0 }
    let left = tries
    for (let i = this.#first[this.#bucketOf(hash)] ?? -1; i >= 0 && left > 0; i = this.#next[i] ?? -1, left--) {
      const from = i * block
      const most = Math.min(base.length - from, until - at)
      let length = 0
      while (length < most && base[from + length] === target[at + length]) length++
      if (length > best.length) best = { from, length }
    }
    return best
  }

  #bucketOf(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.#shift
  }
}

class DeltaWriter {
  readonly #target: Buffer
  readonly #limit: number
  readonly #pieces: Buffer[] = []
  #length = 0
  /** How much of the target is made. */
  at = 0

  constructor(baseLength: number, target: Buffer, limit: number) {
    this.#target = target
    this.#limit = limit
    this.#add(Buffer.from([...sizeBytes(baseLength), ...sizeBytes(target.length)]))
  }

  get isTooLong(): boolean {
    return this.#length > this.#limit
  }

  copy(from: number, length: number): void {
    for (let done = 0; done < length; done += longestCopy) this.#add(copyOrder(from + done, Math.min(longestCopy, length - done)))
    this.at += length
  }

  /** Gives what lies between here and `until` in place. */
  fill(until: number): void {
    for (; this.at < until; this.at += Math.min(0x7f, until - this.at)) {
      const piece = this.#target.subarray(this.at, Math.min(this.at + 0x7f, until))
      this.#add(Buffer.from([piece.length]))
      this.#add(piece)
      if (this.isTooLong) return
    }
  }

  bytes(): Buffer | null {
    return this.isTooLong ? null : Buffer.concat(this.#pieces, this.#length)
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }
}

function sizeBytes(size: number): number[] {
  const bytes: number[] = []
  let rest = size
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}

/** Bytes that are 0 are left out; a length of 64 KiB is written as none at all. */
function copyOrder(from: number, length: number): Buffer {
  const bytes = [0x80]
  let order = 0x80
  for (let i = 0; i < 4; i++) {
    const byte = Math.floor(from / 256 ** i) & 0xff
    if (byte === 0) continue
    order |= 1 << i
    bytes.push(byte)
  }
  for (let i = 0; i < 2; i++) {
    const byte = (length >> (8 * i)) & 0xff
    if (byte === 0) continue
    order |= 0x10 << i
    bytes.push(byte)
  }
  bytes[0] = order
  return Buffer.from(bytes)
}

/** Makes the object from its base. Throws when they do not fit. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
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
