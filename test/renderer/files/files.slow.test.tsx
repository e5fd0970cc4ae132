import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFile, useFiles } from '../../../src/renderer/features/files/fileStore'
import { useFind } from '../../../src/renderer/features/work/findStore'
import { asId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { AppStart } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { fileAnswers } from '../stories/fileStories'
import { sessions, workspace } from '../stories/world'
import { fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

const startIn = (locale: 'en' | 'zh-CN'): AppStart => ({ version: '1', platform: 'linux', locale, settings: { ...defaultSettings, locale }, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } })

async function open(answers: MemoryAnswers = {}, locale: 'en' | 'zh-CN' = 'en'): Promise<MemoryHost> {
  const memory = freshHost({ 'app/start': () => startIn(locale), 'session/list': () => sessions, ...fileAnswers(locale), ...answers })
  ;({ stop } = await showWindow())
  await settle(250)
  return memory
}

const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const log = () => one('[role="log"]')

/** The one element; queries by role over the whole window take seconds in jsdom. */
function one(selector: string): HTMLElement {
  const found = document.querySelectorAll<HTMLElement>(selector)
  expect([selector, found.length]).toEqual([selector, 1])
  return found[0] as HTMLElement
}

/** The button of that name in a part of the window. */
function button(name: string, inside: ParentNode = document): HTMLElement {
  const found = [...inside.querySelectorAll<HTMLElement>('button')].filter((each) => (each.getAttribute('aria-label') ?? each.textContent) === name)
  expect([name, found.length]).toEqual([name, 1])
  return found[0] as HTMLElement
}

test('R111 places of files become links in words, code, thinking and output; addresses and what is not here do not', async () => {
  await open()
  const names = (): string[] => [...log().querySelectorAll<HTMLButtonElement>('button.filelink')].map((button) => button.title)
  await vi.waitFor(() => expect(names()).toEqual(expect.arrayContaining(['Open src/http/retry.ts', 'Open src/http/retry.ts, line 5', 'Open src/http/client.ts, line 3', 'Open test/retry.test.ts, line 14'])), 10_000)
  expect(names().filter((name) => /gone|outside|client.ts, line 1$/.test(name))).toEqual([])
})

test('R111 a link opens the viewer at its line, as on disk now, and as it was after the turn', async () => {
  const memory = await open()
  const link = (): Element | null => log().querySelector('[title="Open src/http/retry.ts, line 5"]')
  await vi.waitFor(() => expect(link()).not.toBeNull(), 10_000)
  fireEvent.click(link() as HTMLElement)
  await settle(120)
  const dialog = one('[role="dialog"].fileview')
  expect(asked(memory, 'file/read')).toEqual([{ path: 'src/http/retry.ts', isAsked: false }])
  expect(dialog.textContent).toContain('line 5')
  expect(dialog.textContent).toContain('UTF-8 · LF')
  expect(useFiles.getState().shown?.column).toBe(11)
  fireEvent.click(button('Open in my editor', dialog))
  await settle()
  expect(asked(memory, 'file/open')).toEqual([{ path: 'src/http/retry.ts', line: 5, column: 11 }])
  await openFile({ path: 'src/http/client.ts', line: 1, column: null }, { id: asId('q13'), turn: 3 })
  await settle()
  fireEvent.click(screen.getByLabelText('After turn 3'))
  await settle()
  expect([asked(memory, 'timeline/paths'), asked(memory, 'timeline/file')]).toEqual([[{ at: 'q13', query: 'src/http/client.ts' }], [{ oid: '2'.repeat(40) }]])
  expect(useFiles.getState().shown?.then?.text).toContain('undici')
})

test('R111 a fault of the editor is told in the viewer, a secret is shown only by word', async () => {
  const memory = await open({ 'file/open': () => ({ ok: false, fault: said('editor.needed', { path: 'x' }) }) })
  fireEvent.keyDown(window, { key: 'p', ctrlKey: true })
  await settle()
  fireEvent.change(one('input[aria-label="File name, with :line"]'), { target: { value: '.env:2' } })
  await settle()
  fireEvent.keyDown(one('input[aria-label="File name, with :line"]'), { key: 'Enter' })
  await settle(120)
  const dialog = one('[role="dialog"].fileview')
  fireEvent.click(button('Open in my editor', dialog))
  await settle()
  expect(one('.fileview [role="alert"]').textContent).toContain('Set your editor in Settings')
  fireEvent.click(button('Show it', dialog))
  await settle()
  expect(asked(memory, 'file/read')).toEqual([{ path: '.env', isAsked: false }, { path: '.env', isAsked: true }])
})

test('R111 Mod+P finds files by name, in Chinese too, and Enter of an input method opens nothing', async () => {
  const memory = await open({}, 'zh-CN')
  fireEvent.keyDown(window, { key: 'p', ctrlKey: true })
  await settle()
  const field = one('input[aria-label="文件名，可加 :行号"]')
  fireEvent.change(field, { target: { value: '手册' } })
  await settle()
  expect([...document.querySelectorAll('[role="option"]')].map((one) => one.getAttribute('aria-label'))).toEqual(['docs/zh/订单 手册.md'])
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  await settle()
  expect(asked(memory, 'file/read')).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter' })
  await settle(120)
  expect(asked(memory, 'file/read')).toEqual([{ path: 'docs/zh/订单 手册.md', isAsked: false }])
})

test('R111 find goes through folded thinking and output, and opens what holds the hit', async () => {
  await open()
  expect(screen.queryByText('The retry counter in', { exact: false })).toBeNull()
  fireEvent.keyDown(window, { key: 'f', ctrlKey: true })
  await settle()
  const field = one('input[aria-label="Find"]')
  fireEvent.change(field, { target: { value: 'retry counter' } })
  await settle(200)
  expect(one('[role="search"] [role="status"]').textContent).toBe('1 of 1')
  expect(screen.getByText('The retry counter in', { exact: false })).toBeTruthy()
  fireEvent.change(field, { target: { value: 'RETRY' } })
  await settle(200)
  const all = useFind.getState().hits.length
  expect(all).toBeGreaterThan(3)
  expect(useFind.getState().at).toBe(all - 1)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(useFind.getState().at).toBe(0)
  fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
  expect(useFind.getState().at).toBe(all - 1)
  fireEvent.click(button('Match case'))
  await settle(200)
  expect(useFind.getState().hits).toEqual([])
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(document.querySelector('[role="search"]')).toBeNull()
})

test('R111 a turn says what it changed, that it was taken back, and who changed the same since; it can be reviewed and undone', async () => {
  const memory = await open({ 'rollback/plan': () => ({ ok: false, fault: said('snapshot.unknown', { id: 'q01' }) }) })
  const third = one('[role="group"][aria-label="What turn 3 changed"]')
  expect(third.textContent).toContain('4 files changed')
  expect(third.textContent).toContain('Taken back')
  const fourth = one('[role="group"][aria-label="What turn 4 changed"]')
  expect(fourth.textContent).toContain('You changed 1 of them since.')
  fireEvent.click(button('Review all 4 files of turn 3', third))
  await settle(300)
  const page = one('section[aria-label="What turn 3 changed"]')
  expect(page.querySelector('section[aria-label="src/http/client.ts"]')).toBeTruthy()
  expect(asked(memory, 'timeline/authors')).toContainEqual({ path: 'src/http/client.ts', before: 'q10', after: 'q13' })
  fireEvent.click(button('Back to the conversation', page))
  await settle(200)
  fireEvent.click(button('Undo turn 1; the plan is shown first'))
  await settle(100)
  expect(asked(memory, 'rollback/plan')).toEqual([{ target: { to: 'q01', only: { from: 'q01', until: 'q02' }, ofSession: 's1', keepUserEdits: true } }])
})

test('R111 the editor is chosen from what is found, and tested', async () => {
  const memory = await open()
  fireEvent.keyDown(window, { key: ',', ctrlKey: true })
  await settle(120)
  fireEvent.change(screen.getByLabelText('Editor command'), { target: { value: 'sh -c {path}' } })
  fireEvent.blur(screen.getByLabelText('Editor command'))
  await settle()
  expect(screen.getByText('sh would run what it is given. Name the editor itself.')).toBeTruthy()
  expect(asked(memory, 'settings/change')).toEqual([])
  fireEvent.click(button('Use Zed'))
  await settle()
  expect(asked(memory, 'settings/change')).toEqual([{ editorCommand: 'zed {path}:{line}:{column}' }])
  fireEvent.click(button('Test'))
  await settle()
  expect(screen.getByText('zed was started.')).toBeTruthy()
})
