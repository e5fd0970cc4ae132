import { denseCharacter } from './termText'

/** A piece of a text as search sees it: its normal form, and where it stands in the text. */
export interface SearchPiece {
  readonly token: string
  readonly start: number
  readonly end: number
}

/** Characters that belong to one word; any other stands alone, so that code is found as it is written. */
const word = String.raw`[\p{L}\p{N}\p{M}_]`
const pieces = new RegExp(String.raw`${denseCharacter.source}|(?:(?!${denseCharacter.source})${word})+|[^\s\p{Cc}\u{FE0E}\u{FE0F}]`, 'gu')
const ofOneWord = new RegExp(`^${word}+$`, 'u')

/**
 * Cuts a text for searching (D5): each Chinese, Japanese or Korean character is a piece, so is each run of other letters and
 * figures, and each sign. Pieces are NFKC and lower case; a sign that stands for several characters gives several at its place.
 */
export function* searchPieces(text: string): Generator<SearchPiece> {
  for (const { 0: raw, index: start } of text.matchAll(pieces)) {
    const end = start + raw.length
    const token = normal(raw)
    if (token === raw || isOne(token)) yield { token, start, end }
    else for (const [part] of token.matchAll(pieces)) yield { token: part, start, end }
  }
}

/** What is its own normal form, told without asking for it: nearly everything. */
const plain = /^(?:[a-z0-9_]+|[\u4E00-\u9FA5]|[!-@[-`{-~]+)$/

function normal(raw: string): string {
  if (plain.test(raw)) return raw
  // Half of a pair is no character that could be stored.
  return raw.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/[\uD800-\uDFFF]/gu, '\uFFFD')
}

function isOne(token: string): boolean {
  const [first, ...more] = token.matchAll(pieces)
  return first?.[0] === token && more.length === 0
}

/** A part of a query that has no space in it. The last word of it may go on in the text. */
export interface SearchPart {
  readonly tokens: readonly string[]
  readonly isOpen: boolean
}

/** The parts of what was typed; none for nothing but spaces. */
export function searchParts(query: string): readonly SearchPart[] {
  return query.split(/\s+/u).flatMap((typed) => {
    const tokens = [...searchPieces(typed)].map(({ token }) => token)
    const last = tokens.at(-1)
    if (last === undefined) return []
    // One letter alone would begin half of all words.
    const isOpen = ofOneWord.test(last) && !denseCharacter.test(last) && (last.length > 1 || tokens.length > 1)
    return [{ tokens, isOpen }]
  })
}

/** A stretch of a text: from, until. */
export type SearchPlace = readonly [start: number, end: number]

/**
 * Where the parts of a query stand in a text, in order; null when one of them is missing. A part is found where its characters
 * stand together and its first word begins a word: `试` in `测试`, `snap` in `snapshot`, but not `shot`.
 */
export function searchPlaces(text: string, parts: readonly SearchPart[]): readonly SearchPlace[] | null {
  if (parts.length === 0) return null
  const all = [...searchPieces(text)]
  const found: SearchPlace[] = []
  for (const part of parts) {
    const places = placesOf(all, part)
    if (places.length === 0) return null
    found.push(...places)
  }
  return found.sort(([a], [b]) => a - b)
}

function placesOf(all: readonly SearchPiece[], { tokens, isOpen }: SearchPart): SearchPlace[] {
  const places: SearchPlace[] = []
  const last = tokens.length - 1
  for (const [at, piece] of all.entries()) {
    // Compared one by one: slices of a long text would be made over and over.
    const fits = tokens.every((token, index) => {
      const other = all[at + index]
      if (other === undefined || (index > 0 && !follows(all[at + index - 1], other))) return false
      return index === last && isOpen ? other.token.startsWith(token) : other.token === token
    })
    const end = all[at + last]?.end
    if (fits && end !== undefined) places.push([piece.start, end])
  }
  return places
}

/** Without a space between; two pieces of one sign stand at the same place. */
function follows(before: SearchPiece | undefined, piece: SearchPiece): boolean {
  return before !== undefined && (piece.start === before.end || piece.start === before.start)
}

/** A line of a text around its first place, with the places in it. */
export interface SearchSnippet {
  readonly text: string
  readonly marks: readonly SearchPlace[]
}

const [charactersBefore, charactersAfter] = [30, 130]

/** What a list shows of a text that was found. Nothing is marked where a place is not in it any more. */
export function searchSnippet(text: string, places: readonly SearchPlace[] | null): SearchSnippet {
  const first = places?.[0]?.[0] ?? 0
  const from = wholeFrom(text, Math.max(0, first - charactersBefore))
  const until = wholeFrom(text, Math.min(text.length, first + charactersAfter))
  const [head, tail] = [from > 0 ? '…' : '', until < text.length ? '…' : '']
  const marks = (places ?? []).filter(([start, end]) => start >= from && end <= until).map(([start, end]): SearchPlace => [start - from + head.length, end - from + head.length])
  return { text: `${head}${text.slice(from, until).replace(/\s/gu, ' ')}${tail}`, marks }
}

/** Never between the two halves of a character. */
function wholeFrom(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at
}
