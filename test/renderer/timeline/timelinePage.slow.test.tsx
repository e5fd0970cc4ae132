import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { go } from '../../../src/renderer/app/appStore'
import { openPoint } from '../../../src/renderer/features/timeline/openMoment'
import { enterTimeline, reloadTimeline, useTimeline } from '../../../src/renderer/features/timeline/timelineStore'
import { asId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { RollbackPreview } from '../../../src/shared/domain/rollback'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { AppStart } from '../../../src/shared/ipc/views'
import type { Locale } from '../../../src/shared/words/say'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { timelineAnswers } from '../stories/timelineStories'
import * as past from '../stories/timelineWorld'
import { sessions, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); vi.unstubAllGlobals() })

const start = (locale: Locale): AppStart => ({ version: '1', platform: 'linux', locale, settings: { ...defaultSettings, locale }, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: { entries: 7, chain: 'x' }, dataFolder: { path: '/d', setBy: null } })

async function open(story = 'timeline', answers: MemoryAnswers = {}, locale: Locale = 'en'): Promise<MemoryHost> {
  const preview = (target: unknown): RollbackPreview => ({ plan: { target: target as never, head: 'h', rows: [], notCovered: [] }, lines: [], sent: [], sentCount: 0 })
  const memory = freshHost({ 'app/start': () => start(locale), 'session/list': () => sessions, 'rollback/plan': ({ target }) => succeed(preview(target)), ...timelineAnswers(story, locale), ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  await doing(() => go('timeline'))
  await settle(60)
  return memory
}

const asks = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const detail = () => within(screen.getByRole('region', { name: 'The chosen moment' }))
/** The row of the list whose text fits; found by its text, for roles of a long list take their time. */
function row(name: RegExp): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('[data-zone="timeline"] li button')].find((button) => name.test(button.textContent ?? ''))
  if (!found) throw new Error(`no row ${name.source}`)
  return found
}
const click = async (button: HTMLElement): Promise<void> => { await doing(() => { fireEvent.click(button) }); await settle(60) }
/** Menus of the kit open on the pointer's way down. */
const press = async (button: HTMLElement): Promise<void> => { await doing(() => { fireEvent.pointerDown(button, { button: 0, ctrlKey: false, pointerType: 'mouse' }); fireEvent.keyDown(button, { key: 'Enter' }) }); await settle(60) }

async function faults(): Promise<readonly string[]> {
  const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  return result.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

test('R78: the undo of the last rollback names what it undoes, and is offered only for one that can be undone', async () => {
  const { undoable, ...read } = past.pastOf()
  let offered = {}
  const memory = await open('timeline', { 'timeline/read': () => ({ ...read, ...offered }), 'rollback/undo': () => fail('rollback.said-since') })
  const button = () => screen.queryByRole('button', { name: 'Undo last rollback' })
  expect(button()).toBeNull()
  offered = { undoable }
  await doing(() => void reloadTimeline())
  await settle(60)
  expect(button()?.title).toBe('13:57 Rolled back 4 files')
  await click(button() ?? document.body)
  expect(asks(memory, 'rollback/undo')).toEqual([{ rollbackId: 'r1' }])
  expect(document.body.textContent).toContain('Messages were said after this rollback.')
})

test('a call that a rollback took back says so, and can be brought back alone (R79, R78)', async () => {
  const memory = await open()
  await click(row(/npx prettier/))
  expect(detail().getByText('What this command really changed. Taken back by the rollback at 13:57; your later edit was kept.')).toBeDefined()
  expect(detail().getByText(/^Turn 3 · 13:54:00 · 1.9 s · exit 0$/)).toBeDefined()
  expect(detail().getByText('You signed')).toBeDefined()
  expect(detail().queryByRole('button', { name: 'Undo only this call' })).toBeNull()
  await click(detail().getByRole('button', { name: 'Bring back' }))
  expect(asks(memory, 'rollback/plan')).toEqual([{ target: { to: 'q15', only: { from: 'q15', until: 'q16' }, paths: ['src/http/client.ts', 'src/orders/list.ts', 'src/orders/index.ts', 'src/shipping/rollup.ts'], keepUserEdits: true } }])
  expect(screen.getByRole('heading', { name: 'Bring back: npx prettier -w src' })).toBeDefined()
})

test('from a call a way leads to its record alone (R79)', async () => {
  const memory = await open()
  await click(row(/npm i -D nock/))
  await click(detail().getByRole('button', { name: 'Open record' }))
  expect(asks(memory, 'audit/page').at(-1)).toMatchObject({ query: 'b3', isThisProject: false })
})

test('who shows and how many; which sessions is kept for the project (R79, DESIGN 5.5)', async () => {
  await open()
  expect(['Agent 7', 'You 4', 'Command 4', 'Rollback 1'].map((name) => screen.getByRole('button', { name }).getAttribute('aria-pressed'))).toEqual(['true', 'true', 'true', 'true'])
  await click(screen.getByRole('button', { name: 'You 4' }))
  expect(document.querySelector('[data-zone="timeline"] ul')?.textContent).not.toContain('You edited')
  expect(row(/coverage/)).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All 3' }).checked).toBe(true)
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'This session' })) })
  expect(row(/1 call in 1 other session/)).toBeDefined()
  await doing(() => enterTimeline(workspace.id))
  expect(useTimeline.getState().scopes).toEqual({ pane: 'session', page: 'session' })
})

test('what the disk holds beside the last point is a row, and opens (R79)', async () => {
  const memory = await open('timeline-now')
  await settle(250)
  await click(screen.getByRole('button', { name: 'Now 2 files changed since the last point' }))
  expect(asks(memory, 'timeline/changes').at(-1)).toEqual({ before: 'q26', after: null })
  expect(detail().getByRole('heading', { name: 'Now' })).toBeDefined()
})

test('any two moments are compared by keys or by their buttons, either way round (R79)', async () => {
  const memory = await open()
  await doing(() => { fireEvent.keyDown(row(/^Turn 3/), { key: 'a' }) })
  await doing(() => { fireEvent.keyDown(row(/db\/0042/), { key: 'b' }) })
  await settle(60)
  expect(asks(memory, 'timeline/changes').at(-1)).toEqual({ before: 'q10', after: 'q21' })
  expect([row(/^Turn 3/).textContent, row(/db\/0042/).textContent].map((text) => /[AB](?=[^a-z]*(13|\+|Why|in))/.test(text ?? ''))).toEqual([true, true])
  await click(detail().getByRole('button', { name: 'Swap A and B' }))
  expect(asks(memory, 'timeline/changes').at(-1)).toEqual({ before: 'q21', after: 'q10' })
  await click(detail().getByRole('button', { name: 'B 13:51, turn 3 begins' }))
  const box = screen.getByRole('combobox', { name: 'Choose moment B' })
  fireEvent.change(box, { target: { value: 'folder opened' } })
  await doing(() => { fireEvent.keyDown(box, { key: 'Enter' }) })
  await settle(80)
  expect(asks(memory, 'timeline/changes').at(-1)).toEqual({ before: 'q21', after: 'q00' })
  expect(detail().getByRole('heading', { name: 'Two moments compared' })).toBeDefined()
})

test('lines show whose they are, and a filter lets the others stand out; the plain view does it too (R79, DESIGN 5.5)', async () => {
  const memory = await open()
  await click(row(/npx prettier/))
  await settle(120)
  expect(asks(memory, 'timeline/authors')).toEqual([{ path: 'src/http/client.ts', before: 'q12', after: 'q13' }])
  const lines = (look: string): readonly string[] => [...document.querySelectorAll(`.tldiff .dl.${look}`)].map((line) => line.textContent ?? '')
  expect([lines('agent').some((line) => line.includes('return request')), lines('you').length, lines('cmd').length]).toEqual([true, 2, 4])
  expect(detail().getByText('dotted bar: command')).toBeDefined()
  await click(within(detail().getByRole('group', { name: 'Changes by' })).getByRole('button', { name: 'Command' }))
  expect(lines('dimmed')).toHaveLength(4)
})

test('R79 of a file of which only the permissions changed the mode is said, not two equal panes; cut titles can be read whole', async () => {
  const sh = { oid: '1'.repeat(40), mode: '100644', bits: 0o644 }
  await open('timeline', { 'timeline/changes': () => succeed({ changes: [{ path: 'run.sh', change: 'mode', before: sh, after: { ...sh, mode: '100755', bits: 0o755 }, lines: null }], count: 1 }) })
  await click(row(/npx prettier/))
  expect(detail().getByText('Only the permissions changed: mode 644 → 755.')).toBeDefined()
  expect(document.querySelector('.tldiff .editor')).toBeNull()
  expect([row(/npx prettier/), row(/^Turn 3/)].map((one) => one.querySelector('.cut')?.getAttribute('title')).map((title) => title?.slice(0, 12))).toEqual(['npx prettier', 'Turn 3 Tidy '])
})

test('a broken point is told, restores nothing, and leads to the whole ones beside it (R79, R80)', async () => {
  const memory = await open('timeline-broken')
  await click(row(/npm i -D nock.*broken/))
  expect(detail().getByRole('alert').textContent).toContain('Cannot be restored: 2 objects missing')
  expect(within(detail().getByRole('list', { name: 'Files that cannot be read' })).getAllByRole('listitem').map((one) => one.textContent)).toEqual(['package-lock.json', 'package.json', 'and 1 more'])
  expect(['Roll back to here', 'Undo only this call'].map((name) => detail().queryByRole('button', { name }))).toEqual([null, null])
  await click(detail().getByRole('button', { name: 'Point after' }))
  expect(asks(memory, 'timeline/changes').at(-1)).toEqual({ before: 'q07', after: 'q08' })
  expect(detail().queryByRole('alert')).toBeNull()
})

test('from a change a file opens as it was, beside its history, and is restored alone (R79, issue 6)', async () => {
  const memory = await open()
  await click(row(/npx prettier/))
  await press(detail().getByRole('button', { name: 'More for src/orders/list.ts' }))
  await click(screen.getByRole('menuitem', { name: 'Open as it was before' }))
  expect(detail().getByRole('heading', { name: 'src/orders/list.ts' })).toBeDefined()
  expect(detail().getByText('13:54, before npx prettier -w src')).toBeDefined()
  expect(document.activeElement).toBe(detail().getByRole('button', { name: 'Back' }))
  expect(asks(memory, 'timeline/history')).toEqual([{ path: 'src/orders/list.ts' }])
  const history = within(detail().getByRole('region', { name: 'Changes of this file' }))
  await click(history.getByRole('button', { name: /Deleted/ }))
  expect(detail().getByText('It is not there at this moment.')).toBeDefined()
  expect(detail().queryByRole('button', { name: 'Restore this file…' })).toBeNull()
  await click(history.getByRole('button', { name: /npx prettier/ }))
  await click(detail().getByRole('button', { name: 'Restore this file…' }))
  expect(asks(memory, 'rollback/plan')).toEqual([{ target: { to: 'q13', paths: ['src/orders/list.ts'], keepUserEdits: true } }])
})

test('any file of a moment is found by a part of its path, hidden characters boxed (R79)', async () => {
  const memory = await open()
  await click(row(/^Turn 3/))
  await click(detail().getByRole('button', { name: 'Find a file…' }))
  const box = screen.getByRole('combobox', { name: 'Part of a path' })
  fireEvent.change(box, { target: { value: 'docs/inv' } })
  await settle(250)
  expect(asks(memory, 'timeline/paths')).toEqual([{ at: 'q10', query: '' }, { at: 'q10', query: 'docs/inv' }])
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['docs/invU+202Eoice.txt'])
  await doing(() => { fireEvent.keyDown(box, { key: 'Enter' }) })
  await settle(60)
  expect(asks(memory, 'timeline/file').at(-1)).toEqual({ oid: '2'.repeat(40) })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('older points go only after it was said how many go and how many stay (R80)', async () => {
  const memory = await open()
  await click(row(/npx prettier/))
  await press(screen.getByRole('button', { name: 'Room for points' }))
  await click(screen.getByRole('menuitem', { name: /Let go of older points/ }))
  const dialog = within(screen.getByRole('dialog', { name: 'Let go of points before 13:54' }))
  expect(dialog.getByText(/^9 points go for good/)).toBeDefined()
  expect(dialog.getByText('2 older points stay, because something still needs them.')).toBeDefined()
  await click(dialog.getByRole('button', { name: 'Let 9 points go' }))
  expect(asks(memory, 'snapshot/forget')).toEqual([{ before: 'q13', isDry: true }, { before: 'q13', isDry: false }])
  expect(screen.getByText('9 points were let go.')).toBeDefined()
})

test('what cannot be let go is said, and nothing goes (R80)', async () => {
  const memory = await open('timeline', { 'snapshot/forget': () => fail('snapshot.closed') })
  await click(row(/npx prettier/))
  await press(screen.getByRole('button', { name: 'Room for points' }))
  await click(screen.getByRole('menuitem', { name: /Let go of older points/ }))
  const dialog = within(screen.getByRole('dialog'))
  expect([dialog.getByRole('alert').textContent, dialog.queryByRole('button', { name: /points go/ })]).toEqual(['the folder was closed', null])
  await click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(asks(memory, 'snapshot/forget')).toHaveLength(1)
})

test('packing says what it freed (R80)', async () => {
  await open('timeline', { 'snapshot/pack': () => succeed({ bytes: 2_000_000, points: 27, oldestAtMs: 1, isPackable: false }) })
  await press(screen.getByRole('button', { name: 'Room for points' }))
  await click(screen.getByRole('menuitem', { name: /Pack now/ }))
  expect(screen.getByText('Packed: 4.1 MB freed. No point was lost.')).toBeDefined()
})

test('what is not covered is listed with its reason (R80)', async () => {
  await open()
  await click(screen.getByRole('button', { name: '2 paths not covered' }))
  expect(within(screen.getByRole('dialog', { name: 'Not covered' })).getAllByRole('listitem').map((item) => item.textContent)).toEqual(['data/orders-2026.csvlarger than the limit', 'run/socketnot a regular file', 'node_modulesleft out by an ignore rule', 'distleft out by an ignore rule'])
})

test('the first snapshot shows how far it is and can be stopped; what that means is said (R80)', async () => {
  const memory = await open()
  await doing(() => memory.push('snapshot/progress', { seen: 12_480, isDone: false, fault: null }))
  expect(screen.getByText('reading the folder, 12,480 files')).toBeDefined()
  await click(screen.getByRole('button', { name: 'Cancel' }))
  expect(asks(memory, 'snapshot/cancel')).toEqual([{}])
  await doing(() => memory.push('snapshot/progress', { seen: 0, isDone: true, fault: said('snapshot.cancelled') }))
  expect(screen.getByText(/Undo begins with the next call/)).toBeDefined()
})

test('of 5,000 points few are in the page, one takes the keyboard, and the oldest says what was let go', async () => {
  await open('timeline-many')
  const items = within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
  expect(items.length).toBeLessThan(200)
  expect(items[0]?.getAttribute('aria-setsize')).toBe('5020')
  expect(items.filter((item) => item.querySelector('button[tabindex="0"]'))).toHaveLength(1)
  await doing(() => { screen.getByRole('button', { name: /^Now/ }).focus(); fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' }) })
  await doing(() => { fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' }) })
  expect(document.activeElement).toBe(items[1]?.querySelector('button'))
  expect(screen.getByText(/^112 points up to .* let go$/)).toBeDefined()
})

test('a row’s menu has the same ways as its page (DESIGN 6)', async () => {
  const memory = await open()
  await doing(() => { fireEvent.contextMenu(row(/npm i -D nock/)) })
  await settle(60)
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['OpenEnter', 'Undo only this call…', 'Roll back to here…', 'Compare from hereA', 'Compare up to hereB', 'Find a file…', 'Open record'])
  await click(screen.getByRole('menuitem', { name: 'Undo only this call…' }))
  expect(asks(memory, 'rollback/plan')).toEqual([{ target: { to: 'q05', only: { from: 'q05', until: 'q06' }, keepUserEdits: true } }])
})

test.each(['en', 'zh-CN'] as const)('axe finds no fault in what is chosen, compared, opened and asked: %s (R106)', async (locale) => {
  await open('timeline-broken', {}, locale)
  await doing(() => openPoint(asId('q06')))
  await settle(120)
  expect(await faults()).toEqual([])
  await doing(() => { fireEvent.keyDown(screen.getAllByRole('listitem')[3]?.querySelector('button') ?? document.body, { key: 'a' }) })
  await settle(80)
  expect(await faults()).toEqual([])
  await click(screen.getByRole('button', { name: /^A \d/ }))
  expect(await faults()).toEqual([])
  expect(past.pastPaths.length).toBeGreaterThan(0)
})

test('R84 a call that a crash cut short says that some of what changed may be the person’s', async () => {
  const read = past.pastOf()
  await open('timeline', { 'timeline/read': () => ({ ...read, rows: read.rows.map((one) => (one.id === 'q13' ? { ...one, author: 'unknown' } : one)), rollbacks: [] }) })
  await click(row(/npx prettier/))
  expect(detail().getByText('What changed from the beginning of this call until the app looked again; some of it may be yours.')).toBeDefined()
})
