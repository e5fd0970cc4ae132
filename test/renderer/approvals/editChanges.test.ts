import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sidesOf } from '../../../src/renderer/features/approvals/editBlocks'
import { changesIn, composed, countChanges, keepPart, partsOfEdit, typed, type EditMarks } from '../../../src/renderer/features/approvals/editChanges'
import { endNotes } from '../../../src/renderer/features/approvals/editWords'
import { windowsOf } from '../../../src/renderer/ui/textWindow'
import { differenceOf, flatOf, formOf, partsBetween, summaryOf } from '../../../src/shared/domain/changedText'
import { say } from '../../../src/shared/words/say'

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

test('a review draws both sides as they are: blocks where they differ, own lines where the person wrote, bars by number', () => {
  const parts = partsBetween('head\na1\na2\nmid\nz\ntail\n', 'head\nA\nmid\ntail\n')
  const marks = keepPart(typed(parts, {}, [{ from: 5, length: 1, text: 'B\nC' }, { from: 11, length: 4, text: 'TAIL' }], 'head\nB\nC\nmid\nTAIL\n'), 3, false)
  expect(sidesOf(parts, marks)).toEqual({
    left: 'head\na1\na2\nmid\nz\ntail\n', right: 'head\nB\nC\nmid\nz\nTAIL\n', ownLines: [1, 2, 5],
    blocks: [
      { left: { from: 1, to: 3 }, right: { from: 1, to: 3 }, look: 'changed', bar: 0 },
      { left: { from: 4, to: 5 }, right: { from: 4, to: 5 }, look: 'rejected', bar: 1 },
      { left: { from: 5, to: 6 }, right: { from: 5, to: 6 }, look: 'changed', bar: null },
    ],
  })
})

test('outside of its blocks both sides have the same lines, whatever was decided and typed', () => {
  fc.assert(fc.property(text, text, fc.infiniteStream(fc.boolean()), fc.nat(), fc.constantFrom('', 'x', 'new\n'), (before, after, choice, place, by) => {
    const parts = partsBetween(before, after)
    if (parts.length === 0) return
    const chosen = changesIn(parts, {}).reduce<EditMarks>((now, change) => keepPart(now, change.at, choice.next().value === true), {})
    const now = flatOf(composed(parts, chosen))
    const from = place % (now.length + 1)
    const { left, right, blocks } = sidesOf(parts, typed(parts, chosen, [{ from, length: 0, text: by }], now.slice(0, from) + by + now.slice(from)))
    const outside = (side: 'left' | 'right', all: string) => all.split('\n').filter((line, at) => line !== '' && !blocks.some((block) => at >= block[side].from && at < block[side].to))
    expect(outside('right', right)).toEqual(outside('left', left))
  }))
})

test('a change says in words what it does, and what becomes of it when it is rejected', () => {
  const words = (before: string, after: string, isRejected = false, line = 4) => say('en', summaryOf({ kind: 'change', before, after }, isRejected, line))
  expect([words('', 'a\nb\n'), words('', 'a\n', false, 0), words('a\nb\n', ''), words('a\nb\n', 'c\n'), words('a\n', '  a\n'), words('a\r\n', 'a\n'), words('a\n', 'b\n', true), words('', 'b\n', true)]).toEqual([
    'adds 2 lines after line 4', 'adds 1 line at the top', 'removes lines 5–6', 'replaces lines 5–6 with 1 line', 'changes only spaces in line 5', 'changes only the line ends of line 5', 'line 5 stays as it is on disk', 'would add 1 line after line 4; not written',
  ])
})

test('line ends that change are said above the change (DESIGN 5.3)', () => {
  const notes = (before: string, after: string) => endNotes(partsBetween(before, after), {}).map((note) => say('en', note))
  expect(notes('a\r\nb\r\n', 'a\nb')).toEqual(['Line ends: CRLF on disk, LF after your answer.', 'The last line will have no line end.'])
  expect([notes('a', 'a\n'), notes('a\n', 'b\n'), notes('', 'x')]).toEqual([['The last line will get a line end.'], [], []])
})

test('what the editor cannot hold is a list: too much, lines too long, lines it would end otherwise (DESIGN 9)', () => {
  const form = (before: string, after: string) => formOf(partsBetween(before, after))
  expect([form('a\n', 'b\n'), form('', 'x\n'.repeat(2001)), form('y'.repeat(1_000_001), 'z'), form('a\n', `${'b'.repeat(5001)}\n`), form('a\rb\n', 'c\n'), form('a\r\nb\r\n', 'c\r\n')]).toEqual(['editor', 'large', 'large', 'long-lines', 'lone-ends', 'editor'])
})

test('a window round a difference leaves out nothing of it', () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (one, other, head, tail) => {
    const [before, after] = [head + one + tail, head + other + tail]
    const windows = windowsOf(before, after)
    for (const [whole, part] of [[before, windows.before], [after, windows.after]] as const) {
      expect(whole.slice(part.cutBefore, whole.length - part.cutAfter)).toBe(part.head + part.changed + part.tail)
    }
    expect(before.slice(0, windows.before.cutBefore)).toBe(after.slice(0, windows.after.cutBefore))
  }))
})
