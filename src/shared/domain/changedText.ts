import { exactLines, lineChanges, type LineSpan } from './lineChanges'
import { said, type Said } from './result'

/** A stretch of a file: the same before and after, or one change. Texts are exact, line ends included. */
export interface TextPart {
  readonly kind: 'same' | 'change'
  readonly before: string
  readonly after: string
}

/** A change of the text as an editor shows it, with every CRLF as LF: characters from 0. */
export interface TypedEdit {
  readonly from: number
  readonly length: number
  readonly text: string
}

/** How a change can be drawn: in the editor, or as a list of its changes, which holds what the editor cannot. */
export type TextForm = 'editor' | 'large' | 'long-lines' | 'lone-ends'

/** More changed lines, or a larger text, are told in numbers first (DESIGN 9). */
const manyLines = 2000
const manyCharacters = 1_000_000
/** Longer lines are shown round what changes in them (DESIGN 9). */
export const longLine = 5000

/** The stretches of two texts: joined before they are the one, after the other. */
export function partsBetween(before: string, after: string): readonly TextPart[] {
  const [old, now] = [exactLines(before), exactLines(after)]
  const parts: TextPart[] = []
  let at = 0
  const same = (to: number): void => {
    const text = old.slice(at, to).join('')
    if (text !== '') parts.push({ kind: 'same', before: text, after: text })
  }
  for (const change of lineChanges(old, now)) {
    same(change.before.from)
    parts.push({ kind: 'change', before: old.slice(change.before.from, change.before.to).join(''), after: now.slice(change.after.from, change.after.to).join('') })
    at = change.before.to
  }
  same(old.length)
  return parts
}

/** A text as an editor shows it. */
export function flatOf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Where a place of the shown text is in the exact one. */
export function exactAt(text: string, position: number): number {
  let exact = position
  for (let at = text.indexOf('\r\n'); at !== -1 && at < exact; at = text.indexOf('\r\n', at + 2)) exact += 1
  return Math.min(exact, text.length)
}

/** Typed text with the line end in use: that of the first of these texts that has one. */
export function withEnd(text: string, near: readonly string[]): string {
  const flat = flatOf(text)
  return near.find((one) => one.includes('\n'))?.includes('\r\n') === true ? flat.replaceAll('\n', '\r\n') : flat
}

/** The one stretch in which two texts differ. */
export function differenceOf(from: string, to: string): TypedEdit {
  const limit = Math.min(from.length, to.length)
  let head = 0
  while (head < limit && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < limit - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1
  return { from: head, length: from.length - head - tail, text: to.slice(head, to.length - tail) }
}

/** The lines that a text takes where so many line ends stand before it; one that is cut short shares its last with what follows. */
export function linesTaken(text: string, endsBefore: number): LineSpan {
  if (text === '') return { from: endsBefore, to: endsBefore }
  return { from: endsBefore, to: endsBefore + endsIn(text) + (text.endsWith('\n') ? 0 : 1) }
}

/** How many line ends there are in a text. */
export function endsIn(text: string): number {
  return text.split('\n').length - 1
}

/** Lines a change adds and takes away, all changes together. */
export function changedLines(parts: readonly TextPart[]): { readonly added: number; readonly removed: number } {
  const changes = parts.filter((part) => part.kind === 'change')
  const count = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + exactLines(text).length, 0)
  return { added: count(changes.map((part) => part.after)), removed: count(changes.map((part) => part.before)) }
}

/** The first line that each change stands at in the file on disk, by the number of its stretch. */
export function linesBefore(parts: readonly TextPart[]): readonly number[] {
  let lines = 0
  return parts.map((part) => {
    const before = lines
    lines += exactLines(part.before).length
    return before
  })
}

/** Chooses the form by what the change is made of. */
export function formOf(parts: readonly TextPart[]): TextForm {
  const { added, removed } = changedLines(parts)
  const texts = parts.flatMap((part) => (part.kind === 'same' ? [part.before] : [part.before, part.after]))
  if (added + removed > manyLines || texts.reduce((sum, text) => sum + text.length, 0) > manyCharacters) return 'large'
  if (texts.some((text) => /\r(?!\n)/u.test(text))) return 'lone-ends'
  return texts.some((text) => text.split('\n').some((line) => line.length > longLine)) ? 'long-lines' : 'editor'
}

/** What one change does, or would have done, in one line. `line`: how many lines of the file stand before it. */
export function summaryOf(part: TextPart, isRejected: boolean, line: number): Said {
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
