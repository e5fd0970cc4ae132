import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadSkillList, connectSkillList } from '../../../src/renderer/features/skills/skillListStore'
import { SkillsView } from '../../../src/renderer/features/skills/SkillsView'
import { said } from '../../../src/shared/domain/result'
import type { SkillFault } from '../../../src/shared/domain/skill'
import type { SkillPage } from '../../../src/shared/ipc/views'
import type { Locale } from '../../../src/shared/words/say'
import { loadTest, skillRow } from '../stories/skillWorld'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'
import type { MemoryAnswers } from '../../support/memoryHost'

beforeEach(fakeBrowser)
afterEach(cleanup)

const broken: SkillFault = { origin: 'user', path: 'db-migrations/SKILL.md', line: 4, column: 14, text: 'description: "Writes reversible migrations', say: said('skill.quote-open'), isFatal: true }
const review = skillRow('review', { origin: 'app', description: 'Findings by severity.', path: 'review/SKILL.md' })
const hidden = skillRow('load-test', { origin: 'app', path: 'load-test/SKILL.md', version: null }, { hiddenBy: { origin: 'user', path: 'load-test/SKILL.md', name: 'load-test', version: '1.2.0' }, index: { ...review.index, bytes: 0, fate: 'hidden' } })
const cut = skillRow('incident', {}, { index: { ...review.index, bytes: 902, shownBytes: 890, wholeBytes: 1020, fate: 'cut' }, lastUsedAtMs: Date.UTC(2026, 10, 27, 12), usesThisMonth: 2 })
const off = skillRow('quiet', {}, { isOn: false, index: { ...review.index, bytes: 0, fate: 'off' } })
const page: SkillPage = {
  rows: [review, hidden, loadTest, cut, off], indexBytes: 1190, folder: '/home/ada/skills',
  faults: [broken, { ...broken, path: 'incident/SKILL.md', line: 5, say: said('skill.tool-unknown', { tool: 'Nonsense' }), isFatal: false }, { ...broken, path: 'linked', line: 0, say: said('skill.link-out', { target: '/elsewhere' }), isFatal: false }],
}

async function open(answers: MemoryAnswers = {}, more: { readonly locale?: Locale; readonly isNarrow?: boolean; readonly onUse?: (place: { readonly path: string }) => void } = {}) {
  const memory = freshHost({ 'skill/read': () => page, 'skill/text': ({ path }) => ({ ok: true, value: { text: path.startsWith('db-') ? '---\nname: db-migrations\nversion: 1\ndescription: "Writes reversible migrations\n---\n' : '# Body\n', skill: null } }), 'skill/switch': () => ({ ok: true, value: null }), 'skill/reload': () => page, 'skill/open-folder': () => ({ ok: true, value: null }), ...answers })
  const stop = connectSkillList()
  show(<SkillsView isNarrow={more.isNarrow ?? false} onUse={more.onUse ?? null} onTrust={() => undefined} />, more.locale)
  await doing(() => void loadSkillList())
  await settle()
  return { memory, stop }
}

const rowOf = (name: string, at = 0): HTMLElement => {
  const found = within(screen.getByRole('table', { name: 'Skills' })).getAllByText(name)[at]?.closest('tr')
  if (!found) throw new Error(`no row ${name}`)
  return found
}

test('R56 R57: the table says who takes part, from where, and what of it is in the prompt', async () => {
  await open()
  expect(screen.getByRole('status').textContent).toBe('3 take part, 1 hidden, 1 off, 1 broken')
  expect(screen.getByLabelText('Index: 1,190 of 4,096 bytes')).toBeTruthy()
  expect(screen.getByText('1 description cut, 0 left out')).toBeTruthy()
  expect([rowOf('review').textContent, rowOf('load-test').textContent, rowOf('incident').textContent, rowOf('quiet').textContent]).toEqual([
    'reviewFindings by severity.AppBuilt in40', 'load-testHidden by one of yoursWhat load-test is for.AppBuilt in0', 'incidentWhat incident is for.YoursIn your folder902 of 1,032', 'quietWhat quiet is for.YoursIn your folder0',
  ])
  expect(within(rowOf('incident')).getByLabelText('Something in the file was passed over')).toBeTruthy()
  expect(screen.getByText(/^linked: linked: This is a link to \/elsewhere/)).toBeTruthy()
})

test('R56 of two with one name in one folder, the row of the hidden one names the file that is used', async () => {
  const twin = skillRow('load-test', { path: 'team/load-test/SKILL.md' }, { hiddenBy: { origin: 'user', path: 'load-test/SKILL.md', name: 'load-test', version: null }, index: { ...review.index, bytes: 0, fate: 'hidden' } })
  await open({ 'skill/read': () => ({ ...page, rows: [loadTest, twin], faults: [] }) })
  expect(rowOf('load-test', 1).textContent).toContain('load-testHidden by load-test/SKILL.md')
})

test('R56: a broken file is a row with its place and the line itself, and opens there', async () => {
  await open()
  const row = rowOf('db-migrations')
  expect(row.textContent).toContain('SKILL.md, line 4, column 14: The quote opened here is never closed.')
  expect([row.querySelector('mark')?.textContent, within(row).getByRole('switch').hasAttribute('disabled')]).toEqual(['"', true])
  await doing(() => fireEvent.click(within(row).getByRole('button', { name: 'Open at line 4' })))
  await settle()
  const text = screen.getByRole('region', { name: 'Text of db-migrations/SKILL.md' })
  expect([...text.querySelectorAll('.dl.del')].map((line) => line.textContent)).toEqual(['4description: "Writes reversible migrations'])
  expect(screen.queryByRole('button', { name: 'Use in next message' })).toBeNull()
})

test('R59: the chosen skill shows what it declares, and goes to the next message', async () => {
  const onUse = vi.fn()
  await open({}, { onUse })
  await doing(() => fireEvent.click(screen.getAllByRole('button', { name: 'load-test' })[1] as HTMLElement))
  await settle()
  const facts = screen.getByRole('region', { name: 'load-test' })
  expect([...facts.querySelectorAll('dt')].map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)).toEqual([
    'Description: Run a load test and report p50, p95 and errors.', 'Version: 1.2.0', 'Offered on: “load”, “throughput”',
    'Inputs: target text, must be givenminutes number, 5 unless saidwarm yes or no, true unless saidkind read · write, read unless said',
    'Tools: Not narrowed. Each call still asks as always.', 'File: load-test/SKILL.md',
  ])
  await doing(() => fireEvent.click(within(facts).getByRole('button', { name: 'Use in next message' })))
  expect(onUse.mock.calls.map(([place]) => (place as { path: string }).path)).toEqual(['load-test/SKILL.md'])
  await doing(() => fireEvent.click(screen.getByRole('button', { name: 'incident' })))
  expect(screen.getByText('Last used Nov 27, 2 times this month')).toBeTruthy()
  expect(screen.getByText(/Nonsense/)).toBeTruthy()
})

test('a skill that is off, or hidden, does not go to a message', async () => {
  await open({}, { onUse: () => undefined })
  for (const name of ['quiet', 'load-test']) {
    await doing(() => fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Use in next message' }).disabled).toBe(true)
  }
})

test('R56: switching is shown at once, and put back with the reason when it could not be kept', async () => {
  const { memory } = await open({ 'skill/switch': () => ({ ok: false, fault: said('skill.gone', { path: 'review/SKILL.md' }) }) })
  const toggle = () => within(rowOf('review')).getByRole('switch', { name: 'Use review' })
  await doing(() => fireEvent.click(toggle()))
  await settle()
  expect(memory.asked.at(-1)).toEqual({ channel: 'skill/switch', ask: { origin: 'app', path: 'review/SKILL.md', isOn: false } })
  expect([toggle().getAttribute('aria-checked'), screen.getByRole('alert').textContent]).toEqual(['true', 'There is no skill at review/SKILL.md any more.'])
})

test('R56: what changes on the disk is there without a hand; reload and the folder have their buttons', async () => {
  const { memory, stop } = await open()
  await doing(() => memory.push('skill/changed', { ...page, rows: [skillRow('new-one')], faults: [] }))
  expect(screen.getByRole('status').textContent).toBe('1 takes part')
  await doing(() => fireEvent.click(screen.getByRole('button', { name: 'Reload' })))
  await doing(() => fireEvent.click(screen.getByRole('button', { name: 'Open folder' })))
  await settle()
  expect(memory.asked.map(({ channel }) => channel)).toEqual(['skill/read', 'skill/reload', 'skill/open-folder'])
  stop()
  expect(memory.listeners()['skill/changed']).toBe(0)
})

test('in a narrow window the file takes the place of the list, with a way back', async () => {
  await open({}, { isNarrow: true })
  await doing(() => fireEvent.click(screen.getByRole('button', { name: 'review' })))
  expect(screen.queryByRole('table')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'review' }))
  await doing(() => fireEvent.click(screen.getByRole('button', { name: 'Back to the list' })))
  expect(screen.getByRole('table', { name: 'Skills' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'review' }))
})

test('in Chinese too, every word', async () => {
  await open({}, { locale: 'zh-CN' })
  expect(screen.getByRole('status').textContent).toBe('3 个参与，1 个被遮盖，1 个关闭，1 个损坏')
  expect(screen.getByText('SKILL.md，第 4 行第 14 列：此处的引号没有闭合。')).toBeTruthy()
})

test('hidden characters of a name or a description are seen', async () => {
  await open({ 'skill/read': () => ({ ...page, rows: [skillRow('a', { description: 'x\u202ey' })] }) })
  expect(rowOf('a').textContent).toContain('xU+202Ey')
})
