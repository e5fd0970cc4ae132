import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asId, type CallId, type MessageId, type RollbackId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { PlanRow, RollbackRecord } from '../../../src/shared/domain/rollback'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { ChangeSince, Recovery } from '../../../src/shared/ipc/recoveryViews'
import type { Timeline, TimelineRow } from '../../../src/shared/ipc/timelineViews'
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
  { path: 'db/parts.json', change: 'added', before: null, after: entry, author: 'command', lines: { added: 18, removed: 0 } },
  { path: 'orders.json', change: 'modified', before: entry, after: { ...entry, oid: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' }, author: 'command', lines: { added: 0, removed: 7 } },
  { path: 'notes.md', change: 'modified', before: entry, after: entry, author: 'you', lines: null },
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
  expect(['node db/seed.mjs', 'started 14:09:31', 'orders-0', 'db/parts.json', 'created', 'Command or server+18', 'orders.jsonchangedempty now', '−7', 'notes.md', 'You or another program', 'The agent waits until you choose.'].filter((one) => !text.includes(one))).toEqual([])
  expect(within(group()).getAllByRole('button').map((button) => [button.textContent, button.className.includes('primary')])).toEqual([['Roll back 2 files…', false], ['Run again', false], ['Mark as done', false]])
  // The other one is a session of the list that waits.
  expect([document.querySelector('.rail .badge')?.textContent, screen.getAllByText('1 call unknown').length]).toEqual(['2', 1])
  expect(within(screen.getByRole('contentinfo')).getByText(/, 1 unknown$/)).toBeDefined()
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
  expect(asked(memory, 'rollback/plan')).toEqual([{ target: { to: before, ofCall: callId, paths: ['db/parts.json', 'orders.json'], keepUserEdits: false } }])
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
  const deliver = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Deliver now|Stop the step and deliver)$/ })
  const why = () => document.getElementById(deliver().getAttribute('aria-describedby') ?? '')?.textContent
  expect([deliver().disabled, why()]).toEqual([true, 'Answer the unknown call first'])
  await doing(() => memory.push('recovery/changed', [{ ...recovery, unknown: null }]))
  expect([deliver().disabled, why()]).toEqual([false, undefined])
})

const point = (id: string, kind: TimelineRow['kind'], paths: readonly string[]): TimelineRow => ({
  id: asId<SnapshotId>(id), workspaceId: workspace.id, tree: id, side: id, commit: id, parent: null, kind, author: kind === 'after-call' ? 'unknown' : null, others: [], sessionId, callId, atMs: 1, files: 3, unheld: 0, missing: 0,
  changes: paths.length, changed: paths.map((path) => ({ path, change: 'modified' })), lines: { added: 18, removed: 7 }, label: 'node db/seed.mjs',
})
const past: Timeline = { rows: [point('s-before', 'before-call', []), point('s-after', 'after-call', ['db/parts.json', 'orders.json', 'notes.md'])], after: null, isWhole: true, rollbacks: [], bytes: 0, forgotten: null }

test('R84 R79 the timeline shows an unknown call once, with its changes, and takes the same three answers', async () => {
  const memory = await open({ 'timeline/read': () => past })
  const rows = () => screen.getAllByRole('button').filter((button) => button.classList.contains('pt') && button.textContent.includes('unknown'))
  expect(rows().map((row) => row.textContent.replace(/\s+/g, ' '))).toEqual(['Command or you: npm test -- --runInBand test/retry.test.ts+18−7unknown'])
  const [row] = rows()
  if (row) fireEvent.click(row)
  await settle(60)
  const buttons = within(group()).getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['Roll back 2 files…', 'Run again', 'Mark as done'])
  expect(screen.queryByRole('button', { name: 'Undo this call' })).toBeNull()
  if (buttons[1]) fireEvent.click(buttons[1])
  expect(asked(memory, 'recovery/settle')).toEqual([{ callId, answer: 'again' }])
})

test('R77 R84 the plan names the authors of an unknown call as the conversation does', async () => {
  const planRow = (path: string): PlanRow => ({ path, action: 'delete', authors: ['unknown'], reason: said('rollback.yours-set-aside'), from: null, to: null })
  await open({ 'rollback/plan': () => succeed({ plan: { target: { to: before, keepUserEdits: false }, head: 'h', rows: [planRow('db/parts.json'), planRow('notes.md'), planRow('other.md')], notCovered: [] }, lines: [null, null, null], sent: [], sentCount: 0 }) })
  const names = within(group()).getAllByRole('listitem').map((one) => one.textContent)
  fireEvent.click(within(group()).getByRole('button', { name: 'Roll back 2 files…' }))
  await settle(60)
  const named = [...document.querySelectorAll('.planwho')].map((cell) => cell.textContent)
  expect(named).toEqual(['Command or server', 'You or another program', 'Command or you'])
  // Of what is the call's own nothing is the person's.
  expect([screen.getAllByText('Made since then.').length, screen.getAllByText('Your changes since then go too.').length]).toEqual([1, 2])
  expect([names[0]?.includes(named[0] ?? '?'), names[2]?.includes(named[1] ?? '?')]).toEqual([true, true])
})
