import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ArmingClock, armMs } from '../../../src/renderer/ui/armingClock'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

function seen(): ArmingClock {
  const clock = new ArmingClock()
  clock.setFocused(true)
  clock.setVisible(true)
  return clock
}

test('a card arms after 600 ms of being seen whole in a focused window (R70)', () => {
  const clock = seen()
  vi.advanceTimersByTime(armMs - 1)
  expect(clock.read()).toBe('filling')
  vi.advanceTimersByTime(1)
  expect([clock.read(), armMs]).toEqual(['armed', 600])
})

test.each([
  ['its content changes', (clock: ArmingClock) => clock.restart()],
  ['it is covered and seen again', (clock: ArmingClock) => { clock.setVisible(false); clock.setVisible(true) }],
  ['the window loses the keyboard and gets it back', (clock: ArmingClock) => { clock.setFocused(false); clock.setFocused(true) }],
])('an armed card begins anew when %s (R70)', (_name, act) => {
  const clock = seen()
  vi.advanceTimersByTime(armMs)
  act(clock)
  expect(clock.read()).toBe('filling')
  vi.advanceTimersByTime(armMs - 1)
  expect(clock.read()).toBe('filling')
  vi.advanceTimersByTime(1)
  expect(clock.read()).toBe('armed')
})

test('a card that is not seen, or in a window without the keyboard, never arms (R70)', () => {
  const hidden = new ArmingClock()
  hidden.setFocused(true)
  const behind = new ArmingClock()
  behind.setVisible(true)
  vi.advanceTimersByTime(10 * armMs)
  expect([hidden.read(), behind.read()]).toEqual(['waiting', 'waiting'])
})

test('a stopped clock tells nobody anything', () => {
  const clock = seen()
  const told = vi.fn()
  clock.subscribe(told)
  clock.stop()
  vi.advanceTimersByTime(armMs)
  expect(told).not.toHaveBeenCalled()
})
