import type { HeadAndTail } from './headAndTail'
import { makeOutputDecoder } from './outputDecoder'
import { withoutRedraws } from './redraws'

/** What the model reads of a command's output. */
export interface OutputText {
  readonly text: string
  /** True when something was left out in the middle. */
  readonly isCut: boolean
}

/** At most this much of the beginning and of the end reaches the model, about 8,000 tokens together. */
export const textLimits = { headCharacters: 10_000, tailCharacters: 20_000 } as const

/**
 * Makes text of a command's bytes: decoded, without terminal sequences, progress lines as they stood at last, and cut in the
 * middle with the size stated where it is too long. Cuts lie between lines where lines are short enough, and never inside a
 * character (O4).
 */
export function outputText(bytes: HeadAndTail, limits: { readonly headCharacters: number; readonly tailCharacters: number } = textLimits): OutputText {
  if (bytes.leftOut === 0) return cutText(plainText(decode(Buffer.concat([bytes.head, bytes.tail]))), limits)
  const headBytes = withoutCutEnd(bytes.head)
  const tailBytes = withoutCutStart(bytes.tail)
  const head = plainText(decode(headBytes))
  const tail = plainText(decode(tailBytes))
  const keptHead = startOf(lastLineOff(head), limits.headCharacters)
  const keptTail = endOf(firstLineOff(tail), limits.tailCharacters)
  const brokenBytes = bytes.head.length - headBytes.length + bytes.tail.length - tailBytes.length
  const leftOut = bytes.leftOut + brokenBytes + sizeOf(head) - sizeOf(keptHead) + sizeOf(tail) - sizeOf(keptTail)
  return { text: joined(keptHead, leftOut, keptTail), isCut: true }
}

/** The end of what a command printed, as it stood on the screen; what came before it is not known. */
export function lastOutputText(bytes: Uint8Array): string {
  return plainText(decode(withoutCutStart(Buffer.from(bytes))))
}

function cutText(text: string, limits: { readonly headCharacters: number; readonly tailCharacters: number }): OutputText {
  if (text.length <= limits.headCharacters + limits.tailCharacters) return { text, isCut: false }
  const head = startOf(text, limits.headCharacters)
  const tail = endOf(text, limits.tailCharacters)
  return { text: joined(head, sizeOf(text.slice(head.length, text.length - tail.length)), tail), isCut: true }
}

/** Stands where so much is missing. It names a size and no words: it is read in every language. */
export function missingMark(bytes: number): string {
  return `[… ${bytes.toLocaleString('en')} bytes …]\n`
}

function joined(head: string, leftOutBytes: number, tail: string): string {
  const gap = head === '' || head.endsWith('\n') ? '' : '\n'
  return `${head}${gap}${missingMark(leftOutBytes)}${tail}`
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** At most `limit` characters from the start; to the end of a line when one lies in the second half of them. */
function startOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  const line = text.lastIndexOf('\n', limit - 1) + 1
  if (line > limit / 2) return text.slice(0, line)
  return text.slice(0, isLowHalf(text, limit) ? limit - 1 : limit)
}

/** The same from the end. */
function endOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  const from = text.length - limit
  const line = text.indexOf('\n', from - 1) + 1
  if (line > 0 && line < from + limit / 2) return text.slice(line)
  return text.slice(isLowHalf(text, from) ? from + 1 : from)
}

/** True in the middle of a character of two units. */
function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** A line broken by the cut may hold half a terminal sequence. */
function lastLineOff(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1) || text
}

function firstLineOff(text: string): string {
  return text.slice(text.indexOf('\n') + 1) || text
}

function decode(bytes: Buffer): string {
  const decoder = makeOutputDecoder()
  return decoder.push(bytes) + decoder.end()
}

/** Without a character at the end that has not all of its bytes. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Without the rest of a character whose first byte was left out. */
export function withoutCutStart(bytes: Buffer): Buffer {
  let from = 0
  while (from < Math.min(3, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return bytes.subarray(from)
}

function lengthOf(firstByte: number): number {
  if (firstByte >= 0xf0) return 4
  return firstByte >= 0xe0 ? 3 : 2
}

const sequences = new RegExp(
  [
    '\\x1b\\[[0-?]*[ -/]*[@-~]', // colours, cursor
    '\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?', // titles, links
    '\\x1b[PX^_][^\\x1b]*(?:\\x1b\\\\)?', // strings to the terminal
    '\\x1b[ -/]*[0-~]',
  ].join('|'),
  'g',
)

/**
 * Text as it stood on the screen at last, roughly: no terminal sequences; of a line that was written over and over (`\r`,
 * backspace) or that the program went back to only what came last; no other control characters.
 */
export function plainText(text: string): string {
  const visible = withoutRedraws(text).replace(sequences, '').replace(/\r+\n/g, '\n')
  const lines = visible.includes('\r') || visible.includes('\b') ? visible.split('\n').map(lastState).join('\n') : visible
  return lines.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
}

function lastState(line: string): string {
  const written = line.split('\r').findLast((part) => part !== '') ?? ''
  if (!written.includes('\b')) return written
  const characters: string[] = []
  for (const character of written) {
    if (character === '\b') characters.pop()
    else characters.push(character)
  }
  return characters.join('')
}
