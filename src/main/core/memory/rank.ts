import type { Memory, MemoryFate, MemoryScore } from '../../../shared/domain/memory'
import { byScore, injectedFrom, scoreOf } from '../../../shared/domain/memoryScore'
import { entryTokens, memoryBudget } from './budget'
import { factOf, relationOf, type Fact } from './related'

/** The draft that entries are ranked for: how many distinct terms it has, the time, and the model's window (null: unknown). */
export interface RankedFor {
  readonly termCount: number
  readonly nowMs: number
  readonly windowTokens: number | null
}

/** An entry with the parts of its score and what becomes of it. */
export interface RankedMemory {
  readonly memory: Memory
  readonly score: MemoryScore
}

/**
 * Ranks entries for a draft, best first, and says of each whether it would be injected (R39, R40). `found`: how many of the
 * draft's distinct terms the entry holds. What does not fit into the rest of the budget makes room for smaller ones after it.
 */
export function rank(entries: readonly { readonly memory: Memory; readonly found: number }[], draft: RankedFor): readonly RankedMemory[] {
  const scored = entries
    .map(({ memory, found }) => ({ memory, ...scoreOf(memory, found, draft.termCount, draft.nowMs) }))
    .sort((a, b) => byScore({ ...a.memory, score: a.score }, { ...b.memory, score: b.score }))
  const injected: Fact[] = []
  let leftTokens = memoryBudget(draft.windowTokens)
  return scored.map(({ memory, ...parts }) => {
    const tokens = entryTokens(memory)
    const fate = fateOf(memory, parts.score, injected, tokens <= leftTokens)
    if (fate === 'injected') leftTokens -= tokens
    return { memory, score: { ...parts, tokens, fate } }
  })
}

/** Came from outside, and no pin of the person lets it be used (R71). */
export function isHeldBack({ source, isPinned }: Pick<Memory, 'source' | 'isPinned'>): boolean {
  return source.kind === 'outside' && !isPinned
}

/** What is injected joins `injected`. Only what would fit is compared with it: comparing costs most. */
function fateOf(memory: Memory, score: number, injected: Fact[], fits: boolean): MemoryFate {
  if (score < injectedFrom) return 'below'
  if (isHeldBack(memory)) return 'outside'
  if (!fits) return 'budget'
  const fact = factOf(memory.text)
  if (injected.some((other) => relationOf(other, fact) === 'same')) return 'duplicate'
  injected.push(fact)
  return 'injected'
}
