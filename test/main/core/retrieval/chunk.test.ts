import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkFile } from '../../../../src/main/core/retrieval/chunk'
import { linesOf } from '../../../../src/main/core/retrieval/sourceLines'
import { overlapTokens, windowTokens } from '../../../../src/main/core/retrieval/windows'
import { estimateTokens } from '../../../../src/main/core/context/estimate'
import type { SyntaxTree, SyntaxUnit } from '../../../../src/main/core/ports/syntaxTree'
import type { Chunk } from '../../../../src/shared/domain/retrieval'

/** Half of a character of two units. */
const half = /(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/

const none: SyntaxTree = { knows: () => false, units: () => null }
const tree = (units: readonly SyntaxUnit[] | null): SyntaxTree => ({ knows: () => true, units: () => units })
const unit = (startLine: number, endLine: number, name = '', units: readonly SyntaxUnit[] = []): SyntaxUnit => ({ startLine, endLine, type: 'x', name, units })
const body = (lines: number, characters = 99): string => `${'x'.repeat(characters)}\n`.repeat(lines)
const places = (chunks: readonly Chunk[]): readonly unknown[] => chunks.map(({ startLine, endLine, symbol }) => [startLine, endLine, symbol])

/** What is wrong with a cutting; nothing when it is sound. */
function faultsOf(text: string, chunks: readonly Chunk[]): readonly string[] {
  const lines = linesOf(text)
  const covered = new Set<number>()
  const faults: string[] = []
  let last: Chunk | null = null
  for (const chunk of chunks) {
    if (chunk.startLine < 1 || chunk.endLine > lines.length || chunk.startLine > chunk.endLine) faults.push(`lines ${chunk.startLine} to ${chunk.endLine} of ${lines.length}`)
    if (chunk.text.trim() === '') faults.push('a blank chunk')
    for (let line = chunk.startLine; line <= chunk.endLine; line++) covered.add(line)
    const between = lines.slice(chunk.startLine - 1, chunk.endLine).join('\n')
    if (!between.includes(chunk.text)) faults.push(`text is not that of lines ${chunk.startLine} to ${chunk.endLine}`)
    if (last && chunk.startLine < last.startLine) faults.push('out of order')
    const sharesLine = last !== null && chunk.startLine <= last.endLine
    const mayShare = last?.kind === 'window' || chunk.kind === 'window' || (chunk.kind === 'prose' && chunk.startLine === last?.endLine)
    if (sharesLine && !mayShare) faults.push(`overlap at line ${chunk.startLine}`)
    last = chunk
  }
  for (const [at, line] of lines.entries()) if (line.trim() !== '' && !covered.has(at + 1)) faults.push(`line ${at + 1} is in no chunk`)
  if (chunks.every(({ kind }) => kind !== 'window')) {
    const bare = (one: string): string => one.replace(/\s/gu, '')
    if (bare(chunks.map((one) => one.text).join('')) !== bare(lines.join(''))) faults.push('the text is not whole')
  }
  return faults
}

const line = fc.oneof(
  fc.constantFrom('', '  ', '# Title', '## Über 设计', 'Setext', '====', '---', '```', '~~~ts', '| a | b |', '- item', '> quote', '\tcode', '😀 emoji 👩‍👩‍👧', '第一句。第二句！第三句？', 'One. Two! Three? e.g. four'),
  fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replace(/[\r\n]/gu, '')),
  fc.integer({ min: 1, max: 3000 }).map((length) => 'word 词。'.repeat(length).slice(0, length)),
)
const texts = fc.tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'), fc.boolean()).map(([lines, end, mark, hasEnd]) => mark + lines.join(end) + (hasEnd ? end : ''))

/** Any units within the lines, as a grammar would give them. */
const unitsWithin = (from: number, to: number, depth: number): fc.Arbitrary<readonly SyntaxUnit[]> => {
  if (to < from || depth === 0) return fc.constant([])
  return fc.array(fc.integer({ min: from, max: to }), { maxLength: 6 }).chain((cuts) => {
    const edges = [...new Set(cuts)].sort((a, b) => a - b)
    const ranges = edges.flatMap((start, at) => (at % 2 === 0 ? [[start, edges[at + 1] ?? start] as const] : []))
    return fc.tuple(...ranges.map(([start, end]) => fc.tuple(unitsWithin(start, end, depth - 1), fc.constantFrom('', 'name', 'other')).map(([units, name]) => unit(start, end, name, units))))
  })
}

describe('chunks (R98)', () => {
  test('prose and unknown text: every line that is not blank is in a chunk, in order, without overlap but of windows', () => {
    fc.assert(fc.property(texts, fc.constantFrom('markdown', 'rst', 'text', ''), (text, language) => {
      expect(faultsOf(text, chunkFile(language, text, none))).toEqual([])
    }), { numRuns: 60 })
  })

  test('code: the same whatever units a grammar finds', () => {
    const cases = texts.chain((text) => unitsWithin(1, linesOf(text).length, 3).map((units) => [text, units] as const))
    fc.assert(fc.property(cases, ([text, units]) => {
      expect(faultsOf(text, chunkFile('typescript', text, tree(units)))).toEqual([])
    }), { numRuns: 60 })
  })

  test('small neighbours are one chunk, named by what they are called', () => {
    const text = body(3) + body(3) + body(12)
    expect(places(chunkFile('go', text, tree([unit(1, 3, 'a'), unit(4, 6, 'b'), unit(7, 18, 'c')])))).toEqual([[1, 6, 'a, b'], [7, 18, 'c']])
  })

  test('a large class is cut at its methods, which carry its name; head and closing bracket stay with their neighbours', () => {
    const text = `class A {\n${body(12)}${body(12)}}\n${body(2)}`
    const units = [unit(1, 26, 'A', [unit(2, 13, 'one'), unit(14, 25, 'two')]), unit(27, 28, 'after')]
    expect(places(chunkFile('java', text, tree(units)))).toEqual([[1, 13, 'A › one'], [14, 26, 'A › two'], [27, 28, 'after']])
  })

  test('a large unit without units is cut at its blank or least indented lines', () => {
    const half = `${'    yy\n'.repeat(150)}\n`
    expect(places(chunkFile('c', half + half, tree([unit(1, 302, 'f')])))).toEqual([[1, 150, 'f'], [152, 301, 'f']])
  })

  test('without a grammar, or when it gives up, windows of 512 tokens repeat at most 50', () => {
    const text = Array.from({ length: 300 }, (_, at) => `line ${at} of some text that goes on`).join('\n')
    for (const syntax of [none, tree(null)]) {
      const chunks = chunkFile('kotlin', text, syntax)
      expect(chunks.every(({ kind, text: one }) => kind === 'window' && estimateTokens(one) <= windowTokens)).toBe(true)
      for (const [at, chunk] of chunks.entries()) {
        const before = chunks[at - 1]
        if (!before) continue
        const repeated = linesOf(text).slice(chunk.startLine - 1, before.endLine)
        expect(repeated.length).toBeGreaterThan(0)
        expect(repeated.reduce((sum, one) => sum + estimateTokens(`${one}\n`), 0)).toBeLessThanOrEqual(overlapTokens)
      }
    }
  })

  test('one long line is cut within, never between the halves of a character', () => {
    const text = '😀词a'.repeat(50_000)
    const chunks = chunkFile('', text, none)
    expect(chunks.every((one) => one.startLine === 1 && one.endLine === 1 && !half.test(one.text) && estimateTokens(one.text) <= windowTokens)).toBe(true)
    expect(chunks.map((one) => one.text.length).reduce((a, b) => a + b)).toBeGreaterThan(text.length)
  })

  test('100,000 lines are cut in one pass', () => {
    const text = body(100_000, 20)
    expect(faultsOf(text, chunkFile('rust', text, tree([unit(1, 100_000, 'big')])))).toEqual([])
  })

  test('an empty file has no chunk', () => {
    expect(['', '\uFEFF', '\n\n', '  \r\n'].map((text) => chunkFile('markdown', text, none).length)).toEqual([0, 0, 0, 0])
  })
})

describe('prose (R98)', () => {
  test('sections by ATX and setext headings, with the headings above; code fences and front matter hold none', () => {
    const text = '---\ntitle: x\n---\nIntro\n\n# One #\ntext\n\n```sh\n# no heading\n```\n\n## Two `code`\n\n### Three\ntext\n\nFour\n====\ntext\n'
    expect(places(chunkFile('markdown', text, none))).toEqual([[1, 4, ''], [6, 11, 'One'], [13, 16, 'One › Two code › Three'], [18, 20, 'Four']])
  })

  test('reStructuredText: levels by the order of the signs', () => {
    const text = '=====\nTitle\n=====\n\nIntro.\n\nPart\n----\nText.\n\nInner\n~~~~~\nText.\n\nNext\n----\nText.\n'
    expect(places(chunkFile('rst', text, none))).toEqual([[1, 5, 'Title'], [7, 9, 'Title › Part'], [11, 13, 'Title › Part › Inner'], [15, 17, 'Title › Next']])
  })

  test('a large section by paragraphs, a large paragraph by sentences, Chinese too', () => {
    const sentence = '这是一个用来说明分段规则的句子，它有一些字。'
    const text = `# 标题\n\n${sentence.repeat(50)}\n\n${sentence.repeat(150)}`
    const chunks = chunkFile('markdown', text, none)
    expect(chunks.map(({ startLine, endLine, kind, symbol }) => [startLine, endLine, kind, symbol])).toEqual([[1, 3, 'prose', '标题'], [5, 5, 'prose', '标题'], [5, 5, 'prose', '标题'], [5, 5, 'prose', '标题']])
    expect(chunks.slice(1).every((one) => one.text.startsWith('这是') && one.text.endsWith('。') && one.text.length <= 1500)).toBe(true)
  })

  test('a hostile line costs no more than another of its length', () => {
    for (const text of ['['.repeat(1_000_000), `# ${'#'.repeat(1_000_000)}x`, '`'.repeat(1_000_000) + 'a`', '='.repeat(1_000_000)]) expect(faultsOf(`a\n${text}`, chunkFile('markdown', `a\n${text}`, none))).toEqual([])
  })
})
