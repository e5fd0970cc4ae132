import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Typed } from '../../../src/renderer/features/work/drafts'
import { WorkView } from '../../../src/renderer/features/work/WorkView'
import { loadSessions, selectSession, useWork } from '../../../src/renderer/features/work/workStore'
import { asId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { prompts, resources } from '../stories/mcpWorld'
import { events, sessionId, sessions, workDrafts } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

beforeEach(fakeBrowser)
afterEach(() => { cleanup(); vi.unstubAllGlobals() })

const idle = events(workDrafts.slice(0, 6))
const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }

async function open(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'session/list': () => sessions.slice(0, 2), 'session/read': ({ sessionId: id }) => (id === sessionId ? idle : []), 'session/prompt': () => succeed({ turnId: asId<TurnId>('t9') }), 'mcp/resources': () => resources, 'mcp/prompts': () => prompts, ...answers })
  await loadSessions()
  show(<WorkView past={past} recovery={{ onRollBack: () => undefined, onOpenRecord: () => undefined, waiting: 0 }} approval={null} isNarrowed={false} sendWith="enter" maxSteps={50} defaults={{ level: 'writes' }} models={{ current: null, name: 'm', isBlind: false, options: [], onLook: () => undefined, onDefault: null, onOpenModels: () => undefined }} sessionsButton={null} onOpenModels={() => undefined} onReplaceKey={() => undefined} onOpenContext={() => undefined} onOwnCommand={() => Promise.resolve(true)} onUnsealed={() => undefined} />)
  await settle()
  return memory
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const typed = (text: string) => fireEvent.change(box(), { target: { value: text } })
const key = (name: string, more: object = {}) => fireEvent.keyDown(box(), { key: name, ...more })
const options = () => screen.queryAllByRole('option').map((one) => one.textContent)
const chips = () => screen.queryAllByRole('list', { name: 'Attachments' }).flatMap((list) => within(list).getAllByRole('listitem').map((one) => one.textContent))
const waited = () => settle(180)

test('R50: @ lists resources by name, server and address; Enter attaches the highlighted one and the word is gone', async () => {
  const memory = await open()
  typed('Compare @ha')
  await waited()
  expect([asked(memory, 'mcp/resources'), screen.getByRole('listbox').getAttribute('aria-label')]).toEqual([[{ query: 'ha' }], 'Files and resources'])
  expect(options()[0]).toBe('handbook.mdfilesfile:///srv/docs/handbook.md')
  expect(box().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id)
  key('ArrowDown')
  await doing(() => { key('Enter') })
  await settle()
  expect([box().value, chips(), screen.queryByRole('listbox')]).toEqual(['Compare ', ['Harbour rulesfiles'], null])
  typed('Compare them')
  await doing(() => { key('Enter') })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([{ sessionId, text: 'Compare them', attachments: [{ server: 'files', uri: 'file:///srv/docs/harbour-rules.md' }] }])
  expect(chips()).toEqual([])
})

test('R50: newer typing drops what was asked; nothing is asked for an address or after a space', async () => {
  const memory = await open()
  for (const text of ['ada@example.org', '@ x', 'a @']) typed(text)
  typed('a @r')
  typed('a @ru')
  await waited()
  expect(asked(memory, 'mcp/resources')).toEqual([{ query: 'ru' }])
})

test('R50: a late answer to an older word is not shown', async () => {
  const late: ((value: typeof resources) => void)[] = []
  await open({ 'mcp/resources': ({ query }) => (query === 'a' ? new Promise((done) => late.push(done)) : []) })
  typed('@a')
  await waited()
  typed('@ab')
  await waited()
  late.forEach((done) => done(resources))
  await settle()
  expect([options(), screen.getByText('No file or resource has this name.').textContent]).toEqual([[], 'No file or resource has this name.'])
})

test('R12: Esc closes the list for this word and belongs to it; Enter of an input method chooses nothing; with no list Enter sends', async () => {
  const memory = await open()
  typed('@ha')
  await waited()
  key('Enter', { isComposing: true })
  key('Enter', { keyCode: 229 })
  expect([chips(), box().closest('[data-esc="own"]')]).toEqual([[], box()])
  key('Escape')
  expect([options(), box().value, box().closest('[data-esc="own"]')]).toEqual([[], '@ha', null])
  typed('@han')
  await waited()
  expect(options()).toEqual([])
  await doing(() => { key('Enter') })
  await settle()
  expect(asked(memory, 'session/prompt')).toEqual([{ sessionId, text: '@han' }])
})

test('R50: a template asks for its values with completion, then its filled address is attached', async () => {
  const memory = await open({ 'mcp/complete': () => ['harbor', 'harbour'] })
  typed('@issue')
  await waited()
  fireEvent.click(screen.getAllByRole('option').at(-1) as HTMLElement)
  await waited()
  const form = screen.getByRole('form', { name: 'Values for the address of Issue' })
  const owner = within(form).getByRole<HTMLInputElement>('combobox', { name: 'owner required' })
  expect([document.activeElement, asked(memory, 'mcp/complete')]).toEqual([owner, [{ server: 'github', of: { template: 'issue://{owner}/{number}{?comments}' }, argument: 'owner', value: '', known: {} }]])
  fireEvent.keyDown(owner, { key: 'ArrowDown' })
  fireEvent.keyDown(owner, { key: 'Enter' })
  expect(owner.value).toBe('harbor')
  fireEvent.submit(form)
  expect(within(form).getByText('A value is missing.')).toBeDefined()
  fireEvent.change(within(form).getByRole('combobox', { name: 'number required' }), { target: { value: '4/12' } })
  await waited()
  expect(asked(memory, 'mcp/complete').at(-1)).toEqual({ server: 'github', of: { template: 'issue://{owner}/{number}{?comments}' }, argument: 'number', value: '4/12', known: { owner: 'harbor' } })
  await doing(() => { fireEvent.submit(form) })
  expect([chips(), box().value, screen.queryByRole('form')]).toEqual([['issue://harbor/4%2F12github'], '', null])
})

test('R51: / at the start lists commands; one with arguments opens its form, and its text stands in the box to be read', async () => {
  const memory = await open({ 'mcp/prompt': () => succeed({ text: 'Triage issue 412.', attachments: [{ server: 'github', uri: 'issue://412', name: 'Issue 412' }], notes: [said('session.content.bad-image', { type: 'image/tiff' })] }) })
  typed('/tri')
  await waited()
  expect(options()).toEqual(['/github:triageTriage an issue · Reads an issue and suggests labels'])
  await doing(() => { key('Enter') })
  const form = screen.getByRole('form', { name: 'Values for /github:triage' })
  fireEvent.submit(form)
  expect(asked(memory, 'mcp/prompt')).toEqual([])
  fireEvent.change(within(form).getByRole('combobox', { name: 'issue required' }), { target: { value: '412' } })
  await doing(() => { fireEvent.submit(form) })
  await settle()
  expect(asked(memory, 'mcp/prompt')).toEqual([{ server: 'github', name: 'triage', args: { issue: '412' } }])
  expect([box().value, chips(), asked(memory, 'session/prompt'), document.activeElement]).toEqual(['Triage issue 412.', ['Issue 412github'], [], box()])
  expect(screen.getByText('This picture cannot be drawn (image/tiff).')).toBeDefined()
})

test('R51: a command that fails says so in place and leaves the box as it was', async () => {
  await open({ 'mcp/prompt': () => fail('mcp.gone', { server: 'files' }) })
  typed('/files:sum')
  await waited()
  await doing(() => { key('Enter') })
  await settle()
  expect([screen.getByRole('alert').textContent, box().value]).toEqual(['The MCP server files is no longer connected.', '/files:sum'])
})

test('R50: a resource that cannot be read leaves text and attachments, and the one is marked', async () => {
  await open({ 'session/prompt': () => fail('mcp.gone', { server: 'files', uri: 'file:///srv/docs/handbook.md' }) })
  typed('@ha')
  await waited()
  await doing(() => { key('Enter') })
  typed('Compare')
  await doing(() => { key('Enter') })
  await settle()
  expect([box().value, chips()]).toEqual(['Compare', ['handbook.mdfilescould not be read']])
  expect(screen.getByRole('alert').textContent).toContain('no longer connected')
})

test('R109: attachments are kept with the draft of their session, and one can be taken off again', async () => {
  let stored = ''
  await open({ 'draft/save': ({ payload }) => { stored = payload; return null } })
  typed('@ha')
  await waited()
  await doing(() => { key('Enter') })
  await settle()
  const kept = (JSON.parse(stored) as Typed).attachments
  await doing(() => void selectSession(asId<SessionId>('s2')))
  await settle()
  expect(chips()).toEqual([])
  useWork.setState({ drafts: {}, attached: {} })
  await doing(() => void selectSession(sessionId))
  await settle()
  expect([kept, chips()]).toEqual([[{ server: 'files', uri: 'file:///srv/docs/handbook.md', name: 'handbook.md' }], ['handbook.mdfiles']])
  fireEvent.click(screen.getByRole('button', { name: 'Remove: handbook.md' }))
  await settle()
  expect([chips(), stored]).toEqual([[], ''])
})

test('R106: axe finds no fault with the list, the form, and attachments', async () => {
  await open({ 'mcp/complete': () => ['harbor'] })
  const faults = async () => (await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false }, 'page-has-heading-one': { enabled: false } } })).violations.map((one) => `${one.id}: ${one.nodes[0]?.html ?? ''}`)
  typed('@ha')
  await waited()
  expect(await faults()).toEqual([])
  await doing(() => { key('Enter') })
  typed('@issue')
  await waited()
  fireEvent.click(screen.getAllByRole('option').at(-1) as HTMLElement)
  await waited()
  expect(await faults()).toEqual([])
})
