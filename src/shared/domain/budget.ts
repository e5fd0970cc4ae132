import type { SessionId } from './ids'
import type { ModelChoice, Usage } from './model'

/** An amount of one currency as a person sets it; amounts of two currencies are never added (R93). */
export interface Money {
  /** ISO 4217. */
  readonly currency: string
  readonly amount: number
}

/** What something cost: whole millionths of one currency, so that sums are exact (R93). */
export interface Cost {
  /** ISO 4217. */
  readonly currency: string
  readonly micros: number
}

/** The ceilings there are (R2, R93). */
export const budgetKinds = ['turn-tokens', 'turn-cost', 'day-cost'] as const
export type BudgetKind = (typeof budgetKinds)[number]

/** One ceiling: its kind, and the currency where money is counted; null where tokens are. */
export interface BudgetOf {
  readonly kind: BudgetKind
  readonly currency: string | null
}

/** A ceiling that was met (R2, R93). Tokens, or millionths of the currency. */
export interface BudgetReached extends BudgetOf {
  readonly limit: number
  readonly spent: number
}

/**
 * A ceiling that the person raised, for its turn or for the local day it was raised on. Tokens, or millionths of the currency;
 * null: it was taken away in the settings.
 */
export interface BudgetRaise extends BudgetOf {
  readonly limit: number | null
}

/** A turn that is paused at a ceiling and waits for a word. */
export interface WaitingBudget extends BudgetOf {
  readonly sessionId: SessionId
}

/** The answer to a ceiling that was met: a higher one, or the end of the turn. */
export type BudgetAnswer = { readonly kind: 'raise'; readonly limit: number } | { readonly kind: 'stop' }

/** What a model was called for. `sampling`: a server asked (R49); `rewrite`: a search was put in other words or ranked (R99). */
export const usagePurposes = ['turn', 'summary', 'rewrite', 'sampling'] as const
export type UsagePurpose = (typeof usagePurposes)[number]

/** What one call of a model used, before it has a price. */
export interface ModelUse {
  readonly choice: ModelChoice
  readonly usage: Usage
}

/** Millionths of a unit. */
const perUnit = 1_000_000

/** An amount as whole millionths. */
export function microsOf(amount: number): number {
  return Math.round(amount * perUnit)
}

/** Whole millionths as an amount. */
export function amountOf(micros: number): number {
  return micros / perUnit
}

/** An amount in figures: hundredths, and finer ones where hundredths would hide what there is. */
export function amountText(micros: number): string {
  if (micros % 10_000 === 0 || micros >= 100_000) return (Math.round(micros / 10_000) / 100).toFixed(2)
  return micros >= 100 ? (Math.round(micros / 100) / 10_000).toFixed(4) : (micros / perUnit).toFixed(6)
}

/** Whether two name the same ceiling. */
export function isSameBudget(a: BudgetOf, b: BudgetOf): boolean {
  return a.kind === b.kind && a.currency === b.currency
}

/** What to offer instead of a ceiling that was met: as much again, as often as it takes to be above what is spent. */
export function nextLimit({ limit, spent }: Pick<BudgetReached, 'limit' | 'spent'>): number {
  return limit * (Math.floor(spent / limit) + 1)
}

/** Costs by currency, each once, in the order of their codes. Two currencies are never added (R93). */
export function addCosts(costs: readonly Cost[], more: readonly Cost[]): readonly Cost[] {
  const sums = new Map(costs.map(({ currency, micros }) => [currency, micros]))
  for (const { currency, micros } of more) sums.set(currency, (sums.get(currency) ?? 0) + micros)
  return [...sums].map(([currency, micros]) => ({ currency, micros })).sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
