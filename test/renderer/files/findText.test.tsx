import { expect, test } from 'vitest'
import { findIn, mostHits, patternOf } from '../../../src/renderer/features/work/findText'
import { withSummaries } from '../../../src/renderer/features/work/turnRows'
import { rangesIn } from '../../../src/renderer/ui/hitMarks'
import type { ChatItem } from '../../../src/shared/domain/chatView'
import { asId, type TurnId } from '../../../src/shared/domain/ids'

const user = (seq: number, text: string, turn = 't1'): ChatItem => ({ kind: 'user', seq, atMs: seq, turnId: asId<TurnId>(turn), text, attachments: [], files: [] })
const plain = { isCase: false, isWord: false }
const matches = (query: Parameters<typeof patternOf>[0], text: string): number => [...text.matchAll(patternOf(query) ?? /$^/gu)].length

test.each([
  [{ text: 'a.b(', ...plain }, 'x a.b( A.B( aXb(', 2],
  [{ text: 'Ab', isCase: true, isWord: false }, 'Ab ab', 1],
  [{ text: 'cat', isCase: false, isWord: true }, 'cat concat cat_ (cat)', 2],
  [{ text: '价格', isCase: false, isWord: true }, '价格表，总价格', 2],
  [{ text: 'a  b', ...plain }, 'a\nb a b', 2],
  [{ text: 'a-b', ...plain }, 'a-b', 1],
] as const)('R111 %j is found as it is typed', (query, text, count) => {
  expect(matches(query, text)).toBe(count)
})

test('R111 nothing is looked for without a text', () => {
  expect(patternOf({ text: '', ...plain })).toBeNull()
})

test('R111 ten thousand messages are looked through in pieces, and a later search ends an earlier one', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => user(at + 1, `${'word '.repeat(40)}needle ${at}`))
  const pattern = patternOf({ text: 'needle', ...plain }) ?? /$^/gu
  const all = await findIn(items, pattern, () => '', () => false)
  expect([all.length, all.at(-1)]).toEqual([10_000, { seq: 10_000, kind: 'user', part: 'row 10000', nth: 0, isFolded: false }])
  let turns = 0
  const some = await findIn(items, pattern, () => '', () => (turns += 1) > 1)
  expect(some.length).toBeLessThan(5000)
  expect(await findIn([user(1, 'needle '.repeat(20_000))], pattern, () => '', () => false)).toHaveLength(mostHits)
})

test('R111 hits are found in what is drawn across the elements that colour it, never across blocks', () => {
  document.body.innerHTML = '<div id="x"><p>re<b>t</b><i>ry</i> now</p><p>ret</p><p>ry <span class="sr">retry</span></p></div>'
  const root = document.getElementById('x') ?? document.body
  expect(rangesIn(root, patternOf({ text: 'retry', ...plain }) ?? /$^/gu).map((range) => range.toString())).toEqual(['retry'])
})

test('R111 a turn is summed up when it has ended and something ran in it', () => {
  const acted = (seq: number): ChatItem => ({ kind: 'calls', seq, step: 1, calls: [{ effect: 'write', startedAtMs: 1 } as never] })
  const read = (seq: number): ChatItem => ({ kind: 'calls', seq, step: 1, calls: [{ effect: 'read', startedAtMs: 1 } as never] })
  const items = [user(1, 'a', 't1'), acted(2), user(3, 'queued', 't1'), user(4, 'b', 't2'), read(5), user(6, 'c', 't3'), acted(7)]
  const shape = (running: string | null): readonly string[] => withSummaries(items, running === null ? null : asId<TurnId>(running)).map((row) => (row.kind === 'summary' ? `sum ${row.turnId}` : row.kind))
  expect(shape(null)).toEqual(['user', 'calls', 'user', 'sum t1', 'user', 'calls', 'user', 'calls', 'sum t3'])
  expect(shape('t3')).toEqual(['user', 'calls', 'user', 'sum t1', 'user', 'calls', 'user', 'calls'])
})
