import type { ModelFacts } from '../../../shared/domain/model'
import type { CompactionSettings } from '../../../shared/domain/settings'

/** Taken for a window of which nobody says anything: most models of today have as much or more. It is said where it is used. */
export const assumedWindowTokens = 128_000

/**
 * What a request may hold, by share of the model's window (R22, R30). Each kind of memory has its own share, its own way in and
 * its own way out:
 * - facts enter the system prompt once a turn, at most `memoryBudget`, the best match first; what does not fit stays outside;
 * - tool results enter behind their calls, one at most `resultTokens`; when the limit is met, the oldest are cut to head and
 *   tail first, until all together are within `resultsTokens`;
 * - the conversation enters whole; when that was not enough, its old turns leave for a summary.
 */
export interface ContextBudget {
  readonly windowTokens: number
  /** Nobody says how large the window is. */
  readonly isAssumed: boolean
  /** From here on room is made. */
  readonly limitTokens: number
  /** What room is made down to, so that it does not have to be made again at once. */
  readonly targetTokens: number
  /** A request above this has no room for an answer and is not sent. */
  readonly mostTokens: number
  /** Of one result. */
  readonly resultTokens: number
  /** Of all results together, once room is made. */
  readonly resultsTokens: number
}

const answerShare = 0.15
const usualAnswer = 8_192
const leastAnswer = 1_024
const targetShare = 0.6
const resultShare = 0.2
const resultsShare = 0.35

/** The budget of a model; pure over what is known of it. */
export function budgetOf({ windowTokens, maxOutputTokens }: Pick<ModelFacts, 'windowTokens' | 'maxOutputTokens'>, { atShare }: Pick<CompactionSettings, 'atShare'>): ContextBudget {
  const window = windowTokens ?? assumedWindowTokens
  const answer = Math.min(maxOutputTokens ?? usualAnswer, Math.floor(window * answerShare))
  const limitTokens = Math.floor(Math.min(window * atShare, window - answer))
  return {
    windowTokens: window,
    isAssumed: windowTokens === null,
    limitTokens,
    targetTokens: Math.floor(limitTokens * targetShare),
    mostTokens: Math.max(limitTokens, window - Math.min(answer, leastAnswer)),
    resultTokens: Math.floor(window * resultShare),
    resultsTokens: Math.floor(limitTokens * resultsShare),
  }
}
