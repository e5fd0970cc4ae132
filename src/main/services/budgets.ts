import { amountText, isSameBudget, type BudgetAnswer, type BudgetOf, type BudgetReached, type WaitingBudget } from '../../shared/domain/budget'
import type { Prices } from '../../shared/domain/catalogue'
import type { SessionId, TurnId } from '../../shared/domain/ids'
import type { ModelChoice, ModelFacts } from '../../shared/domain/model'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { BudgetSettings } from '../../shared/domain/settings'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { Clock } from '../core/ports/clock'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { Spending, SpendingTurn } from '../core/ports/spending'
import type { UsageStore } from '../core/ports/usageStore'
import { costBy } from '../core/usage/cost'
import { dayStart } from '../core/usage/localDays'
import { budgetVerdict, ceilings, openBudget, turnRaises, turnSpent } from '../core/usage/verdict'
import { subscribe, type OpenSession, type Sessions } from './sessions'

/** What budgets need. */
export interface BudgetPorts {
  readonly settings: Pick<SettingsStore, 'read'>
  readonly usage: Pick<UsageStore, 'costsSince' | 'raisesSince'>
  readonly sessions: Pick<Sessions, 'open' | 'append'>
  readonly clock: Clock
  facts(choice: ModelChoice): Promise<Pick<ModelFacts, 'prices'>>
}

/** The ceilings of a host, and the turns that are paused at one (R2, R93). */
export interface Budgets extends Spending {
  /** Oldest first. */
  waiting(): readonly WaitingBudget[]
  onChange(listener: (waiting: readonly WaitingBudget[]) => void): () => void
  /**
   * The person's answer. Refused where nothing waits for it, or where the ceiling is not above what is spent. A raise of a day
   * lets every turn go on that waits for the same; its record says who gave it.
   */
  answer(sessionId: SessionId, of: BudgetOf, answer: BudgetAnswer): Promise<Result<null>>
  /** What is set may allow more now: paused turns look again. */
  settingsChanged(): void
}

interface Waiting {
  readonly of: WaitingBudget
  readonly reached: BudgetReached
  readonly at: { readonly turnId: TurnId; readonly step: number }
  readonly wake: (word: 'stop' | 'look') => void
}

/** Makes the service. */
export function makeBudgets(ports: BudgetPorts): Budgets {
  const waiting = new Set<Waiting>()
  const listeners = new Set<(waiting: readonly WaitingBudget[]) => void>()
  const list = (): readonly WaitingBudget[] => [...waiting].map(({ of }) => of)
  const changed = (): void => listeners.forEach((listener) => listener(list()))
  const budgetNow = async (): Promise<BudgetSettings> => (await ports.settings.read()).settings.budget

  const look = async (session: OpenSession, turnId: TurnId): Promise<BudgetReached | null> => {
    const budget = await budgetNow()
    if (ceilings(budget).length === 0) return null
    const today = dayStart(ports.clock.nowMs())
    const [dayCosts, dayRaises] = budget.dayCost.length === 0 ? [[], []] : await Promise.all([ports.usage.costsSince(today), ports.usage.raisesSince(today)])
    return budgetVerdict(budget, [...turnRaises(session.events, turnId), ...dayRaises], { ...turnSpent(session.events, turnId), dayCosts })
  }

  const waitFor = (turn: SpendingTurn, step: number, reached: BudgetReached, signal: CancelSignal): Promise<'stop' | 'look'> => new Promise((resolve) => {
    const wake = (word: 'stop' | 'look'): void => {
      signal.removeEventListener('abort', abort)
      if (waiting.delete(entry)) changed()
      resolve(word)
    }
    const abort = (): void => wake('look')
    const entry: Waiting = { of: { sessionId: turn.sessionId, kind: reached.kind, currency: reached.currency }, reached, at: { turnId: turn.turnId, step }, wake }
    waiting.add(entry)
    signal.addEventListener('abort', abort, { once: true })
    changed()
    if (signal.aborted) abort()
  })

  return {
    costOf: costBy((choice) => ports.facts(choice)),
    async pass(turn, step, signal) {
      const session = await ports.sessions.open(turn.sessionId)
      await tellUncounted(session, turn, step, await budgetNow(), ports)
      while (!signal.aborted) {
        const reached = await look(session, turn.turnId)
        const open = openBudget(session.events, turn.turnId)
        const at = { turnId: turn.turnId, step }
        // Raised elsewhere: in another session, or in the settings. The record of this one says so too.
        const raisedTo = open === null || (reached !== null && isSameBudget(open, reached)) ? undefined : await limitNow(open, session, turn.turnId)
        if (open !== null && raisedTo !== undefined) await ports.sessions.append(turn.sessionId, [{ type: 'budget-raised', ...at, raise: { kind: open.kind, currency: open.currency, limit: raisedTo }, by: 'person' }])
        if (reached === null) return null
        // After a start it asks again, and the record says it once.
        if (open === null || !isSameBudget(open, reached) || open.limit !== reached.limit) await ports.sessions.append(turn.sessionId, [{ type: 'budget-reached', ...at, reached }])
        if ((await waitFor(turn, step, reached, signal)) === 'stop') return endOf(reached)
      }
      return null
    },
    waiting: list,
    onChange: (listener) => subscribe(listeners, listener),
    async answer(sessionId, of, answer) {
      const entry = [...waiting].find((one) => one.of.sessionId === sessionId && isSameBudget(one.of, of))
      if (!entry) return fail('budget.gone')
      if (answer.kind === 'stop') {
        entry.wake('stop')
        return succeed(null)
      }
      if (answer.limit <= entry.reached.spent) return fail('budget.too-low')
      await ports.sessions.append(sessionId, [{ type: 'budget-raised', ...entry.at, raise: { kind: of.kind, currency: of.currency, limit: answer.limit }, by: 'person' }])
      for (const one of waiting) if (one === entry || (of.kind === 'day-cost' && isSameBudget(one.of, of))) one.wake('look')
      return succeed(null)
    },
    settingsChanged: () => waiting.forEach((one) => one.wake('look')),
  }

  async function limitNow(open: BudgetReached, session: OpenSession, turnId: TurnId): Promise<number | null> {
    const set = ceilings(await budgetNow()).find((one) => isSameBudget(one, open))
    if (set === undefined) return null
    const raises = open.kind === 'day-cost' ? await ports.usage.raisesSince(dayStart(ports.clock.nowMs())) : turnRaises(session.events, turnId)
    return Math.max(set.limit, ...raises.flatMap((raise) => (isSameBudget(raise, open) && raise.limit !== null ? [raise.limit] : [])))
  }
}

/** The sentence that the turn ends with. */
function endOf({ kind, currency, limit, spent }: BudgetReached): Said {
  return kind === 'turn-tokens' ? said('budget.ended-tokens', { spent, limit }) : said(kind === 'turn-cost' ? 'budget.ended-turn' : 'budget.ended-day', { spent: amountText(spent), limit: amountText(limit), currency: currency ?? '' })
}

function isFree({ input, output, cachedInput, cacheWrite, tiers }: Prices): boolean {
  return input + output + (cachedInput ?? 0) + (cacheWrite ?? 0) === 0 && tiers === undefined
}

/** A ceiling of money cannot hold a model whose price nobody says, or is in another currency: said once a turn. */
async function tellUncounted(session: OpenSession, { sessionId, turnId, choice }: SpendingTurn, step: number, budget: BudgetSettings, ports: BudgetPorts): Promise<void> {
  const currencies = [...budget.turnCost, ...budget.dayCost].map(({ currency }) => currency)
  if (currencies.length === 0) return
  const { prices } = await ports.facts(choice)
  if (prices !== null && (currencies.includes(prices.currency) || isFree(prices))) return
  const fact = prices === null ? said('budget.no-price', { model: choice.model }) : said('budget.other-currency', { model: choice.model, currency: prices.currency })
  if (session.events.some((event) => event.type === 'note-added' && event.turnId === turnId && event.say.code === fact.code)) return
  await ports.sessions.append(sessionId, [{ type: 'note-added', turnId, step, say: fact, isForModel: false }])
}
