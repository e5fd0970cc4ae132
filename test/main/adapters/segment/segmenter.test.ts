import { Jieba } from '@node-rs/jieba'
import { dict } from '@node-rs/jieba/dict.js'
import fc from 'fast-check'
import { stemmer } from 'stemmer'
import { describe, expect, test } from 'vitest'
import { makeSegmenter } from '../../../../src/main/adapters/segment/segmenter'
import { countFound, normalText } from '../../../../src/shared/domain/termText'

const segmenter = makeSegmenter()
const jieba = Jieba.withDict(dict)
const termsOf = async (text: string) => (await segmenter.terms([text]))[0] ?? []
const queryOf = async (text: string) => (await segmenter.queryTerms([text]))[0] ?? []
const found = async (query: string, text: string) => countFound(await queryOf(query), { normal: normalText(text), terms: new Set(await termsOf(text)) })

/** As an outside check computes them: plain jieba in search mode, Porter stems, no punctuation. */
function plainTerms(text: string): readonly string[] {
  const words = jieba.cutForSearch(text, true).map((word) => word.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return [...new Set(words.map((word) => (/^[a-z]+$/.test(word) ? stemmer(word) : word)))]
}

describe('R37: what a query counts', () => {
  test.each([
    '回滚功能怎么用',
    '中华人民共和国成立了',
    '我们不要使用npm，请用pnpm！',
    'Run the tests before committing changes',
    '用React写组件，数据库用Postgres',
    "don't use tabs; it's a well-known rule",
    '买T恤 and a jacket',
    'C++ or C# in 2024, 3.14 and 10%',
    '会议改到 10:30，地点在三楼',
    'getUserName',
  ])('is what jieba in search mode and Porter stems give: %s', async (text) => {
    expect(await queryOf(text)).toEqual(plainTerms(text))
  })

  test.each([
    ['user_name', ['user_name']],
    ['MAX_RETRY_COUNT', ['max_retry_count']],
    ['getUserName', ['getusernam']],
    ['src/main/app.ts', ['src', 'main', 'app', 'ts']],
    ['foo-bar', ['foo', 'bar']],
    ['v1.2.3', ['v1.2.3']],
    ['ＡＢＣ１２３', ['abc123']],
    ['naïve café', ['naïve', 'café']],
    ['привет мир', ['привет', 'мир']],
    ['안녕하세요 세계', ['안녕하세요', '세계']],
    ['コードを書く', ['コード', 'を', '書', 'く']],
    ['👍🏽 好的👍 ❤️', ['👍🏽', '好', '的', '👍', '❤']],
    ['👨‍👩‍👧 🇨🇳', ['👨‍👩‍👧', '🇨🇳']],
    ['，。！ ... -- ()', []],
    ['', []],
    ['𠮷野家', ['𠮷', '野家']],
    ['the THE The', ['the']],
    ['tests test testing', ['test']],
  ] as const)('of %s is %j', async (text, terms) => {
    expect(await queryOf(text)).toEqual(terms)
  })
})

test('R37: an identifier is stored whole, in its parts and in what its parts make together', async () => {
  expect(await termsOf('getUserName')).toEqual(['getusernam', 'get', 'user', 'name', 'getus', 'usernam'])
  expect(await termsOf('user_name')).toEqual(['user_name', 'user', 'name', 'usernam'])
  expect(await termsOf('HTTPServer utf8')).toEqual(['httpserver', 'http', 'server', 'utf8', 'utf', '8'])
  expect(await termsOf('1.2.3 10%')).toEqual(['1.2.3', '1', '1.2', '10%', '10'])
})

describe('R37: a query finds', () => {
  test.each([
    ['user', 'getUserName'], ['UserName', 'the getUserName function'], ['userName', 'user_name'], ['user_name', 'USER_NAME'], ['user_name', 'my_user_names'],
    ['getusername', 'getUserName'], ['getUserName', 'call getusername'], ['库', '数据库'], ['据库', '数据库'], ['x', 'max'], ['7', '1978'], ['👍', '很好👍🏽'],
    ['👩', '👨‍👩‍👧'], ['❤️', '❤'], ['日本', '日本語'], ['세계', '안녕 세계를'], ['1.2', 'v1.2.3'], ['utf', 'utf8'], ['tests', 'Testing'], ['回滚', '已回滚完成'], ['ＡＢＣ', 'abc'],
  ])('%s in %s', async (query, text) => {
    expect(await found(query, text)).toBe((await queryOf(query)).length)
  })

  test.each([['art', 'start'], ['100', '1000'], ['库', '仓'], ['user', 'abuser'], ['😀', '👍'], ['id', 'idea'], ['a', '中文'], ["don't", 'do']])('%s not in %s', async (query, text) => {
    expect(await found(query, text)).toBe(0)
  })
})

test('every query finds the text that it is', async () => {
  const piece = fc.constantFrom('getUserName', 'user_name', '回滚', '数据库', '我们', 'tests', 'c++', 'C#', '👍🏽', '👨‍👩‍👧', 'v1.2', '10%', 'naïve', 'コード', '안녕', ' ', '-', '/', '，', '_', '.', '3', 'É', 'ß', 'İ', 'ไทย', '1️⃣', 'T恤')
  await fc.assert(fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
    const text = pieces.join('')
    const terms = await queryOf(text)
    expect(await found(text, text)).toBe(terms.length)
    for (const term of terms) expect(term).toBe(normalText(term))
  }), { numRuns: 150 })
})

test('a long text without spaces is cut in a time that grows with it', async () => {
  expect((await termsOf('コード'.repeat(5000))).length).toBeGreaterThan(0)
})
