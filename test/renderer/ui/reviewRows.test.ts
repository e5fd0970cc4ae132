import { expect, test } from 'vitest'
import { foldsOf, wordMarksOf } from '../../../src/renderer/ui/reviewRows'
import type { ReviewBlock } from '../../../src/renderer/ui/reviewEditorProps'

const block = (left: readonly [number, number], right: readonly [number, number], look: ReviewBlock['look'] = 'changed'): ReviewBlock => ({ left: { from: left[0], to: left[1] }, right: { from: right[0], to: right[1] }, look, bar: 0 })

test('unchanged lines are folded but for three beside each block, a rejected one too; the person opens them', () => {
  const blocks = [block([20, 21], [20, 23]), block([40, 42], [42, 44], 'rejected')]
  const sizes = { left: 60, right: 62 }
  expect(foldsOf(blocks, sizes, new Set())).toEqual([
    { left: { from: 0, to: 17 }, right: { from: 0, to: 17 } },
    { left: { from: 24, to: 37 }, right: { from: 26, to: 39 } },
    { left: { from: 45, to: 60 }, right: { from: 47, to: 62 } },
  ])
  expect(foldsOf(blocks, sizes, new Set([24])).map((fold) => fold.left.from)).toEqual([0, 45])
  expect([foldsOf([block([9, 9], [9, 10])], { left: 15, right: 16 }, new Set()).map((fold) => fold.left), foldsOf([], sizes, new Set())]).toEqual([[{ from: 0, to: 6 }], []])
})

test('words that differ are marked on their side; a rejected block has none', () => {
  const [left, right] = [['let tries = 10'], ['let tries = 3']]
  expect(wordMarksOf(block([0, 1], [0, 1]), left, right)).toEqual([{ side: 'left', line: 0, from: 12, to: 14 }, { side: 'right', line: 0, from: 12, to: 13 }])
  expect(wordMarksOf(block([0, 1], [0, 1], 'rejected'), left, right)).toEqual([])
})
