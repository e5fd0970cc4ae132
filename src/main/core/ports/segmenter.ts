/**
 * Cuts text into the terms that memory and retrieval compare (R37): Chinese words in jieba's search mode, English words as
 * stems, numbers, emoji; lower case, NFKC, no punctuation, no stop words. How a term is found in an entry is
 * `shared/domain/termText`.
 */
export interface Segmenter {
  /**
   * The distinct terms of each text that is stored, in the order of their first place. Besides its words, an identifier gives
   * its parts, single and joined (`getUserName`: the whole, get, user, name, getUser, userName). Answers in the order of the texts.
   */
  terms(texts: readonly string[]): Promise<readonly (readonly string[])[]>
  /** The distinct terms of each query: as `terms`, but what R39 counts, so that an identifier is one term. */
  queryTerms(texts: readonly string[]): Promise<readonly (readonly string[])[]>
}
