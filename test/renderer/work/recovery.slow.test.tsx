import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asId, type CallId, type MessageId, type RollbackId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { RollbackRecord } from '../../../src/shared/domain/rollback'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { ChangeSince, Recovery } from '../../../src/shared/ipc/recoveryViews'
import type { AppStart } from '../../../src/shared/ipc/views'
import { useRollback } from '../../../src/renderer/features/rollback/rollbackStore'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { events, runningCommand, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }
const history = events([...workDrafts, ...runningCommand])
const callId = history.flatMap((event) => (event.type === 'tool-started' ? [event.callId] : [])).at(-1) ?? asId<CallId>('')
const before = asId<SnapshotId>('s-before')
const recovery: Recovery = {
  sessionId, turnId: asId<TurnId>('t2'), stoppedAtMs: new Date(2026, 5, 1, 14, 9, 44).getTime(), startedAtMs: new Date(2026, 5, 1, 14, 12, 5).getTime(),
  unknown: { callId, tool: 'run_command', effect: 'execute', args: { command: 'node db/seed.mjs' }, startedAtMs: new Date(2026, 5, 1, 14, 9, 31).getTime(), lastSignAtMs: null, output: 'parts.json 18 written\norders-0', beforeSnapshot: before },
}
const entry = { oid: 'a'.repeat(40), mode: '100644', bits: 0o644 }
const changes: readonly ChangeSince[] = [
  { path: 'db/parts.json', change: 'added', before: null, after: entry, author: 'command' },
  { path: 'orders.json', change: 'modified', before: entry, after: { ...entry, oid: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' }, author: 'command' },
  { path: 'notes.md', change: 'modified', before: entry, after: entry, author: 'you' },
]
let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

async function open(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({
    'app/start': () => start, 'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq) : []),
    'recovery/list': () => [recovery], 'recovery/changes': () => succeed(changes), 'rollback/plan': () => fail('snapshot.unknown', { id: 'x' }), ...answers,
  })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

const group = () => screen.getByRole('group', { name: 'Unknown call' })
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)

test('R84 an unknown call is one notice and one group: when it stopped, what ran, what it printed, what changed and by whom; the rail counts it', async () => {
  await open()
  expect(screen.getByText(/Countersign stopped at 14:09:44 and started again at 14:12:05\./).textContent).toContain('1 call is unknown.')
  const text = group().textContent
  expect(['node db/seed.mjs', 'started 14:09:31', 'orders-0', 'db/parts.json', 'created', 'Command', 'orders.jsonchangedempty now', 'notes.md', 'You or another program', 'The agent waits until you choose.'].filter((one) => !text.includes(one))).toEqual([])
  expect(within(group()).getAllByRole('button').map((button) => [button.textContent, button.className.includes('primary')])).toEqual([['Roll back 2 files…', false], ['Run again', false], ['Mark as done', false]])
  expect([document.querySelector('.rail .badge')?.textContent, screen.getAllByText('1 call unknown').length]).toEqual(['1', 1])
})

test('R84 each answer goes to the app once; when the app has it, the group is gone and the notice stays until the turn is over', async () => {
  const memory = await open()
  fireEvent.click(within(group()).getByRole('button', { name: 'Mark as done' }))
  expect(asked(memory, 'recovery/settle')).toEqual([{ callId, answer: 'done' }])
  await doing(() => memory.push('recovery/changed', [{ ...recovery, unknown: null }]))
  expect([screen.queryByRole('group', { name: 'Unknown call' }), screen.queryByText(/Countersign stopped at/) === null]).toEqual([null, false])
  await doing(() => memory.push('recovery/changed', []))
  expect(screen.queryByText(/Countersign stopped at/)).toBeNull()
})

test('R84 “Roll back” opens the plan to the moment before the call; a rollback to it answers the call, another one does not', async () => {
  const memory = await open()
  fireEvent.click(within(group()).getByRole('button', { name: 'Roll back 2 files…' }))
  await settle()
  expect(asked(memory, 'rollback/plan')).toEqual([{ target: { to: before, paths: ['db/parts.json', 'orders.json'], keepUserEdits: false } }])
  const done = (to: SnapshotId): RollbackRecord => ({ id: asId<RollbackId>(`r-${to}`), workspaceId: workspace.id, plan: { target: { to, keepUserEdits: true }, head: 'h', rows: [], notCovered: [] }, scope: 'files', sessionId, turnId: null, state: 'applied', done: [], failed: [], beforeSnapshot: null, afterSnapshot: null, undoOf: null, atMs: 0 })
  await doing(() => useRollback.setState({ done: done(asId<SnapshotId>('other')) }))
  expect(asked(memory, 'recovery/settle')).toEqual([])
  await doing(() => useRollback.setState({ done: done(before) }))
  await settle()
  expect(asked(memory, 'recovery/settle')).toEqual([{ callId, answer: 'rolled-back' }])
})

test('R84 a call without a snapshot has nothing to roll back, and files that cannot be looked at say why', async () => {
  const memory = await open({ 'recovery/changes': () => fail('call.settled-already') })
  expect(within(group()).getByRole('button', { name: 'Look again' })).toBeDefined()
  if (recovery.unknown) { const { unknown } = recovery; await doing(() => memory.push('recovery/changed', [{ ...recovery, unknown: { ...unknown, callId: asId<CallId>('c-net'), tool: 'fetch_url', effect: 'network', beforeSnapshot: null } }])) }
  expect(within(group()).queryByRole('button', { name: /Roll back/ })).toBeNull()
})

test('R10 R84 a waiting message cannot be delivered while the question is open, and says why; then it can', async () => {
  const queued = { type: 'message-queued' as const, messageId: asId<MessageId>('m9'), text: 'waits in line' }
  const memory = await open()
  await doing(() => memory.push('session/events', events([queued], history.length + 1)))
  const deliver = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Deliver now' })
  const why = () => document.getElementById(deliver().getAttribute('aria-describedby') ?? '')?.textContent
  expect([deliver().disabled, why()]).toEqual([true, 'Answer the unknown call first'])
  await doing(() => memory.push('recovery/changed', [{ ...recovery, unknown: null }]))
  expect([deliver().disabled, why()]).toEqual([false, undefined])
})
