import { expect, test } from 'vitest'
import { quoteWord } from '../../../src/renderer/features/approvals/cardText'

test.each([
  ['echo', 'echo'],
  ['two words', "'two words'"],
  ['', "''"],
  ['"you typed $word"', '"you typed $word"'],
  ['>> out.txt', '>> out.txt'],
  ['2>&1', '2>&1'],
])('a word of a command part is shown once as it was written: %s', (word, shown) => {
  expect(quoteWord(word)).toBe(shown)
})
