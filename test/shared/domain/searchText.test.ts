import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchParts, searchPieces, searchPlaces, searchSnippet } from '../../../src/shared/domain/searchText'

const finds = (text: string, query: string): boolean => searchPlaces(text, searchParts(query)) !== null

describe('R96, D5: what a search finds in a text', () => {
  test.each([
    ['回滚会合并你的改动', '合并'], ['回滚会合并你的改动', '滚会'], ['审计记录', '记'], ['用git提交', 'git提交'], ['请运行 npm test', 'npm te'],
    ['const a = b.c(d)', 'b.c('], ['ＡＢＣ公司', 'abc公司'], ['Snapshot store', 'snap'], ['a "quoted" word', '"quoted"'], ['东京タワー', 'タワ'], ['it works 👍', '👍'],
    ['one two three', 'three one'], ['㍿山田', '株式会社山田'], ['CAFÉ', 'café'],
  ])('%j holds %j', (text, query) => expect(finds(text, query)).toBe(true))

  test.each([['snapshot', 'shot'], ['回 滚', '回滚'], ['foo bar', 'foo.bar'], ['one two', 'one three'], ['a', ''], ['a', '   '], ['ab', 'a']])('%j does not hold %j', (text, query) => expect(finds(text, query)).toBe(false))

  test('every stretch of a Chinese text is found, and marked where it stands', () => {
    const character = fc.constantFrom(...'回滚合并改动审计记录会话')
    fc.assert(fc.property(fc.array(character, { minLength: 2, maxLength: 30 }), fc.nat(), fc.integer({ min: 1, max: 4 }), (characters, at, length) => {
      const text = characters.join('')
      const from = at % text.length
      const query = text.slice(from, from + length)
      expect(searchPlaces(text, searchParts(query))?.map(([start, end]) => text.slice(start, end))).toContain(query)
    }))
  })

  test('any text at all is cut into pieces that lie in it, in order', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      let end = 0
      for (const piece of searchPieces(text)) {
        expect(piece.token).not.toMatch(/\s/)
        expect(piece.start >= end || piece.end === end).toBe(true)
        end = piece.end
      }
      expect(end <= text.length).toBe(true)
    }))
  })
})

describe('R96: what the list shows of a found text', () => {
  test('the place is marked, and long texts are cut around it', () => {
    const text = `${'x '.repeat(100)}the\nplace${' y'.repeat(200)}`
    const snippet = searchSnippet(text, searchPlaces(text, searchParts('place')))
    expect(snippet.text.length).toBeLessThan(170)
    expect(snippet.marks.map(([start, end]) => snippet.text.slice(start, end))).toEqual(['place'])
    expect(snippet.text).toMatch(/^….*the place.*…$/)
  })

  test('no character is cut in half, and a place that is gone is not marked', () => {
    const text = '👍'.repeat(200)
    expect(searchSnippet(text, [[101, 103]]).text).toMatch(/^…(👍)+…$/u)
    expect(searchSnippet('nothing here', null)).toEqual({ text: 'nothing here', marks: [] })
  })
})
