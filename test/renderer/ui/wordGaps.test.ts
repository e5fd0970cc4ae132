import { expect, test } from 'vitest'
import { joined, leading } from '../../../src/renderer/ui/words'

test.each([
  ['Undo', '1 point', ' 1 point'],
  ['可撤销：', '1 个时点', '1 个时点'],
  ['更改项目中的文件。', '写入', '写入'],
  ['使用', 'npm', ' npm'],
  ['It asks “why”', 'each time', ' each time'],
])('R106: a space stands between two pieces of words, but none after full-width marks: %s', (first, second, shown) => {
  expect(joined(first, second)).toBe(shown)
})

test('R106: a label in Chinese needs no space after its colon', () => {
  expect([leading('来自会话：'), leading('In session')]).toEqual(['来自会话：', 'In session '])
})
