import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { BudgetSetting } from '../../../src/renderer/features/settings/BudgetSetting'
import { budgetSchema, defaultSettings, type BudgetSettings } from '../../../src/shared/domain/settings'
import { show } from '../support'

afterEach(cleanup)

/** The sentence that says what is wrong with a field. */
const described = (of: HTMLElement): string | undefined => document.getElementById(of.getAttribute('aria-describedby') ?? '')?.textContent ?? undefined

function shown(): readonly BudgetSettings[] {
  const kept: BudgetSettings[] = []
  function Page() {
    const [value, setValue] = useState(defaultSettings.budget)
    return <BudgetSetting value={value} onChange={(next) => { kept.push(next); setValue(next) }} />
  }
  show(<Page />)
  return kept
}

test('R2 R93 a ceiling of money is set for each currency by itself, replaced, and taken away', () => {
  const kept = shown()
  const day = within(screen.getByRole('group', { name: 'Cost of a day' }))
  const set = (amount: string, currency: string): void => {
    fireEvent.change(day.getByRole('textbox', { name: 'Amount' }), { target: { value: amount } })
    fireEvent.change(day.getByRole('textbox', { name: 'Currency, three letters' }), { target: { value: currency } })
    fireEvent.keyDown(day.getByRole('textbox', { name: 'Amount' }), { key: 'Enter' })
  }
  set('5', 'usd')
  set('20', 'CNY')
  set('2,50', 'USD')
  for (const [amount, currency] of [['0', 'USD'], ['-1', 'USD'], ['x', 'USD'], ['1', 'US'], ['2000000', 'USD']] as const) {
    set(amount, currency)
    expect(described(day.getByRole('textbox', { name: 'Amount' }))).toBe(currency === 'US' ? 'Three letters, as USD or CNY.' : 'An amount above 0, at most 1,000,000.')
  }
  expect(kept.at(-1)?.dayCost).toEqual([{ currency: 'CNY', amount: 20 }, { currency: 'USD', amount: 2.5 }])
  fireEvent.click(day.getByRole('button', { name: 'Take away the ceiling of 20.00 CNY' }))
  expect(kept.at(-1)).toEqual({ turnTokens: null, turnCost: [], dayCost: [{ currency: 'USD', amount: 2.5 }] })
  expect(kept.every((one) => budgetSchema.safeParse(one).success)).toBe(true)
})

test('R2 a ceiling of tokens is a whole number, and none where the field is empty', () => {
  const kept = shown()
  const tokens = screen.getByRole('textbox', { name: 'Tokens of a turn' })
  for (const text of ['999', '1.5', 'x', '200000', '']) {
    fireEvent.change(tokens, { target: { value: text } })
    fireEvent.blur(tokens)
    expect(described(tokens)).toBe(['200000', ''].includes(text) ? undefined : 'A whole number from 1,000 to 1,000,000,000, or nothing.')
  }
  expect(kept.map((one) => one.turnTokens)).toEqual([200_000, null])
})
