/** Some lines of a text: from 0, `to` not included. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

/** A stretch of lines that is not the same in two texts; empty on the side where it only adds or takes away. */
export interface LineChange {
  readonly before: LineSpan
  readonly after: LineSpan
}

/** A stretch up to this many pairs of lines is compared exactly (longest common subsequence). */
const workLimit = 1_000_000
/** So many lines between two changes are taken into one with them, where there are only signs in them. */
const narrowest = 2

/** The lines of a text, each with its line end as it is; the last may have none. Joined they are the text again. */
export function exactLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? []
}

/**
 * What has to be changed in one text to make the other, in order and apart from each other. Everything outside of them is
 * the same line by line, line ends included. The least there is for stretches that can be compared exactly; larger ones are
 * cut at lines that each text has once, and are one change where there are none. Changes with only brackets between them
 * are one: nobody could decide about them apart.
 */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const found: LineChange[] = []
  compare(before, after, { before: { from: 0, to: before.length }, after: { from: 0, to: after.length } }, found)
  return grouped(settled(found, before, after), before)
}

function compare(a: readonly string[], b: readonly string[], { before, after }: LineChange, found: LineChange[]): void {
  let [i, j, iEnd, jEnd] = [before.from, after.from, before.to, after.to]
  while (i < iEnd && j < jEnd && a[i] === b[j]) { i += 1; j += 1 }
  while (iEnd > i && jEnd > j && a[iEnd - 1] === b[jEnd - 1]) { iEnd -= 1; jEnd -= 1 }
  const rest: LineChange = { before: { from: i, to: iEnd }, after: { from: j, to: jEnd } }
  if (i === iEnd && j === jEnd) return
  if (i === iEnd || j === jEnd) return void found.push(rest)
  if ((iEnd - i) * (jEnd - j) <= workLimit) return compareExactly(a, b, rest, found)
  const anchors = anchorsIn(a, b, rest)
  if (anchors.length === 0) return void found.push(rest)
  for (const [x, y] of [...anchors, [iEnd, jEnd] as const]) {
    compare(a, b, { before: { from: i, to: x }, after: { from: j, to: y } }, found)
    ;[i, j] = [x, y]
  }
}

function compareExactly(a: readonly string[], b: readonly string[], { before, after }: LineChange, found: LineChange[]): void {
  const [rows, columns] = [before.to - before.from, after.to - after.from]
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[before.from + i] === b[after.from + j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  for (let i = 0, j = 0; i < rows || j < columns;) {
    const [i0, j0] = [i, j]
    while ((i < rows || j < columns) && !(i < rows && j < columns && a[before.from + i] === b[after.from + j])) {
      if (i < rows && (j >= columns || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))) i += 1
      else j += 1
    }
    if (i > i0 || j > j0) found.push({ before: { from: before.from + i0, to: before.from + i }, after: { from: after.from + j0, to: after.from + j } })
    if (i < rows && j < columns) { i += 1; j += 1 }
  }
}

/** Lines that stand once in each stretch, as many as are in the same order in both. */
function anchorsIn(a: readonly string[], b: readonly string[], { before, after }: LineChange): readonly (readonly [number, number])[] {
  const once = (lines: readonly string[], { from, to }: LineSpan): ReadonlyMap<string, number> => {
    const places = new Map<string, number>()
    for (let at = from; at < to; at += 1) places.set(lines[at] ?? '', places.has(lines[at] ?? '') ? -1 : at)
    return places
  }
  const inAfter = once(b, after)
  const pairs = [...once(a, before)].flatMap(([line, x]): (readonly [number, number])[] => {
    const y = inAfter.get(line) ?? -1
    return x < 0 || y < 0 ? [] : [[x, y]]
  })
  return longestRising(pairs)
}

/** The longest part of the pairs whose second numbers rise as their first do (patience sorting). */
function longestRising(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tops: number[] = []
  const previous: number[] = []
  pairs.forEach(([, y], at) => {
    let low = 0
    let high = tops.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1
      else high = middle
    }
    previous.push(low > 0 ? (tops[low - 1] ?? -1) : -1)
    tops[low] = at
  })
  const rising: (readonly [number, number])[] = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at]
    if (pair) rising.push(pair)
  }
  return rising.reverse()
}

/** Of the places that lines only added or taken away may stand at, the one where they begin with something to read: a blank line goes with what is before it. */
function settled(changes: readonly LineChange[], a: readonly string[], b: readonly string[]): readonly LineChange[] {
  return changes.map(({ before, after }, at) => {
    const [lines, span, limit] = before.from === before.to ? [b, after, changes[at + 1]?.after.from ?? b.length] : [a, before, changes[at + 1]?.before.from ?? a.length]
    if (before.from !== before.to && after.from !== after.to) return { before, after }
    let by = 0
    while (span.to + by < limit && lines[span.from + by]?.trim() === '' && lines[span.from + by] === lines[span.to + by]) by += 1
    return { before: { from: before.from + by, to: before.to + by }, after: { from: after.from + by, to: after.to + by } }
  })
}

function grouped(changes: readonly LineChange[], before: readonly string[]): readonly LineChange[] {
  const groups: LineChange[] = []
  for (const change of changes) {
    const last = groups.at(-1)
    const between = last && before.slice(last.before.to, change.before.from)
    const isOne = between !== undefined && between.length <= narrowest && between.every((line) => /\S/u.test(line) && !/[\p{L}\p{N}]/u.test(line))
    if (last && isOne) groups[groups.length - 1] = { before: { from: last.before.from, to: change.before.to }, after: { from: last.after.from, to: change.after.to } }
    else groups.push(change)
  }
  return groups
}
