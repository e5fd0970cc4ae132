import { endsIn, flatOf, linesTaken, type TextPart } from '../../../shared/domain/changedText'
import { exactLines, lineChanges } from '../../../shared/domain/lineChanges'
import type { Lines, ReviewBlock } from '../../ui/reviewEditorProps'
import { partText, type EditMarks } from './editChanges'

/** Both sides of a review as an editor draws them, and where they differ. */
export interface EditSides {
  readonly left: string
  readonly right: string
  readonly blocks: readonly ReviewBlock[]
  /** Lines of the right side that the person wrote, from 0. */
  readonly ownLines: readonly number[]
}

/** Lays out the stretches of a change. The bar of a change has its number among the changes, from 0. */
export function sidesOf(parts: readonly TextPart[], marks: EditMarks): EditSides {
  const blocks: ReviewBlock[] = []
  const ownLines: number[] = []
  const texts = parts.map((part, at) => ({ part, own: marks[at]?.isRejected === true ? null : (marks[at]?.own ?? null), isRejected: marks[at]?.isRejected === true, left: flatOf(part.before), right: flatOf(partText(part, marks[at])) }))
  let [leftEnds, rightEnds, bar] = [0, 0, 0]
  for (const { part, own, isRejected, left, right } of texts) {
    const spans = { left: linesTaken(left, leftEnds), right: linesTaken(right, rightEnds) }
    if (part.kind === 'change') {
      blocks.push({ ...spans, look: isRejected ? 'rejected' : 'changed', bar })
      bar += 1
      if (own !== null) ownLines.push(...newLines(flatOf(part.after), right, spans.right.from))
    } else if (own !== null) {
      for (const { before, after } of lineChanges(exactLines(left), exactLines(right))) {
        blocks.push({ left: moved(before, spans.left.from), right: moved(after, spans.right.from), look: 'changed', bar: null })
      }
      ownLines.push(...newLines(left, right, spans.right.from))
    }
    leftEnds += endsIn(left)
    rightEnds += endsIn(right)
  }
  return { left: texts.map((text) => text.left).join(''), right: texts.map((text) => text.right).join(''), blocks, ownLines }
}

function moved({ from, to }: Lines, by: number): Lines {
  return { from: from + by, to: to + by }
}

function newLines(proposed: string, text: string, at: number): readonly number[] {
  return lineChanges(exactLines(proposed), exactLines(text)).flatMap(({ after }) => Array.from({ length: after.to - after.from }, (_, line) => at + after.from + line))
}
