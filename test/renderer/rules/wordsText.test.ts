import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWords, wordsText } from '../../../src/renderer/features/rules/wordsText'
import type { RuleWord } from '../../../src/shared/domain/rule'
import { say } from '../../../src/shared/words/say'

const exact = (text: string): RuleWord => ({ kind: 'exact', text })
const read = (text: string) => {
  const parsed = parseWords(text)
  return parsed.ok ? parsed.value : parsed.fault.code
}

test('R69: words of a rule are written as one writes a command, and read back to the same', () => {
  expect(read('npm run build:* * …')).toEqual({ kind: 'command', words: [exact('npm'), exact('run'), { kind: 'pattern', text: 'build:*' }, { kind: 'any' }], isOpen: true })
  expect(read(String.raw`git commit -m 'two words' "it's" a\ b '*' ...`)).toEqual({ kind: 'command', words: ['git', 'commit', '-m', 'two words', "it's", 'a b', '*'].map(exact), isOpen: true })
  expect(read(String.raw`grep "a\.b \" c"`)).toEqual({ kind: 'command', words: [exact('grep'), exact(String.raw`a\.b " c`)], isOpen: false })
  expect(read(`eslint '我的 文件'/*.ts`)).toEqual({ kind: 'command', words: [exact('eslint'), { kind: 'pattern', text: '我的 文件/*.ts' }], isOpen: false })
})

test('R69: what a rule cannot hold is refused in words, never read as something else', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['', 'permission.text.empty'], ['   ', 'permission.text.empty'], ['…', 'permission.text.empty'],
    ['npm test && rm x', 'permission.text.sign'], ['npm test | tee x', 'permission.text.sign'], ['npm test > out', 'permission.text.sign'], ['echo $HOME', 'permission.text.sign'], ['echo "$(id)"', 'permission.text.sign'], ['echo `id`', 'permission.text.sign'], ['npm test\nrm x', 'permission.text.sign'], ['(npm test)', 'permission.text.sign'],
    ["npm 'run", 'permission.text.quote'], ['npm run\\', 'permission.text.backslash'], ['npm … test', 'permission.text.open-end'],
    ['ls ?.ts', 'permission.text.only-star'], ['ls [ab]', 'permission.text.only-star'], ['ls {a,b}', 'permission.text.only-star'],
    ['* run', 'permission.text.program'], ['np* run', 'permission.text.program'], ['CI=1 npm test', 'permission.text.program'], ['./run.sh', 'permission.text.program'], ['../../bin/sh', 'permission.text.program'], ['-rf', 'permission.text.program'],
    ["npm ''", 'permission.text.empty-word'], ['npm te\u200bst', 'permission.text.hidden'], ["npm '*'*", 'permission.text.two-stars'], [`npm${' a'.repeat(200)}`, 'permission.text.long'], [`npm ${'a'.repeat(4097)}`, 'permission.text.long-word'],
  ]
  expect(refused.map(([text]) => [text, read(text)])).toEqual(refused)
  const parsed = parseWords('npm test && rm x')
  expect(parsed.ok ? '' : [say('en', parsed.fault), say('zh-CN', parsed.fault)]).toEqual(['A rule is about one simple command: “&&” cannot stand in it. Quote it if the word holds it.', '一条规则只针对一条简单命令，不能含有“&&”。如果它是词的一部分，请加引号。'])
})

test('R69: every rule that can be kept comes back from its text as it was', () => {
  const sign = fc.constantFrom(...`ab-/.:=_ '"\\$\`&|;<>()?[]{}~#!…文`)
  const text = fc.string({ unit: sign, minLength: 1, maxLength: 8 })
  const exactly = fc.string({ unit: fc.oneof(sign, fc.constant('*')), minLength: 1, maxLength: 8 }).map(exact)
  const pattern = fc.tuple(fc.option(text, { nil: '' }), fc.option(text, { nil: '' })).filter(([a, b]) => a !== '' || b !== '').map(([a, b]): RuleWord => ({ kind: 'pattern', text: `${a}*${b}` }))
  const word = fc.oneof(exactly, pattern, fc.constant<RuleWord>({ kind: 'any' }))
  fc.assert(fc.property(fc.array(word, { maxLength: 5 }), fc.boolean(), (words, isOpen) => {
    const shape = { kind: 'command' as const, words: [exact('npm'), ...words], isOpen }
    expect(read(wordsText(shape))).toEqual(shape)
  }), { numRuns: 300 })
})
