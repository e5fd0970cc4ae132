import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeDebounced } from '../../../src/main/services/mcpTiming'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('R48 ten changes in a burst are read once, and a change after it at once again', async () => {
  let reads = 0
  const list = makeDebounced(50, () => Promise.resolve(void reads++))
  for (let at = 0; at < 10; at++) list.poke()
  await vi.advanceTimersByTimeAsync(60)
  expect({ reads, isFlooded: list.isFlooded() }).toEqual({ reads: 1, isFlooded: false })
  list.poke()
  await vi.advanceTimersByTimeAsync(60)
  expect(reads).toBe(2)
})

test('R46 R48 a server that tells changes without end is read about once a second, and as before when it is quiet again', async () => {
  let reads = 0
  const list = makeDebounced(50, () => Promise.resolve(void reads++))
  for (let at = 0; at < 6_000; at++) {
    list.poke()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads).toBeGreaterThan(40)
  expect(reads).toBeLessThan(90)
  expect(list.isFlooded()).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
  const before = reads
  list.poke()
  await vi.advanceTimersByTimeAsync(60)
  expect({ more: reads - before, isFlooded: list.isFlooded() }).toEqual({ more: 1, isFlooded: false })
})
