import type { Cost } from '../../../shared/domain/budget'
import type { Prices } from '../../../shared/domain/catalogue'
import type { ModelChoice, ModelFacts, Usage } from '../../../shared/domain/model'
import type { Spending } from '../ports/spending'

/** Prices are for a million tokens. */
const perPrice = 1_000_000n

/**
 * What a call of a model cost by a price (R93), in whole millionths, rounded once, halves up. Input that came from the provider's
 * cache, or was written to it, has prices of its own where the provider has them; a request whose input is longer than a tier
 * begins is priced by that tier as a whole, its answer too.
 */
export function costOf(usage: Usage, all: Prices): Cost {
  const prices = { currency: all.currency, ...(all.tiers?.filter(({ above }) => usage.inputTokens > above).at(-1) ?? all) }
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens)
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached)
  const parts: readonly (readonly [number, number])[] = [
    [usage.inputTokens - cached - written, prices.input],
    [cached, prices.cachedInput ?? prices.input],
    [written, prices.cacheWrite ?? prices.input],
    [usage.outputTokens, prices.output],
  ]
  // Integers throughout: a float would be off by a millionth here and there, and a fold would not agree with a sum.
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(Math.round(tokens)) * BigInt(Math.round(price * 1_000_000)), 0n)
  return { currency: prices.currency, micros: Number((sum + perPrice / 2n) / perPrice) }
}

/** Prices a call by what is known of its model now. */
export function costBy(facts: (choice: ModelChoice) => Promise<Pick<ModelFacts, 'prices'>>): Spending['costOf'] {
  return async (choice, usage) => {
    const { prices } = await facts(choice)
    return prices === null ? null : costOf(usage, prices)
  }
}
