import type { Memory } from '../../../shared/domain/memory'
import { estimateTokens } from '../context/estimate'
import { noteText } from './noteText'

const least = 500
const most = 5000
const windowShare = 200

/** Tokens that injected memory may take: a 200th of the model's window, 500 to 5,000 (R40). An unknown window is taken for a small one. */
export function memoryBudget(windowTokens: number | null): number {
  return Math.min(most, Math.max(least, Math.floor((windowTokens ?? 0) / windowShare)))
}

/** Estimated tokens of an entry as it stands in the prompt. */
export function entryTokens(memory: Pick<Memory, 'text' | 'scope'>): number {
  return estimateTokens(`00. ${noteText(memory, '0000-00-00')}`)
}
