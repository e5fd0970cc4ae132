import { decodeUtf8, unitsToText } from '../tools/utf8'
import { decodeBase64 } from './base64'

/** A text reduced to what survives quoting, wrapping and escaping: its letters and digits, small. `places` are their places in the raw text. */
export interface FlowUnits {
  readonly units: Uint16Array
  readonly places: Uint32Array
}

const zero = 0x30
const backslash = 0x5c

/**
 * The letters and digits of a text, in small letters. White space, punctuation and JSON escapes are passed over, on both
 * sides of a comparison alike; a `\uXXXX` is the character it stands for. Linear.
 */
export function unitsOf(text: string): FlowUnits {
  const units = new Uint16Array(text.length)
  const places = new Uint32Array(text.length)
  let filled = 0
  for (let at = 0; at < text.length; at += 1) {
    let unit = text.charCodeAt(at)
    const start = at
    if (unit === backslash) {
      while (text.charCodeAt(at + 1) === backslash) at += 1
      const letter = text[at + 1] ?? ''
      const code = letter === 'u' ? /^[0-9a-f]{4}/iu.exec(text.slice(at + 2, at + 6)) : null
      if (code) unit = parseInt(code[0], 16)
      at += code ? 5 : letter !== '' && 'nrtbf'.includes(letter) ? 1 : 0
    }
    if (unit >= 0x41 && unit <= 0x5a) unit += 0x20
    if (!isKept(unit)) continue
    units[filled] = unit
    places[filled] = start
    filled += 1
  }
  return { units: units.slice(0, filled), places: places.slice(0, filled) }
}

/** Letters and digits of every script, by blocks: quick, and the same on both sides. */
function isKept(unit: number): boolean {
  if (unit < 0x80) return (unit >= zero && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a)
  if (unit < 0xc0) return false
  if (unit >= 0x2000 && unit <= 0x2bff) return false
  return !(unit >= 0x3000 && unit <= 0x3004) && !(unit >= 0x3008 && unit <= 0x3020) && !(unit >= 0xfe00 && unit <= 0xfe6f) && !(unit >= 0xff00 && unit <= 0xff0f) && !(unit >= 0xff1a && unit <= 0xff20) && unit !== 0xfeff
}

const base64Run = /[A-Za-z0-9+/_-]{16,}(?:\s{1,4}[A-Za-z0-9+/_-]{4,})*={0,2}/gu
const hexRun = /(?:[0-9a-f]{2}[\s:]?){12,}/giu
const percent = /%[0-9a-f]{2}/iu
/** Encoded twice is looked through, not more. */
const rounds = 2

/**
 * The text, and what its base64, hex and percent-encoded pieces hold, as far as that is text. In what is sent, base64 may
 * stand behind or before more of its own letters, as in the path of an address; that costs more to look for.
 */
export function readingsOf(text: string, mostCharacters: number, isSent = false): readonly string[] {
  const readings = [text]
  let fresh = [text]
  let left = mostCharacters
  for (let round = 0; round < rounds && fresh.length > 0; round += 1) {
    const decoded = fresh.flatMap((each) => decodedOf(each, isSent)).filter((each) => each.length >= 12 && !readings.includes(each))
    fresh = []
    for (const each of decoded) {
      if (each.length > left) break
      left -= each.length
      fresh.push(each)
    }
    readings.push(...fresh)
  }
  return readings
}

function decodedOf(text: string, isSent: boolean): readonly string[] {
  const found: string[] = []
  if (percent.test(text)) found.push(withoutPercent(text))
  for (const [run] of text.matchAll(base64Run)) {
    const whole = textOfBase64(run.replace(/\s/gu, ''))
    if (whole !== null) found.push(whole)
    else if (isSent && !/\s/u.test(run)) found.push(...(partOfBase64(run) ?? []))
    // Words in a row look like lines of one block: then each is looked at for itself.
    else if (/\s/u.test(run)) found.push(...run.split(/\s+/u).flatMap((piece) => (piece.length < 16 ? [] : (textOfBase64(piece) ?? []))))
  }
  for (const [run] of text.matchAll(hexRun)) {
    const digits = run.replace(/[\s:]/gu, '')
    const plain = readable(bytesOfHex(digits.slice(0, beginning))) === null ? null : readable(bytesOfHex(digits))
    if (plain !== null) found.push(plain)
  }
  return found
}

function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length >> 1 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16))
}

function withoutPercent(text: string): string {
  // A plus is a space only as it stands: one that was written as %2B is a plus, and a letter of base64.
  return text.replace(/\+/gu, ' ').replace(/(?:%[0-9a-f]{2})+/giu, (run) => {
    const bytes = Uint8Array.from({ length: run.length / 3 }, (_, at) => parseInt(run.slice(at * 3 + 1, at * 3 + 3), 16))
    return decodeUtf8(bytes) ?? unitsToText(bytes, bytes.length)
  })
}

/** What does not begin as text is not decoded to its end. */
const beginning = 64

function textOfBase64(run: string): string | null {
  const start = decodeBase64(run.slice(0, beginning))
  if (start === null || readable(start) === null) return null
  const bytes = decodeBase64(run)
  return bytes === null ? null : readable(bytes)
}

const mostStarts = 16
const shortestPart = 12

/** The text that begins somewhere in a run, behind a slash or dash of it or out of step with its beginning, and may end before it does. */
function partOfBase64(run: string): readonly [string] | null {
  const letters = run.replace(/=+$/u, '')
  const behind = [...letters.matchAll(/[/_-]/gu)].slice(0, mostStarts).map(({ index }) => index + 1)
  for (const start of new Set([0, ...behind, 1, 2, 3])) {
    if (readableBytes(decodeBase64(inStep(letters.slice(start, start + beginning)))).length < shortestPart) continue
    const bytes = readableBytes(decodeBase64(inStep(letters.slice(start))))
    const text = decodeUtf8(bytes)
    if (text !== null) return [text]
  }
  return null
}

/** Without a last letter that holds no byte. */
function inStep(letters: string): string {
  return letters.length % 4 === 1 ? letters.slice(0, -1) : letters
}

/** The bytes at the beginning that are text. */
function readableBytes(bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) return new Uint8Array()
  let end = 0
  while (end < bytes.length) {
    const size = characterSize(bytes, end)
    if (size === 0) break
    end += size
  }
  return bytes.subarray(0, end)
}

/** Bytes of the UTF-8 character that begins here; 0: none that anybody would read. */
function characterSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return /[\t-\r\u001b-~]/u.test(String.fromCharCode(first)) ? 1 : 0
  const size = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let more = 1; more < size; more += 1) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0
  return size
}

/** Bytes as text; null for what nobody would read. A cut last character is passed over. */
function readable(bytes: Uint8Array): string | null {
  for (let cut = 0; cut < 4 && cut < bytes.length; cut += 1) {
    const text = decodeUtf8(bytes.subarray(0, bytes.length - cut))
    if (text !== null) return /[\u0000-\u0008\u000e-\u001a\u007f]/u.test(text) ? null : text
  }
  return null
}

/**
 * True for a piece that looks like a key, a number or another id, and not like words: twelve characters or more, of
 * digits, of mixed letters and digits, or of letters in no word's order of small and capital ones.
 */
export function isIdLike(token: string): boolean {
  if (/^\d{4}-?\d\d-?\d\d(?:T\d\d(?:\d\d){0,2}Z?)?$/u.test(token)) return false
  const bare = token.replace(/[^\p{L}\p{N}]/gu, '')
  if (bare.length < 12 || new Set(bare).size < 4) return false
  const digits = bare.replace(/\D/gu, '').length
  if (digits >= 3) return true
  if (bare.length < 16 || !/^[A-Za-z0-9]+$/u.test(bare)) return false
  return irregularRuns(bare) >= 4 || (token === bare && bare.length >= 20 && /^(?:[a-z]+|[A-Z]+)$/u.test(bare))
}

/** What names in camel case hardly have: single small letters, capitals in a row, digits. */
function irregularRuns(text: string): number {
  return text.match(/(?<![a-z])[a-z](?![a-z])|[A-Z]{2,}|\d+/gu)?.length ?? 0
}
