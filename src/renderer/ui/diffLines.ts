/** One line of a comparison. Numbers count from 1; null on the side where the line is not. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

const workLimit = 4_000_000

/**
 * Compares two texts line by line (longest common subsequence). Null when the changed middle is too large to compare
 * here; the editor's own comparison serves then.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] | null {
  const a = linesOf(before)
  const b = linesOf(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  const middle = middleOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  if (middle === null) return null
  const kinds: DiffLine['kind'][] = [...Array<DiffLine['kind']>(head).fill('same'), ...middle, ...Array<DiffLine['kind']>(tail).fill('same')]
  return number(kinds, a, b)
}

/** A last line without its end is the same line; an empty text has none. */
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function middleOf(a: readonly string[], b: readonly string[]): readonly DiffLine['kind'][] | null {
  if (a.length * b.length > workLimit) return null
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const kinds: DiffLine['kind'][] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { kinds.push('same'); i += 1; j += 1; continue }
    const isRemoved = i < a.length && (j >= b.length || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    kinds.push(isRemoved ? 'removed' : 'added')
    if (isRemoved) i += 1
    else j += 1
  }
  return kinds
}

function number(kinds: readonly DiffLine['kind'][], a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  let before = 0
  let after = 0
  return kinds.map((kind) => {
    if (kind !== 'added') before += 1
    if (kind !== 'removed') after += 1
    const text = (kind === 'removed' ? a[before - 1] : b[after - 1]) ?? ''
    return { kind, text, before: kind === 'added' ? null : before, after: kind === 'removed' ? null : after }
  })
}

/** A stretch of changed lines with what stands around it; `skipped` lines before it are not shown. */
export interface DiffHunk {
  readonly skipped: number
  readonly lines: readonly DiffLine[]
}

/** The changed stretches with up to `context` lines around each, and how many lines follow the last one. */
export function hunksOf(lines: readonly DiffLine[], context = 3): { readonly hunks: readonly DiffHunk[]; readonly skippedAtEnd: number } {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - context), at + context + 1).some((line) => line.kind !== 'same'))
  const hunks: { skipped: number; lines: DiffLine[] }[] = []
  let skipped = 0
  lines.forEach((line, at) => {
    if (near[at] !== true) { skipped += 1; return }
    if (skipped > 0 || hunks.length === 0) hunks.push({ skipped, lines: [] })
    hunks.at(-1)?.lines.push(line)
    skipped = 0
  })
  return { hunks, skippedAtEnd: skipped }
}

/** How many rows a comparison takes on screen where so many characters go into one, with a row for each folded stretch. */
export function shownRows(lines: readonly DiffLine[], columns: number): number {
  const { hunks, skippedAtEnd } = hunksOf(lines)
  const rowsOf = (line: DiffLine): number => Math.max(1, Math.ceil(line.text.length / columns))
  return hunks.reduce((rows, hunk) => rows + hunk.lines.reduce((sum, line) => sum + rowsOf(line), 0) + (hunk.skipped > 0 ? 1 : 0), skippedAtEnd > 0 ? 1 : 0)
}

/** Lines added and removed. */
export function countLines(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return { added: lines.filter((line) => line.kind === 'added').length, removed: lines.filter((line) => line.kind === 'removed').length }
}
