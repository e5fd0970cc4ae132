import { expect, test } from 'vitest'
import { quoteWord } from '../../../src/renderer/features/approvals/cardText'

test.each([
  ['echo', 'echo'],
  ['two words', "'two words'"],
  ['', "''"],
  ['"you typed $word"', '"you typed $word"'],
  ['>> out.txt', '>> out.txt'],
  ['2>&1', '2>&1'],
  ["import os; os.remove('old.txt')", `"import os; os.remove('old.txt')"`],
  ['cake\\nbread\\n', `'cake\\nbread\\n'`],
  [`it's "so"`, `'it'\\''s "so"'`],
  ['"two words"*', '"two words"*'],
])('a word of a command part is shown once as it was written: %s', (word, shown) => {
  expect(quoteWord(word)).toBe(shown)
})
