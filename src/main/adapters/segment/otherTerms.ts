import { stemmer } from 'stemmer'
import { denseCharacter } from '../../../shared/domain/termText'

/** Whether terms are made for what is stored, or for what is asked. */
export type TermsOf = 'entry' | 'query'

/** A word with an underscore in it; a number with its points and percent; C++ and its like; any other word; a piece of a dense script or emoji. */
const pieces = new RegExp(
  [
    /(?<number>v?\d+(?:\.\d+)+%?|\d+%)(?![\p{L}\p{N}])/u.source,
    /(?<sharp>[A-Za-z](?:\+\+|#))(?![\p{L}\p{N}+#])/u.source,
    `(?<dense>(?:${denseCharacter.source})+)`,
    /(?<spaceless>[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u.source,
    /(?<word>[\p{L}\p{M}\p{N}_]+?(?=[^\p{L}\p{M}\p{N}_]|DENSE|$))/u.source.replace('DENSE', `(?:${denseCharacter.source})`),
  ].join('|'),
  'gu',
)

/** Longer runs are cut before they are segmented: Intl.Segmenter is quadratic in their length. */
const segmenterCharacters = 1000
/** An identifier of more parts gives no joined ones. */
const mostParts = 6

const words = new Intl.Segmenter('ja', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The terms of text without Chinese words, with repetitions, in their order. */
export function otherTerms(text: string, termsOf: TermsOf): readonly string[] {
  const terms: string[] = []
  for (const { groups } of text.matchAll(pieces)) {
    if (groups?.['dense'] !== undefined) terms.push(...denseTerms(groups['dense']))
    else if (groups?.['spaceless'] !== undefined) terms.push(...cutWords(groups['spaceless']))
    else if (groups?.['number'] !== undefined) terms.push(...numberTerms(groups['number'].toLowerCase(), termsOf))
    else if (groups?.['sharp'] !== undefined) terms.push(groups['sharp'].toLowerCase())
    else if (groups?.['word'] !== undefined) terms.push(...wordTerms(groups['word'], termsOf))
  }
  return terms
}

/** Emoji by what is seen as one character; kana and hangul by words. */
function denseTerms(run: string): readonly string[] {
  if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20E3}/u.test(run)) return cutWords(run)
  const terms: string[] = []
  let between = ''
  for (const { segment } of graphemes.segment(run)) {
    if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20E3}/u.test(segment)) between += segment
    else {
      terms.push(...cutWords(between), segment)
      between = ''
    }
  }
  return [...terms, ...cutWords(between)]
}

function cutWords(run: string): readonly string[] {
  const terms: string[] = []
  for (let at = 0; at < run.length; at += segmenterCharacters) {
    for (const { segment, isWordLike } of words.segment(run.slice(at, at + segmenterCharacters))) {
      if (isWordLike === true) terms.push(segment.toLowerCase().normalize('NFKC'))
    }
  }
  return terms
}

/** `1.2.3` is also stored as 1 and 1.2, `10%` also as 10. */
function numberTerms(number: string, termsOf: TermsOf): readonly string[] {
  if (termsOf === 'query') return [number]
  const digits = number.replace(/^v|%$/g, '').split('.')
  return [number, ...digits.map((_, index) => digits.slice(0, index + 1).join('.'))]
}

function wordTerms(word: string, termsOf: TermsOf): readonly string[] {
  const trimmed = word.replace(/^_+|_+$/g, '')
  if (trimmed === '') return []
  const parts = partsOf(trimmed)
  const whole = termOf(trimmed)
  if (termsOf === 'query' || parts.length < 2) return [whole]
  return [whole, ...joined(parts)]
}

/** `getUserName2`, `HTTPServer`, `snake_case`: cut where the case or the kind changes. */
function partsOf(word: string): readonly string[] {
  return word
    .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/u)
    .filter((part) => part !== '')
}

/** The parts, and neighbours written as one word: `userName` is found in `getUserName`, and `username` in `user_name`. */
function joined(parts: readonly string[]): readonly string[] {
  const most = parts.length > mostParts ? 1 : parts.length
  const terms: string[] = []
  for (let length = 1; length <= most; length += 1) {
    for (let from = 0; from + length <= parts.length; from += 1) terms.push(termOf(parts.slice(from, from + length).join('')))
  }
  return terms
}

/** Words of English letters alone as stems, whatever their case; all others as they are. */
function termOf(word: string): string {
  const lower = word.toLowerCase().normalize('NFKC')
  return /^[a-z]+$/.test(lower) ? stemmer(lower) : lower
}
