import { flatOf, type TextPart } from '../../../shared/domain/changedText'
import { said, type Said } from '../../../shared/domain/result'
import { composed, partText, type EditMarks } from './editChanges'

/** What changes of the file beside its words: how its lines end. */
export function endNotes(parts: readonly TextPart[], marks: EditMarks): readonly Said[] {
  const before = parts.map((part) => part.before).join('')
  const after = composed(parts, marks)
  if (before === '' || after === '') return []
  const [old, now] = [endsOf(before), endsOf(after)]
  return [
    ...(old !== null && now !== null && old !== now ? [said('approval.review.line-ends', { before: said(`approval.review.ends.${old}`), after: said(`approval.review.ends.${now}`) })] : []),
    ...(before.endsWith('\n') === after.endsWith('\n') ? [] : [said(after.endsWith('\n') ? 'approval.review.end-new' : 'approval.review.end-gone')]),
  ]
}

function endsOf(text: string): 'LF' | 'CRLF' | 'mixed' | null {
  const all = text.split('\n').length - 1
  const pairs = text.split('\r\n').length - 1
  if (all === 0) return null
  return pairs === 0 ? 'LF' : pairs === all ? 'CRLF' : 'mixed'
}

/** What stands on each side of a change now. */
export function shownTexts(part: TextPart, mark: EditMarks[number] | undefined): { readonly before: string; readonly after: string } {
  return { before: flatOf(part.before), after: flatOf(partText(part, mark)) }
}
