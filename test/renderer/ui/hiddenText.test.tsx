import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cleanup, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countHidden, cutPath, exactPieces, readablePieces, type ExactPiece } from '../../../src/renderer/ui/hiddenText'
import { Exact, PathText } from '../../../src/renderer/ui/Exact'
import { exactSelection } from '../../../src/renderer/ui/exactCopy'
import { Words } from '../../../src/renderer/ui/words'


test.each([
  ['zero-width space', '\u200b', 'U+200B', 'zero-width'],
  ['right-to-left override', '\u202e', 'U+202E', 'bidi'],
  ['escape', '\u001b', 'U+001B', 'control'],
  ['carriage return', '\r', 'U+000D', 'control'],
  ['no-break space', '\u00a0', 'U+00A0', 'space'],
  ['byte order mark', '\ufeff', 'U+FEFF', 'zero-width'],
  ['tag letter', '\u{e0061}', 'U+E0061', 'tag'],
  ['Hangul filler', '\u3164', 'U+3164', 'other'],
  ['lone surrogate', '\ud83d', 'U+D83D', 'other'],
])('%s is drawn as its code point (R70)', (_name, character, code, name) => {
  expect(exactPieces(`a${character}b`)).toEqual([{ kind: 'text', text: 'a' }, { kind: 'hidden', code, name }, { kind: 'text', text: 'b' }])
})

test('plain words of many scripts, tabs, line ends and emoji stay as they are', () => {
  for (const text of ['npm run build\n\tdone', '回滚到第 2 轮，完成。', 'naïve café', 'שלום', '👍 ok', '']) expect(countHidden(text)).toBe(0)
})

test('cutting loses nothing: the pieces put together are the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
    const whole = exactPieces(text).map((piece) => (piece.kind === 'text' ? piece.text : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)))).join('')
    expect(whole).toBe(text)
  }))
})

test('outside text is isolated from the direction of the words around it', () => {
  render(<Words locale="en"><p>before <Exact text={'x\u202ey'} /> after</p></Words>)
  const box = screen.getByText('U+202E')
  expect(box.closest('bdi')).not.toBeNull()
  expect(box.title).toBe('character that changes the direction of text')
})

test('a long path is cut in its middle on screen and whole in its name', () => {
  const path = 'src/features/approvals/parts/very/deep/ApprovalCard.tsx'
  expect(cutPath(path, 40)).toBe('src/…/parts/very/deep/ApprovalCard.tsx')
  expect(cutPath('a.ts', 40)).toBe('a.ts')
  expect(cutPath('https://docs.example.org/guides/deep/load-testing?page=2', 44)).toBe('https://docs.example.org/…/load-testing?page=2')
  expect(cutPath('https://docs.example.org/load-testing-of-lists', 40)).toBe('https://docs.example.org/load-testing-of-lists')
  const { container } = render(<Words locale="en"><PathText path={path} limit={40} /></Words>)
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe(path)
  expect(container.textContent).toContain(path)
})

const together = (pieces: readonly ExactPiece[]): string => pieces.map((piece) => (piece.kind === 'text' ? piece.text : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)))).join('')
const codes = (text: string): readonly string[] => readablePieces(text, 'prose').flatMap((piece) => (piece.kind === 'hidden' ? [piece.code] : []))

test.each([
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'],
  ['a profession with a skin tone', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
  ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['the flag of Wales', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ['a telephone as text', '\u260e\ufe0e'],
  ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Hindi', '\u0915\u094d\u200d\u0937'],
  ['a Japanese name', '\u845b\u{e0100}'],
  ['narrow spaces', '10\u202f000\u2009km'],
])('what a language or an emoji is written with is no secret in prose: %s', (_name, text) => {
  expect(readablePieces(text, 'prose')).toEqual([{ kind: 'text', text }])
})

test.each([
  ['joiners between letters', 'a\u200db\u200cc', ['U+200D', 'U+200C']],
  ['a joiner after an emoji that joins nothing', '\u{1f468}\u200d x', ['U+200D']],
  ['two joiners', '\u{1f468}\u200d\u200d\u{1f469}', ['U+200D', 'U+200D']],
  ['tags that spell something', '\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}', ['U+E0068', 'U+E0069', 'U+E007F']],
  ['selectors in a row', '\u845b\u{e0100}\u{e0101}', ['U+E0101']],
  ['a direction', '\u0645\u200f\u202e', ['U+200F', 'U+202E']],
  ['a byte order mark', '\ufeffa', ['U+FEFF']],
])('what hides in prose is boxed all the same: %s (R70)', (_name, text, expected) => {
  expect(codes(text)).toEqual(expected)
})

test('cutting readable text loses nothing, and boxes only what is hidden', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('prose' as const, 'code' as const), (text, area) => {
    const pieces = readablePieces(text, area)
    expect(together(pieces)).toBe(text)
    expect(pieces.filter((piece) => piece.kind === 'hidden').length).toBeLessThanOrEqual(countHidden(text))
  }))
})

test('a letter that passes for a Latin one among Latin ones is boxed; words of other languages are not (R70)', () => {
  expect(exactPieces('echo \u0430pt-get')).toEqual([{ kind: 'text', text: 'echo ' }, { kind: 'hidden', code: 'U+0430', name: 'look-alike' }, { kind: 'text', text: 'pt-get' }])
  for (const text of ['git commit -m "Исправить ошибку"', 'cat 设计/第2章.md', 'naïve café', 'αβγ.txt']) expect(countHidden(text)).toBe(0)
})

const e03 = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../cases/E/e03.json'), 'utf8')) as { readonly commands: readonly string[] }

// The last one hides nothing but distance: it wraps.
test.each(e03.commands.slice(0, -1))('case e03: what a command hides is drawn, and copied as it is: %j', (command) => {
  cleanup()
  render(<Words locale="en"><Exact text={command} /></Words>)
  expect(countHidden(command)).toBeGreaterThan(0)
  const drawn = document.querySelector('.exact')
  expect(drawn?.textContent).toMatch(/U\+[0-9A-F]{4}/u)
  const selection = document.getSelection()
  selection?.selectAllChildren(drawn as Element)
  expect(exactSelection(selection)).toBe(command)
})
