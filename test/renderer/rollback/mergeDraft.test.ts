import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOut } from '../../../src/renderer/features/rollback/mergeBlocks'
import { beginDraft, conflictsIn, openIn, resultOf, settledAs, take, typedInto, type MergeDraft, type Take } from '../../../src/renderer/features/rollback/mergeDraft'
import { differenceOf, flatOf } from '../../../src/shared/domain/changedText'
import type { ConflictPart } from '../../../src/shared/domain/rollback'

const line = fc.constantFrom('', 'a', 'b()', '}', '价格 = 1', '  c')
const end = fc.constantFrom('\n', '\n', '\r\n')
const lines = fc.array(fc.tuple(line, end), { maxLength: 5 }).map((all) => all.flat().join(''))
const part: fc.Arbitrary<ConflictPart> = fc.oneof(
  lines.filter((text) => text !== '').map((text): ConflictPart => ({ kind: 'same', text })),
  fc.tuple(lines, lines, lines).filter(([earlier, , disk]) => earlier !== disk).map(([earlier, base, disk]): ConflictPart => ({ kind: 'conflict', earlier, base, disk })),
)
const parts = fc.array(part, { minLength: 1, maxLength: 6 })
const side = fc.constantFrom<Take[]>('earlier', 'disk', 'both')

const joined = (all: readonly ConflictPart[], of: 'earlier' | 'disk'): string => all.map((one) => (one.kind === 'same' ? one.text : one[of])).join('')

test('one side everywhere is that side to the byte, and nothing is open then (R77)', () => {
  fc.assert(fc.property(parts, fc.constantFrom('earlier', 'disk'), (all, of) => {
    const draft = take(beginDraft(all), conflictsIn(beginDraft(all)), of)
    expect([resultOf(draft), openIn(draft)]).toEqual([joined(all, of), []])
  }))
})

test('what is typed stands in the result, with the line ends in use, and only what was typed in is decided (R77)', () => {
  fc.assert(fc.property(parts, fc.nat(), fc.nat({ max: 6 }), fc.constantFrom('x', 'y\nz', '', '\n'), (all, at, length, text) => {
    const draft = beginDraft(all)
    const shown = flatOf(resultOf(draft))
    const from = at % (shown.length + 1)
    const value = shown.slice(0, from) + text + shown.slice(from + length)
    const typed = typedInto(draft, [{ from, length: Math.min(length, shown.length - from), text }], value)
    expect(flatOf(resultOf(typed))).toBe(value)
    if (value === shown) expect(openIn(typed)).toEqual(openIn(draft))
    expect(openIn(draft).length - openIn(typed).length).toBeLessThanOrEqual(length + 1)
  }))
})

test('an editor that tells other edits than it made is believed by its text alone', () => {
  fc.assert(fc.property(parts, lines, (all, value) => {
    expect(flatOf(resultOf(typedInto(beginDraft(all), [{ from: 0, length: 0, text: 'lost' }], flatOf(value))))).toBe(flatOf(value))
  }))
})

const two: readonly ConflictPart[] = [
  { kind: 'same', text: 'head\n' }, { kind: 'conflict', earlier: 'one\n', base: 'agent\n', disk: 'mine\n' },
  { kind: 'same', text: 'middle\n' }, { kind: 'conflict', earlier: '', base: 'agent\n', disk: 'added' },
]
const words = (draft: MergeDraft): readonly string[] => conflictsIn(draft).map((at) => settledAs(draft.parts[at] ?? { kind: 'same', text: '' }, draft.texts[at] ?? null))
const type = (draft: MergeDraft, value: string): MergeDraft => typedInto(draft, [differenceOf(flatOf(resultOf(draft)), value)], value)

test('a conflict is open until a side is taken or it is written in, and open again when that is typed back (R77)', () => {
  const draft = beginDraft(two)
  expect([resultOf(draft), words(draft)]).toEqual(['head\none\nmiddle\nadded', ['open', 'open']])
  const own = type(draft, 'head\nones\nmiddle\nadded')
  expect([words(own), words(type(own, 'head\none\nmiddle\nadded'))]).toEqual([['own', 'open'], ['open', 'open']])
  expect(words(take(own, [1], 'earlier'))).toEqual(['earlier', 'open'])
  const both = take(take(draft, [1], 'both'), [3], 'disk')
  expect([resultOf(both), words(both), openIn(both)]).toEqual(['head\none\nmine\nmiddle\nadded', ['both', 'disk'], []])
  expect(resultOf(take(draft, [3], 'earlier'))).toBe('head\none\nmiddle\n')
})

test('both in one stretch never share a line, and keep the line ends of the file', () => {
  const draft = beginDraft([{ kind: 'same', text: 'a\r\n' }, { kind: 'conflict', earlier: 'one', base: '', disk: 'mine\r\n' }])
  expect(resultOf(take(draft, [1], 'both'))).toBe('a\r\none\r\nmine\r\n')
})

test('outside of what is marked the three have the same lines, and each conflict is where it is (R77)', () => {
  fc.assert(fc.property(parts, side, fc.nat(), lines, (all, of, at, extra) => {
    const begun = beginDraft(all)
    const conflicts = conflictsIn(begun)
    const draft = conflicts.length === 0 ? begun : take(begun, [conflicts[at % conflicts.length] ?? 0], of)
    // What is on disk has lines too that go without a question.
    const view = { earlier: joined(all, 'earlier'), disk: extra + joined(all, 'disk') }
    const { texts, spans } = layOut(view, draft)
    expect(texts).toEqual({ earlier: flatOf(view.earlier), result: flatOf(resultOf(draft)), disk: flatOf(view.disk) })
    const rows = { earlier: texts.earlier.match(/[^\n]*\n|[^\n]+$/gu) ?? [], result: texts.result.match(/[^\n]*\n|[^\n]+$/gu) ?? [], disk: texts.disk.match(/[^\n]*\n|[^\n]+$/gu) ?? [] }
    const from = { earlier: 0, result: 0, disk: 0 }
    for (const span of [...spans, null]) {
      const gap = (of: keyof typeof rows): string => rows[of].slice(from[of], span ? span[of].from : rows[of].length).join('')
      expect([gap('earlier'), gap('disk')]).toEqual([gap('result'), gap('result')])
      if (span) for (const of of ['earlier', 'result', 'disk'] as const) { expect(span[of].from).toBeGreaterThanOrEqual(from[of]); from[of] = span[of].to }
    }
    expect(spans.flatMap(({ part: place }) => (place === null ? [] : [place]))).toEqual(conflicts)
  }))
})

test('a conflict is found in the file on disk behind lines of the agent that go without a question', () => {
  const disk = 'new\nhead\nmine\nmiddle\nadded'
  const { spans } = layOut({ earlier: 'head\none\nmiddle\n', disk }, beginDraft(two))
  expect(spans.filter(({ part: place }) => place !== null).map(({ earlier, result, disk: there }) => [earlier, result, there])).toEqual([
    [{ from: 1, to: 2 }, { from: 1, to: 2 }, { from: 2, to: 3 }], [{ from: 3, to: 3 }, { from: 3, to: 4 }, { from: 4, to: 5 }],
  ])
  expect(spans.filter(({ part: place }) => place === null)).toEqual([{ earlier: { from: 0, to: 0 }, result: { from: 0, to: 0 }, disk: { from: 0, to: 1 }, part: null }])
})
