import { addCosts, isSameBudget, microsOf, type BudgetOf, type BudgetRaise, type BudgetReached, type Cost } from '../../../shared/domain/budget'
import type { AgentEvent } from '../../../shared/domain/event'
import type { TurnId } from '../../../shared/domain/ids'
import type { BudgetSettings } from '../../../shared/domain/settings'

/** A ceiling that is set: tokens, or millionths of its currency. */
export interface Ceiling extends BudgetOf {
  readonly limit: number
}

/** What was used up by a turn and by the day so far. */
export interface Spent {
  readonly turnTokens: number
  readonly turnCosts: readonly Cost[]
  /** Of every session of every project since the local midnight. */
  readonly dayCosts: readonly Cost[]
}

/** What a turn used of models, whatever for (R93). */
export function turnSpent(events: readonly AgentEvent[], turnId: TurnId): Omit<Spent, 'dayCosts'> {
  const own = events.flatMap((event) => (event.type === 'usage-reported' && event.turnId === turnId ? [event] : []))
  return {
    turnTokens: own.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0),
    turnCosts: own.reduce<readonly Cost[]>((sum, { cost }) => (cost ? addCosts(sum, [cost]) : sum), []),
  }
}

/** The ceilings that are set, in the order they are looked at. Tokens count whether a price is known or not. */
export function ceilings(budget: BudgetSettings): readonly Ceiling[] {
  return [
    ...(budget.turnTokens === null ? [] : [{ kind: 'turn-tokens' as const, currency: null, limit: budget.turnTokens }]),
    ...budget.turnCost.map(({ currency, amount }) => ({ kind: 'turn-cost' as const, currency, limit: microsOf(amount) })),
    ...budget.dayCost.map(({ currency, amount }) => ({ kind: 'day-cost' as const, currency, limit: microsOf(amount) })),
  ]
}

/** The first ceiling that is met (R2), or null. A raise counts where it is above what is set. */
export function budgetVerdict(budget: BudgetSettings, raises: readonly BudgetRaise[], spent: Spent): BudgetReached | null {
  for (const one of ceilings(budget)) {
    const limit = Math.max(one.limit, ...raises.flatMap((raise) => (isSameBudget(raise, one) && raise.limit !== null ? [raise.limit] : [])))
    const used = spentOf(one, spent)
    if (used >= limit) return { kind: one.kind, currency: one.currency, limit, spent: used }
  }
  return null
}

function spentOf({ kind, currency }: BudgetOf, { turnTokens, turnCosts, dayCosts }: Spent): number {
  if (kind === 'turn-tokens') return turnTokens
  const costs = kind === 'turn-cost' ? turnCosts : dayCosts
  return costs.find((cost) => cost.currency === currency)?.micros ?? 0
}

/** The raises that were given to a turn; those of a day hold for every session and are not here. */
export function turnRaises(events: readonly AgentEvent[], turnId: TurnId): readonly BudgetRaise[] {
  return events.flatMap((event) => (event.type === 'budget-raised' && event.turnId === turnId && event.raise.kind !== 'day-cost' ? [event.raise] : []))
}

/** The ceiling that a turn asks about: its last `budget-reached` that no later `budget-raised` answers; null when it asks nothing. */
export function openBudget(events: readonly AgentEvent[], turnId: TurnId): BudgetReached | null {
  let open: BudgetReached | null = null
  for (const event of events) {
    if (event.type === 'budget-reached' && event.turnId === turnId) open = event.reached
    if (event.type === 'budget-raised' && event.turnId === turnId && open !== null && isSameBudget(event.raise, open)) open = null
  }
  return open
}
