import type { AgentEvent } from '../../../shared/domain/event'
import type { ModelChoice } from '../../../shared/domain/model'

/** A figure outside of these is a provider's mistake, or a request of another kind. */
const least = 0.5
const most = 3
/** How much the newest figure counts. */
const weight = 0.5
/** Below this, what a provider adds by itself weighs more than the text. */
const leastTokens = 200

/**
 * How many tokens a model counts for each that is estimated (R31): a running ratio for each model of a session, from what the
 * provider reported beside what was expected. Kept up as events come, so that it is the same after a restart.
 */
export interface TokenRatios {
  add(event: AgentEvent): void
  /** 1 for a model of which there is no figure. */
  of(choice: ModelChoice): number
}

/** Ratios of a session without events. */
export function makeTokenRatios(): TokenRatios {
  const ratios = new Map<string, number>()
  return {
    add(event) {
      if (event.type !== 'usage-reported' || event.choice === undefined || event.usage.estimated) return
      const { expectedTokens = 0, usage, choice } = event
      if (expectedTokens < leastTokens || usage.inputTokens <= 0) return
      const now = Math.min(most, Math.max(least, usage.inputTokens / expectedTokens))
      const before = ratios.get(keyOf(choice))
      ratios.set(keyOf(choice), before === undefined ? now : before + (now - before) * weight)
    },
    of: (choice) => ratios.get(keyOf(choice)) ?? 1,
  }
}

function keyOf({ provider, model }: ModelChoice): string {
  return JSON.stringify([provider, model])
}
