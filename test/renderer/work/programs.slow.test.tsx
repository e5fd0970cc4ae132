import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { AppStart, ProgramRow } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { events, runningCommand, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }
const idle = events(workDrafts.slice(0, 6))
const running = events([...workDrafts, ...runningCommand])
let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

async function open(history: typeof idle, answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'app/start': () => start, 'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq) : []), ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const row = (more: Partial<ProgramRow>): ProgramRow => ({ callId: asId('c6'), pid: 4711, command: 'npm run dev', ports: [], ...more })

test('R113 ports appear as they come: what answers HTTP opens in the browser by a click, another is only told', async () => {
  const memory = await open(idle, { 'program/list': () => [row({})] })
  expect(screen.queryByRole('button', { name: /localhost/ })).toBeNull()
  await doing(() => memory.push('program/changed', [row({ ports: [{ port: 5173, isHttp: true }, { port: 9229, isHttp: false }] })]))
  expect(screen.getByText('port 9229').tagName).toBe('SPAN')
  fireEvent.click(screen.getByRole('button', { name: 'Open localhost:5173' }))
  await settle()
  expect(asked(memory, 'program/open')).toEqual([{ port: 5173 }])
})

test('R113 what a program prints can be looked at as it goes on, and is asked for only while it is looked at', async () => {
  let printed: string | null = 'ready in 200 ms\n'
  const memory = await open(idle, { 'program/list': () => [row({})], 'program/output': () => printed })
  expect(asked(memory, 'program/output')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Output' }))
  await settle()
  expect(screen.getByRole('log', { name: 'Output' }).textContent).toBe('ready in 200 ms')
  printed += 'GET /\n'
  await settle(1100)
  expect(screen.getByRole('log', { name: 'Output' }).textContent).toBe('ready in 200 msGET /')
  fireEvent.click(screen.getByRole('button', { name: 'Output' }))
  const times = asked(memory, 'program/output').length
  await settle(1100)
  expect([screen.queryByRole('log', { name: 'Output' }), asked(memory, 'program/output').length]).toEqual([null, times])
})

test('D02 a command that takes long can be left running or stopped where it stands', async () => {
  const memory = await open(running)
  const { callId } = running.findLast((event) => event.type === 'tool-started') ?? { callId: null }
  // The list shows its rows once it has found its place.
  fireEvent.click(await screen.findByRole('button', { name: 'Leave running' }, { timeout: 10_000 }))
  await settle()
  expect(asked(memory, 'command/leave')).toEqual([{ callId }])
  const stops = screen.getAllByRole('button', { name: 'Stop the turn' })
  fireEvent.click(stops[0] ?? document.body)
  await settle()
  expect(asked(memory, 'session/cancel')).toEqual([{ sessionId }])
})
