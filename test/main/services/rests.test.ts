import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellsOfFirst } from '../../../src/main/services/firstRequest'
import { Rests } from '../../../src/main/services/rests'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('R80 a rest is on until the last of those who want it lets go, and nobody can want it for ever', () => {
  const rests = new Rests(1000)
  const told: boolean[] = []
  const leave = rests.onChange((isOn) => void told.push(isOn))
  const [one, two] = [rests.want(), rests.want()]
  one()
  one()
  expect([rests.isOn, told]).toEqual([true, [true]])
  two()
  expect([rests.isOn, told]).toEqual([false, [true, false]])
  rests.want()
  vi.advanceTimersByTime(999)
  expect(rests.isOn).toBe(true)
  vi.advanceTimersByTime(1)
  expect([rests.isOn, told]).toEqual([false, [true, false, true, false]])
  leave()
  rests.want()()
  expect(told).toHaveLength(4)
})

test('R80 a request counts as sent a moment after it was begun, and only the first is told', () => {
  let sent = 0
  const model = tellsOfFirst({ stream: async function* () {} }, () => void sent++)
  const send = () => model.stream({ choice: { provider: 'p', model: 'm' }, messages: [], tools: [] }, new AbortController().signal)
  send()
  expect(sent).toBe(0)
  vi.advanceTimersByTime(50)
  send()
  vi.advanceTimersByTime(50)
  expect(sent).toBe(1)
})
