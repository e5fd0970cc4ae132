import { endsIn, flatOf, linesTaken, type TextPart } from '../../../shared/domain/changedText'
import type { ReviewBlock } from '../../ui/reviewEditorProps'

/** The changes of a row, by the places of their stretches; a change's number is its place in this list. */
export function changePlaces(parts: readonly TextPart[]): readonly number[] {
  return parts.flatMap((part, at) => (part.kind === 'change' ? [at] : []))
}

/** What will be on disk with these changes left out. */
export function textWithout(parts: readonly TextPart[], left: readonly number[]): string {
  return withLeft(parts, left).map(({ right }) => right).join('')
}

interface Shown {
  readonly part: TextPart
  readonly number: number | null
  readonly isLeft: boolean
  readonly right: string
}

function withLeft(parts: readonly TextPart[], left: readonly number[]): readonly Shown[] {
  let changes = 0
  return parts.map((part) => {
    const number = part.kind === 'change' ? changes : null
    if (number !== null) changes += 1
    const isLeft = number !== null && left.includes(number)
    return { part, number, isLeft, right: isLeft ? part.before : part.after }
  })
}

/** Both sides as an editor draws them, and where they differ. */
export function sidesWithout(parts: readonly TextPart[], left: readonly number[]): { readonly left: string; readonly right: string; readonly blocks: readonly ReviewBlock[] } {
  const shown = withLeft(parts, left).map((one) => ({ ...one, before: flatOf(one.part.before), right: flatOf(one.right) }))
  const blocks: ReviewBlock[] = []
  let [leftEnds, rightEnds] = [0, 0]
  for (const { before, right, number, isLeft } of shown) {
    if (number !== null) blocks.push({ left: linesTaken(before, leftEnds), right: linesTaken(right, rightEnds), look: isLeft ? 'rejected' : 'changed', bar: number })
    leftEnds += endsIn(before)
    rightEnds += endsIn(right)
  }
  return { left: shown.map((one) => one.before).join(''), right: shown.map((one) => one.right).join(''), blocks }
}
