import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeProgramPushes } from '../../../src/main/ipc/programPushes'
import type { ProgramRow } from '../../../src/shared/ipc/views'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const row = (ports: ProgramRow['ports'] = []): ProgramRow => ({ callId: 'c', pid: 7, command: 'npm run dev', ports })

/** Programs as they are at a time, with what was looked for and pushed. */
function world() {
  const state = { programs: [] as readonly ProgramRow[], isSeen: true, looks: 0, pushed: [] as (readonly ProgramRow[])[] }
  const pushes = makeProgramPushes({
    commands: { leftRunning: () => state.programs, programs: () => (state.looks++, Promise.resolve(state.programs)) },
    isSeen: () => state.isSeen,
    push: (programs) => void state.pushed.push(programs),
  })
  return { state, ...pushes }
}

test('R113 a port that appears and a program that ends are pushed, once each, and then nothing is looked for any more', async () => {
  const { state, look } = world()
  state.programs = [row()]
  await look()
  await vi.advanceTimersByTimeAsync(10_000)
  state.programs = [row([{ port: 3000, isHttp: true }])]
  await vi.advanceTimersByTimeAsync(10_000)
  state.programs = []
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state.pushed).toEqual([[row()], [row([{ port: 3000, isHttp: true }])], []])
  const { looks } = state
  await vi.advanceTimersByTimeAsync(60_000)
  expect([state.looks, vi.getTimerCount()]).toEqual([looks, 0])
})

test('while no window is seen nothing is looked for; what changed meanwhile is told when one is', async () => {
  const { state, look } = world()
  state.programs = [row()]
  state.isSeen = false
  await look()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([state.looks, state.pushed]).toEqual([0, []])
  state.isSeen = true
  await vi.advanceTimersByTimeAsync(2000)
  expect(state.pushed).toEqual([[row()]])
})

test('a host that stops pushes nothing more, also not what it was just looking for', async () => {
  const { state, look, stop } = world()
  state.programs = [row()]
  const looking = look()
  stop()
  await looking
  await vi.advanceTimersByTimeAsync(10_000)
  expect([state.pushed, vi.getTimerCount()]).toEqual([[], 0])
})
