import { exactLines } from '../../../shared/domain/lineChanges'
import { said, type Said } from '../../../shared/domain/result'
import { composed, flatOf, partText, type EditMarks, type EditPart } from './editChanges'

/** More changed lines, or a larger text, are told in numbers first (DESIGN 9). */
export const manyLines = 2000
export const manyCharacters = 1_000_000
/** Longer lines are shown round what changes in them (DESIGN 9). */
export const longLine = 5000

/** Lines a change adds and takes away, all changes together. */
export function changedLines(parts: readonly EditPart[]): { readonly added: number; readonly removed: number } {
  const changes = parts.filter((part) => part.kind === 'change')
  const count = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + exactLines(text).length, 0)
  return { added: count(changes.map((part) => part.after)), removed: count(changes.map((part) => part.before)) }
}

/** How a change can be drawn: in the editor, or as a list of its changes, which holds what the editor cannot. */
export type ReviewForm = 'editor' | 'large' | 'long-lines' | 'lone-ends'

/** Chooses the form by what the change is made of. */
export function formOf(parts: readonly EditPart[]): ReviewForm {
  const { added, removed } = changedLines(parts)
  const texts = parts.flatMap((part) => (part.kind === 'same' ? [part.before] : [part.before, part.after]))
  if (added + removed > manyLines || texts.reduce((sum, text) => sum + text.length, 0) > manyCharacters) return 'large'
  if (texts.some((text) => /\r(?!\n)/u.test(text))) return 'lone-ends'
  return texts.some((text) => text.split('\n').some((line) => line.length > longLine)) ? 'long-lines' : 'editor'
}

/** What one change does, or would have done, in one line. `line`: how many lines of the file stand before it. */
export function summaryOf(part: EditPart, isRejected: boolean, line: number): Said {
  const [removed, added] = [exactLines(part.before).length, exactLines(part.after).length]
  const span = removed === 1 ? `${line + 1}` : `${line + 1}–${line + removed}`
  const where = { count: removed, span }
  if (isRejected) {
    if (removed > 0) return said('approval.review.stays', where)
    return line === 0 ? said('approval.review.not-added-first', { count: added }) : said('approval.review.not-added', { count: added, line })
  }
  if (removed === 0) return line === 0 ? said('approval.review.adds-first', { count: added }) : said('approval.review.adds', { count: added, line })
  if (added === 0) return said('approval.review.removes', where)
  if (flatOf(part.before) === flatOf(part.after)) return said('approval.review.only-ends', where)
  if (part.before.replace(/\s/gu, '') === part.after.replace(/\s/gu, '')) return said('approval.review.spaces', where)
  return said('approval.review.replaces', { ...where, by: added })
}

/** What changes of the file beside its words: how its lines end. */
export function endNotes(parts: readonly EditPart[], marks: EditMarks): readonly Said[] {
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

/** A text round what differs in it from another one: nothing of the difference is left out, and of what is the same only its nearest characters stay. */
export interface TextWindow {
  readonly cutBefore: number
  readonly head: string
  readonly changed: string
  readonly tail: string
  readonly cutAfter: number
}

const kept = 200

/** The window of each of two texts. */
export function windowsOf(before: string, after: string): { readonly before: TextWindow; readonly after: TextWindow } {
  const limit = Math.min(before.length, after.length)
  let head = 0
  while (head < limit && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const of = (text: string): TextWindow => {
    const end = text.length - tail
    return { cutBefore: Math.max(0, head - kept), head: text.slice(Math.max(0, head - kept), head), changed: text.slice(head, end), tail: text.slice(end, end + kept), cutAfter: Math.max(0, tail - kept) }
  }
  return { before: of(before), after: of(after) }
}

/** The first line that each change stands at in the file on disk, by the number of its stretch. */
export function linesBefore(parts: readonly EditPart[]): readonly number[] {
  let lines = 0
  return parts.map((part) => {
    const before = lines
    lines += exactLines(part.before).length
    return before
  })
}

/** What stands on each side of a change now. */
export function shownTexts(part: EditPart, mark: EditMarks[number] | undefined): { readonly before: string; readonly after: string } {
  return { before: flatOf(part.before), after: flatOf(partText(part, mark)) }
}
