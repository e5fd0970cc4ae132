/**
 * Cuts text into the terms that memory and retrieval compare (R37): Chinese words in jieba's search mode, English words as
 * stems, identifiers whole and in their parts, emoji; lower case, NFKC. The same function serves what is stored and what is
 * asked, so that both meet.
 */
export interface Segmenter {
  /** The distinct terms of each text, in the order of their first place. Answers in the order of the texts. */
  terms(texts: readonly string[]): Promise<readonly (readonly string[])[]>
}
