import { cleanOutput } from '../mcp/hiddenText'
import { decodeUtf8, unitsToText } from './utf8'

/** A part of a stored text by its bytes, from `from` up to before `to`, with the lines it touches, counted from 1. */
export interface OutputPage {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly firstLine: number
  readonly lastLine: number
  readonly totalLines: number
}

/** Where a page begins and how long it may get. A line that is given goes before a byte. */
export interface PageAsk {
  readonly fromByte: number
  readonly fromLine: number | null
  readonly lines: number
  readonly bytes: number
}

const lineFeed = 0x0a
/** Room on both sides of a page in which a secret is still recognised whole. */
const margin = 32 << 10

/**
 * One page of a text of any size; null when it begins behind the end. Costs a look at every byte and work on one page.
 * A page ends behind a line when one ends in its second half, else inside a line, never inside a character.
 *
 * Secrets are taken out of the page together with what stands before and behind it, so that a cut bares none; bytes that are
 * no text come as U+FFFD, terminal sequences are dropped and hidden characters made visible.
 */
export function pageOf(bytes: Uint8Array, ask: PageAsk, redact: (text: string) => string): OutputPage | null {
  const from = ask.fromLine === null ? charStart(bytes, ask.fromByte) : startOfLine(bytes, ask.fromLine)
  if (from === null || (from >= bytes.length && bytes.length > 0)) return null
  const to = endOfPage(bytes, from, ask)
  const firstLine = feedsIn(bytes, 0, from) + 1
  const lastLine = firstLine + feedsIn(bytes, from, Math.max(from, to - 1))
  const totalLines = feedsIn(bytes, 0, Math.max(0, bytes.length - 1)) + 1
  return { text: redactedPart(bytes, from, to, redact), from, to, firstLine, lastLine, totalLines }
}

function endOfPage(bytes: Uint8Array, from: number, { lines, bytes: most }: PageAsk): number {
  const limit = Math.min(bytes.length, from + most)
  let lastFeed = -1
  let seen = 0
  for (let at = from; at < limit; at += 1) {
    if (bytes[at] !== lineFeed) continue
    lastFeed = at
    if (++seen === lines) return at + 1
  }
  if (limit === bytes.length) return limit
  if (lastFeed >= from + most / 2) return lastFeed + 1
  const end = charStart(bytes, limit)
  return end > from ? end : limit
}

/** The start of the character that the byte belongs to. */
function charStart(bytes: Uint8Array, at: number): number {
  let start = Math.min(at, bytes.length)
  while (start > 0 && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}

function startOfLine(bytes: Uint8Array, line: number): number | null {
  let at = 0
  for (let n = 1; n < line; n += 1) {
    const feed = bytes.indexOf(lineFeed, at)
    if (feed === -1) return null
    at = feed + 1
  }
  return at
}

function feedsIn(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (bytes[at] === lineFeed) count += 1
  return count
}

/** The part between what its surroundings come to alone. Everything it holds stood in the redacted whole. */
function redactedPart(bytes: Uint8Array, from: number, to: number, redact: (text: string) => string): string {
  const before = textOf(bytes.subarray(charStart(bytes, Math.max(0, from - margin)), from))
  const after = textOf(bytes.subarray(to, charStart(bytes, Math.min(bytes.length, to + margin))))
  const whole = redact(before + textOf(bytes.subarray(from, to)) + after)
  const head = sameStart(whole, redact(before))
  const rest = whole.slice(head)
  return rest.slice(0, rest.length - sameEnd(rest, redact(after)))
}

function textOf(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes) ?? unitsToText(bytes, bytes.length).replace(/[^\0-\x7f]/gu, '\ufffd')
  return cleanOutput(text.replace(/\r(?!\n)/gu, '\n'))
}

function sameStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

function sameEnd(one: string, other: string): number {
  let count = 0
  while (count < one.length && count < other.length && one.charCodeAt(one.length - 1 - count) === other.charCodeAt(other.length - 1 - count)) count += 1
  return count
}
