import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { asId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { Stopped } from '../../../src/shared/ipc/recoveryViews'
import { sessionId, sessions, workspace } from '../stories/world'
import { go } from '../../../src/renderer/app/appStore'
import { useStopped } from '../../../src/renderer/app/stopAll'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.useRealTimers(); vi.unstubAllGlobals(); useStopped.setState({ stopped: null }) })

async function open(stopped: Stopped) {
  const memory = freshHost({ 'app/start': () => ({ version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'testing' }, audit: null, dataFolder: { path: '/d', setBy: null } }), 'session/list': () => sessions, 'run/stop-all': () => stopped })
  ;({ stop } = await showWindow())
  return memory
}

const nothing: Stopped = { sessions: [], programs: [], grants: 0, fault: null, waitingMessages: 0 }

test('R112 one button beside the guards stops everything at once, and what was stopped is listed until it is put away', async () => {
  const memory = await open({ sessions: [{ id: sessionId, title: 'Orders' }], programs: ['npm run dev'], grants: 2, fault: null, waitingMessages: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Halt everything' }))
  await settle()
  expect(memory.asked.filter(({ channel }) => channel === 'run/stop-all')).toHaveLength(1)
  expect(screen.getByText('Stopped: 1 session (Orders), 1 program, 2 grants taken back, 1 message stays in line.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(/^Stopped: /)).toBeNull()
})

test('R112 the button says what it does in words; what was stopped stands in a row of its own, over nothing, and goes by itself', async () => {
  await open(nothing)
  const button = screen.getByRole('button', { name: 'Halt everything' })
  expect([button.textContent, button.title]).toEqual(['Halt everything', 'Stops every session and program, and takes back every grant'])
  vi.useFakeTimers()
  fireEvent.click(button)
  await act(() => vi.advanceTimersByTimeAsync(100))
  const notice = screen.getByText('Nothing was running, and no grant was given.')
  expect([notice.closest('.toasts'), notice.closest('.stoppedbar')?.parentElement?.className]).toEqual([null, 'win'])
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.queryByText('Nothing was running, and no grant was given.')).toBeNull()
})

test('R2 R112 a turn that is paused at a ceiling waits for a person, and the rail counts it as it counts cards', async () => {
  const memory = await open(nothing)
  const badge = () => document.querySelector('.rail .badge')?.textContent
  const counted = Number(badge() ?? 0)
  const idle = sessions.find((one) => one.state === 'idle')
  if (!idle) throw new Error('no idle session')
  const of = { v: 1, sessionId: idle.id, atMs: 1 }
  await doing(() => memory.push('session/events', [{ ...of, seq: 50, type: 'budget-reached', turnId: asId('t'), step: 1, reached: { kind: 'turn-cost', currency: 'USD', limit: 1, spent: 2 } }]))
  expect(badge()).toBe(String(counted + 1))
  await doing(() => memory.push('session/events', [{ ...of, seq: 51, type: 'budget-raised', turnId: asId('t'), step: 1, raise: { kind: 'turn-cost', currency: 'USD', limit: 3 }, by: 'person' }]))
  expect(Number(badge() ?? 0)).toBe(counted)
})

test('R112 the palette has it too; grants that could not be taken back are said', async () => {
  await open({ ...nothing, fault: said('app.disk-full', { file: '/d/countersign.db' }) })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await settle()
  fireEvent.change(screen.getByRole('combobox', { name: 'Command or session' }), { target: { value: 'halt' } })
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Command or session' }), { key: 'Enter' })
  await settle(100)
  expect([screen.getByText('Nothing was running, and no grant was given.'), screen.getByText(/The disk that holds \/d\/countersign.db is full/)]).toHaveLength(2)
})

test('R112 whether the system stays awake while a run goes is a setting', async () => {
  const memory = await open(nothing)
  go('settings')
  await settle(100)
  fireEvent.click(screen.getByRole('switch', { name: 'Stay awake while a run goes' }))
  await settle()
  expect(memory.asked.filter(({ channel }) => channel === 'settings/change').map(({ ask }) => ask)).toEqual([{ keepsAwake: false }])
})
