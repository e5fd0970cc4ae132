import { utf8Length } from './utf8Length'

const mark = '…'
const markBytes = 3
/** Sentences of both languages. A dot ends one only before a blank: 1.5 and file.ts go on. */
const sentenceEnd = /[.!?]["”’)]?(?= )|[。！？；]["”’）」』]?/gu

/**
 * The beginning of a description of one line, at most `length` bytes of UTF-8: up to a sentence's end when that keeps half of
 * the length or more, else up to a word's with a mark, else up to a character's. Never less for more length. Empty when not even
 * one character and the mark fit.
 */
export function cutDescription(text: string, length: number): string {
  const part = within(text, length)
  if (part.length === text.length) return text
  const sentence = [...text.slice(0, part.length + 1).matchAll(sentenceEnd)].map((found) => text.slice(0, found.index + found[0].length)).filter((one) => one.length <= part.length).at(-1)
  if (sentence !== undefined && utf8Length(sentence) * 2 >= length) return sentence
  const short = within(text, length - markBytes)
  if (short === '') return sentence ?? ''
  // A word's end counts also when the blank comes next.
  const blank = text.charAt(short.length) === ' ' ? short.length : short.lastIndexOf(' ')
  const word = text.slice(0, Math.max(0, blank))
  return (utf8Length(word) * 2 >= length ? word : short.trimEnd()) + mark
}

/** As much of the text as fits into so many bytes, in whole characters. */
function within(text: string, length: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += utf8Length(character)
    if (bytes > length) break
    end += character.length
  }
  return text.slice(0, end)
}
