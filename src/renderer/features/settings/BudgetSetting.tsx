import { X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Money } from '../../../shared/domain/budget'
import type { BudgetSettings } from '../../../shared/domain/settings'
import { Button, IconButton } from '../../ui/Button'
import { currencyName } from '../../../shared/words/costText'
import { useWords } from '../../ui/words'
import { CeilingField } from './CeilingField'
import { Setting, SettingCard } from './SettingCard'

interface BudgetSettingProps {
  readonly value: BudgetSettings
  readonly onChange: (value: BudgetSettings) => void
}

/** Ceilings that pause a turn and ask (R2, R93); money for each currency by itself. */
export function BudgetSetting({ value, onChange }: BudgetSettingProps) {
  const say = useWords()
  return (
    <SettingCard title={say('settings.budget')}>
      <Setting name={say('settings.budget-tokens')} about={say('settings.budget-tokens-about')}>
        <CeilingField label={say('settings.budget-tokens')} value={value.turnTokens} min={1000} max={1_000_000_000} onKeep={(turnTokens) => onChange({ ...value, turnTokens })} />
      </Setting>
      <Amounts name={say('settings.budget-turn')} about={say('settings.budget-turn-about')} value={value.turnCost} onChange={(turnCost) => onChange({ ...value, turnCost })} />
      <Amounts name={say('settings.budget-day')} about={say('settings.budget-day-about')} value={value.dayCost} onChange={(dayCost) => onChange({ ...value, dayCost })} />
    </SettingCard>
  )
}

const mostAmounts = 20
const mostAmount = 1_000_000

/** One ceiling a currency. */
function Amounts({ name, about, value, onChange }: { readonly name: string; readonly about: string; readonly value: readonly Money[]; readonly onChange: (value: Money[]) => void }) {
  const say = useWords()
  const [amount, setAmount] = useState('')
  const [currency, setCurrency] = useState('USD')
  const hint = useId()
  const number = Number(amount.replace(',', '.'))
  const code = currency.trim().toUpperCase()
  const fault = amount.trim() === '' ? null : faultOf(number, code, value)
  const canAdd = amount.trim() !== '' && fault === null
  const add = (): void => {
    if (!canAdd) return
    onChange([...value.filter((one) => one.currency !== code), { currency: code, amount: number }])
    setAmount('')
  }
  return (
    <>
      <Setting name={name} about={about}>{null}</Setting>
      <div className="setmore budgetset" role="group" aria-label={name}>
        {value.map((one) => {
          const shown = `${one.amount.toFixed(2)} ${currencyName(one.currency, say.locale)}`
          return <div key={one.currency} className="row"><span className="grow">{shown}</span><IconButton icon={X} label={say('settings.budget-remove', { amount: shown })} onClick={() => onChange(value.filter((other) => other !== one))} /></div>
        })}
        <div className="row">
          <input className="input num" inputMode="decimal" aria-label={say('settings.budget-amount')} aria-invalid={fault === 'settings.bad-amount'} {...(fault === null ? {} : { 'aria-describedby': hint })} placeholder={say('settings.budget-amount')} value={amount} onChange={(event) => setAmount(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) add() }} />
          <input className="input code" aria-label={say('settings.budget-currency')} aria-invalid={fault === 'provider.own.bad-currency'} {...(fault === null ? {} : { 'aria-describedby': hint })} maxLength={3} spellCheck={false} value={currency} onChange={(event) => setCurrency(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) add() }} />
          <Button size="small" disabled={!canAdd} onClick={add}>{say(value.some((one) => one.currency === code) ? 'settings.budget-replace' : 'settings.budget-set')}</Button>
        </div>
        {fault !== null && <p id={hint} className="hint t-bad">{say(fault, { most: fault === 'settings.bad-amount' ? mostAmount : mostAmounts })}</p>}
      </div>
    </>
  )
}

/** Why it cannot be set; null when it can. */
function faultOf(amount: number, code: string, value: readonly Money[]): 'settings.bad-amount' | 'settings.too-many-amounts' | 'provider.own.bad-currency' | null {
  if (!(amount > 0 && amount <= mostAmount)) return 'settings.bad-amount'
  if (!/^[A-Z]{3}$/.test(code)) return 'provider.own.bad-currency'
  return value.length >= mostAmounts && !value.some((one) => one.currency === code) ? 'settings.too-many-amounts' : null
}
