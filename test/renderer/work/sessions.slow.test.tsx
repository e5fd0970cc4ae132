import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSessionList } from '../../../src/renderer/features/work/sessionStore'
import { useWork } from '../../../src/renderer/features/work/workStore'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { SessionHit } from '../../../src/shared/ipc/sessionViews'
import type { AppStart } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { events, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }
const history = events(workDrafts.slice(0, 6))
const rows = sessions.map((row) => ({ ...row, state: 'idle' as const }))
let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals(); useSessionList.setState({ query: '', isEverywhere: false, found: null, fault: null, isBinOpen: false, renaming: null, notice: null }) })

async function open(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'app/start': () => start, 'session/list': () => rows, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq) : []), ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

const pane = () => screen.getByRole('complementary', { name: 'Sessions' })
const titles = () => within(pane()).getAllByRole('link').map((link) => link.querySelector('.cut')?.textContent)
const link = (title: string) => within(pane()).getByRole('link', { name: new RegExp(title) })
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const event = (of: { readonly type: 'session-pinned'; readonly isPinned: boolean } | { readonly type: 'session-deleted' } | { readonly type: 'session-restored' }, id = 's4', seq = 90) => [{ ...of, v: 1, sessionId: asId<typeof sessionId>(id), seq, atMs: 1 }] as const

test('R96 a pinned session stands first, a deleted one only among the deleted, from where it is restored', async () => {
  const memory = await open()
  expect(titles()[0]).toBe('Retry policy for HTTP client')
  await doing(() => memory.push('session/events', event({ type: 'session-pinned', isPinned: true })))
  expect(titles()[0]).toBe('Upgrade to Node 22')
  fireEvent.keyDown(link('Upgrade to Node 22'), { key: 'Delete' })
  await settle()
  expect(asked(memory, 'session/delete')).toEqual([{ sessionId: 's4' }])
  await doing(() => memory.push('session/events', event({ type: 'session-deleted' }, 's4', 91)))
  expect(titles()).not.toContain('Upgrade to Node 22')
  expect(screen.getByText('Deleted: Upgrade to Node 22')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await settle()
  expect(asked(memory, 'session/restore')).toEqual([{ sessionId: 's4' }])
  expect(screen.queryByText('Deleted: Upgrade to Node 22')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Deleted (1)' }))
  expect(titles()).toEqual(['Upgrade to Node 22'])
  fireEvent.click(screen.getByRole('button', { name: 'Restore “Upgrade to Node 22”' }))
  await settle()
  expect(asked(memory, 'session/restore')).toHaveLength(2)
  await doing(() => memory.push('session/events', event({ type: 'session-restored' }, 's4', 92)))
  expect(screen.getByText('Nothing was deleted.')).toBeTruthy()
})

test('R96 a session that runs is not deleted, and the person is told why', async () => {
  await open({ 'session/delete': () => fail('session.delete-running') })
  fireEvent.keyDown(link('Upgrade to Node 22'), { key: 'Delete' })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('cannot be deleted'))
  expect(titles()).toContain('Upgrade to Node 22')
})

test('R96 F2 renames where the row stands, arrows go from row to row, and nothing happens while an input method composes', async () => {
  const memory = await open()
  const first = link('Retry policy')
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(link('Translate the handbook'))
  fireEvent.keyDown(link('Translate the handbook'), { key: 'F2' })
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title of the session' })
  fireEvent.change(field, { target: { value: '翻译手册' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true, keyCode: 229 })
  expect(asked(memory, 'session/rename')).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter' })
  await settle()
  expect(asked(memory, 'session/rename')).toEqual([{ sessionId: 's2', title: '翻译手册' }])
})

const hit: SessionHit = { sessionId: asId('s3'), seq: 7, atMs: 1, by: 'agent', snippet: { text: '…the 时间线 shows all', marks: [[5, 8]] }, title: 'Why is the CI cache cold?', project: 'other', root: '/home/ada/other', isHere: true, isRolledBack: false, isDeleted: false }

test('R96 what was said is searched in this project or all of them; a hit is marked and leads to its place', async () => {
  const memory = await open({ 'session/search': ({ isThisProject }) => succeed({ hits: isThisProject ? [hit] : [hit, { ...hit, sessionId: asId('far'), title: 'Far away', isHere: false }], hasMore: false, isWhole: true }), 'workspace/open': () => fail('session.folder-busy', { root: '/x' }) })
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search in sessions' }), { target: { value: '时间线' } })
  expect(screen.getByText('No title holds this.')).toBeTruthy()
  const list = await screen.findByRole('list', { name: 'Said in sessions' })
  await waitFor(() => expect(within(list).getAllByRole('link')).toHaveLength(1))
  expect(list.querySelector('mark')?.textContent).toBe('时间线')
  fireEvent.click(within(list).getByRole('link'))
  await settle()
  expect(useWork.getState().current).toBe('s3')
  fireEvent.click(screen.getByRole('switch', { name: 'All projects' }))
  await waitFor(() => expect(within(screen.getByRole('list', { name: 'Said in sessions' })).getAllByRole('link')).toHaveLength(2))
  expect(asked(memory, 'session/search')).toEqual([{ query: '时间线', isThisProject: true }, { query: '时间线', isThisProject: false }])
  fireEvent.click(within(screen.getByRole('list', { name: 'Said in sessions' })).getByRole('link', { name: /Far away/ }))
  await settle()
  expect(asked(memory, 'workspace/open')).toEqual([{ root: '/home/ada/other' }])
})

test('R96 while older messages are still looked through, it says so and asks again', async () => {
  let rounds = 0
  await open({ 'session/search': () => { rounds += 1; return succeed({ hits: rounds < 3 ? [] : [hit], hasMore: false, isWhole: rounds >= 3 }) } })
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search in sessions' }), { target: { value: 'time' } })
  await waitFor(() => expect(within(screen.getByRole('list', { name: 'Said in sessions' })).queryAllByRole('link')).toHaveLength(1))
  expect(rounds).toBe(3)
})

test('R96 Edit and fork opens the fork with the words in the message box', async () => {
  const fork = { ...rows[0], id: asId<typeof sessionId>('fork'), title: 'F', forkedFrom: { sessionId, seq: 1 } } as (typeof rows)[number]
  const memory = await open({ 'session/fork': () => succeed({ session: fork, text: 'as it was', attachments: [], files: [] }) })
  const [button] = await screen.findAllByRole('button', { name: 'Edit and fork' })
  if (button) fireEvent.click(button)
  await settle()
  expect(asked(memory, 'session/fork')).toMatchObject([{ sessionId, side: 'before', title: 'Retry policy for HTTP client (fork)' }])
  expect([useWork.getState().current, screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value]).toEqual(['fork', 'as it was'])
})

test('b07 R96 Edit and send again: with a failing store the edited text is still in the box, an error is shown, and nothing went', async () => {
  let isBroken = true
  const memory = await open({ 'session/resend': () => (isBroken ? fail('snapshot.stopped', { problem: 'EACCES' }) : succeed({ turnId: asId<TurnId>('t9') })), 'draft/list': () => [{ sessionId, payload: JSON.stringify({ text: 'half a thought', attachments: [], skills: [] }) }] })
  const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const [button] = await screen.findAllByRole('button', { name: 'Edit and send again' })
  const shown = useWork.getState().chats[sessionId]?.items.length
  if (button) fireEvent.click(button)
  fireEvent.change(box(), { target: { value: 'shorter' } })
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect([box().value, useWork.getState().chats[sessionId]?.items.length]).toEqual(['shorter', shown])
  expect(screen.getByRole('alert').textContent).toContain('EACCES')
  expect(screen.getByText(/You edit an earlier message/)).toBeTruthy()
  isBroken = false
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect(asked(memory, 'session/resend').at(-1)).toMatchObject({ sessionId, text: 'shorter' })
  expect([box().value, asked(memory, 'session/prompt')]).toEqual(['half a thought', []])
})

test('R96 R11 Esc leaves an edited message; while a turn runs it stops that first, and while one composes it does nothing', async () => {
  const memory = await open({ 'draft/list': () => [{ sessionId, payload: JSON.stringify({ text: 'half a thought', attachments: [], skills: [] }) }] })
  const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const isEditing = () => screen.queryByText(/You edit an earlier message/) !== null
  const [button] = await screen.findAllByRole('button', { name: 'Edit and send again' })
  if (button) fireEvent.click(button)
  fireEvent.keyDown(box(), { key: 'Escape', isComposing: true })
  expect(isEditing()).toBe(true)
  const chat = useWork.getState().chats[sessionId]
  if (chat) await doing(() => useWork.setState((state) => ({ chats: { ...state.chats, [sessionId]: { ...chat, turn: { turnId: asId('t7'), step: 1, startedAtMs: 0 } } } })))
  fireEvent.keyDown(box(), { key: 'Escape' })
  expect([isEditing(), asked(memory, 'session/cancel')]).toEqual([true, [{ sessionId }]])
  if (chat) await doing(() => useWork.setState((state) => ({ chats: { ...state.chats, [sessionId]: { ...chat, turn: null } } })))
  fireEvent.keyDown(box(), { key: 'Escape' })
  expect([isEditing(), box().value]).toEqual([false, 'half a thought'])
})

test('R96 leaving an edited message brings back what stood in the box', async () => {
  await open({ 'draft/list': () => [{ sessionId, payload: JSON.stringify({ text: 'half a thought', attachments: [], skills: [] }) }] })
  const [button] = await screen.findAllByRole('button', { name: 'Edit and send again' })
  if (button) fireEvent.click(button)
  fireEvent.click(screen.getByRole('button', { name: 'Leave as it was' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('half a thought')
  expect(screen.queryByText(/You edit an earlier message/)).toBeNull()
})
