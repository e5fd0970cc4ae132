import { stemmer } from 'stemmer'
import { dictionary } from './dictionary'
import { otherTerms } from './otherTerms'

/** Identifiers repeat: what each was cut into is kept, up to this many. */
const mostKept = 200_000
/** Longer words are hashes and encoded bytes; nobody asks for them. */
const longestWord = 80

const tokens = /[A-Za-z0-9_\u0080-\u{10FFFF}]+/gu
const chinese = /(\p{Script=Han}+)/u

/**
 * The terms of code and documents, with repetitions, for an index by frequency (R37, R99): identifiers whole and in their parts,
 * English stems, Chinese words. One function for what is stored and what is asked. Much faster than the segmenter of memories on
 * plain letters, and it leaves out the joined parts that would blow up an index. The dictionary is loaded with the first Chinese text.
 */
export function makeCodeTerms(): (text: string) => readonly string[] {
  const kept = new Map<string, readonly string[]>()
  const foreignTerms = (token: string): readonly string[] =>
    token.normalize('NFKC').split(chinese).flatMap((run, at) => {
      if (at % 2 === 0) return otherTerms(run, 'entry')
      return dictionary().cutForSearch(run, true)
    })
  return (text) => {
    const terms: string[] = []
    for (const [token] of text.matchAll(tokens)) {
      let own = kept.get(token)
      if (own === undefined) {
        const isPlain = /^\w+$/u.test(token)
        own = isPlain ? wordTerms(token) : foreignTerms(token)
        if (kept.size >= mostKept) kept.clear()
        if (isPlain) kept.set(token, own)
      }
      for (const term of own) terms.push(term)
    }
    return terms
  }
}

function wordTerms(token: string): readonly string[] {
  const word = token.replace(/^_+|_+$/gu, '')
  if (word === '' || word.length > longestWord) return []
  const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)/u)
  if (parts.length < 2) return [termOf(word)]
  return [termOf(word), ...parts.filter((part) => part.length > 1).map(termOf)]
}

function termOf(word: string): string {
  const lower = word.toLowerCase()
  return /^[a-z]+$/u.test(lower) ? stemmer(lower) : lower
}
