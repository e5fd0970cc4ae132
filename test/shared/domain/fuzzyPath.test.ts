import { expect, test } from 'vitest'
import { byFit, queryWords, readPlaceQuery, scorePath } from '../../../src/shared/domain/fuzzyPath'

const paths = ['src/renderer/features/work/WorkView.tsx', 'src/work/vault/key.ts', 'docs/工作/价格表.md', 'src/client.ts', 'src/http/client.test.ts', 'README.md', 'src/clients/index.ts']

/** What fits, best first. */
function found(query: string): readonly string[] {
  const words = queryWords(query)
  return paths.flatMap((path) => {
    const score = scorePath(words, path)
    return score === null ? [] : [{ path, score }]
  }).sort(byFit).map(({ path }) => path)
}

test.each([
  ['workview', ['src/renderer/features/work/WorkView.tsx']],
  ['wv', ['src/renderer/features/work/WorkView.tsx', 'src/work/vault/key.ts']],
  ['client', ['src/client.ts', 'src/http/client.test.ts', 'src/clients/index.ts']],
  ['http client', ['src/http/client.test.ts']],
  ['价格', ['docs/工作/价格表.md']],
  ['作表', ['docs/工作/价格表.md']],
  ['http\\cl', ['src/http/client.test.ts']],
  ['zzz', []],
] as const)('R111 %j finds files by name', (query, paths) => {
  expect(found(query)).toEqual(paths)
})

test.each([
  ['client.ts:40:2', { text: 'client.ts', line: 40, column: 2 }],
  ['client.ts:', { text: 'client.ts', line: null, column: null }],
  ['价格：12', { text: '价格', line: 12, column: null }],
  [' a b ', { text: 'a b', line: null, column: null }],
  ['a:0', { text: 'a', line: null, column: null }],
] as const)('R111 %j names a place', (typed, place) => {
  expect(readPlaceQuery(typed)).toEqual(place)
})
