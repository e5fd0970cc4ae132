/** An amount of one currency; amounts of two currencies are never added (R93). */
export interface Money {
  /** ISO 4217. */
  readonly currency: string
  readonly amount: number
}

/** A ceiling that was met (R2, R93). `currency` is null where tokens are counted. */
export interface BudgetReached {
  readonly kind: 'turn-tokens' | 'turn-cost' | 'day-cost'
  readonly currency: string | null
  readonly limit: number
  readonly spent: number
}
