import type { FilePlace } from './filePlaces'

/** What was typed to open a file: the words to find it by, and the place behind it, `client.ts:40:2`. */
export function readPlaceQuery(typed: string): Pick<FilePlace, 'line' | 'column'> & { readonly text: string } {
  const [whole, line, column] = /[:：](\d{1,7})?(?:[:：](\d{1,7})?)?$/u.exec(typed.trim()) ?? []
  const text = whole === undefined ? typed.trim() : typed.trim().slice(0, -whole.length)
  return { text, line: positive(line), column: positive(column) }
}

function positive(digits: string | undefined): number | null {
  const number = Number(digits)
  return digits === undefined || number < 1 ? null : number
}

/** A path with how well it fits; larger is better. */
export interface RankedPath {
  readonly path: string
  readonly score: number
}

/**
 * How well a path fits what was typed: every word's characters must occur in order, upper and lower case alike. Hits in the name
 * count more than in its folders, runs and beginnings of words more than scattered letters, short paths more than long ones.
 * Null where it does not fit. Chinese names are found by their characters.
 */
export function scorePath(words: readonly string[], path: string): number | null {
  const low = path.toLowerCase()
  let sum = 0
  for (const word of words) {
    const score = scoreWord(word, low, path)
    if (score === null) return null
    sum += score
  }
  return sum - path.length / 50
}

/** The words of a query, for `scorePath`. A backslash is a slash. */
export function queryWords(text: string): readonly string[] {
  return text.toLowerCase().replaceAll('\\', '/').split(/\s+/u).filter((word) => word !== '')
}

function scoreWord(word: string, low: string, path: string): number | null {
  const nameAt = low.lastIndexOf('/') + 1
  const inName = low.indexOf(word, nameAt)
  if (inName === nameAt) return 200 + word.length * 4 + (low.length - nameAt === word.length ? 100 : low[nameAt + word.length] === '.' ? 60 : 0)
  if (inName !== -1) return 140 + word.length * 4 + (startsWord(path, inName) ? 20 : 0)
  const anywhere = low.lastIndexOf(word)
  if (anywhere !== -1) return 100 + word.length * 4 + (startsWord(path, anywhere) ? 20 : 0)
  // The name alone first: `wkv` is `WorkView` before it is a letter each of three folders.
  return scattered(word, low, path, nameAt, 40) ?? scattered(word, low, path, 0, 0)
}

function scattered(word: string, low: string, path: string, from: number, bonus: number): number | null {
  let at = from
  let score = bonus
  let last = -2
  for (const character of word) {
    const next = low.indexOf(character, at)
    if (next === -1) return null
    score += next === last + 1 ? 4 : startsWord(path, next) ? 5 : 1
    last = next
    at = next + character.length
  }
  return score
}

/** After a border, or a capital after a small letter. */
function startsWord(path: string, at: number): boolean {
  const before = path[at - 1]
  return before === undefined || /[/_\-. ]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(path[at] ?? ''))
}

/** The better of two, best first; alike, in path order. */
export function byFit(a: RankedPath, b: RankedPath): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}
