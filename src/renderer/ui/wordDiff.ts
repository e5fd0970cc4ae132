import type { DiffLine } from './diffLines'

/** A stretch of a changed line: new or gone words, or words that stand on the other side too. */
export interface WordPiece {
  readonly text: string
  readonly isChanged: boolean
}

/** A word, one Han character, a stretch of spaces, or one sign. */
const tokenForm = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+|\s+|./gu
const workLimit = 1_000_000

/**
 * Marks the words that differ within each stretch of removed and added lines. A text that went over into more lines is
 * compared as a whole. A stretch too large to compare has no marks: its lines have no entry.
 */
export function wordPieces(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly WordPiece[]> {
  const pieces = new Map<DiffLine, readonly WordPiece[]>()
  for (let at = 0; at < lines.length; at += 1) {
    const stretch: DiffLine[] = []
    for (let line = lines[at]; line && line.kind !== 'same'; line = lines[at += 1]) stretch.push(line)
    if (stretch.length > 0) compare(stretch, pieces)
  }
  return pieces
}

function compare(stretch: readonly DiffLine[], pieces: Map<DiffLine, readonly WordPiece[]>): void {
  const removed = stretch.filter((line) => line.kind === 'removed')
  const added = stretch.filter((line) => line.kind === 'added')
  // Between lines stands a space, so that words which only moved to the next line are the same words.
  const before = tokensOf(removed)
  const after = tokensOf(added)
  if (before.length * after.length > workLimit) return
  const kept = commonTokens(before, after)
  putBack(removed, before, kept.before, pieces)
  putBack(added, after, kept.after, pieces)
}

interface Token {
  readonly text: string
  readonly line: number
}

function tokensOf(lines: readonly DiffLine[]): readonly Token[] {
  return lines.flatMap((line, at) => [...(at > 0 ? [{ text: ' ', line: -1 }] : []), ...(line.text.match(tokenForm) ?? []).map((text) => ({ text, line: at }))])
}

/** Which tokens of each side stand on the other one as well (longest common subsequence). */
function commonTokens(a: readonly Token[], b: readonly Token[]): { readonly before: readonly boolean[]; readonly after: readonly boolean[] } {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i]?.text === b[j]?.text ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const before = a.map(() => false)
  const after = b.map(() => false)
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i]?.text === b[j]?.text) {
      before[i] = true
      after[j] = true
      i += 1
      j += 1
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1
    else j += 1
  }
  return { before, after }
}

/** Joins tokens to pieces, line by line. A space between two changed words is changed with them; one before the first is not worth a mark. */
function putBack(lines: readonly DiffLine[], tokens: readonly Token[], kept: readonly boolean[], pieces: Map<DiffLine, readonly WordPiece[]>): void {
  const isSpace = (at: number): boolean => tokens[at]?.text.trim() === ''
  const isNew = (at: number): boolean => kept[at] === false && !isSpace(at)
  // A line in which only spaces changed has them marked: there is nothing else to see.
  const onlySpaces = tokens.every((_, at) => kept[at] === true || isSpace(at))
  const isChanged = tokens.map((_, at) => (isSpace(at) && !onlySpaces ? isNew(at - 1) && isNew(at + 1) : kept[at] === false))
  lines.forEach((line, number) => {
    const joined: { text: string; isChanged: boolean }[] = []
    tokens.forEach((token, at) => {
      if (token.line !== number) return
      const last = joined.at(-1)
      if (last && last.isChanged === isChanged[at]) last.text += token.text
      else joined.push({ text: token.text, isChanged: isChanged[at] === true })
    })
    pieces.set(line, joined)
  })
}
