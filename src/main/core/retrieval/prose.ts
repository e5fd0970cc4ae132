import type { Chunk } from '../../../shared/domain/retrieval'
import { headingsOf } from './headings'
import { cutAtLines, isBlank, mergedCharacters, sizeOf, trimmed, wholeCharacters, type LineRange } from './sourceLines'
import { windowsOf } from './windows'

/** Joins the headings above a place. */
const joint = ' › '

/**
 * Chunks of prose (R98): a section under each heading, with the headings above it as symbol; a large one by paragraphs, a large
 * paragraph by sentences (full stops of Chinese too). A heading without text of its own stays with the next section.
 */
export function chunkProse(language: string, lines: readonly string[]): readonly Chunk[] {
  const chunks: Chunk[] = []
  const path: { readonly level: number; readonly title: string }[] = []
  const { headings, fences } = headingsOf(language, lines)
  const last = lines.length - 1
  let from = 0
  const close = (to: number): void => void chunks.push(...sectionChunks(lines, { from, to }, path.map((one) => one.title).join(joint), fences))
  let hasText = trimmed(lines, { from: 0, to: (headings[0]?.line ?? 0) - 1 }) !== null
  for (const [at, { line, end, level, title }] of headings.entries()) {
    if (hasText) {
      close(line - 1)
      from = line
    }
    while ((path[path.length - 1]?.level ?? 0) >= level) path.pop()
    path.push({ level, title })
    hasText = trimmed(lines, { from: end + 1, to: (headings[at + 1]?.line ?? last + 1) - 1 }) !== null
  }
  close(last)
  return chunks
}

function sectionChunks(lines: readonly string[], range: LineRange, symbol: string, allFences: readonly LineRange[]): readonly Chunk[] {
  const section = trimmed(lines, range)
  if (section === null) return []
  if (sizeOf(lines, section) <= wholeCharacters) return [chunk(lines, section, symbol)]
  const fences = allFences.filter(({ from, to }) => section.from <= from && to <= section.to)
  const parts: LineRange[] = []
  for (const paragraph of paragraphsOf(lines, section, fences)) {
    const last = parts[parts.length - 1]
    if (last && sizeOf(lines, { from: last.from, to: paragraph.to }) <= mergedCharacters) parts[parts.length - 1] = { from: last.from, to: paragraph.to }
    else parts.push(paragraph)
  }
  return parts.flatMap((one) => {
    if (sizeOf(lines, one) <= wholeCharacters) return [chunk(lines, one, symbol)]
    const isFence = fences.some(({ from, to }) => from <= one.from && one.to <= to)
    return isFence ? cutAtLines(lines, one, mergedCharacters).flatMap((cut) => lineChunks(lines, cut, symbol)) : sentenceChunks(lines, one, symbol)
  })
}

/** Runs of lines without a blank one between; a fence is one whatever is in it. */
function paragraphsOf(lines: readonly string[], { from, to }: LineRange, fences: readonly LineRange[]): readonly LineRange[] {
  const found: LineRange[] = []
  const starts = new Map(fences.map((fence) => [fence.from, fence]))
  let start = -1
  const close = (end: number): void => {
    if (start !== -1) found.push({ from: start, to: end })
    start = -1
  }
  for (let at = from; at <= to; at++) {
    const fence = starts.get(at)
    if (fence) {
      close(at - 1)
      found.push({ from: at, to: Math.min(fence.to, to) })
      at = fence.to
    } else if (isBlank(lines[at])) close(at - 1)
    else if (start === -1) start = at
  }
  close(to)
  return found
}

const sentenceEnd = /[。！？；…]+[”’」』）】"']*|[.!?]+["')\]]*(?=\s|$)/gu

/** Sentences put together up to the limit; one sentence over it by windows. */
function sentenceChunks(lines: readonly string[], range: LineRange, symbol: string): readonly Chunk[] {
  const text = lines.slice(range.from, range.to + 1).join('\n')
  const ends = [...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length).filter((end) => end < text.length)
  const chunks: Chunk[] = []
  let from = 0
  let startLine = range.from
  let last = 0
  const put = (to: number): void => {
    const piece = text.slice(from, to)
    const body = piece.trim()
    if (body !== '') {
      const first = startLine + countLines(piece.slice(0, piece.indexOf(body)))
      const inside = body.split('\n')
      const isTooLong = body.length > wholeCharacters
      // A sentence that begins or ends within a line is cut out by its own text.
      if (isTooLong) chunks.push(...windowsOf(inside, { from: 0, to: inside.length - 1 }, symbol).map((one) => ({ ...one, startLine: one.startLine + first, endLine: one.endLine + first })))
      else chunks.push({ kind: 'prose', startLine: first + 1, endLine: first + inside.length, symbol, text: body })
    }
    startLine += countLines(piece)
    from = to
  }
  for (const end of [...ends, text.length]) {
    if (end - from > mergedCharacters && last > from) put(last)
    last = end
  }
  if (text.length - from > mergedCharacters && last > from && last < text.length) put(last)
  put(text.length)
  return chunks
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

function lineChunks(lines: readonly string[], cut: LineRange, symbol: string): readonly Chunk[] {
  const range = trimmed(lines, cut)
  if (range === null) return []
  return sizeOf(lines, range) > wholeCharacters ? windowsOf(lines, range, symbol) : [chunk(lines, range, symbol)]
}

function chunk(lines: readonly string[], { from, to }: LineRange, symbol: string): Chunk {
  return { kind: 'prose', startLine: from + 1, endLine: to + 1, symbol, text: lines.slice(from, to + 1).join('\n') }
}
