import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemoryToast } from '../../../src/renderer/features/memory/MemoryToast'
import { MemoryView } from '../../../src/renderer/features/memory/MemoryView'
import { closeMemories, connectMemories, forgetMemories, openMemories } from '../../../src/renderer/features/memory/memoryStore'
import type { Memory } from '../../../src/shared/domain/memory'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { MemoryRow } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { memory, memoryAnswers, row, rows } from '../stories/memoryWorld'
import { doing, fakeBrowser, freshHost, show } from '../support'

let stop: () => void = () => undefined
let opened: Memory[] = []
beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser(); opened = [] })
afterEach(() => { act(closeMemories); act(forgetMemories); stop(); cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

const later = async (ms = 30): Promise<void> => { await act(() => vi.advanceTimersByTimeAsync(ms)) }

interface How {
  readonly all?: readonly MemoryRow[]
  readonly answers?: MemoryAnswers
  readonly draft?: string
  readonly locale?: 'en' | 'zh-CN'
}

async function open({ all = rows('en'), answers = {}, draft = 'note in CHANGELOG.md', locale = 'en' }: How = {}): Promise<MemoryHost> {
  const host = freshHost({ ...memoryAnswers(all), ...answers })
  stop = connectMemories()
  show(<><MemoryView hasFolder proposals={null} onChangeDraft={() => undefined} onOpenFolder={() => undefined} onOpenSource={(one) => opened.push(one)} /><MemoryToast isOnPage onOpen={() => undefined} /></>, locale)
  act(() => openMemories(draft))
  await later(100)
  return host
}

const asks = (host: MemoryHost, channel: string) => host.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const table = () => screen.getByRole('table', { name: 'Memories' })
const line = (text: string) => { const found = within(table()).getByText((_, element) => element?.tagName === 'BDI' && element.closest('p') === null && (element.textContent ?? '').startsWith(text)).closest('tr'); if (!found) throw new Error(`no row ${text}`); return found }
const press = async (name: string | RegExp, inside: HTMLElement = document.body): Promise<void> => { await doing(() => { fireEvent.click(within(inside).getByRole('button', { name })) }); await later() }
const key = async (on: Element, name: string, more = {}): Promise<void> => { await doing(() => { fireEvent.keyDown(on, { key: name, ...more }) }); await later() }
const field = () => within(table()).getByRole<HTMLTextAreaElement>('textbox', { name: 'Fact' })
async function choose(trigger: HTMLElement, item: string): Promise<void> {
  await doing(() => { fireEvent.keyDown(trigger, { key: 'Enter' }) })
  await later()
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name: new RegExp(item) })) })
  await later()
}

const cells = (element: Element) => [...element.querySelectorAll('td')].map((cell) => cell.textContent)

test('each row says its fact, scope, source, age, the parts of its score and whether it would be injected (R36, R39, DESIGN 5.7)', async () => {
  await open()
  expect(cells(line('Every user'))).toEqual(['', '', 'Every user-visible change gets one line in CHANGELOG.md under “Unreleased”.', 'This project', 'You, /save', '12 d', '0.91 × 1.00', 'Yes, 34 tokens'])
  expect(['The gateway', 'Staging', 'One line', 'The order service'].map((text) => cells(line(text)).at(-1))).toEqual(['Below 0.20', 'No: outside text', 'No: says the same as another', 'No: budget full'])
  expect(line('Tests run').textContent).toContain('May contradict: Tests run in parallel')
  expect(line('One line').textContent).toContain('seeU+200B.')
  expect(screen.getByText('Would be injected: 4 entries, 118 of 640 tokens')).toBeDefined()
  expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(['All shown here 10', 'This project 7', 'General 3', 'Bin 2'])
  expect(line('Every user').querySelector('[title^="Match 0.91"]')?.getAttribute('title')).toContain('pinned, so it does not decay.')
})

test.each(['en', 'zh-CN'] as const)('in %s axe finds no fault, also while a fact is edited (R106)', async (locale) => {
  await open({ locale, all: rows(locale) })
  const named = screen.getByRole('table', { name: locale === 'en' ? 'Memories' : '记忆表' })
  await doing(() => { fireEvent.click(named.querySelector('.factbutton') as Element) })
  await doing(() => { fireEvent.click(named.querySelectorAll('input[type="checkbox"]')[2] as Element) })
  await later()
  vi.useRealTimers()
  const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(result.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)).toEqual([])
})

test('without a draft nothing is scored, and the page says why', async () => {
  await open({ draft: '' })
  expect(cells(line('Every user')).slice(-2)).toEqual(['–', '–'])
  expect(screen.getByText('Nothing is typed in Message. With a draft, the table shows what would go along.')).toBeDefined()
  await act(() => { openMemories('a draft'); return Promise.resolve() })
  await later()
  expect(cells(line('Every user')).at(-1)).toBe('Yes, 34 tokens')
})

test('a search waits for the typing to pause, not for the end of a word; what an input method composes is not searched (R37)', async () => {
  const host = await open()
  const box = screen.getByRole('searchbox')
  const before = asks(host, 'memory/page').length
  for (const value of ['C', 'CH']) fireEvent.change(box, { target: { value } })
  await later(200)
  expect(asks(host, 'memory/page').slice(before)).toMatchObject([{ query: 'CH', offset: 0 }])
  fireEvent.input(box, { target: { value: 'CHgai' }, isComposing: true })
  await later(300)
  expect([screen.getByRole<HTMLInputElement>('searchbox').value, asks(host, 'memory/page').length]).toEqual(['CHgai', before + 1])
  fireEvent.change(box, { target: { value: '改' } })
  await later(200)
  expect(asks(host, 'memory/page').at(-1)).toMatchObject({ query: '改' })
  expect(screen.getByText('Nothing is found for “改”.')).toBeDefined()
})

test('headers sort and say so; the same one turns the order round (R36)', async () => {
  const host = await open()
  const sortOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
  expect([sortOf('Match × decay'), sortOf('Fact')]).toEqual(['descending', 'none'])
  await press('Fact', table())
  await press('Age', table())
  await press('Age', table())
  expect(asks(host, 'memory/page').map((ask) => (ask as { order: unknown }).order).slice(-3)).toEqual([{ by: 'text', isDescending: false }, { by: 'at', isDescending: true }, { by: 'at', isDescending: false }])
  expect(sortOf('Age')).toBe('descending')
})

test('a fact is edited in its place: Enter saves on the revision that was seen, Esc cancels, a composing Enter does neither', async () => {
  const host = await open()
  await press(/^Prefers pnpm/, table())
  fireEvent.change(field(), { target: { value: 'Prefers bun.' } })
  await key(field(), 'Enter', { isComposing: true })
  expect(asks(host, 'memory/change')).toEqual([])
  await key(field(), 'Escape')
  expect([within(table()).queryByRole('textbox'), asks(host, 'memory/change')]).toEqual([null, []])
  await key(line('Prefers pnpm'), 'F2')
  fireEvent.change(field(), { target: { value: ' Prefers bun. ' } })
  await key(field(), 'Enter')
  expect(asks(host, 'memory/change')).toEqual([{ changes: [{ id: 'a6', rev: 1, text: 'Prefers bun.' }] }])
  await press('Undo')
  expect(asks(host, 'memory/change').at(-1)).toEqual({ changes: [{ id: 'a6', rev: 2, text: 'Prefers pnpm in personal projects.' }] })
})

test('an edited entry from outside has no undo: its old words must not come back as the person’s own', async () => {
  await open()
  await press(/^Staging/, table())
  fireEvent.change(field(), { target: { value: 'Staging is reset on Fridays.' } })
  await key(field(), 'Enter')
  expect([screen.getByText('Memory changed').textContent, screen.queryByRole('button', { name: 'Undo' })]).toEqual(['Memory changed', null])
})

test('what is typed survives a change from elsewhere, which waits while the caret is in it (g08)', async () => {
  let all = rows('en')
  const host = await open({ answers: { 'memory/page': (ask) => memoryAnswers(all)['memory/page']?.(ask) ?? Promise.reject(new Error()) } })
  await press(/^Prefers pnpm/, table())
  fireEvent.change(field(), { target: { value: 'Prefers bun, mostly' } })
  const before = asks(host, 'memory/page').length
  all = [row(memory('n1', 'A new one on top.'), 1, 1, 'injected'), ...all.filter((one) => one.memory.id !== 'a6')]
  await act(() => { host.push('memory/changed', { project: 8, general: 2, bin: 3 }); return Promise.resolve() })
  await later(500)
  expect([asks(host, 'memory/page').length, field().value, screen.getByRole('radio', { name: 'Bin 3' }).tagName]).toEqual([before, 'Prefers bun, mostly', 'INPUT'])
  await doing(() => { fireEvent.blur(field()) })
  await later(200)
  expect(line('A new one')).toBeDefined()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Fact' }).value).toBe('Prefers bun, mostly')
  expect(screen.getByText('Not saved yet:')).toBeDefined()
})

test('an edit of an entry that was changed elsewhere shows both versions, and saves only what is chosen (g08)', async () => {
  const now = memory('a6', 'Prefers npm again.', { rev: 7, scope: 'general' })
  let isMet = true
  const host = await open({ answers: { 'memory/change': (ask) => (isMet ? succeed({ kind: 'conflict', theirs: [{ id: 'a6', now }] }) : memoryAnswers([])['memory/change']?.(ask) ?? Promise.reject(new Error())) } })
  await press(/^Prefers pnpm/, table())
  fireEvent.change(field(), { target: { value: 'Prefers bun.' } })
  await key(field(), 'Enter')
  const dialog = screen.getByRole('dialog', { name: 'Changed elsewhere' })
  expect(within(dialog).getByRole('region', { name: 'As it is now' }).textContent).toContain('Prefers npm again.')
  expect(within(dialog).getByRole('region', { name: 'Your version' }).textContent).toContain('Prefers bun.')
  await press('Go on editing', dialog)
  expect([field().value, asks(host, 'memory/change').length]).toEqual(['Prefers bun.', 1])
  await key(field(), 'Enter')
  isMet = false
  await press('Save your version', screen.getByRole('dialog'))
  expect(asks(host, 'memory/change').at(-1)).toEqual({ changes: [{ id: 'a6', rev: 7, text: 'Prefers bun.' }] })
})

test('an edit of an entry that was deleted elsewhere can become a new one (g08)', async () => {
  const host = await open({ answers: { 'memory/change': () => succeed({ kind: 'conflict', theirs: [{ id: 'a6', now: null }] }) } })
  await press(/^Prefers pnpm/, table())
  fireEvent.change(field(), { target: { value: 'Prefers bun.' } })
  await key(field(), 'Enter')
  await press('Save your version as a new memory', screen.getByRole('dialog'))
  expect(asks(host, 'memory/save')).toEqual([{ text: 'Prefers bun.', scope: 'general', by: 'table', sessionId: null }])
  expect(within(table()).queryByRole('textbox')).toBeNull()
})

test('the keyboard moves, ticks, edits and deletes; a control of a row keeps its own keys (DESIGN 6)', async () => {
  const host = await open()
  const first = line('Every user')
  act(() => first.focus())
  await key(first, 'ArrowDown')
  await later(50)
  expect(document.activeElement).toBe(line('Tests run'))
  await key(line('Tests run'), ' ')
  expect(screen.getByText('1 selected')).toBeDefined()
  await key(line('Tests run'), 'End')
  await later(50)
  expect(document.activeElement).toBe(line('The order service'))
  await key(within(line('The order service')).getByRole('checkbox'), ' ')
  expect(screen.getByText('1 selected')).toBeDefined()
  await key(line('The order service'), 'Delete')
  expect(asks(host, 'memory/remove')).toEqual([{ ids: ['b1'] }])
  await key(line('Tests run'), 'Delete')
  expect(asks(host, 'memory/remove').at(-1)).toEqual({ ids: ['a2'] })
})

test('what is deleted can be taken back for ten seconds from the toast, and later from the bin (R36)', async () => {
  const host = await open()
  await key(line('Prefers pnpm'), 'Delete')
  expect(screen.getByText('1 memory deleted')).toBeDefined()
  await press('Undo')
  expect(asks(host, 'memory/restore')).toEqual([{ from: { batch: 'batch-1' } }])
  await key(line('Prefers pnpm'), 'Delete')
  await later(9_000)
  expect(screen.queryByText('1 memory deleted')).not.toBeNull()
  await later(1_100)
  expect(screen.queryByText('1 memory deleted')).toBeNull()
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'Bin 2' })) })
  await later(100)
  expect(asks(host, 'memory/page').at(-1)).toMatchObject({ isBin: true, scope: 'all', order: { by: 'at', isDescending: true } })
  await press('Restore', line('Use tabs'))
  expect(asks(host, 'memory/restore').at(-1)).toEqual({ from: { ids: ['z2'] } })
})

test('a stretch is ticked with Shift, everything shown with the tick on top, and several change together or not at all (R36)', async () => {
  let isMet = false
  const host = await open({ answers: { 'memory/change': (ask) => (isMet ? succeed({ kind: 'conflict', theirs: [{ id: 'a2', now: null }] }) : memoryAnswers(rows('en'))['memory/change']?.(ask) ?? Promise.reject(new Error())) } })
  await doing(() => { fireEvent.click(within(line('Tests run')).getByRole('checkbox')) })
  await later()
  await doing(() => { fireEvent.click(within(line('Answer in')).getByRole('checkbox'), { shiftKey: true }) })
  await later()
  const bar = screen.getByRole('group', { name: '3 selected' })
  await choose(within(bar).getByRole('button', { name: 'Change scope' }), 'General')
  expect(asks(host, 'memory/change')).toEqual([{ changes: [{ id: 'a2', rev: 1, scope: 'general' }, { id: 'a4', rev: 1, scope: 'general' }] }])
  expect(screen.getByText('2 memories moved to “General”')).toBeDefined()
  await press('Undo')
  expect(asks(host, 'memory/change').at(-1)).toEqual({ changes: [{ id: 'a2', rev: 2, scope: 'project' }, { id: 'a4', rev: 2, scope: 'project' }] })
  isMet = true
  await press('Pin', bar)
  expect(screen.getByRole('alert').textContent).toContain('1 of them was changed elsewhere meanwhile. Nothing was changed.')
  await doing(() => { fireEvent.click(screen.getByRole('checkbox', { name: 'Select all shown' })) })
  await later()
  await doing(() => { fireEvent.click(screen.getByRole('checkbox', { name: 'Select all shown' })) })
  await later()
  expect(screen.getByText('10 selected')).toBeDefined()
  await press('Delete', screen.getByRole('group', { name: '10 selected' }))
  expect((asks(host, 'memory/remove').at(-1) as { ids: readonly string[] }).ids).toHaveLength(10)
})

test('clearing names the scope, asks twice, and does nothing before (R36)', async () => {
  const host = await open()
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'General 3' })) })
  await later(100)
  await choose(screen.getByRole('button', { name: 'More' }), 'Clear general memories')
  const dialog = screen.getByRole('dialog', { name: 'Clear general memories' })
  expect(dialog.textContent).toContain('All 3 general memories go to the bin, for every project.')
  expect(screen.queryByRole('menuitem')).toBeNull()
  await press('Continue…', dialog)
  expect(asks(host, 'memory/clear')).toEqual([])
  await press('Delete all 3', screen.getByRole('dialog'))
  expect(asks(host, 'memory/clear')).toEqual([{ scope: 'general' }])
})

test('a new entry is kept with its scope; a refused one stays typed (R33)', async () => {
  let refuse = true
  const host = await open({ answers: { 'memory/save': (ask) => (refuse ? fail('memory.changed') : memoryAnswers([])['memory/save']?.(ask) ?? Promise.reject(new Error())) } })
  await press('Add memory')
  const form = screen.getByRole('form', { name: 'New memory' })
  const box = within(form).getByRole<HTMLTextAreaElement>('textbox', { name: 'New memory' })
  await key(box, 'Enter')
  expect(within(form).getByRole('alert').textContent).toBe('An empty fact cannot be kept. Delete it instead.')
  fireEvent.change(box, { target: { value: '发布前先跑 npm test' } })
  fireEvent.click(within(form).getByRole('radio', { name: 'General' }))
  await key(box, 'Enter')
  expect([box.value, box.isConnected]).toEqual(['发布前先跑 npm test', true])
  refuse = false
  await key(box, 'Enter')
  expect(asks(host, 'memory/save').at(-1)).toEqual({ text: '发布前先跑 npm test', scope: 'general', by: 'table', sessionId: null })
  expect(screen.queryByRole('form')).toBeNull()
})

test('an import says what came, what was known and each fault; an export goes with the shown scope (R36)', async () => {
  const host = await open({ answers: { 'memory/import': () => succeed({ added: 12, known: 1, faults: [said('memory.changed')] }), 'memory/export': () => succeed({ path: '/home/ada/memories.md', count: 7 }) } })
  await choose(screen.getByRole('button', { name: 'Import' }), 'Into general')
  expect(screen.getByText('Imported 12. 1 was known already.')).toBeDefined()
  const dialog = screen.getByRole('dialog', { name: '1 entry was not imported' })
  await doing(() => { fireEvent.click(within(dialog).getByRole('button', { name: 'Close' })) })
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'This project 7' })) })
  await later(100)
  await choose(screen.getByRole('button', { name: 'Export' }), 'As Markdown')
  expect([asks(host, 'memory/import'), asks(host, 'memory/export')]).toEqual([[{ scope: 'general' }], [{ format: 'markdown', scope: 'project' }]])
  expect(screen.getByText('7 memories exported to /home/ada/memories.md')).toBeDefined()
})

test('of a hundred thousand entries only what is near the window is read and drawn (R36)', async () => {
  const many = Array.from({ length: 500 }, (_, at) => row(memory(`m${at}`, `fact ${at}`), 0.5, 0.5, 'below'))
  const host = await open({ answers: { 'memory/page': ({ offset, limit }) => ({ rows: Array.from({ length: limit }, (_, at): MemoryRow => ({ ...(many[0] as MemoryRow), memory: memory(`m${offset + at}`, `fact ${offset + at}`) })), total: 100_000, counts: { project: 100_000, general: 0, bin: 0 }, budget: { entries: 0, tokens: 0, limit: 500 } }) } })
  expect(within(table()).getAllByRole('row').length).toBeLessThan(200)
  expect(table().getAttribute('aria-rowcount')).toBe('100001')
  expect(asks(host, 'memory/page').every((ask) => (ask as { limit: number }).limit === 100)).toBe(true)
  expect(asks(host, 'memory/page').length).toBeLessThan(4)
})

test('R36 what another process changed is seen when the window is come back to', async () => {
  let all = rows('en')
  const host = await open({ answers: { 'memory/page': (ask) => memoryAnswers(all)['memory/page']?.(ask) ?? Promise.reject(new Error()) } })
  all = [row(memory('n1', 'Said by another process.'), 1, 1, 'injected'), ...all]
  const before = asks(host, 'memory/page').length
  await act(() => { window.dispatchEvent(new Event('focus')); return Promise.resolve() })
  await later(50)
  expect([asks(host, 'memory/page').length, line('Said by another process').tagName]).toEqual([before + 1, 'TR'])
})

test('the source leads to the conversation; the person’s own entry from the table leads nowhere', async () => {
  await open()
  await press('Agent, accepted', line('Tests run'))
  expect(opened.map((one) => one.id)).toEqual(['a2'])
  expect(within(line('Commit')).queryByRole('button', { name: 'You, table' })).toBeNull()
})

test('memories that cannot be read are no empty list, and can be asked for again', async () => {
  let isBroken = true
  const reasons: unknown[] = []
  const catching = (reason: unknown): void => void reasons.push(reason)
  process.on('unhandledRejection', catching)
  const host = await open({ answers: { 'memory/page': (ask) => (isBroken ? Promise.reject(new Error('disk')) : memoryAnswers(rows('en'))['memory/page']?.(ask) ?? Promise.reject(new Error())) } })
  expect(screen.getByRole('alert').textContent).toContain('The memories could not be read. Nothing was changed.')
  isBroken = false
  await press('Try again')
  process.off('unhandledRejection', catching)
  expect([cells(line('Every user'))[3], asks(host, 'memory/page').length, reasons.length]).toEqual(['This project', 2, 1])
})
