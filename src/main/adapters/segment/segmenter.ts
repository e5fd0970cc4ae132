import type { Segmenter } from '../../core/ports/segmenter'
import { otherTerms, type TermsOf } from './otherTerms'
import { dictionary } from './dictionary'

const hanCharacter = /\p{Script=Han}/u

/** Makes the segmenter. The dictionary (5 MB) is loaded with the first Chinese text: only in a thread of its own. */
export function makeSegmenter(): Segmenter {
  const cut = (text: string, termsOf: TermsOf): readonly string[] => {
    return [...new Set(textTerms(text.normalize('NFKC').replace(/[\uFE0E\uFE0F]/g, ''), termsOf))]
  }
  return {
    terms: (texts) => Promise.resolve(texts.map((text) => cut(text, 'entry'))),
    queryTerms: (texts) => Promise.resolve(texts.map((text) => cut(text, 'query'))),
  }
}

/**
 * jieba cuts the whole text, as names such as `T恤` belong together; what lies between its Chinese words is cut by us, because it
 * takes identifiers, letters with accents and other scripts apart.
 */
function textTerms(text: string, termsOf: TermsOf): readonly string[] {
  if (!hanCharacter.test(text)) return otherTerms(text, termsOf)
  const jieba = dictionary()
  const forSearch = jieba.cutForSearch(text, true)
  const terms: string[] = []
  let between = ''
  let at = 0
  for (const word of jieba.cut(text, true)) {
    // In search mode the words inside a word come before it.
    const from = at
    while (at < forSearch.length && forSearch[at] !== word) at += 1
    at += 1
    if (!hanCharacter.test(word)) {
      between += word
      continue
    }
    terms.push(...otherTerms(between, termsOf), ...forSearch.slice(from, at).map((one) => one.toLowerCase()))
    between = ''
  }
  return [...terms, ...otherTerms(between, termsOf)]
}
