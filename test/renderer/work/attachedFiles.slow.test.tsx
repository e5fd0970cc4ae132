import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answeringOf, isBlind } from '../../../src/renderer/app/useModelWorld'
import { takeUnread, useReading } from '../../../src/renderer/features/work/readingStore'
import { WorkView } from '../../../src/renderer/features/work/WorkView'
import { pickModel } from '../../../src/renderer/features/work/modelPicks'
import { connectWork, draftOf, loadSessions, setLevel, startNewSession, useWork } from '../../../src/renderer/features/work/workStore'
import { asId, type MessageId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { unknownFacts } from '../../../src/shared/domain/model'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { resources } from '../stories/mcpWorld'
import { events, sessionId, sessions, workDrafts } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

beforeEach(() => { useReading.setState({ reading: {} }); localStorage.clear(); fakeBrowser() })
const stops: (() => void)[] = []
afterEach(() => { stops.splice(0).forEach((stop) => stop()); cleanup(); vi.unstubAllGlobals() })

const idle = events(workDrafts.slice(0, 6))
const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ref = 'a'.repeat(64)
const picture = { ref, name: 'Pasted picture 1', mimeType: 'image/png' as const, sizeBytes: 2048, pixels: { width: 320, height: 200 }, notes: [said('attach.first-frame')] }

async function open(answers: MemoryAnswers = {}, isUnseeing = false): Promise<MemoryHost> {
  const memory = freshHost({
    'session/list': () => sessions.slice(0, 2), 'session/read': ({ sessionId: id }) => (id === sessionId ? idle : []), 'session/prompt': () => succeed({ turnId: asId<TurnId>('t9') }), 'mcp/resources': () => [],
    'attach/find': () => [{ path: '文档/设计说明.md', isFolder: false }, { path: '文档', isFolder: true }], 'attach/take': ({ name }) => succeed({ ...picture, name }), 'output/content': () => succeed({ base64: png, sizeBytes: 70 }), ...answers,
  })
  Object.assign(memory.host, { droppedPath: (file: File) => (file.name.startsWith('/') ? file.name : '') })
  stops.push(connectWork())
  await loadSessions()
  show(<WorkView past={past} recovery={{ onRollBack: () => undefined, onOpenRecord: () => undefined, waiting: 0 }} approval={null} isNarrowed={false} sendWith="enter" maxSteps={50} defaults={{ level: 'writes' }} models={{ current: null, name: 'fake-model', isBlind: isUnseeing, options: [], onLook: () => undefined, onDefault: null, onOpenModels: () => undefined }} sessionsButton={null} onOpenModels={() => undefined} onReplaceKey={() => undefined} onOpenContext={() => undefined} onOwnCommand={() => Promise.resolve(true)} onUnsealed={() => undefined} />)
  await settle()
  return memory
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const typed = (text: string) => fireEvent.change(box(), { target: { value: text } })
const chips = () => screen.queryAllByRole('list', { name: 'Files and pictures' }).flatMap((list) => within(list).getAllByRole('listitem').map((one) => one.textContent))
const file = (name: string, type = 'image/png') => new File([Uint8Array.from(atob(png), (character) => character.charCodeAt(0))], name, { type })

async function paste(files: readonly File[], text = ''): Promise<boolean> {
  let isLeft = true
  await doing(() => { isLeft = fireEvent.paste(box(), { clipboardData: { files, getData: () => text } }) })
  await settle(150)
  return isLeft
}

test('R90: a pasted picture is a chip with its size and pixels, survives a reload, and goes with the message', async () => {
  const memory = await open()
  expect(await paste([file('image.png')])).toBe(false)
  expect(asked(memory, 'attach/take')).toEqual([{ name: 'Pasted picture 1', base64: png }])
  expect(chips()).toEqual(['Pasted picture 12 KB · 320 × 200It moves: only its first frame is sent.'])
  expect(document.querySelector<HTMLImageElement>('.attached img')?.src).toBe(`data:image/png;base64,${png}`)
  const saved = asked(memory, 'draft/save').at(-1) as { readonly sessionId: string; readonly payload: string }
  memory.answer({ 'draft/list': () => [saved] })
  useWork.setState({ files: {}, attached: {}, drafts: {} })
  await doing(() => { void loadSessions() })
  await settle()
  expect(chips()).toHaveLength(1)
  typed('look')
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([{ sessionId, text: 'look', files: [{ kind: 'kept', ref, name: 'Pasted picture 1', mimeType: 'image/png' }] }])
  expect(chips()).toEqual([])
})

test('R23 R90: the meter counts a picture from the moment it is in the box', async () => {
  const memory = await open()
  const before = asked(memory, 'prompt/parts').length
  await paste([file('image.png')])
  await settle(500)
  expect(asked(memory, 'prompt/parts').slice(before)).toEqual([{ sessionId, draft: '', files: [{ kind: 'kept', ref, name: 'Pasted picture 1', mimeType: 'image/png' }] }])
})

test('R90: words beside a picture are what was meant; a file that lies somewhere is taken all the same', async () => {
  const memory = await open()
  expect(await paste([file('image.png')], 'A cell of a sheet')).toBe(true)
  await paste([file('/home/ada/photo.png')], '/home/ada/photo.png')
  expect([asked(memory, 'attach/place'), asked(memory, 'attach/take')]).toEqual([[{ path: '/home/ada/photo.png' }], [{ name: '/home/ada/photo.png', base64: png }]])
})

test('R90: a file of the project that is dropped is named, not copied; what cannot be taken is said and the others are taken', async () => {
  const memory = await open({ 'attach/place': ({ path }) => (path === '/p/src/a.ts' ? { path: 'src/a.ts', isFolder: false } : null), 'attach/take': ({ name }) => (name === 'bad.tiff' ? fail('attach.cannot', { name, reason: said('attach.no-picture') }) : succeed({ ...picture, name })) })
  const composer = document.querySelector('.composer')
  if (!composer) throw new Error('no box')
  const data = { types: ['Files'], files: [file('/p/src/a.ts'), file('bad.tiff'), file('b.png')], dropEffect: 'none' }
  fireEvent.dragOver(composer, { dataTransfer: data })
  expect(screen.getByText('Drop to attach')).toBeTruthy()
  await doing(() => { fireEvent.drop(composer, { dataTransfer: data }) })
  await vi.waitFor(() => expect(chips().filter((chip) => chip?.startsWith('Reading') !== false)).toEqual([]), 3000)
  expect(chips()).toEqual(['src/a.ts', 'b.png2 KB · 320 × 200It moves: only its first frame is sent.'])
  expect([box().value, screen.getByRole('alert').textContent]).toEqual(['@src/a.ts ', 'bad.tiff cannot be attached: This is no picture that can be read here. Save it as PNG or JPEG, or attach it as a file.'])
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Remove: src/a.ts' })) })
  expect(chips()).toHaveLength(1)
  await paste([file('image.png')])
  await vi.waitFor(() => expect(asked(memory, 'attach/take')).toHaveLength(3), 3000)
  expect([screen.queryByRole('alert'), asked(memory, 'attach/take')]).toEqual([null, [{ name: 'bad.tiff', base64: png }, { name: 'b.png', base64: png }, { name: 'Pasted picture 2', base64: png }]])
})

test('R90: @ finds files first and resources after them; Tab picks, and the name stays in the text', async () => {
  const memory = await open({ 'mcp/resources': () => resources })
  typed('Read @设计')
  await settle(180)
  expect([asked(memory, 'attach/find'), screen.getAllByRole('option').map((one) => one.textContent).slice(0, 3)]).toEqual([[{ query: '设计' }], ['设计说明.md文档/设计说明.md', '文档文档folder', expect.stringContaining('handbook.md')]])
  await doing(() => { fireEvent.keyDown(box(), { key: 'Tab' }) })
  await settle()
  expect([box().value, chips(), screen.queryByRole('listbox')]).toEqual(['Read @文档/设计说明.md ', ['文档/设计说明.md'], null])
  expect(box().selectionStart).toBe('Read @文档/设计说明.md '.length)
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([])
})

test('R90: what could not be read when it was sent is back in the box and marked', async () => {
  await open({ 'session/prompt': ({ files }) => fail('attach.cannot', { name: files?.[0]?.kind === 'project' ? files[0].path : '', reason: said('path.missing', { path: '文档' }) }) })
  typed('@文档')
  await settle(180)
  fireEvent.keyDown(box(), { key: 'ArrowDown' })
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  await settle()
  expect([box().value, chips()]).toEqual(['@文档', ['文档foldercould not be read']])
})

/** Answers of `attach/take` that come when the test says so. */
function heldTakes(): { readonly answers: MemoryAnswers; readonly let: (name: string) => void } {
  const waiting = new Map<string, () => void>()
  return {
    answers: { 'attach/take': ({ name }) => new Promise((resolve) => { waiting.set(name, () => resolve(succeed({ ...picture, ref: name.padEnd(64, 'b'), name }))) }) },
    let: (name) => waiting.get(name)?.(),
  }
}

test('R90: nothing is sent without the picture that is still being read; each has its chip and can be cancelled', async () => {
  const held = heldTakes()
  const memory = await open(held.answers)
  typed('look')
  await paste([file('p1.png'), file('p2.png'), file('p3.png')])
  expect(chips()).toEqual(['Reading p1.png', 'Reading p2.png', 'Reading p3.png'])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reading 3 files' }).disabled).toBe(true)
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  expect([box().value, asked(memory, 'session/prompt')]).toEqual(['look', []])
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Stop reading p1.png' })) })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Stop reading p3.png' })) })
  await doing(() => { held.let('p1.png') })
  await settle(100)
  await doing(() => { held.let('p2.png') })
  await settle(100)
  expect(chips()).toEqual([expect.stringMatching(/^p2\.png/)])
  expect(asked(memory, 'attach/take').map((ask) => (ask as { readonly name: string }).name)).toEqual(['p1.png', 'p2.png'])
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Send' })) })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([expect.objectContaining({ text: 'look', files: [expect.objectContaining({ name: 'p2.png' })] })])
})

test('R90: what was being read when the window was loaded anew is told, once', async () => {
  const held = heldTakes()
  await open(held.answers)
  await paste([file('p2.png'), file('p3.png')])
  // The page is gone with what it knew; what it kept is there.
  useReading.setState({ reading: {} })
  await doing(() => { void loadSessions() })
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('Not attached: p2.png, p3.png.')
  await doing(() => { void loadSessions() })
  await settle()
  expect(screen.queryByRole('alert')).toBeNull()
  localStorage.setItem('files:reading', '"no list')
  expect(takeUnread()).toEqual([])
})

test('R90: a picture for a model that is not known to take any says so before it is sent', async () => {
  await open({}, true)
  expect(screen.queryByText(/is not known to take pictures/)).toBeNull()
  await paste([file('image.png')])
  expect(screen.getByText('fake-model is not known to take pictures: it gets a note instead.')).toBeTruthy()
  const page = (seesImages: boolean | null) => ({ models: { p: [{ id: 'm', name: null, facts: { ...unknownFacts, seesImages }, pricesFrom: null, sources: [] }] as const }, offered: [], quirks: {} })
  expect([true, false, null].map((sees) => isBlind({ id: 'p' }, 'm', page(sees)))).toEqual([false, true, true])
  expect([isBlind({ id: 'p', quirks: { images: 'none' } }, 'm', page(true)), isBlind({ id: 'p' }, 'other', page(true))]).toEqual([true, true])
  // Nothing read yet, a provider without a model of its own, and one whose form of pictures comes from the catalogue.
  expect([isBlind({ id: 'p' }, 'm', null), isBlind({ id: 'p' }, '', page(true)), isBlind({ id: 'p' }, '', page(null)), isBlind({ id: 'q' }, '', page(true))]).toEqual([true, false, true, true])
  const rows = [{ id: 'p', isActive: false, model: 'm' }, { id: 'q', isActive: true, model: '' }]
  expect([answeringOf(rows, null), answeringOf(rows, { provider: 'p', model: 'n' }), answeringOf([], null)]).toEqual([{ row: rows[1], model: '' }, { row: rows[0], model: 'n' }, null])
})

test('R90: a picture alone is a message: it is sent, waits in the queue, and is drawn without empty words', async () => {
  const memory = await open()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  await paste([file('image.png')])
  const sent = { sessionId, text: '', files: [{ kind: 'kept', ref, name: 'Pasted picture 1', mimeType: 'image/png' }] }
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(false)
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  await settle()
  expect([asked(memory, 'session/prompt'), chips()]).toEqual([[sent], []])
  await doing(() => memory.push('session/events', events([pictured, { type: 'turn-started', turnId: asId<TurnId>('t9'), choice: { provider: 'p', model: 'm' }, level: 'writes' }], idle.length + 1)))
  expect([...document.querySelectorAll('.msg.me')].at(-1)?.querySelector('.body')).toBeNull()
  await paste([file('image.png')])
  await doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
  await settle()
  expect([asked(memory, 'session/queue'), document.querySelectorAll('.attached li').length]).toEqual([[sent], 0])
})

const stored = { path: null, name: 'Pasted picture 1', text: '', outputRef: null, content: [{ kind: 'image' as const, mimeType: 'image/png', ref, sizeBytes: 2048, name: 'Pasted picture 1' }] }
const project = { path: 'src/a.ts', name: 'src/a.ts', text: 'a', outputRef: null, content: [], hash: 'h' }
const pictured = { type: 'user-message-added' as const, turnId: asId<TurnId>('t9'), messageId: asId<MessageId>('m9'), text: '', files: [stored, project], attachments: [{ server: 's', uri: 'u:1', name: 'Handbook', text: 'x', outputRef: null, content: [] }] }

test('R90 R89: a message that no model answered is in the box again with all that went along', async () => {
  const memory = await open()
  const ended = { type: 'turn-ended' as const, turnId: asId<TurnId>('t9'), step: 1, reason: 'error' as const, say: said('model.unreachable', { provider: 'p' }), text: '', tokens: { input: 0, output: 0 }, auditHead: null }
  await doing(() => memory.push('session/events', events([{ ...pictured, text: 'look' }, { type: 'turn-started', turnId: asId<TurnId>('t9'), choice: { provider: 'p', model: 'm' }, level: 'writes' }, ended], idle.length + 1)))
  await settle()
  expect([box().value, chips(), within(screen.getByRole('list', { name: 'Attachments' })).getAllByRole('listitem').map((one) => one.textContent)]).toEqual(['look', ['Pasted picture 12 KB', 'src/a.ts'], ['Handbooks']])
})

test.each([['turn.incomplete', false, 'look'], ['turn.incomplete', true, ''], ['turn.cut', false, '']] as const)('R89 %s after an answer (whole: %s) leaves “%s” in the box: what broke off is no answer', async (code, isComplete, left) => {
  const memory = await open()
  const turnId = asId<TurnId>('t9')
  const answer = { type: 'assistant-message-added' as const, turnId, step: 1, messageId: asId<MessageId>('a9'), reasoning: 'so', calls: [], stop: null, text: 'half', isComplete, choice: { provider: 'p', model: 'm' } }
  const ended = { type: 'turn-ended' as const, turnId, step: 1, reason: 'incomplete' as const, say: said(code), text: '', tokens: { input: 0, output: 0 }, auditHead: null }
  await doing(() => memory.push('session/events', events([{ ...pictured, text: 'look' }, { type: 'turn-started', turnId, choice: { provider: 'p', model: 'm' }, level: 'writes' }, answer, ended], idle.length + 1)))
  await settle()
  expect([box().value, draftOf(sessionId).files.length]).toEqual([left, left === '' ? 0 : 2])
})

test('R109 R90: a model or asking level chosen before the first message takes along what stands in the box, and makes one session', async () => {
  let taken: (file: typeof picture) => void = () => undefined
  const made = { ...sessions[0], id: asId<SessionId>('fresh'), title: '', state: 'idle' } as (typeof sessions)[number]
  const memory = await open({ 'session/create': () => made })
  await doing(() => startNewSession())
  await paste([file('image.png')])
  typed('look at this')
  memory.answer({ 'attach/take': ({ name }) => new Promise((resolve) => (taken = (one) => resolve(succeed({ ...one, name })))) })
  await paste([file('late.png')])
  await doing(() => { void setLevel('all'); void pickModel({ provider: 'p', model: 'm' }) })
  await settle()
  expect([asked(memory, 'session/create').length, useWork.getState().current, box().value, chips().length]).toEqual([1, 'fresh', 'look at this', 2])
  await doing(() => taken({ ...picture, ref: 'b'.repeat(64) }))
  await settle()
  expect([asked(memory, 'session/set-level'), asked(memory, 'session/set-model').length, draftOf(asId<SessionId>('fresh')).files.length]).toEqual([[{ sessionId: 'fresh', level: 'all' }], 1, 2])
  await doing(() => startNewSession())
  expect([box().value, chips(), useWork.getState().drafts]).toEqual(['', [], expect.objectContaining({ fresh: 'look at this' })])
})

test('R10 R90: a waiting message that is removed is in the box again with what went along; other words there are left alone', async () => {
  const memory = await open()
  const { type: _type, turnId: _turn, ...rest } = pictured
  const waiting = { type: 'message-queued' as const, ...rest, text: 'later' }
  await doing(() => memory.push('session/events', events([waiting, { ...waiting, messageId: asId<MessageId>('m10') }], idle.length + 1)))
  await doing(() => { fireEvent.click(screen.getAllByRole('button', { name: 'Remove the waiting message' })[0] as HTMLElement) })
  await settle()
  expect([box().value, chips()]).toEqual(['later', ['Pasted picture 12 KB', 'src/a.ts']])
  typed('other words')
  await doing(() => { fireEvent.click(screen.getAllByRole('button', { name: 'Remove the waiting message' })[1] as HTMLElement) })
  await settle()
  expect(box().value).toBe('other words')
})
