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
  const steps = rankSteps(entries, draft)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** `rank` in steps of one entry, for whoever must not be held up by many of them. */
export function* rankSteps(entries: readonly { readonly memory: Memory; readonly found: number }[], draft: RankedFor): Generator<undefined, readonly RankedMemory[]> {
  const scored = entries
    .map(({ memory, found }) => ({ memory, id: memory.id, atMs: memory.atMs, ...scoreOf(memory, found, draft.termCount, draft.nowMs) }))
    .sort(byScore)
  const injected: Fact[] = []
  let leftTokens = memoryBudget(draft.windowTokens)
  const ranked: RankedMemory[] = []
  for (const { memory, match, decay, score } of scored) {
    const tokens = entryTokens(memory)
    const fate = fateOf(memory, score, injected, tokens <= leftTokens)
    if (fate === 'injected') leftTokens -= tokens
    ranked.push({ memory, score: { match, decay, score, tokens, fate } })
    yield
  }
  return ranked
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
