/**
 * What two texts must share to be the same to memory (R37): NFKC, lower case, one space between words, and emoji without the
 * selectors of their look. Not for showing.
 */
export function normalText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/[\uFE0E\uFE0F]/g, '').replace(/\s+/gu, ' ').trim()
}

/** How a term is looked for in an entry. */
export type TermKind =
  /** Of scripts without spaces, or an emoji: wherever its characters stand. */
  | 'dense'
  /** A plain English stem or a number: only as a term. */
  | 'plain'
  /** Any other, such as `user_name`, `utf8` or `привет`: as a term, or from three characters on wherever its characters stand. */
  | 'open'

/** Han, kana, hangul and emoji with what joins and colours them, by code point. */
export const denseCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u{200D}|\u{20E3}/u

/** What a term is, by its characters alone. A term that begins with a dense character has no others, but for names such as `b超`. */
export function termKind(term: string): TermKind {
  if (/^(?:[a-z]+|[\d.]+%?)$/.test(term)) return 'plain'
  return denseCharacter.test(term) ? 'dense' : 'open'
}

/** An entry as terms are looked for in it. */
export interface TermedText {
  /** Its text as `normalText` makes it. */
  readonly normal: string
  /** Its terms (`Segmenter.terms`). */
  readonly terms: ReadonlySet<string>
}

/**
 * How many of a query's distinct terms an entry holds: as one of its terms, or as part of its text where that is no part of
 * another word. So a Chinese word is found whatever the segmenter made of the entry (D5), and `art` is not found in `start`. A
 * query of one letter or digit alone is found wherever it stands: whoever types it has nothing else to go by.
 */
export function countFound(terms: readonly string[], entry: TermedText): number {
  return counterOf(terms)(entry)
}

/** `countFound` for many entries: what a term is gets looked at once. */
export function counterOf(terms: readonly string[]): (entry: TermedText) => number {
  const [only] = terms
  if (only !== undefined && isLoneCharacter(terms)) return ({ normal }) => (normal.includes(only) ? 1 : 0)
  const looks = terms.map((term) => ({ term, isTerm: termKind(term) !== 'dense', isPart: isFoundAsPart(term) }))
  return ({ normal, terms: own }) => {
    let count = 0
    for (const { term, isTerm, isPart } of looks) if ((isTerm && own.has(term)) || (isPart && normal.includes(term))) count += 1
    return count
  }
}

function isFoundAsPart(term: string): boolean {
  const kind = termKind(term)
  return kind === 'dense' || (kind === 'open' && [...term].length >= 3)
}

/** Whether a query is one character. */
export function isLoneCharacter(terms: readonly string[]): boolean {
  return terms.length === 1 && [...(terms[0] ?? '')].length === 1
}
