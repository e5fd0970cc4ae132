import type { Chunk } from '../../../shared/domain/retrieval'
import { estimateTokens } from '../context/estimate'
import { isBlank, trimmed, type LineRange } from './sourceLines'

/** Tokens of a window, and at most how many of them the next one repeats (R98); as `estimateTokens` counts. */
export const windowTokens = 512
/** See `windowTokens`. */
export const overlapTokens = 50

/**
 * The last resort (R98): windows over a range of lines, whole lines as far as they fit. The next window repeats the lines
 * before it that make at most `overlapTokens`. A line that fills more than a window is cut within, between characters.
 */
export function windowsOf(lines: readonly string[], range: LineRange, symbol: string): readonly Chunk[] {
  const chunks: Chunk[] = []
  const put = (from: number, to: number): void => {
    const part = trimmed(lines, { from, to })
    if (part) chunks.push({ kind: 'window', startLine: part.from + 1, endLine: part.to + 1, symbol, text: lines.slice(part.from, part.to + 1).join('\n') })
  }
  let from = range.from
  let tokens = 0
  for (let at = range.from; at <= range.to; at++) {
    const line = lines[at] ?? ''
    const cost = estimateTokens(`${line}\n`)
    if (cost > windowTokens) {
      put(from, at - 1)
      for (const text of cutLine(line)) chunks.push({ kind: 'window', startLine: at + 1, endLine: at + 1, symbol, text })
      from = at + 1
      tokens = 0
      continue
    }
    if (tokens + cost > windowTokens) {
      put(from, at - 1)
      from = overlapStart(lines, from, at, windowTokens - cost)
      tokens = lines.slice(from, at).reduce((sum, one) => sum + estimateTokens(`${one}\n`), 0)
    }
    tokens += cost
  }
  put(from, range.to)
  return chunks
}

/** The first of the lines before `end` that the next window repeats. */
function overlapStart(lines: readonly string[], from: number, end: number, room: number): number {
  let start = end
  let tokens = 0
  while (start - 1 > from) {
    tokens += estimateTokens(`${lines[start - 1] ?? ''}\n`)
    if (tokens > overlapTokens || tokens > room) break
    start--
  }
  return start
}

/** Windows within one line. */
function cutLine(line: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const end = reach(line, from, windowTokens)
    if (!isBlank(line.slice(from, end))) parts.push(line.slice(from, end))
    if (end >= line.length) return parts
    from = Math.max(from + 1, backReach(line, end, overlapTokens))
  }
}

/** The furthest end from `from` on that costs at most `budget`; never within a character of two units. */
function reach(line: string, from: number, budget: number): number {
  let [low, high] = [from + 1, Math.min(line.length, from + budget * 4)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (estimateTokens(line.slice(from, middle)) <= budget) low = middle
    else high = middle - 1
  }
  return splitsPair(line, low) ? low + 1 : low
}

/** The earliest start before `end` that costs at most `budget`. */
function backReach(line: string, end: number, budget: number): number {
  let [low, high] = [Math.max(0, end - budget * 4), end]
  while (low < high) {
    const middle = (low + high) >> 1
    if (estimateTokens(line.slice(middle, end)) <= budget) high = middle
    else low = middle + 1
  }
  return splitsPair(line, low) ? low + 1 : low
}

function splitsPair(line: string, at: number): boolean {
  const unit = line.charCodeAt(at)
  const before = line.charCodeAt(at - 1)
  return at > 0 && at < line.length && unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}
