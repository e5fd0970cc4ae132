import { isAscii, isUtf8 } from 'node:buffer'

/** Bytes of a program's output in, text out: pieces in any size, always with the same result. */
export interface OutputDecoder {
  push(bytes: Buffer): string
  /** What is held back although it can be read as it stands: asked for when nothing more comes for a while. */
  idle(): string
  /** The rest: no more comes. */
  end(): string
}

/** So many bytes that are not ASCII are looked at together before it is said what they are. */
const runBytes = 64

/**
 * Reads output that is UTF-8, or GB18030 (with GBK and GB2312 in it), or changes between them from one word to the next, as
 * when programs of different age print into one terminal. What is both is UTF-8, but for a few characters after text that can
 * only have been GB18030; what is neither becomes the replacement character.
 */
export function makeOutputDecoder(): OutputDecoder {
  let run: number[] = []
  let isGbBefore = false
  const decide = (): string => {
    const bytes = Buffer.from(run)
    run = []
    const isGb = isGbRun(bytes, isGbBefore)
    if (isGb) isGbBefore = true
    else if (isUtf8(bytes) && bytes.some((byte) => byte >= 0xe0)) isGbBefore = false
    return isGb ? gb18030.decode(bytes) : utf8.decode(bytes)
  }
  const take = (byte: number): string => {
    if (run.length > 0 && (byte < 0x80 ? endsBefore(run, byte) : run.length >= runBytes && isBetween(run))) return decide() + take(byte)
    if (byte < 0x80 && run.length === 0) return String.fromCharCode(byte)
    run.push(byte)
    // Neither of the two lets so many bytes pass without an end of a character.
    return run.length > runBytes + 8 ? decide() : ''
  }
  const takeAll = (bytes: Buffer): string => {
    let text = ''
    for (const byte of bytes) text += take(byte)
    return text
  }
  return {
    push(bytes) {
      if (run.length > 0) return takeAll(bytes)
      if (isAscii(bytes)) return bytes.toString('latin1')
      // The same as byte for byte, and much faster, up to where the last run may go on in the next piece.
      const plain = isGbBefore ? bytes.subarray(0, 0) : bytes.subarray(0, lastAscii(bytes) + 1)
      return isUtf8(plain) ? plain.toString('utf8') + takeAll(bytes.subarray(plain.length)) : takeAll(bytes)
    },
    idle: () => (isUtf8(Buffer.from(run)) || gbEnd(run) === run.length ? decide() : ''),
    end: decide,
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const gb18030 = new TextDecoder('gb18030')

/** A run ends before a byte of ASCII that cannot be the later part of a character. */
function endsBefore(run: readonly number[], byte: number): boolean {
  return isUtf8(Buffer.from(run)) || !isGbPart(run, byte)
}

/** The end of a character in whichever of the two it still can be. */
function isBetween(run: readonly number[]): boolean {
  const bytes = Buffer.from(run)
  return isUtf8(bytes) || (!isUtf8(bytes.subarray(0, utf8End(bytes))) && gbEnd(run) === run.length)
}

/** Without the bytes at the end that begin a character of UTF-8. */
function utf8End(bytes: Buffer): number {
  const back = [1, 2, 3].find((one) => (bytes[bytes.length - one] ?? 0) >= 0xc0)
  return back === undefined ? bytes.length : bytes.length - back
}

function isGbRun(bytes: Buffer, isGbBefore: boolean): boolean {
  const run = [...bytes]
  if (run.length === 0 || gbEnd(run) !== run.length) return false
  if (isUtf8(bytes)) return isGbBefore && run.every((byte) => byte < 0xe0)
  return isGbBefore || hasCommon(run)
}

/** A Chinese character or punctuation of GB2312: without one, Latin letters of an older encoding are more likely. */
function hasCommon(run: readonly number[]): boolean {
  for (let at = 0; at < run.length; at += gbLength(run, at)) {
    const [first = 0, second = 0] = run.slice(at, at + 2)
    if (second >= 0xa1 && ((first >= 0xb0 && first <= 0xf7) || first === 0xa1 || first === 0xa3)) return true
  }
  return false
}

/** Where the last whole character of GB18030 ends that stands in a row with the first; the length when all are. */
function gbEnd(run: readonly number[]): number {
  let at = 0
  for (let length = gbLength(run, at); length > 0; length = gbLength(run, at)) at += length
  return at
}

/** Bytes of the character of GB18030 that begins there; 0 when none does, or not all of it is there. */
function gbLength(run: readonly number[], at: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = run.slice(at, at + 4)
  if (first >= 0x01 && first < 0x80) return 1
  if (first < 0x81 || first > 0xfe) return 0
  if (second >= 0x40 && second <= 0xfe && second !== 0x7f) return 2
  return isDigit(second) && third >= 0x81 && third <= 0xfe && isDigit(fourth) ? 4 : 0
}

/** Whether a byte of ASCII goes on with the character that the run leaves open. */
function isGbPart(run: readonly number[], byte: number): boolean {
  const open = run.slice(gbEnd(run))
  if (open.length === 1 || open.length === 3) return (open[0] ?? 0) >= 0x81 && (isDigit(byte) || (open.length === 1 && byte >= 0x40 && byte < 0x7f))
  return false
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function lastAscii(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0; at--) if ((bytes[at] ?? 0) < 0x80) return at
  return -1
}
