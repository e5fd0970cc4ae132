import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SnapshotHealth } from '../../../src/main/services/snapshotHealth'
import { said, type Said } from '../../../src/shared/domain/result'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A health whose tries come to `next`, with what was told. */
function health(next: { fault: Said | null }) {
  const told: (string | null)[] = []
  let tries = 0
  const one: SnapshotHealth = new SnapshotHealth({ tell: (fault) => void told.push(fault?.code ?? null), tryAgain: () => { tries += 1; one.note(next.fault); return Promise.resolve() } })
  return { one, told, tries: () => tries }
}
const full = said('snapshot.disk-full')

test('R80 why undo stopped is told once, tried again less and less often, and told to be over when one can be taken', async () => {
  const next = { fault: full as Said | null }
  const { one, told, tries } = health(next)
  one.note(null)
  one.note(full)
  one.note(full)
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  const many = tries()
  next.fault = null
  await vi.advanceTimersByTimeAsync(160_000)
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect({ told, isSparing: many > 10 && many < 40, isOver: one.fault === null, after: tries() - many }).toEqual({ told: ['snapshot.disk-full', null], isSparing: true, isOver: true, after: 1 })
})

test('R80 when room was made it is tried at once, but not where nothing had stopped; another reason is told anew', async () => {
  const next = { fault: said('snapshot.not-permitted', { path: '/x' }) as Said | null }
  const { one, told, tries } = health(next)
  await one.lookNow()
  one.note(full)
  await one.lookNow()
  expect({ told, tries: tries() }).toEqual({ told: ['snapshot.disk-full', 'snapshot.not-permitted'], tries: 1 })
})

test('what the person stopped is not begun again by itself, and nothing is tried after the folder was closed', async () => {
  const stopped = health({ fault: null })
  stopped.one.note(said('snapshot.cancelled'))
  const closed = health({ fault: null })
  closed.one.note(full)
  closed.one.close()
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect([stopped.tries(), closed.tries()]).toEqual([0, 0])
})
