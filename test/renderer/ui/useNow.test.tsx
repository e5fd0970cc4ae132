import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useNow } from '../../../src/renderer/ui/useNow'

afterEach(() => { cleanup(); vi.restoreAllMocks() })

test('a clock that goes on while it is read is drawn once, and as it is at the next drawing', () => {
  let nowMs = 1_000_000
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs++)
  const faults = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const drawn: number[] = []
  function Clock(): null {
    drawn.push(useNow())
    return null
  }
  const first = render(<Clock />)
  expect([drawn.length, faults.mock.calls]).toEqual([1, []])
  first.unmount()
  nowMs += 5000
  render(<Clock />)
  expect(drawn.slice(1).every((atMs) => atMs >= 1_005_000)).toBe(true)
})
