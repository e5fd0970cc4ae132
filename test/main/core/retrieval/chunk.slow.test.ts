import { expect, test } from 'vitest'
import { chunkFile } from '../../../../src/main/core/retrieval/chunk'

/** Half of a character of two units. */
const half = /(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/

test('a line of 5 MB is cut into windows, whatever the language (R98)', () => {
  const text = '😀词a'.repeat(625_000)
  for (const language of ['', 'markdown', 'typescript']) {
    const chunks = chunkFile(language, text, { knows: () => true, units: () => [{ startLine: 1, endLine: 1, type: 'x', name: 'x', units: [] }] })
    expect(chunks.every(({ kind, startLine, endLine, text: one }) => kind === 'window' && startLine === 1 && endLine === 1 && !half.test(one))).toBe(true)
    expect(chunks.reduce((sum, one) => sum + one.text.length, 0)).toBeGreaterThan(text.length)
  }
})
