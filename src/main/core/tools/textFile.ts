import { decodeUtf8, encodeUtf8, unitsToText } from './utf8'

/**
 * How a text file is written. `bytes` is text in an 8-bit encoding that is not known: its text has one unit below 256 for
 * each byte, so that nothing is lost, and only its ASCII can be relied on.
 */
export type Encoding = 'UTF-8' | 'UTF-8 BOM' | 'UTF-16LE' | 'UTF-16BE' | 'bytes'

/** A text file taken apart: encoding it back gives the same bytes. The text holds no byte order mark. */
export interface TextFile {
  readonly encoding: Encoding
  readonly text: string
}

/** Takes a file apart, or null for content that is no text: NUL bytes, other control bytes, UTF-16 cut in the middle. */
export function decodeFile(bytes: Uint8Array): TextFile | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes, 'UTF-16LE')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes, 'UTF-16BE')
  if (bytes.some((byte) => byte < 7)) return null
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = decodeUtf8(hasMark ? bytes.subarray(3) : bytes)
  if (text !== null) return { encoding: hasMark ? 'UTF-8 BOM' : 'UTF-8', text }
  return { encoding: 'bytes', text: unitsToText(bytes, bytes.length) }
}

/** Puts a file together; null when its encoding cannot hold the text. */
export function encodeFile({ encoding, text }: TextFile): Uint8Array | null {
  switch (encoding) {
    case 'UTF-8':
      return encodeUtf8(text)
    case 'UTF-8 BOM':
      return encodeUtf8(`\ufeff${text}`)
    case 'UTF-16LE':
    case 'UTF-16BE':
      return encodeUtf16(text, encoding === 'UTF-16LE')
    case 'bytes':
      return encodeBytes(text)
  }
}

function utf16(bytes: Uint8Array, encoding: 'UTF-16LE' | 'UTF-16BE'): TextFile | null {
  if (bytes.length % 2 === 1) return null
  const [low, high] = encoding === 'UTF-16LE' ? [0, 1] : [1, 0]
  const units = new Uint16Array(bytes.length / 2 - 1)
  for (let at = 0; at < units.length; at += 1) units[at] = (bytes[2 * at + 2 + low] ?? 0) | ((bytes[2 * at + 2 + high] ?? 0) << 8)
  return units.includes(0) ? null : { encoding, text: unitsToText(units, units.length) }
}

function encodeUtf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length + 2)
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at === 0 ? 0xfeff : text.charCodeAt(at - 1)
    bytes[2 * at + (isLittle ? 0 : 1)] = unit & 0xff
    bytes[2 * at + (isLittle ? 1 : 0)] = unit >> 8
  }
  return bytes
}

function encodeBytes(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 0xff) return null
    bytes[at] = unit
  }
  return bytes
}

/** How the lines of a text end: all alike, or not. */
export function lineEndsOf(text: string): 'LF' | 'CRLF' | 'mixed' | 'none' {
  const all = text.split('\n').length - 1
  const crlf = text.split('\r\n').length - 1
  if (all === 0) return 'none'
  return crlf === 0 ? 'LF' : crlf === all ? 'CRLF' : 'mixed'
}
