/**
 * UTF-8 without a platform: core knows no TextDecoder. Strict both ways, so that text can be taken apart and put together
 * again byte for byte.
 */

const unitsAtOnce = 8192
/** From this many ASCII characters on, they are taken as one piece. */
const longRun = 32

/** Text of bytes that are UTF-8; null when a single byte is not. A leading byte order mark is kept as a character. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  let text = ''
  const units = new Uint16Array(unitsAtOnce)
  let filled = 0
  let at = 0
  while (at < bytes.length) {
    if (filled > unitsAtOnce - 2) {
      text += unitsToText(units, filled)
      filled = 0
    }
    const first = bytes[at] ?? 0
    if (first < 0x80) {
      const end = asciiEnd(bytes, at)
      if (end - at >= longRun) {
        text += unitsToText(units, filled) + unitsToText(bytes.subarray(at, end), end - at)
        filled = 0
        at = end
      } else {
        units[filled] = first
        filled += 1
        at += 1
      }
      continue
    }
    const point = sequenceAt(bytes, at, first)
    if (point === null) return null
    at += point > 0xffff ? 4 : point > 0x7ff ? 3 : 2
    if (point > 0xffff) {
      units[filled] = 0xd800 + ((point - 0x10000) >> 10)
      units[filled + 1] = 0xdc00 + ((point - 0x10000) & 0x3ff)
      filled += 2
    } else {
      units[filled] = point
      filled += 1
    }
  }
  return text + unitsToText(units, filled)
}

/** Where the run of ASCII that begins here ends, or is long enough for one go. */
function asciiEnd(bytes: Uint8Array, from: number): number {
  const limit = Math.min(from + unitsAtOnce, bytes.length)
  // A short run is not worth a go of its own: one look at where a long one would end.
  if ((bytes[from + longRun - 1] ?? 0x80) >= 0x80) return from + 1
  let at = from + 1
  while (at < limit && (bytes[at] ?? 0) < 0x80) at += 1
  return at
}

/** The code point of a sequence of two to four bytes; null for anything that UTF-8 forbids: overlong forms, surrogates, cut ends. */
function sequenceAt(bytes: Uint8Array, at: number, first: number): number | null {
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return null
  let point = first & (0x7f >> length)
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0
    if ((byte & 0xc0) !== 0x80) return null
    point = (point << 6) | (byte & 0x3f)
  }
  if (length === 3 && (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))) return null
  if (length === 4 && (point < 0x10000 || point > 0x10ffff)) return null
  return point
}

/** UTF-8 of a text; null when it holds half a surrogate pair, which UTF-8 cannot hold. */
export function encodeUtf8(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length * 3)
  let filled = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      bytes[filled] = unit
      filled += 1
      continue
    }
    let point = unit
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const low = text.charCodeAt(at + 1)
      if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return null
      point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
      at += 1
    }
    filled = putSequence(bytes, filled, point)
  }
  return bytes.slice(0, filled)
}

function putSequence(bytes: Uint8Array, from: number, point: number): number {
  const length = point > 0xffff ? 4 : point > 0x7ff ? 3 : 2
  for (let next = length - 1; next > 0; next -= 1) {
    bytes[from + next] = 0x80 | ((point >> (6 * (length - 1 - next))) & 0x3f)
  }
  bytes[from] = ((0xf00 >> length) & 0xff) | (point >> (6 * (length - 1)))
  return from + length
}

/** Text of the first `count` UTF-16 units; bytes are units below 256. */
export function unitsToText(units: Uint16Array | Uint8Array, count: number): string {
  let text = ''
  for (let at = 0; at < count; at += unitsAtOnce) {
    text += Reflect.apply(String.fromCharCode, null, units.subarray(at, Math.min(at + unitsAtOnce, count))) as string
  }
  return text
}
