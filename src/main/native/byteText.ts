/**
 * Names on disk are bytes, not text. In ordinary text a byte that is no UTF-8 stands as a lone surrogate (U+DC80 to U+DCFF), so
 * that no name is lost. "Byte text" is a string with one character (U+0000 to U+00FF) a byte: it sorts and compares as git does.
 */
const beyondAscii = /[^\0-\x7f]/
const loneByte = /[\udc80-\udcff]/

/** Byte text of ordinary text. */
export function toBytes(text: string): string {
  if (!beyondAscii.test(text)) return text
  let bytes = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xdc80 || unit > 0xdcff || isPaired(text, at)) continue
    bytes += utf8(text.slice(from, at)) + String.fromCharCode(unit - 0xdc00)
    from = at + 1
  }
  return bytes + utf8(text.slice(from))
}

/** Ordinary text of byte text. */
export function toText(bytes: string): string {
  if (!beyondAscii.test(bytes)) return bytes
  const buffer = Buffer.from(bytes, 'latin1')
  const text = buffer.toString('utf8')
  return text.includes('\ufffd') && !Buffer.from(text).equals(buffer) ? escaped(buffer) : text
}

/** What the disk calls of node take: exact bytes where they are not plain ASCII. */
export function diskPath(bytes: string): string | Buffer {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1') : bytes
}

/** The same for ordinary text: exact bytes only where a name holds some that are no text. */
export function diskName(text: string): string | Buffer {
  return loneByte.test(text) ? Buffer.from(toBytes(text), 'latin1') : text
}

/** Order of two byte texts, as git sorts. */
export function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function isPaired(text: string, at: number): boolean {
  const before = at > 0 ? text.charCodeAt(at - 1) : 0
  return before >= 0xd800 && before <= 0xdbff
}

/** Decodes sequence by sequence; each byte that begins no whole one is escaped alone. */
function escaped(buffer: Buffer): string {
  let text = ''
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer[at] ?? 0)
    const piece = buffer.subarray(at, at + length)
    const decoded = piece.toString('utf8')
    const isWhole = piece.length === length && Buffer.from(decoded).equals(piece)
    text += isWhole ? decoded : String.fromCharCode(0xdc00 + (buffer[at] ?? 0))
    at += isWhole ? length : 1
  }
  return text
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
