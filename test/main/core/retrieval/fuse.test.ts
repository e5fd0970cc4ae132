import { expect, test } from 'vitest'
import { fuse } from '../../../../src/main/core/retrieval/fuse'
import { isUnreadByName, languageOf, languagesFor } from '../../../../src/main/core/retrieval/languages'
import type { RankedList } from '../../../../src/main/core/ports/codeIndex'

const list = (by: RankedList['by'], ...paths: readonly string[]): RankedList => ({ by, hits: paths.map((path) => ({ path, startLine: 1, endLine: 2, language: '', symbol: '', text: path })) })

test('lists are fused by reciprocal rank with 60; what stands in several comes first (R99)', () => {
  const fused = fuse([list('keyword', 'a', 'b', 'c'), list('vector', 'c', 'd'), list('keyword', 'a', 'a')])
  expect(fused.map(({ path, score, by }) => [path, score, by])).toEqual([
    ['a', 1 / 61 + 1 / 61, 'keyword'],
    ['c', 1 / 63 + 1 / 61, 'both'],
    ['b', 1 / 62, 'keyword'],
    ['d', 1 / 62, 'vector'],
  ])
})

test('languages are known by file ending, and asked for by name, ending or family (R99)', () => {
  expect(['a/b.ts', 'x.TSX', 'Makefile', 'x/Dockerfile', 'a.h', 'README', 'noext', '.constructor'].map(languageOf)).toEqual(['typescript', 'tsx', 'makefile', 'dockerfile', 'c', 'text', '', ''])
  expect(['TypeScript', 'ts', 'C++', '.py', 'constructor', ''].map(languagesFor)).toEqual([['typescript', 'tsx'], ['typescript', 'tsx'], ['cpp', 'c'], ['python'], [], []])
})

test('what nobody wrote is not read, by its name (R98)', () => {
  expect(['a.png', 'package-lock.json', 'x.min.js', 'x.js.map', 'go.sum', 'a.ts', 'minute.js'].map(isUnreadByName)).toEqual([true, true, true, true, true, false, false])
})
