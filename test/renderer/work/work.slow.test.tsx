import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setDraft, submit, useWork } from '../../../src/renderer/features/work/workStore'
import { tailOf } from '../../../src/renderer/features/work/outputBook'
import { asId, type MessageId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed, type Result } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import { readPageEvents } from '../../../src/shared/ipc/sessionViews'
import type { AppStart } from '../../../src/shared/ipc/views'
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
  const memory = freshHost({ 'app/start': () => start, 'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq) : []), 'session/prompt': () => succeed({ turnId: asId<TurnId>('t9') }), ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const typed = (text: string) => fireEvent.change(box(), { target: { value: text } })

test('Enter sends, Shift+Enter does not, and Enter of an input method never does (R106)', async () => {
  const memory = await open(idle)
  typed('你好')
  fireEvent.keyDown(box(), { key: 'Enter', isComposing: true })
  fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 })
  fireEvent.keyDown(box(), { key: 'Enter', shiftKey: true })
  await settle()
  expect([asked(memory, 'session/prompt'), box().value]).toEqual([[], '你好'])
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect([asked(memory, 'session/prompt'), box().value]).toEqual([[{ sessionId, text: '你好' }], ''])
})

test('with the other setting Enter is a new line and Ctrl+Enter sends', async () => {
  const memory = await open(idle, { 'app/start': () => ({ ...start, settings: { ...defaultSettings, sendWith: 'mod-enter' } }) })
  typed('x')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([])
  fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true })
  await settle()
  expect(asked(memory, 'session/prompt')).toHaveLength(1)
})

const queuedMessage = (text: string, id = 'm9') => ({ type: 'message-queued' as const, messageId: asId<MessageId>(id), text })
const ended = (reason: 'done' | 'cancelled') => ({ type: 'turn-ended' as const, turnId: asId<TurnId>('t2'), step: 3, reason, say: said('turn.done'), text: '', tokens: { input: 0, output: 0 }, auditHead: null })

test('R10 a message typed while a turn runs is stored by the app, and shown, edited in place and removed as what is stored', async () => {
  const memory = await open(running)
  expect(document.getElementById(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-describedby') ?? '')?.textContent).toBe('queued until the next step')
  typed('and then this')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect([asked(memory, 'session/prompt'), asked(memory, 'session/queue'), box().value, screen.queryByText('Queued for the next step:')]).toEqual([[], [{ sessionId, text: 'and then this' }], '', null])
  await doing(() => memory.push('session/events', events([queuedMessage('and then this')], running.length + 1)))
  expect(screen.getByText('Queued for the next step:').textContent).toBe('Queued for the next step: and then this')
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Queued message' })
  fireEvent.change(field, { target: { value: 'and then that' } })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
  fireEvent.keyDown(field, { key: 'Enter' })
  await settle()
  expect(asked(memory, 'session/queue')[1]).toEqual({ sessionId, messageId: 'm9', text: 'and then that' })
  fireEvent.click(screen.getByRole('button', { name: 'Remove the waiting message' }))
  expect(asked(memory, 'session/withdraw')).toEqual([{ sessionId, messageId: 'm9' }])
})

test('R10 Ctrl+Enter while a turn runs interrupts the step; the button of a waiting row too, and says that it does; Esc in its editing leaves the row and the turn alone', async () => {
  const memory = await open(running)
  typed('stop that')
  fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true })
  await settle()
  expect([asked(memory, 'session/queue'), asked(memory, 'session/deliver')]).toEqual([[{ sessionId, text: 'stop that' }], [{ sessionId, messageId: 'queued' }]])
  await doing(() => memory.push('session/events', events([queuedMessage('later')], running.length + 1)))
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Queued message' }), { key: 'Escape' })
  fireEvent.click(screen.getByRole('button', { name: 'Stop the step and deliver' }))
  await settle()
  expect([asked(memory, 'session/deliver').at(-1), asked(memory, 'session/cancel')]).toEqual([{ sessionId, messageId: 'm9' }, []])
})

test('R10 words that could not replace a message delivered meanwhile come to the box, with the reason', async () => {
  const memory = await open(running, { 'session/queue': () => fail('session.queued-gone') })
  await doing(() => memory.push('session/events', events([queuedMessage('first')], running.length + 1)))
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Queued message' }), { target: { value: 'second' } })
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }))
  await settle()
  expect([box().value, screen.getByRole('alert').textContent]).toEqual(['second', expect.stringContaining('does not wait any more')])
})

test('R10 after a stopped turn a waiting message stays until the person delivers it, also over a reload of the window', async () => {
  const history = [...running, ...events([queuedMessage('later'), ended('cancelled')], running.length + 1)]
  const memory = await open(history)
  await settle()
  expect([asked(memory, 'session/prompt'), screen.getByText('Waits, sent after your next message:').textContent]).toEqual([[], 'Waits, sent after your next message: later'])
  fireEvent.click(screen.getByRole('button', { name: 'Deliver now' }))
  await settle()
  expect(asked(memory, 'session/deliver')).toEqual([{ sessionId, messageId: 'm9' }])
})

test('R10 what is typed while a message is being handed over comes behind it, and comes back with it when that one is refused', async () => {
  let answer: (result: Result<{ readonly turnId: TurnId }>) => void = () => undefined
  const memory = await open(idle, { 'session/prompt': () => new Promise((resolve) => (answer = resolve)) })
  typed('first')
  await act(() => { void submit(); return Promise.resolve() })
  typed('second')
  await act(() => { void submit(); return Promise.resolve() })
  expect(asked(memory, 'session/queue')).toEqual([])
  answer(fail('model.key-refused', { status: 401, provider: 'Harbor' }))
  await settle()
  expect([asked(memory, 'session/queue'), box().value.split('\n\n').sort()]).toEqual([[], ['first', 'second']])
})

test('Esc stops the turn; not while composing, in a menu, in a dialog or in a field of its own (R11, R12)', async () => {
  const memory = await open(running)
  fireEvent.keyDown(box(), { key: 'Escape', isComposing: true })
  fireEvent.keyDown(box(), { key: 'k', ctrlKey: true })
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'Command palette' }), { key: 'Escape' })
  await settle()
  expect([asked(memory, 'session/cancel'), screen.queryByRole('dialog')]).toEqual([[], null])
  fireEvent.doubleClick(screen.getByRole('heading', { level: 1 }))
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Title of the session' }), { key: 'Escape' })
  expect(asked(memory, 'session/cancel')).toEqual([])
  fireEvent.keyDown(box(), { key: 'Escape' })
  expect(asked(memory, 'session/cancel')).toEqual([{ sessionId }])
})

test('Stop is there while a turn runs, and only then', async () => {
  const memory = await open(running)
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(asked(memory, 'session/cancel')).toEqual([{ sessionId }])
  cleanup()
  await open(idle)
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test('a message that cannot be sent goes back into the box, with the reason', async () => {
  await open(idle, { 'session/prompt': () => fail('model.key-refused', { status: 401, provider: 'Harbor' }) })
  typed('Which orders were never paid?')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect(box().value).toBe('Which orders were never paid?')
  expect(screen.getByRole('alert').textContent).toContain('The provider refused the key (401).')
})

test('a draft is kept by the main process, each change of it, and the newest last (R109)', async () => {
  const memory = await open(idle)
  act(() => { for (const text of ['h', 'ha', 'half a thought']) setDraft(text) })
  await settle()
  const saved = asked(memory, 'draft/save') as readonly { readonly sessionId: string; readonly payload: string }[]
  expect(saved.map((one) => one.sessionId)).toEqual(saved.map(() => sessionId))
  expect(JSON.parse(saved.at(-1)?.payload ?? '')).toMatchObject({ text: 'half a thought' })
})

test('what was typed before a reload, a crash or a restart stands in the box again (R109)', async () => {
  await open(idle, { 'draft/list': () => [{ sessionId, payload: JSON.stringify({ text: '还没写完', attachments: [], skills: [] }) }] })
  expect(box().value).toBe('还没写完')
})

test('a gap in the events asks for what is missing and folds it in order (R95)', async () => {
  const history = events(workDrafts)
  const memory = await open(history.slice(0, 6), { 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? history.filter((event) => event.seq >= fromSeq && event.seq <= (fromSeq === 1 ? 6 : history.length - 1)) : []) })
  const last = history.at(-1)
  await doing(() => { if (last) memory.push('session/events', [last]) })
  await settle()
  expect(asked(memory, 'session/read').slice(-1)).toEqual([{ sessionId, fromSeq: 7 }])
  expect(useWork.getState().chats[sessionId]?.lastSeq).toBe(history.length)
})

test('i05 a long conversation is asked for page by page and folded whole, and an answer to another question ends the asking', async () => {
  const notes = Array.from({ length: 450 }, () => ({ type: 'note-added', turnId: asId<TurnId>('t2'), step: 1, say: said('turn.cut'), isForModel: false }) as const)
  const history = events([...workDrafts, ...notes])
  const page = (fromSeq: number) => history.slice(fromSeq - 1, fromSeq - 1 + readPageEvents)
  const memory = await open([], { 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? page(fromSeq) : []) })
  const pages = Array.from({ length: Math.floor(history.length / readPageEvents) + 1 }, (_, at) => ({ sessionId, fromSeq: 1 + at * readPageEvents }))
  expect([pages.length > 2, asked(memory, 'session/read')]).toEqual([true, pages])
  expect(useWork.getState().chats[sessionId]?.lastSeq).toBe(history.length)
  stop()
  cleanup()
  const stubborn = await open([], { 'session/read': ({ sessionId: id }) => (id === sessionId ? page(1) : []) })
  expect(asked(stubborn, 'session/read').length).toBeLessThan(6)
})

test('a first message without a session makes one', async () => {
  const made = { ...sessions[0], id: asId<SessionId>('fresh'), state: 'idle' } as (typeof sessions)[number]
  const memory = await open([], { 'session/list': () => [], 'session/create': () => made })
  typed('Hello')
  fireEvent.keyDown(box(), { key: 'Enter' })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([{ sessionId: 'fresh', text: 'Hello' }])
})

test('a session that has no message yet is called empty, not done', async () => {
  const bare = { ...sessions[0], id: asId<SessionId>('bare'), title: '', state: 'idle', isPinned: false, deletedAtMs: null, forkedFrom: null } as (typeof sessions)[number]
  await open([], { 'session/list': () => [bare, { ...bare, id: asId<SessionId>('said'), title: 'Fix it' }] })
  const row = (name: RegExp) => screen.getByRole('link', { name }).textContent
  expect([row(/Untitled/), row(/Fix it/), screen.getByRole('heading', { name: 'Others' }).tagName]).toEqual([expect.stringContaining('UntitledEmpty'), expect.stringContaining('Fix itDone'), 'H3'])
})

test('each call shows who let it happen, reads of a step are one row that opens', async () => {
  await open(running)
  const log = screen.getByRole('log', { name: 'Conversation' })
  const reads = await within(log).findByRole('button', { name: /Looked 3 times/ }, { timeout: 5000 })
  expect(reads.textContent).toContain('Asking level')
  fireEvent.click(reads)
  expect(within(log).getAllByRole('button', { name: /^Read/ })).toHaveLength(2)
  expect(within(log).getByRole('button', { name: /Edit .*test\/retry\.test\.ts.*You signed/ })).toBeDefined()
})

test('the reply grows as its parts come, and the status line says what happens', async () => {
  const memory = await open(running)
  const body = (part: number, text: string) => ({ sessionId, turnId: asId<TurnId>('t2'), step: 4, seq: 100, part, atMs: Date.now(), body: { type: 'text-delta' as const, text } })
  await doing(() => memory.push('session/parts', [body(1, 'Half an '), body(2, 'answer')]))
  await settle(100)
  expect(screen.getByRole('log', { name: 'Conversation' }).textContent).toContain('Half an answer')
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Running a command.')
})

test('a program left running is listed and can be ended (R113)', async () => {
  const memory = await open(idle, { 'program/list': () => [{ callId: asId('c6'), pid: 4711, command: 'node server.js', ports: [] }] })
  expect(screen.getByText('Still running after its command:').textContent).toBe('Still running after its command: node server.js process 4711')
  memory.answer({ 'program/list': () => [] })
  fireEvent.click(screen.getByRole('button', { name: 'End program' }))
  await settle()
  expect(asked(memory, 'program/end')).toEqual([{ pid: 4711 }])
  expect(screen.queryByRole('button', { name: 'End program' })).toBeNull()
})

test('live output stays out of the stores; its last five lines are plain text', () => {
  expect(tailOf('one\r\n\u001b[32mtwo\u001b[0m\r\nthree\nfour\n10%\r100%\nsix\n\n')).toBe('two\nthree\nfour\n100%\nsix')
  expect(tailOf('\u001b]0;title\u0007\u001b[2Jclean')).toBe('clean')
})

test.each(['insertText', 'insertFromPaste', 'insertFromDrop'])('a long text goes in at once where the caret is, a short one is left to the browser: %s', async (inputType) => {
  await open(idle)
  typed('ab')
  const before = (data: string, cancelable = true): boolean => fireEvent(box(), new InputEvent('beforeinput', { inputType, data, cancelable, bubbles: true }))
  const manyLines = 'a\n'.repeat(300)
  expect([before('short'), before('a\n'.repeat(50)), before(manyLines, false)]).toEqual([true, true, true])
  box().setSelectionRange(1, 1)
  await doing(() => { expect(before(manyLines)).toBe(false) })
  expect([box().value, box().selectionStart]).toEqual([`a${manyLines}b`, 601])
  const long = 'x'.repeat(30_000)
  box().setSelectionRange(0, 602)
  await doing(() => { expect(before(long)).toBe(false) })
  expect([box().value, box().selectionStart]).toEqual([long, 30_000])
})
