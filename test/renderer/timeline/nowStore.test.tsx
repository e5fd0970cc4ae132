import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectDisk, forgetDisk, useDisk, watchDisk } from '../../../src/renderer/features/timeline/nowStore'
import { useTimeline } from '../../../src/renderer/features/timeline/timelineStore'
import { asId } from '../../../src/shared/domain/ids'
import { succeed } from '../../../src/shared/domain/result'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { events, timeline } from '../stories/world'
import { freshHost } from '../support'

beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }) })
afterEach(() => { vi.useRealTimers() })

const inTurn = { turnId: asId<never>('t'), step: 1, callId: asId<never>('x') }
const started = events([{ ...inTurn, type: 'tool-started', args: {} }])
const ended: readonly AgentEvent[] = events([{ turnId: asId('t'), step: 1, type: 'turn-ended', reason: 'done', say: { code: 'turn.done', values: {} }, text: '', tokens: { input: 0, output: 0 }, auditHead: null }])

test('the disk is looked at when somebody sees the answer, at most every two seconds, and never while a call runs (R79)', async () => {
  let count = 0
  const memory = freshHost({ 'timeline/now': () => succeed({ changes: [], count }) })
  const asked = (): number => memory.asked.filter((one) => one.channel === 'timeline/now').length
  const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
  const counts: number[] = []
  useTimeline.setState({ timeline })
  const stop = connectDisk()
  forgetDisk()
  await wait(5000)
  counts.push(asked())
  const leave = watchDisk()
  await wait(200)
  counts.push(asked())
  window.dispatchEvent(new Event('focus'))
  window.dispatchEvent(new Event('focus'))
  await wait(1500)
  counts.push(asked())
  await wait(500)
  counts.push(asked())
  memory.push('session/events', [...started])
  window.dispatchEvent(new Event('focus'))
  await wait(5000)
  counts.push(asked())
  count = 3
  memory.push('session/events', [...ended])
  await wait(200)
  counts.push(asked())
  expect(counts).toEqual([0, 1, 1, 2, 2, 3])
  expect(useDisk.getState()).toMatchObject({ now: { count: 3 }, last: 'pg', running: new Set() })
  leave()
  window.dispatchEvent(new Event('focus'))
  await wait(5000)
  expect(asked()).toBe(3)
  stop()
})
