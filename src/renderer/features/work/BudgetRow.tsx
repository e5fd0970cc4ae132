import { CirclePause, CirclePlay } from 'lucide-react'
import { useId, useState } from 'react'
import { amountText, microsOf, nextLimit, type BudgetReached } from '../../../shared/domain/budget'
import type { ChatItem } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { costText, currencyName } from '../../../shared/words/costText'
import { Note } from '../../ui/parts'
import { useWords, type Speaker } from '../../ui/words'
import { answerBudget, useBudgetFaults } from './budgetStore'
import { useWork } from './workStore'

/** A ceiling that was met: while it asks, with its two answers; afterwards one line of what came of it (R2). */
export function BudgetRow({ item }: { readonly item: Extract<ChatItem, { readonly kind: 'budget' }> }) {
  const say = useWords()
  if (item.state === 'asking') return <Asking reached={item.reached} />
  const Icon = item.state === 'raised' ? CirclePlay : CirclePause
  const limit = shownOf(item.reached, item.reached.limit, say)
  const text = item.state === 'over' ? say('budget.paused', { limit }) : item.raisedTo === null ? say('budget.taken-away', { limit }) : say('budget.raised', { limit, raised: shownOf(item.reached, item.raisedTo, say) })
  return <div className="endline"><Icon size={12} aria-hidden />{text}</div>
}

function Asking({ reached }: { readonly reached: BudgetReached }) {
  const say = useWords()
  const current = useWork((state) => state.current)
  const refused = useBudgetFaults((state) => (current === null ? null : (state[current] ?? null)))
  const isTokens = reached.kind === 'turn-tokens'
  const [text, setText] = useState(() => (isTokens ? String(nextLimit(reached)) : amountText(nextLimit(reached))))
  const limit = limitOf(text, isTokens)
  const hint = useId()
  const fault = limit === null ? say('budget.bad-limit') : limit > reached.spent ? null : say('budget.low-limit', { spent: shownOf(reached, reached.spent, say) })
  const raise = (): void => { if (limit !== null && fault === null) void answerBudget(reached, { kind: 'raise', limit }) }
  return (
    <div className="pb-4">
      <Note tone="warn" role="status">
        <div className="strong">{say(`budget.asks.${reached.kind}`, { limit: shownOf(reached, reached.limit, say) })}</div>
        <div className="dim">{say(`budget.asks-about.${reached.kind}`, { spent: shownOf(reached, reached.spent, say) })}</div>
        <div className="row budgetasks">
          <label className="row"><span>{say('budget.raise-to')}</span><input className="input num" inputMode="decimal" value={text} aria-invalid={fault !== null} {...(fault === null ? {} : { 'aria-describedby': hint })} aria-label={say('budget.new-limit')} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) raise() }} /><span>{isTokens ? say('budget.tokens') : currencyName(reached.currency ?? '', say.locale)}</span></label>
          <Button size="small" look="primary" disabled={fault !== null} onClick={raise}>{say('budget.raise')}</Button>
          <Button size="small" onClick={() => void answerBudget(reached, { kind: 'stop' })}>{say('budget.stop')}</Button>
        </div>
        {fault !== null && <p id={hint} className="hint t-bad">{fault}</p>}
        {refused !== null && <div className="t-bad" role="alert">{say.fact(refused)}</div>}
      </Note>
    </div>
  )
}

/** What is typed, in tokens or millionths; null where it is no amount. */
function limitOf(text: string, isTokens: boolean): number | null {
  const number = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0 || number > 1e9) return null
  return isTokens ? Math.round(number) : microsOf(number)
}

function shownOf({ kind, currency }: BudgetReached, amount: number, say: Speaker): string {
  return kind === 'turn-tokens' ? say('budget.amount-tokens', { tokens: amount }) : costText({ currency: currency ?? '', micros: amount }, say.locale)
}
