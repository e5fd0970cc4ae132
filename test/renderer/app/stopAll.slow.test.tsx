import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { said } from '../../../src/shared/domain/result'
import type { Stopped } from '../../../src/shared/ipc/recoveryViews'
import { sessionId, sessions, workspace } from '../stories/world'
import { go } from '../../../src/renderer/app/appStore'
import { useStopped } from '../../../src/renderer/app/stopAll'
import { fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals(); useStopped.setState({ stopped: null }) })

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
