/** Characters up to which small neighbours are put together (R98). */
export const mergedCharacters = 1500
/** Characters up to which a unit stays whole. */
export const wholeCharacters = 2000

/**
 * The lines of a text without their ends (`\n` or `\r\n`) and without a byte order mark. The end of the last line makes no line
 * of its own, so an empty text has none.
 */
export function linesOf(text: string): readonly string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines[lines.length - 1] === '') lines.pop()
  return lines
}

/** A range of lines by index from 0, both ends included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** The characters of a range, line ends counted. */
export function sizeOf(lines: readonly string[], { from, to }: LineRange): number {
  let size = 0
  for (let at = from; at <= to; at++) size += (lines[at]?.length ?? 0) + 1
  return size
}

/** The range without blank lines at its ends; null when there is nothing else. */
export function trimmed(lines: readonly string[], { from, to }: LineRange): LineRange | null {
  let [first, last] = [from, to]
  while (first <= last && isBlank(lines[first])) first++
  while (last >= first && isBlank(lines[last])) last--
  return first > last ? null : { from: first, to: last }
}

/** Whether a line has nothing to read. */
export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

/**
 * Cuts a range into parts of at most `limit` characters at line ends: where a blank line or the least indented line stands in
 * the second half of what fits. A single line over the limit is a part by itself.
 */
export function cutAtLines(lines: readonly string[], range: LineRange, limit: number): readonly LineRange[] {
  const parts: LineRange[] = []
  let from = range.from
  let size = 0
  for (let at = from; at <= range.to; at++) {
    const length = (lines[at]?.length ?? 0) + 1
    if (at > from && size + length > limit) {
      const cut = length > limit ? at : bestCut(lines, from, at, limit)
      parts.push({ from, to: cut - 1 })
      from = cut
      size = sizeOf(lines, { from, to: at - 1 })
    }
    size += length
  }
  parts.push({ from, to: range.to })
  return parts
}

/** The line to begin the next part with: after `from`, at most `end`. */
function bestCut(lines: readonly string[], from: number, end: number, limit: number): number {
  let best = end
  let bestIndent = indentOf(lines[end])
  let size = 0
  for (let at = end - 1; at > from && size < limit / 2; at--) {
    size += (lines[at]?.length ?? 0) + 1
    const indent = isBlank(lines[at]) ? -1 : indentOf(lines[at])
    if (indent >= bestIndent) continue
    best = at
    bestIndent = indent
  }
  return best
}

function indentOf(line: string | undefined): number {
  if (isBlank(line)) return -1
  return /^\s*/u.exec(line ?? '')?.[0].length ?? 0
}
