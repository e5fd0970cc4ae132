import { beforeAll, describe, expect, test } from 'vitest'
import type { SyntaxUnit } from '../../../../src/main/core/ports/syntaxTree'
import { makeTreeSitter } from '../../../../src/main/adapters/syntax/treeSitter'

const filler = (comment: string): string => `${comment} ${'filler '.repeat(300)}\n`

/** Source, and its named units as `line-line name`, indented by depth. */
const samples: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  typescript: [
    `import a from 'a'\n/** Doc */\nexport function one() {}\n@Sealed()\nexport class Two {\n  /** m */\n  @Log()\n  method() {}\n  ${filler('//')}  #hidden = 1\n}\nexport const three = () => 1\ninterface Four {}\nnamespace Five {}\n`,
    ['2-3 one', '4-11 Two', ' 6-8 method', ' 9-10 #hidden', '12-12 three', '13-13 Four', '14-14 Five'],
  ],
  tsx: ['export const View = () => <p>{1}</p>\nexport default class Page {}\n', ['1-1 View', '2-2 Page']],
  javascript: ['const a = require("a")\nmodule.exports = function () {}\nexports.bar = () => 1\nx = 2\n', ['1-1 a', '2-2 module.exports', '3-3 exports.bar']],
  python: [`# why\n@decorated\ndef one():\n    pass\n\nclass Two:\n    ${filler('#')}    @property\n    def method(self):\n        pass\n`, ['1-4 one', '6-10 Two', ' 8-10 method']],
  java: [`package a;\n/** Doc */\n@Foo\npublic class A {\n  ${filler('//')}\n  /** m */\n  @Override\n  public void method() {}\n  A() {}\n}\nrecord P(int x) {}\n`, ['2-11 A', ' 7-9 method', ' 10-10 A', '12-12 P']],
  go: ['package main\n\n// S is.\ntype S struct {\n}\n\nfunc (s *S) Method() {}\n\nfunc (m Map[K, V]) Get() {}\n\nfunc Bar() {}\n', ['3-5 S', '7-7 S › Method', '9-9 Map › Get', '11-11 Bar']],
  rust: [`/// Doc\n#[derive(Debug)]\npub struct S<T> { a: T }\n\nimpl<T> S<T> {\n    ${filler('//')}\n    /// New.\n    pub fn new() {}\n}\nenum E { A }\n`, ['1-3 S', '5-10 S', ' 8-9 new', '11-11 E']],
  c: ['/* Doc */\nint main(void)\n{\n  return 0;\n}\nstatic char *names[] = { "a" };\n', ['1-5 main', '6-6 names']],
  cpp: [`namespace a {\ntemplate <typename T>\nclass A {\n  ${filler('//')}\n  int *method() { return 0; }\n};\n}\nvoid a::A::far() {}\n`, ['1-8 a', ' 2-7 A', '  6-6 method', '9-9 a › A › far']],
  csharp: ['namespace A.B\n{\n  class C { }\n}\n', ['1-4 A.B']],
  ruby: ['module A\n  class B\n  end\nend\n', ['1-4 A']],
  php: ['<?php\nclass C {\n  function m() {}\n}\nfunction f() {}\n', ['2-4 C', '5-5 f']],
  bash: ['# Doc\nfoo() {\n  echo 1\n}\nfoo\n', ['1-4 foo']],
  css: ['/* Doc */\n.a, .b { color: red; }\n', ['1-2 .a, .b']],
}

const syntax = makeTreeSitter()

beforeAll(async () => {
  for (const language of Object.keys(samples)) await syntax.prepare(language)
})

function named(units: readonly SyntaxUnit[], depth = 0): readonly string[] {
  return units.flatMap(({ startLine, endLine, name, units: inner }) => (name === '' ? named(inner, depth) : [`${' '.repeat(depth)}${startLine}-${endLine} ${name}`, ...named(inner, depth + 1)]))
}

describe('units of syntax (R98)', () => {
  for (const [language, [text, expected]] of Object.entries(samples)) {
    test(`${language}: declarations by name, with their comments, and what is in large ones`, () => {
      expect(named(syntax.units(language, text) ?? [])).toEqual(expected)
    })
  }

  test('a language without a grammar is not known', () => {
    expect([syntax.knows('kotlin'), syntax.knows('constructor'), syntax.knows('python')]).toEqual([false, false, true])
  })

  test('an error in the text is parsed around', () => {
    const units = syntax.units('typescript', 'function good() {}\n\nfunction bad( {{{ ]\n\nfunction alsoGood() {}\n') ?? []
    expect(named(units)).toContain('1-1 good')
  })

  test('units do not share lines', () => {
    const units = syntax.units('typescript', 'const a = 1; const b = 2\nfunction f() {\n}; const c = 3\nlet d\n') ?? []
    expect(units.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([[1, 1], [2, 3], [4, 4]])
  })

  test('what takes longer than its time is not parsed, and the next file is', async () => {
    const hurried = makeTreeSitter(0)
    await hurried.prepare('typescript')
    expect(hurried.units('typescript', 'const x = [1, 2, 3]\n'.repeat(300))).toBeNull()
    expect(syntax.units('typescript', 'let a\n')).toHaveLength(1)
  })
})
