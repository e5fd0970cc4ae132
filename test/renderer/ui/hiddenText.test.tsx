import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countHidden, cutPath, exactPieces } from '../../../src/renderer/ui/hiddenText'
import { Exact, PathText } from '../../../src/renderer/ui/Exact'
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
  const { container } = render(<Words locale="en"><PathText path={path} limit={40} /></Words>)
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe(path)
  expect(container.textContent).toContain(path)
})
