import type { DiffLine } from './diffLines'
import type { Lines, ReviewBlock } from './reviewEditorProps'
import { wordPieces } from './wordDiff'

/** Unchanged lines that stay in view beside a block. */
const context = 3
/** Fewer lines than these are not worth a fold. */
const leastFolded = 4

/** A stretch of unchanged lines that is not drawn until the person wants it. */
export interface Fold {
  readonly left: Lines
  readonly right: Lines
}

/** What is folded away between the blocks; `opened` are the first left lines of those the person opened. */
export function foldsOf(blocks: readonly ReviewBlock[], lines: { readonly left: number; readonly right: number }, opened: ReadonlySet<number>): readonly Fold[] {
  const folds: Fold[] = []
  const gap = (left: Lines, rightTo: number, isFirst: boolean, isLast: boolean): void => {
    const from = left.from + (isFirst ? 0 : context)
    const to = left.to - (isLast ? 0 : context)
    if (to - from < leastFolded || opened.has(from)) return
    const shift = rightTo - left.to
    folds.push({ left: { from, to }, right: { from: from + shift, to: to + shift } })
  }
  let at = 0
  blocks.forEach((block, index) => {
    gap({ from: at, to: block.left.from }, block.right.from, index === 0, false)
    at = block.left.to
  })
  if (blocks.length > 0) gap({ from: at, to: lines.left }, lines.right, false, true)
  return folds
}

/** A stretch of characters in a line, both from 0. */
export interface WordMark {
  readonly side: 'left' | 'right'
  readonly line: number
  readonly from: number
  readonly to: number
}

/** The words that differ within a changed block. */
export function wordMarksOf(block: ReviewBlock, left: readonly string[], right: readonly string[]): readonly WordMark[] {
  if (block.look === 'rejected') return []
  const lines: DiffLine[] = [
    ...left.slice(block.left.from, block.left.to).map((text, at): DiffLine => ({ kind: 'removed', text, before: block.left.from + at, after: null })),
    ...right.slice(block.right.from, block.right.to).map((text, at): DiffLine => ({ kind: 'added', text, before: null, after: block.right.from + at })),
  ]
  if (block.left.from === block.left.to || block.right.from === block.right.to) return []
  const pieces = wordPieces(lines)
  return lines.flatMap((line) => {
    let at = 0
    const own = pieces.get(line) ?? []
    // A line that is new as a whole says so by its colour.
    if (own.every((piece) => piece.isChanged || piece.text.trim() === '')) return []
    return own.flatMap(({ text, isChanged }): WordMark[] => {
      const from = at
      at += text.length
      return isChanged ? [{ side: line.kind === 'removed' ? 'left' : 'right', line: line.before ?? line.after ?? 0, from, to: at }] : []
    })
  })
}
