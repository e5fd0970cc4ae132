import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareParts, mergeParts, mergeText, type MergedPart } from '../../../../src/main/core/snapshot/mergeLines'

const taking = (parts: readonly MergedPart[], side: 'ours' | 'base' | 'theirs'): string => parts.map((part) => (part.kind === 'same' ? part.text : part[side])).join('')

test.each([
  ['changes of other lines', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  ['the same change twice', 'a\nb\n', 'a\nX\n', 'a\nX\n', 'a\nX\n'],
  ['the same change beside another', 'a\nb\nc\nd\n', 'X\nb\nc\nd\n', 'X\nb\nc\nD\n', 'X\nb\nc\nD\n'],
  ['neighbouring lines', 'a\nb\n', 'A\nb\n', 'a\nB\n', null],
  ['additions in one place', 'a\n', 'a\nx\n', 'a\ny\n', null],
  ['a line that is taken away and changed', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n', null],
  ['CRLF as it is', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
  ['a last line without an end', 'a\nb\nc', 'A\nb\nc', 'a\nb\nc\n', 'A\nb\nc\n'],
  ['nothing left', 'a\nb\nc\n', '', 'a\nb\nc\n', ''],
])('R77 a merge: %s', (_, base, ours, theirs, merged) => {
  expect(mergeText({ base, ours, theirs })).toBe(merged)
  expect(mergeText({ base, ours: theirs, theirs: ours })).toBe(merged)
})

test('R77 a conflict says what both made of the lines, and what it was', () => {
  expect(mergeParts({ base: '1\n2\n3\n4\n', ours: '1\nmine\n3\n4\nend\n', theirs: '0\n2\n3\n4\n' })).toEqual([
    { kind: 'conflict', base: '1\n2\n', ours: '1\nmine\n', theirs: '0\n2\n' },
    { kind: 'same', text: '3\n4\nend\n' },
  ])
})

test('R13 a long text of few different lines is merged without long work, a longer one is not', () => {
  const base = Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? '}\n' : at % 3 === 1 ? '\n' : `  ${at % 7}\n`))
  const [ours, theirs] = [base.with(10, 'mine\n').join(''), base.with(19_990, 'theirs\n').join('')]
  expect(mergeText({ base: base.join(''), ours, theirs })).toBe(base.with(10, 'mine\n').with(19_990, 'theirs\n').join(''))
  expect(mergeParts({ base: base.join(''), ours: `${ours}more\n`, theirs })).toBeNull()
})

/** Blocks of two lines each, with lines between that nobody changes. */
const blocks = fc.array(fc.constantFrom<'nobody' | 'ours' | 'theirs' | 'alike' | 'both'>('nobody', 'ours', 'theirs', 'alike', 'both'), { minLength: 1, maxLength: 8 })
const ends = fc.constantFrom('\n', '\r\n')

test('R77 property: what one side changed is taken, what both changed alike too, the rest is a conflict for either', () => {
  fc.assert(
    fc.property(blocks, ends, (all, end) => {
      const build = (of: (by: (typeof all)[number], at: number) => string): string => all.map((by, at) => `between ${at}${end}${of(by, at)}`).join('')
      const was = (at: number): string => `was ${at}${end}also ${at}${end}`
      const texts = {
        base: build((_, at) => was(at)),
        ours: build((by, at) => (by === 'ours' || by === 'both' ? `ours ${at}${end}` : by === 'alike' ? `alike ${at}${end}` : was(at))),
        theirs: build((by, at) => (by === 'theirs' || by === 'both' ? `theirs ${at}${end}` : by === 'alike' ? `alike ${at}${end}` : was(at))),
      }
      const taken = (side: 'ours' | 'theirs' | 'base'): string =>
        build((by, at) => (by === 'nobody' ? was(at) : by === 'both' ? (side === 'base' ? was(at) : `${side} ${at}${end}`) : `${by} ${at}${end}`))
      const parts = mergeParts(texts) ?? []
      for (const side of ['ours', 'base', 'theirs'] as const) {
        expect(taking(parts, side)).toBe(taken(side))
        expect(mergeText(texts, side)).toBe(taken(side))
      }
      expect(mergeText(texts)).toBe(all.includes('both') ? null : taken('ours'))
    }),
  )
})

test('R77 property: two texts compared over any third come back whole, byte for byte', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', '}\n', '\r\n', 'c'), { maxLength: 12 }).map((lines) => lines.join(''))
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const parts = compareParts({ base, ours, theirs })
      expect([taking(parts, 'ours'), taking(parts, 'theirs')]).toEqual([ours, theirs])
      expect(parts.every((part) => part.kind === 'same' || part.ours !== part.theirs)).toBe(true)
    }),
  )
})
