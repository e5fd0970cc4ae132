import { isBlank, type LineRange } from './sourceLines'

/** A heading over the lines `line` to `end` (by index from 0), level from 1. */
export interface Heading {
  readonly line: number
  readonly end: number
  readonly level: number
  readonly title: string
}

/** What stands out in prose: its headings in order, and the blocks that are not prose (code fences, front matter). */
export interface ProseOutline {
  readonly headings: readonly Heading[]
  readonly fences: readonly LineRange[]
}

const longestTitle = 200
/** A line longer than this is no heading, and is not looked at further. */
const lookedAt = 1000

function startOf(line: string | undefined): string {
  return line === undefined ? '' : line.slice(0, lookedAt)
}

/** The headings of Markdown (ATX and setext, CommonMark 4.2 and 4.3) or reStructuredText; plain text has none. */
export function headingsOf(language: string, lines: readonly string[]): ProseOutline {
  if (language === 'markdown') return markdownOutline(lines)
  if (language === 'rst') return { headings: rstHeadings(lines), fences: [] }
  return { headings: [], fences: [] }
}

function markdownOutline(lines: readonly string[]): ProseOutline {
  const headings: Heading[] = []
  const fences: LineRange[] = []
  let at = 0
  const front = frontMatterEnd(lines)
  if (front !== null) {
    fences.push({ from: 0, to: front })
    at = front + 1
  }
  let paragraph = -1
  for (; at < lines.length; at++) {
    const line = startOf(lines[at])
    const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/u.exec(line)?.[1]
    if (fence !== undefined) {
      const from = at
      const closing = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}\\s*$`, 'u')
      do at++
      while (at < lines.length && !closing.test(startOf(lines[at])))
      fences.push({ from, to: Math.min(at, lines.length - 1) })
      paragraph = -1
      continue
    }
    const atx = /^ {0,3}(#{1,6})(?=[ \t]|$)/u.exec(line)
    if (atx) headings.push({ line: at, end: at, level: atx[1]?.length ?? 1, title: titleOf(line.slice(atx[0].length).trim().replace(/(?:^|[ \t])#+$/u, '')) })
    else if (paragraph !== -1 && /^ {0,3}(?:=+|-+)[ \t]*$/u.test(line)) {
      headings.push({ line: paragraph, end: at, level: line.includes('=') ? 1 : 2, title: titleOf(lines.slice(paragraph, Math.min(at, paragraph + 10)).map(startOf).join(' ')) })
    } else {
      // Quotes, lists, tables and indented code are no paragraph that a line below could make a heading.
      const isText = !isBlank(line) && (paragraph !== -1 || !/^(?: {4}|\t| {0,3}(?:>|[-+*](?:\s|$)|\d{1,9}[.)]\s|\|))/u.test(line))
      paragraph = isText ? (paragraph === -1 ? at : paragraph) : -1
      continue
    }
    paragraph = -1
  }
  return { headings, fences }
}

/** The last line of the block of fields at the top; null when there is none. */
function frontMatterEnd(lines: readonly string[]): number | null {
  if (!/^---[ \t]*$/u.test(lines[0] ?? '')) return null
  const end = lines.slice(1, 200).findIndex((line) => /^(?:---|\.\.\.)[ \t]*$/u.test(line))
  return end === -1 ? null : end + 1
}

const adornment = /^([!-/:-@[-`{-~])\1{2,}[ \t]*$/u

/** A title is underlined, or lined above and below, by a row of one sign at least as long; levels by first appearance (docutils). */
function rstHeadings(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = []
  const styles: string[] = []
  const levelOf = (style: string): number => {
    if (!styles.includes(style)) styles.push(style)
    return styles.indexOf(style) + 1
  }
  for (let at = 1; at < lines.length; at++) {
    const under = startOf(lines[at])
    const title = startOf(lines[at - 1])
    if (!adornment.test(under) || isBlank(title) || adornment.test(title) || under.trimEnd().length < title.trimEnd().length) continue
    const over = startOf(lines[at - 2])
    const hasOver = adornment.test(over) && over.charAt(0) === under.charAt(0)
    // The second line of a paragraph is no title.
    if (!hasOver && (/^\s/u.test(title) || (at > 1 && !isBlank(over) && headings[headings.length - 1]?.end !== at - 2))) continue
    headings.push({ line: hasOver ? at - 2 : at - 1, end: at, level: levelOf(`${under.charAt(0)}${hasOver ? '2' : '1'}`), title: titleOf(title) })
  }
  return headings
}

/** The words of a heading without the signs around them. */
function titleOf(text: string): string {
  return text.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/gu, '$1').replace(/\s+/gu, ' ').trim().slice(0, longestTitle)
}
