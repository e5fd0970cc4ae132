import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesIn, composed, countChanges, differenceOf, flatOf, keepPart, partsBetween, partsOfEdit, typed, type EditMarks } from '../../../src/renderer/features/approvals/editChanges'

const line = fc.constantFrom('', 'import a', 'b = 2', 'c()', '}', 'export d', '  e: 1,')
const end = fc.constantFrom('\n', '\r\n')
const text = fc.tuple(fc.array(fc.tuple(line, end), { maxLength: 12 }), fc.option(line)).map(([lines, last]) => lines.flat().join('') + (last ?? ''))

test('all kept is the proposal to the byte, all rejected is the file on disk to the byte (R63)', () => {
  fc.assert(fc.property(text, text, (before, after) => {
    const parts = partsBetween(before, after)
    const none = changesIn(parts, {}).reduce<EditMarks>((marks, change) => keepPart(marks, change.at, false), {})
    expect([composed(parts, {}), composed(parts, none)]).toEqual([after, before])
  }))
})

test('any choice writes exactly the kept changes and leaves every other byte as it was (R63)', () => {
  fc.assert(fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, choice) => {
    const parts = partsBetween(before, after)
    const chosen = parts.map(() => choice.next().value === true)
    const marks = chosen.reduce<EditMarks>((now, isKept, at) => (parts[at]?.kind === 'change' ? keepPart(now, at, isKept) : now), {})
    expect(composed(parts, marks)).toBe(parts.map((part, at) => (chosen[at] ? part.after : part.before)).join(''))
    expect(parts.filter((part) => part.kind === 'same').every((part) => part.before === part.after)).toBe(true)
  }))
})

test('what is typed is what is written, wherever it was typed and whatever was rejected (R63)', () => {
  fc.assert(fc.property(text, text, fc.infiniteStream(fc.boolean()), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.constantFrom('', 'x', 'new\n', '\n\ny')), { maxLength: 5 }), (before, after, choice, strokes) => {
    const parts = partsBetween(before, after)
    let marks = changesIn(parts, {}).reduce<EditMarks>((now, change) => keepPart(now, change.at, choice.next().value === true), {})
    if (parts.length === 0) return
    for (const [place, reach, by] of strokes) {
      const shown = flatOf(composed(parts, marks))
      const from = shown.length === 0 ? 0 : place % (shown.length + 1)
      const length = Math.min(reach, shown.length - from)
      const value = shown.slice(0, from) + by + shown.slice(from + length)
      marks = typed(parts, marks, [{ from, length, text: by }], value)
      expect(flatOf(composed(parts, marks))).toBe(value)
    }
  }))
})

test('lines that were not typed in keep their ends; typed ones take those in use there', () => {
  const before = 'one\r\ntwo\r\nthree\nfour'
  const parts = partsBetween(before, 'one\r\nTWO\r\nthree\nfour')
  const value = 'one\nTWO\nmore\nthree!\nfour'
  const marks = typed(parts, {}, [{ from: 7, length: 0, text: '\nmore' }, { from: 13, length: 0, text: '!' }], value)
  expect(composed(parts, marks)).toBe('one\r\nTWO\r\nmore\r\nthree!\nfour')
})

test('several places typed in at once are each their own change', () => {
  const parts = partsBetween('a1\nkeep me\nb1\n', 'a2\nkeep me\nb2\n')
  const marks = typed(parts, {}, [{ from: 1, length: 1, text: '3' }, { from: 12, length: 1, text: '3' }], 'a3\nkeep me\nb3\n')
  expect(changesIn(parts, marks).map((change) => change.state)).toEqual(['own', 'own'])
  expect(countChanges(parts, marks)).toEqual({ total: 2, kept: 2, own: 2, isElsewhere: false })
})

test('a change typed back to the proposal is kept, one typed back to what is on disk is rejected; typing outside of them is said', () => {
  const parts = partsBetween('head\na1\n', 'head\na2\n')
  const at = (marks: EditMarks, value: string) => typed(parts, marks, [differenceOf(flatOf(composed(parts, marks)), value)], value)
  const own = at({}, 'head\na9\n')
  expect([own, at(own, 'head\na2\n'), at(own, 'head\na1\n')].map((marks) => changesIn(parts, marks)[0]?.state)).toEqual(['own', 'kept', 'rejected'])
  expect(countChanges(parts, at({}, 'HEAD\na2\n'))).toEqual({ total: 1, kept: 1, own: 0, isElsewhere: true })
})

test('what was typed in a change comes back when it is kept again', () => {
  const parts = partsBetween('a1\n', 'a2\n')
  const own = typed(parts, {}, [], 'a9\n')
  const rejected = keepPart(own, 0, false)
  expect([composed(parts, rejected), composed(parts, keepPart(rejected, 0, true))]).toEqual(['a1\n', 'a9\n'])
})

test('a new file is one change, an empty one too; so is a deletion', () => {
  const of = (before: string | null, after: string | null) => partsOfEdit({ kind: 'edit', path: 'p', before, after, notes: [] })
  expect([of(null, ''), of(null, 'a\nb'), of('a\n', null)].map((parts) => parts.length)).toEqual([1, 1, 1])
  expect(composed(of(null, ''), typed(of(null, ''), {}, [{ from: 0, length: 0, text: 'x\n' }], 'x\n'))).toBe('x\n')
})
