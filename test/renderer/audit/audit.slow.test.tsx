import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectAudit } from '../../../src/renderer/features/audit/auditStore'
import { AuditView, type AuditViewProps } from '../../../src/renderer/features/audit/AuditView'
import { uncheckedRecord } from '../../../src/renderer/app/appStore'
import type { Locale } from '../../../src/shared/words/say'
import type { MemoryAnswers } from '../../support/memoryHost'
import { auditAnswers } from '../stories/auditStories'
import { doing, fakeBrowser, freshHost, settle, show, showWindow } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => {
  stop()
  stop = () => undefined
  cleanup()
})

const chain = { ...uncheckedRecord, entries: 4185, checkedAtMs: new Date(2026, 9, 6, 14, 11).getTime() }

async function open(props: Partial<AuditViewProps> = {}, { locale = 'en', answers = {} }: { readonly locale?: Locale; readonly answers?: MemoryAnswers } = {}) {
  const memory = freshHost({ ...auditAnswers('audit'), ...answers })
  stop = connectAudit()
  show(<AuditView chain={chain} links={{ toTimeline: () => null, toUndo: () => null }} hasFolder isNarrow={false} onVerify={() => undefined} {...props} />, locale)
  await settle()
  return memory
}

const bodyRows = (): readonly HTMLElement[] => within(screen.getByRole('table')).getAllByRole('row').slice(1)
const asks = (memory: Awaited<ReturnType<typeof open>>) => memory.asked.filter((one) => one.channel === 'audit/page').map((one) => one.ask)
const rowOf = (on: string): HTMLElement => {
  const found = within(screen.getByRole('table')).getAllByText(on)[0]?.closest('tr')
  if (!found) throw new Error(`no row ${on}`)
  return found
}

test('R68: a call is a row: what it is on, who decided, what came of it', async () => {
  await open()
  expect(screen.getByRole('table', { name: 'Audit record' })).toBeTruthy()
  expect(screen.getByText('Chain intact, 4,185 entries')).toBeTruthy()
  const facts = (on: string) => [...rowOf(on).querySelectorAll('td')].filter((_, at) => at !== 1).map((cell) => cell.textContent)
  expect(facts('git push origin fix/retry')).toEqual(['4185', 'Command', 'git push origin fix/retry', 'You signed', 'Exit 0'])
  expect(facts('npm test')).toEqual(['4171', 'Command', 'npm test', 'Rule 12', 'Exit 0'])
  expect(facts('rm -rf ~/.cache/../')).toEqual(['4163', 'Command', 'rm -rf ~/.cache/../', 'Policy denied', 'Denied by policy'])
  expect(facts('npx prettier -w src')).toEqual(['4148', 'Command', 'npx prettier -w src', 'You signed', 'Exit 2'])
  expect(facts('mcp__issue-tracker__search')).toEqual(['4153', 'Server', 'mcp__issue-tracker__search', 'Allowed before', 'Done'])
})

test('R68: the record shows what was proposed, approved and ran, with the difference marked, and how it can be proven', async () => {
  const undone: string[] = []
  await open({ links: { toTimeline: () => () => undone.push('timeline'), toUndo: (callId) => () => undone.push(callId) } })
  await doing(() => { fireEvent.click(rowOf('4181')) })
  const pane = screen.getByRole('region', { name: 'Record 4181' })
  const column = (name: string) => within(pane).getByRole('region', { name })
  expect([...column('Proposed').querySelectorAll('mark')].map((mark) => mark.textContent).join('')).toContain('git push origin fix/retry')
  expect(column('Approved').textContent).toBe('Approved by younpm run build 2>&1 | tee build.log')
  expect(column('Effective').querySelector('mark')).toBe(null)
  expect(within(pane).getByText('You changed this call, then allowed it. It ran in the sandbox, without network.')).toBeTruthy()
  expect(within(pane).getByText('You changed the arguments and allowed it, after 26.1 s')).toBeTruthy()
  expect(within(pane).getByText(/1 created, 1 changed, 0 deleted/)).toBeTruthy()
  expect(within(pane).getByText('9c41e07aa1b2 → 52ab8d3cc0d1')).toBeTruthy()
  expect(within(pane).getByText('https://docs.example.org/ci-setup')).toBeTruthy()
  expect(within(pane).getByText('1 secret')).toBeTruthy()
  expect(within(pane).getByText(/^Tamper-evident/)).toBeTruthy()
  expect(pane.textContent).not.toMatch(/tamper-proof/i)
  fireEvent.click(within(pane).getByRole('button', { name: 'In timeline' }))
  fireEvent.click(within(pane).getByRole('button', { name: 'Undo this call…' }))
  expect(undone).toEqual(['timeline', 'c4181'])
  await doing(() => { fireEvent.click(within(pane).getByRole('button', { name: 'Back to the record' })) })
  expect(screen.queryByRole('region', { name: 'Record 4181' })).toBe(null)
})

test('R68: filters and search ask for what they say; nothing found says how to see all again', async () => {
  const memory = await open()
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'This project' })) })
  await doing(() => { fireEvent.change(screen.getByRole('combobox', { name: 'Decided by' }), { target: { value: 'policy' } }) })
  expect(bodyRows()).toHaveLength(1)
  expect(asks(memory).at(-1)).toEqual({ query: '', isThisProject: true, sinceMs: null, by: 'policy', what: 'all', before: null, limit: 100 })
  await doing(() => { fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zebra' } }) })
  await settle(300)
  expect(screen.queryByRole('table')).toBe(null)
  await doing(() => { fireEvent.click(screen.getAllByRole('button', { name: 'Show all' }).at(-1) ?? document.body) })
  await settle()
  expect(asks(memory).at(-1)).toMatchObject({ query: '', isThisProject: false, by: 'all' })
  expect(bodyRows().length).toBeGreaterThan(10)
})

test('R68: a broken chain is pinned, its row red and what follows hatched; the words say it, not the colour alone', async () => {
  await open({ chain: { ...chain, firstBroken: 4167 } })
  expect(screen.getByText('Chain broken at entry 4167')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toBe('Entries from 4167 on are missing or were changedRecord 4167')
  expect(rowOf('src/http/retry.ts').className).toBe('breakrow')
  expect(rowOf('npm test').className).toBe('hatched')
  expect(rowOf('rm -rf ~/.cache/../').className).toBe('')
  expect(rowOf('npm test').textContent).toContain('cannot be vouched for')
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Record 4167' })) })
  expect(screen.getByRole('region', { name: 'Record 4167' })).toBeTruthy()
})

test('R68: what is recorded while the page is open comes in above, and what was read stays', async () => {
  let isLater = false
  const memory = await open({}, { answers: { 'audit/page': async (ask) => {
    const page = await auditAnswers('audit')['audit/page']?.(ask)
    if (!page) throw new Error('no page')
    const [first] = page.rows
    return isLater && first ? { ...page, rows: [{ ...first, entry: 4186, callId: null, on: 'ls' }, ...page.rows.slice(0, 2)] } : page
  } } })
  const before = bodyRows().length
  isLater = true
  memory.push('audit/changed', { entries: 4186, chain: 'x' })
  await settle(600)
  expect(bodyRows().length).toBe(before + 1)
  expect(bodyRows()[0]?.textContent).toContain('4186')
})

test('R68: export says where it went, in both languages', async () => {
  const memory = await open({}, { locale: 'zh-CN' })
  fireEvent.keyDown(screen.getByRole('button', { name: '导出' }), { key: 'Enter' })
  await settle()
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name: '可自行校验的单页（HTML）' })) })
  await settle()
  expect(memory.asked.find((one) => one.channel === 'audit/export')?.ask).toEqual({ format: 'html', part: null })
  expect(screen.getByText('已将 4,185 条导出到 /home/ada/countersign-record.html。')).toBeTruthy()
})

test('R68: with a filter, what is shown can be exported alone', async () => {
  const memory = await open({}, { locale: 'zh-CN' })
  const names = async () => {
    fireEvent.keyDown(screen.getByRole('button', { name: '导出' }), { key: 'Enter' })
    await settle()
    return screen.getAllByRole('menuitem').length
  }
  expect(await names()).toBe(2)
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
  await settle()
  await doing(() => { fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'issue-tracker' } }) })
  await settle(600)
  expect(await names()).toBe(4)
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name: '当前所示部分，逐行（JSONL）' })) })
  await settle()
  expect(memory.asked.find((one) => one.channel === 'audit/export')?.ask).toEqual({ format: 'jsonl', part: { query: 'issue-tracker', isThisProject: false, by: 'all', what: 'all', sinceMs: null } })
})

test('R68 R104: the rail, its key and the trust bar lead to the record', async () => {
  freshHost({ ...auditAnswers('audit') })
  const shown = await showWindow()
  stop = shown.stop
  await doing(() => { fireEvent.keyDown(document.body, { key: '6', ctrlKey: true }) })
  await settle(100)
  expect(screen.getByRole('region', { name: 'Audit' })).toBeTruthy()
  await doing(() => { fireEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByText('Work')) })
  await doing(() => { fireEvent.click(within(screen.getByRole('contentinfo')).getByText(/^Record/)) })
  await settle(100)
  expect(screen.getByRole('region', { name: 'Audit' })).toBeTruthy()
})

test.each(['audit', 'audit-broken', 'audit-empty'] as const)('axe finds no fault on the page of the record: %s (R106)', async (state) => {
  freshHost({ ...auditAnswers(state) })
  const shown = await showWindow()
  stop = shown.stop
  await doing(() => { fireEvent.keyDown(document.body, { key: '6', ctrlKey: true }) })
  await settle(400)
  if (state !== 'audit-empty') await doing(() => { fireEvent.click(rowOf('4163')) })
  const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(result.violations.map((one) => ({ id: one.id, at: one.nodes.map((node) => node.html).slice(0, 2) }))).toEqual([])
})
