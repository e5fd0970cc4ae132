import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectUsage } from '../../../src/renderer/features/usage/usageStore'
import { UsageView } from '../../../src/renderer/features/usage/UsageView'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { fail } from '../../../src/shared/domain/result'
import type { Locale } from '../../../src/shared/words/say'
import type { MemoryAnswers } from '../../support/memoryHost'
import { usageAnswers } from '../stories/usageStories'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => {
  stop()
  stop = () => undefined
  cleanup()
})

const session = asId<SessionId>('s9')

async function open({ story = 'usage', locale = 'en', answers = {}, project = 'harbor-orders' }: { readonly story?: string; readonly locale?: Locale; readonly answers?: MemoryAnswers; readonly project?: string | null } = {}) {
  const memory = freshHost({ ...usageAnswers(story), ...answers })
  stop = connectUsage()
  const opened: SessionId[] = []
  show(<UsageView sessionId={session} project={project} onSession={(id) => opened.push(id)} />, locale)
  await settle()
  return { memory, opened }
}

const asks = ({ memory }: Awaited<ReturnType<typeof open>>, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const cells = (name: string): readonly (string | null)[] => {
  const row = within(screen.getByRole('table')).getByText(name).closest('tr')
  if (!row) throw new Error(`no row ${name}`)
  return [...row.querySelectorAll('td')].map((cell) => cell.textContent)
}

test('R93: each currency stands by itself, estimates are marked, and what has no price is said', async () => {
  await open()
  const page = screen.getByRole('region', { name: 'Usage' })
  expect(within(page).getByText('≈ 5.60 CNY')).toBeTruthy()
  expect(within(page).getByText('≈ 16.60 USD')).toBeTruthy()
  expect(within(page).getByText('12 calls without a known price')).toBeTruthy()
  expect(within(page).getByText('Today 2.00 USD of 5.00 USD over all projects, then it pauses and asks')).toBeTruthy()
  expect(cells('Index for orders.created_at')).toEqual(['Index for orders.created_at', 'plover-code', '62', '1,204,880', '78%', '14 min', '0.71 USD'])
  expect(cells('Why is the CI cache cold?')).toEqual(['Why is the CI cache cold?', 'wren-coder:30b', '12', '≈ 98,400', '0%', '9 min', '–'])
})

test('R93: the same is listed by model and by day, and a session of this project opens', async () => {
  const { opened } = await open()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Retry policy for HTTP client' })) })
  expect(opened).toEqual(['s2'])
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'Models' })) })
  expect(cells('plover-code').slice(0, 3)).toEqual(['plover-code', 'harbor', '31'])
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'Days' })) })
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(14)
  expect(cells('Mon, Nov 30, 2026').slice(-1)).toEqual(['2.00 USD'])
})

test('R93: bars tell this project and the others apart by pattern, and say their amounts to those who do not see them', async () => {
  await open()
  const chart = screen.getByRole('img', { name: /^Cost by day\./ })
  expect(chart.getAttribute('aria-label')).toContain('November 18, 2026: 1.60 USD')
  expect(chart.querySelectorAll('.barhere, .barelse').length).toBeGreaterThan(15)
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'CNY' })) })
  expect(screen.getByRole('img', { name: /^Cost by day\./ }).getAttribute('aria-label')).toBe('Cost by day. November 17, 2026: 1.40 CNY. November 27, 2026: 4.20 CNY')
  cleanup()
  await open({ story: 'usage-year' })
  expect(screen.getByRole('img', { name: /^Cost by month\./ }).getAttribute('aria-label')).toContain('March 2026: ')
  expect(screen.getByText('307 more sessions are in the sums above.')).toBeTruthy()
})

test('R93: period and project are asked for, and a new call is read once it has settled', async () => {
  const world = await open()
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'Session' })) })
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'All' })) })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'This project only' })) })
  expect(asks(world, 'usage/read')).toEqual([
    { period: 'fortnight', isThisProject: false, sessionId: 's9' }, { period: 'session', isThisProject: false, sessionId: 's9' }, { period: 'all', isThisProject: false, sessionId: 's9' }, { period: 'all', isThisProject: true, sessionId: 's9' },
  ])
  vi.useFakeTimers()
  const used = { type: 'usage-reported', v: 1, sessionId: session, seq: 9, atMs: 1, turnId: asId<never>('t'), step: 1, usage: { inputTokens: 1, outputTokens: 1, estimated: false } } as const
  world.memory.push('session/events', [used])
  world.memory.push('session/events', [{ ...used, seq: 10 }])
  await vi.advanceTimersByTimeAsync(600)
  vi.useRealTimers()
  expect(asks(world, 'usage/read')).toHaveLength(5)
})

test('R93: the rows are exported where the person says, and a fault is told', async () => {
  const world = await open()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Export' })) })
  expect(screen.getByRole('status').textContent).toBe('331 calls saved to /home/ada/countersign-usage.csv.')
  expect(asks(world, 'usage/export')).toEqual([{ period: 'fortnight', isThisProject: false, sessionId: 's9' }])
  cleanup()
  await open({ answers: { 'usage/export': () => fail('app.file-not-written', { path: '/x', problem: 'full' }) } })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Export' })) })
  expect(screen.getByRole('alert').textContent).toContain('full')
})

test('an empty page says what will stand there', async () => {
  await open({ story: 'usage-empty', project: null })
  expect(screen.getByText('No model was called in this time. Cost, tokens and signatures will stand here.')).toBeTruthy()
})

test.each(['en', 'zh-CN'] as const)('axe finds no fault on the page of usage in %s (R106)', async (locale) => {
  await open({ locale })
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(violations.map((one) => [one.id, one.nodes.map((node) => node.html)])).toEqual([])
})
