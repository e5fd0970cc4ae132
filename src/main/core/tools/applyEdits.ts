import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import { nearestLine } from './nearestLine'
import { flattenText } from './flatText'
import { lineEndsOf, type TextFile } from './textFile'

/** One replacement. `replaceAll` takes every place, otherwise there must be exactly one. */
export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

/**
 * Applies edits one after the other to a text; all or none. LF in the old text also fits CRLF. What is not replaced keeps its
 * bytes, line ends included. A text in an unknown 8-bit encoding takes only ASCII edits, and only where no character can be
 * cut in two; or a whole new text of single bytes, as a person edits it.
 */
export function applyEdits(file: TextFile, edits: readonly TextEdit[], path: string): Result<TextFile> {
  let text = file.text
  for (const [at, edit] of edits.entries()) {
    const edited = applyEdit({ ...file, text }, edit, { path, number: at + 1 })
    if (!edited.ok) return edited
    text = edited.value
  }
  return succeed({ ...file, text })
}

interface Where {
  readonly path: string
  readonly number: number
}

function applyEdit(file: TextFile, edit: TextEdit, where: Where): Result<string> {
  const { text } = file
  const old = edit.oldText.replace(/\r\n/gu, '\n')
  const by = edit.newText.replace(/\r\n/gu, '\n')
  if (old === by) return fail('file.edit-changes-nothing', { ...where })
  const source = flattenText(text)
  // Who gives a whole text of mixed line ends to the byte gives the new one to the byte.
  const isExact = edit.oldText === text && lineEndsOf(text) === 'mixed' && lineEndsOf(edit.newText) === 'mixed'
  if (old === source.flat) return file.encoding === 'bytes' && /[^\0-\xff]/u.test(by) ? fail('file.not-ascii', { ...where }) : succeed(isExact ? edit.newText : source.replace([0], old.length, by))
  if (old === '') return fail('file.empty-old-text', { ...where })

  const places = placesOf(source.flat, old)
  if (places.length === 0) return notFound(source.flat, old, where)
  if (places.length > 1 && !edit.replaceAll) return fail('file.many-matches', { ...where, count: places.length, lines: places.slice(0, 20).map((place) => String(lineOf(source.flat, place))) })
  if (file.encoding === 'bytes') {
    if (/[^\0-\x7f]/u.test(old + by)) return fail('file.not-ascii', { ...where })
    if (places.some((place) => mayCutCharacter(source.flat, place))) return fail('file.unknown-encoding', { ...where })
  }
  return succeed(source.replace(places, old.length, by))
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at)
  return places
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

/** In GBK, Big5 or Shift-JIS a byte from 0x30 on may be the second half of a character that a high byte begins. */
function mayCutCharacter(text: string, place: number): boolean {
  return place > 0 && text.charCodeAt(place - 1) >= 0x80 && text.charCodeAt(place) >= 0x30
}

function notFound(text: string, old: string, where: Where): Result<never> {
  if (/\[redacted:/u.test(old)) return fail('file.old-text-redacted', { ...where })
  const nearest = nearestLine(text, old)
  if (nearest === null) return fail('file.no-match', { ...where })
  return fail('file.no-match-near', { ...where, near: said('file.near-line', { line: nearest.line, text: nearest.text }) })
}
