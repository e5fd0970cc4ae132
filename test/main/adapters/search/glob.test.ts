import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGlob } from '../../../../src/main/adapters/search/glob'
import { readIgnoreRules } from '../../../../src/main/adapters/search/ignoreRules'

const fits = (glob: string, path: string): boolean | string => {
  const compiled = compileGlob(glob)
  return compiled.ok ? compiled.value(path) : compiled.fault.code
}

describe('a glob', () => {
  test.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['*.ts', 'a.TS', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/*.ts', 'x/src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['**/test/**', 'a/test/b/c', true],
    ['**', 'a/b', true],
    ['./src/a.ts', 'src/a.ts', true],
    ['/a.ts', 'a.ts', true],
    ['/a.ts', 'b/a.ts', false],
    ['a?c', 'abc', true],
    ['a?c', 'a🖋c', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['\\*x', '*x', true],
    ['\\*x', 'ax', false],
    ['*.{js,ts}', 'b/a.ts', true],
    ['{src,test}/**/*.{js,ts}', 'test/x/a.js', true],
    ['{a,b{c,d}}e', 'bde', true],
    ['文*', '文档.md', true],
    ['', 'a', 'search.bad-glob'],
    ['[a', 'a', 'search.bad-glob'],
    ['{a', 'a', 'search.bad-glob'],
    ['{a,b}'.repeat(9), 'a', 'search.bad-glob'],
  ])('%s on %s: %s', (glob, path, answer) => {
    expect(fits(glob, path)).toBe(answer)
  })

  test('means the same as the regular expression it stands for', () => {
    const part = fc.constantFrom('a', 'b', '*', '?')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 }), (parts, name) => {
        const expression = new RegExp(`^${parts.map((one) => (one === '*' ? '.*' : one === '?' ? '.' : one)).join('')}$`)
        expect(fits(parts.join(''), name.join(''))).toBe(expression.test(name.join('')))
      }),
    )
  })

  test('takes no long time, whatever it is', () => {
    expect(fits(`${'*a'.repeat(400)}b`, 'a'.repeat(4000))).toBe(false)
    expect(fits(`${'**/a/'.repeat(150)}b`, 'a/'.repeat(2000))).toBe(false)
  })
})

describe('an ignore file', () => {
  const rules = readIgnoreRules('# remark\n\n*.log\n!keep.log\n/top\nbuild/\ndocs/*.tmp\n\\#odd\ntrail  \n{a}\n')
  test.each([
    ['x.log', false, true],
    ['a/x.log', false, true],
    ['keep.log', false, false],
    ['top', false, true],
    ['a/top', false, null],
    ['build', true, true],
    ['build', false, null],
    ['a/build', true, true],
    ['docs/a.tmp', false, true],
    ['x/docs/a.tmp', false, null],
    ['#odd', false, true],
    ['trail', false, true],
    ['other', false, null],
  ])('%s (folder: %s): %s', (path, isFolder, answer) => {
    expect(rules(path, isFolder)).toBe(answer)
  })
})
