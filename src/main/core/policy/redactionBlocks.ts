/** A private key in the text, from its first to its last dash. `isOpen` when its end is not in the text. */
export interface KeyBlock {
  readonly start: number
  /** Where its lines begin, behind the line that announces them. */
  readonly body: number
  readonly end: number
  readonly isOpen: boolean
}

const begin = /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gu
const finish = /-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gu
/** A line of a key: base64, a header of it, or nothing; line ends may be written as `\n`, and diffs put a sign in front. */
const keyLine = /^[\s"'>|+-]*(?:[A-Za-z0-9+/=_\\-]{0,2048}|[A-Z][A-Za-z-]{2,20}: [^\r\n]{0,200})[\s"',\\+;]*$/u
/** The form of PuTTY: what follows is the key, up to the code that closes the file. */
const puttyBegin = /Private-Lines: \d{1,4}\r?\n/gu
const longestLead = 200

/** Every private key block; certificates and public keys are none. A block without an end lasts as long as its lines look like a key. */
export function findKeyBlocks(text: string): readonly KeyBlock[] {
  if (!text.includes('BEGIN ') && !text.includes('Private-Lines')) return []
  const blocks: KeyBlock[] = []
  let from = 0
  let hasClosing = true
  for (const match of text.matchAll(begin)) {
    if (match.index < from) continue
    const body = match.index + match[0].length
    finish.lastIndex = body
    const next = text.indexOf('BEGIN ', body)
    const closing: RegExpExecArray | null = hasClosing ? finish.exec(text) : null
    hasClosing = closing !== null
    const isClosed = closing !== null && (next < 0 || closing.index < next)
    const end = isClosed ? closing.index + closing[0].length : endOfKeyLines(text, body, leadOf(text, match.index))
    blocks.push({ start: match.index, body, end, isOpen: !isClosed && end === text.length })
    from = end
  }
  for (const match of text.matchAll(puttyBegin)) {
    const start = match.index + match[0].length
    const end = endOfKeyLines(text, start, leadOf(text, match.index))
    blocks.push({ start, body: start, end, isOpen: end === text.length })
  }
  return blocks
}

/** What stands before the block in its line may stand before each line of it: numbers of lines, times of a log, signs of a comment. */
export function leadOf(text: string, start: number): RegExp | null {
  const line = text.lastIndexOf('\n', start - 1) + 1
  const lead = text.slice(Math.max(line, start - longestLead), start)
  if (!/[^\s"'>|+-]/u.test(lead)) return null
  const parts = lead.split(/(\d+|[ \t]+)/u).map((part) => (/^\d/u.test(part) ? '\\d+' : /^[ \t]/u.test(part) ? '[ \\t]*' : part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')))
  return new RegExp(`^[ \\t]*${parts.join('')}`, 'u')
}

/** Where lines stop to look like a key. */
function endOfKeyLines(text: string, from: number, lead: RegExp | null): number {
  let at = from
  while (at < text.length) {
    const line = text.indexOf('\n', at)
    const end = line < 0 ? text.length : line
    const content = text.slice(at, end)
    if (!keyLine.test(content) && (lead === null || !keyLine.test(content.replace(lead, '')))) return at
    if (line < 0) return text.length
    at = line + 1
  }
  return text.length
}

/** The end of a key block whose beginning, behind `lead`, was seen before; null while it goes on. */
export function endOfOpenBlock(text: string, lead: RegExp | null): number | null {
  finish.lastIndex = 0
  const closing = finish.exec(text)
  if (closing) return closing.index + closing[0].length
  const end = endOfKeyLines(text, 0, lead)
  return end === text.length ? null : end
}
