import { expect, test } from 'vitest'
import { perfMemory } from './perfMemory'
import type { PerfLine } from './perfLine'

test('D1 D5: lab perf memory compares its searches with the scan, and every figure has its baseline', async () => {
  const lines: PerfLine[] = []
  await perfMemory((line) => lines.push(line as PerfLine), 2500)
  expect(new Set(lines.map(({ goal }) => goal))).toEqual(new Set(['D1', 'D5']))
  expect(lines.filter(({ goal }) => goal === 'D5').map(({ value }) => value)).toEqual([1])
  for (const { name, value, baseline } of lines) expect([name, value > 0, /^(?:add|inject|memory page)/u.test(name) || (baseline ?? 0) > 0]).toEqual([name, true, true])
})
