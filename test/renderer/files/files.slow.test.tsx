import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFiles } from '../../../src/renderer/features/files/fileStore'
import { useFind } from '../../../src/renderer/features/work/findStore'
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
const log = () => screen.getByRole('log')

test('R111 places of files become links in words, code, thinking and output; addresses and what is not here do not', async () => {
  await open()
  const names = [...log().querySelectorAll<HTMLButtonElement>('button.filelink')].map((button) => button.title)
  expect(names).toEqual(expect.arrayContaining(['Open src/http/retry.ts', 'Open src/http/retry.ts, line 5', 'Open src/http/client.ts, line 3', 'Open test/retry.test.ts, line 14']))
  expect(names.filter((name) => /gone|outside|client.ts, line 1$/.test(name))).toEqual([])
})

test('R111 a link opens the viewer at its line, as on disk now, and as it was after the turn', async () => {
  const memory = await open()
  fireEvent.click(within(log()).getAllByTitle('Open src/http/retry.ts, line 5')[0] as HTMLElement)
  await settle(120)
  const dialog = screen.getByRole('dialog', { name: 'File' })
  expect(asked(memory, 'file/read')).toEqual([{ path: 'src/http/retry.ts', isAsked: false }])
  expect(dialog.textContent).toContain('line 5')
  expect(dialog.textContent).toContain('UTF-8 · LF')
  expect(useFiles.getState().shown?.column).toBe(11)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Open in my editor' }))
  await settle()
  expect(asked(memory, 'file/open')).toEqual([{ path: 'src/http/retry.ts', line: 5, column: 11 }])
})

test('R111 a fault of the editor is told in the viewer, a secret is shown only by word', async () => {
  const memory = await open({ 'file/open': () => ({ ok: false, fault: said('editor.needed', { path: 'x' }) }) })
  fireEvent.keyDown(window, { key: 'p', ctrlKey: true })
  await settle()
  fireEvent.change(screen.getByRole('combobox', { name: 'File name, with :line' }), { target: { value: '.env:2' } })
  await settle()
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'File name, with :line' }), { key: 'Enter' })
  await settle(120)
  const dialog = screen.getByRole('dialog', { name: 'File' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Open in my editor' }))
  await settle()
  expect(within(dialog).getByRole('alert').textContent).toContain('Set your editor in Settings')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Show it' }))
  await settle()
  expect(asked(memory, 'file/read')).toEqual([{ path: '.env', isAsked: false }, { path: '.env', isAsked: true }])
})

test('R111 Mod+P finds files by name, in Chinese too, and Enter of an input method opens nothing', async () => {
  const memory = await open({}, 'zh-CN')
  fireEvent.keyDown(window, { key: 'p', ctrlKey: true })
  await settle()
  const field = screen.getByRole('combobox', { name: '文件名，可加 :行号' })
  fireEvent.change(field, { target: { value: '手册' } })
  await settle()
  expect(screen.getAllByRole('option').map((one) => one.getAttribute('aria-label'))).toEqual(['docs/zh/订单 手册.md'])
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
  const field = screen.getByRole('textbox', { name: 'Find' })
  fireEvent.change(field, { target: { value: 'retry counter' } })
  await settle(200)
  expect(within(screen.getByRole('search')).getByRole('status').textContent).toBe('1 of 1')
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
  fireEvent.click(screen.getByRole('button', { name: 'Match case' }))
  await settle(200)
  expect(useFind.getState().hits).toEqual([])
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(screen.queryByRole('search')).toBeNull()
})

test('R111 a turn says what it changed, that it was taken back, and who changed the same since; it can be reviewed and undone', async () => {
  const memory = await open({ 'rollback/plan': () => ({ ok: false, fault: said('snapshot.unknown', { id: 'q01' }) }) })
  const third = screen.getByRole('group', { name: 'What turn 3 changed' })
  expect(third.textContent).toContain('4 files changed')
  expect(third.textContent).toContain('Taken back')
  const fourth = screen.getByRole('group', { name: 'What turn 4 changed' })
  expect(fourth.textContent).toContain('You changed 1 of them since.')
  fireEvent.click(within(third).getByRole('button', { name: 'Review all 4 files of turn 3' }))
  await settle(300)
  const page = screen.getByRole('region', { name: 'What turn 3 changed' })
  expect(within(page).getByRole('region', { name: 'src/http/client.ts' })).toBeTruthy()
  expect(asked(memory, 'timeline/authors')).toContainEqual({ path: 'src/http/client.ts', before: 'q10', after: 'q13' })
  fireEvent.click(within(page).getByRole('button', { name: 'Back to the conversation' }))
  await settle(200)
  fireEvent.click(within(screen.getByRole('group', { name: 'What turn 1 changed' })).getByRole('button', { name: 'Undo turn 1; the plan is shown first' }))
  await settle(100)
  expect(asked(memory, 'rollback/plan')).toEqual([{ target: { to: 'q01', only: { from: 'q01', until: 'q02' }, ofSession: 's1', keepUserEdits: true } }])
})

test('R111 the editor is chosen from what is found, and tested', async () => {
  const memory = await open()
  fireEvent.keyDown(window, { key: ',', ctrlKey: true })
  await settle(120)
  fireEvent.change(screen.getByRole('textbox', { name: 'Editor command' }), { target: { value: 'sh -c {path}' } })
  fireEvent.blur(screen.getByRole('textbox', { name: 'Editor command' }))
  await settle()
  expect(screen.getByText('sh would run what it is given. Name the editor itself.')).toBeTruthy()
  expect(asked(memory, 'settings/change')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Use Zed' }))
  await settle()
  expect(asked(memory, 'settings/change')).toEqual([{ editorCommand: 'zed {path}:{line}:{column}' }])
  fireEvent.click(screen.getByRole('button', { name: 'Test', description: 'Opens a file of Countersign’s own in the kept editor.' }))
  await settle()
  expect(screen.getByText('zed was started.')).toBeTruthy()
})
