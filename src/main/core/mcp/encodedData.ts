import { decodeBase64 } from './base64'

/** Base64 that stands in text: from where until where, and what it holds. */
export interface EncodedData {
  readonly start: number
  readonly end: number
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** A key, a token or a signature is shorter and may be needed; a picture is longer. */
const shortestRun = 800
const shortestUrl = 200
/** Lines of encoded data are 60, 64 or 76 characters; JSON writes their ends as letters. */
const shortestLine = 60
/** Beginnings only: a run as long as a server likes is walked, not matched. */
const beginnings = /(?:data:([\w.+-]{1,40}\/[\w.+-]{1,80})?(?:;[\w=.+-]{1,60}){0,4};base64,)?[A-Za-z0-9+/_-]{60}/gu
const lineEnd = /\r?\n|\\r\\n|\\n/uy
/** Characters searched at once, and more than any beginning is long. */
const windowLength = 262_144
const longestBeginning = 512

/**
 * Where a text holds base64 of some size: data URLs, and long runs in one line or many. Found by form and confirmed by
 * decoding; a long run of few letters, such as a sequence or a hash in hex, is text. In order, never overlapping, linear.
 * A null comes after each piece that was searched: whoever searches a long text can rest there.
 */
export function* searchEncoded(text: string): Generator<EncodedData | null> {
  for (let from = 0; from < text.length; ) {
    const window = text.slice(from, from + windowLength + longestBeginning)
    let next = from + windowLength
    beginnings.lastIndex = 0
    for (let match = beginnings.exec(window); match !== null && match.index < windowLength; match = beginnings.exec(window)) {
      const end = endOfLines(text, from + match.index + dataStart(match[0]))
      const data = dataOf(text, from, match, end)
      // The caller may search another text before it asks for the next.
      if (data) yield data
      if (end >= from + windowLength) {
        next = end
        break
      }
      beginnings.lastIndex = end - from
    }
    from = next
    yield null
  }
}

function dataStart(beginning: string): number {
  return beginning.startsWith('data:') ? beginning.indexOf(',') + 1 : 0
}

function dataOf(text: string, from: number, match: RegExpExecArray, end: number): EncodedData | null {
  const isUrl = match[0].startsWith('data:')
  const start = from + match.index
  const begin = start + dataStart(match[0])
  if (end - begin < (isUrl ? shortestUrl : shortestRun)) return null
  const data = text.slice(begin, end).replace(/\\r\\n|\\n|[\r\n]/gu, '')
  const bytes = isUrl || looksEncoded(data) ? decodeBase64(data) : null
  return bytes === null ? null : { start, end, mimeType: match[1] ?? typeOfBytes(bytes), bytes }
}

/** Goes on over line ends while each next line is as long as the first, but for the last. */
function endOfLines(text: string, from: number): number {
  let end = endOfRun(text, from)
  const firstLength = end - from
  while (text[end - 1] !== '=') {
    lineEnd.lastIndex = end
    const broken = lineEnd.exec(text)
    if (!broken) break
    const next = end + broken[0].length
    const nextEnd = endOfRun(text, next)
    const length = nextEnd - next
    // A shorter line is the last one, and is told from a word by what is in it.
    if (length === 0 || length > firstLength || (length < shortestLine && !isLastLine(text.slice(next, nextEnd)))) break
    end = nextEnd
    if (length < firstLength) break
  }
  return end
}

function endOfRun(text: string, from: number): number {
  let end = from
  while (isLetter(text.charCodeAt(end))) end += 1
  for (let signs = 0; signs < 2 && text[end] === '='; signs += 1) end += 1
  return end
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2f || unit === 0x2d || unit === 0x5f
}

function isLastLine(line: string): boolean {
  return line.endsWith('=') || (line.length % 4 === 0 && /\d/u.test(line) && /[a-z]/u.test(line) && /[A-Z]/u.test(line))
}

function looksEncoded(data: string): boolean {
  const sample = data.slice(0, 2000)
  return /[A-Z]/u.test(sample) && /[a-z]/u.test(sample) && /\d/u.test(sample) && new Set(sample).size >= 24 && !/[a-z]{30}/u.test(sample)
}

const firstBytes: readonly (readonly [string, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
  ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
]

/** The type by the first bytes, for data that came without one. */
function typeOfBytes(bytes: Uint8Array): string {
  return firstBytes.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0] ?? 'application/octet-stream'
}
