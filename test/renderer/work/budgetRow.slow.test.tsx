import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BudgetRow } from '../../../src/renderer/features/work/BudgetRow'
import { useWork } from '../../../src/renderer/features/work/workStore'
import type { BudgetReached } from '../../../src/shared/domain/budget'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { fail, succeed } from '../../../src/shared/domain/result'
import type { Locale } from '../../../src/shared/words/say'
import { doing, fakeBrowser, freshHost, show } from '../support'

beforeEach(fakeBrowser)
afterEach(cleanup)

const cost: BudgetReached = { kind: 'turn-cost', currency: 'USD', limit: 2_000_000, spent: 2_014_200 }

function row(reached: BudgetReached, more: { readonly state?: 'asking' | 'raised' | 'over'; readonly raisedTo?: number | null; readonly locale?: Locale; readonly isRefused?: boolean } = {}) {
  const memory = freshHost({ 'budget/answer': () => (more.isRefused ? fail('budget.gone') : succeed(null)) })
  useWork.setState({ current: asId<SessionId>('s') })
  show(<BudgetRow item={{ kind: 'budget', seq: 1, turnId: asId('t'), reached, state: more.state ?? 'asking', raisedTo: more.raisedTo ?? null }} />, more.locale)
  return memory
}

const described = (of: HTMLElement): string | undefined => document.getElementById(of.getAttribute('aria-describedby') ?? '')?.textContent ?? undefined
const field = (): HTMLInputElement => screen.getByRole('textbox')

test('R2 a ceiling asks with its two answers, and offers as much again', async () => {
  const memory = row(cost)
  expect(screen.getByRole('status').textContent).toContain('Paused at 2.00 USD. Raise it, or stop here?')
  expect(field().value).toBe('4.00')
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Raise and go on' })) })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Stop here' })) })
  expect(memory.asked.filter((one) => one.channel === 'budget/answer').map((one) => one.ask)).toEqual([
    { sessionId: 's', of: { kind: 'turn-cost', currency: 'USD' }, answer: { kind: 'raise', limit: 4_000_000 } },
    { sessionId: 's', of: { kind: 'turn-cost', currency: 'USD' }, answer: { kind: 'stop' } },
  ])
})

test('R2 what is not above what is spent is no new ceiling', () => {
  row(cost)
  for (const bad of ['', '2.00', '2.0142', '-3', 'x']) {
    fireEvent.change(field(), { target: { value: bad } })
    expect([bad, screen.getByRole<HTMLButtonElement>('button', { name: 'Raise and go on' }).disabled, described(field())]).toEqual([bad, true, ['2.00', '2.0142'].includes(bad) ? 'More than the 2.01 USD used so far.' : 'A number above 0.'])
  }
  fireEvent.change(field(), { target: { value: '2,5' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Raise and go on' }).disabled).toBe(false)
})

test('R2 tokens are tokens', async () => {
  const memory = row({ kind: 'turn-tokens', currency: null, limit: 200_000, spent: 431_004 })
  expect(field().value).toBe('600000')
  await doing(() => { fireEvent.keyDown(field(), { key: 'Enter' }) })
  expect(memory.asked.at(-1)?.ask).toEqual({ sessionId: 's', of: { kind: 'turn-tokens', currency: null }, answer: { kind: 'raise', limit: 600_000 } })
})

test('R93 an answer that nothing waits for any more is told', async () => {
  row(cost, { isRefused: true })
  await doing(() => { fireEvent.click(screen.getByRole('button', { name: 'Stop here' })) })
  expect(screen.getByRole('alert').textContent).toBe('Nothing waits for this answer any more.')
})

test.each([
  [{ state: 'raised' as const, raisedTo: 3_000_000 }, 'Paused at 2.00 USD, raised to 3.00 USD'],
  [{ state: 'raised' as const, raisedTo: null }, 'Paused at 2.00 USD; the ceiling was taken away in the settings'],
  [{ state: 'over' as const }, 'Paused at 2.00 USD'],
  [{ state: 'raised' as const, raisedTo: 3_000_000, locale: 'zh-CN' as const }, '在 2.00 美元 处暂停，已提高到 3.00 美元'],
])('R93 afterwards one line says what came of it: %j', (more, text) => {
  row(cost, more)
  expect(document.querySelector('.endline')?.textContent).toBe(text)
})
