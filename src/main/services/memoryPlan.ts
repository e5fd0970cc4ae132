import type { MemoryId, WorkspaceId } from '../../shared/domain/ids'
import type { InjectedMemory, Memory, MemoryScore } from '../../shared/domain/memory'
import { injectedFrom, scoreOf } from '../../shared/domain/memoryScore'
import { counterOf, normalText } from '../../shared/domain/termText'
import { entryTokens, memoryBudget } from '../core/memory/budget'
import { isHeldBack, rankSteps, type RankedMemory } from '../core/memory/rank'
import { factOf, relationOf, type Fact } from '../core/memory/related'
import type { Clock } from '../core/ports/clock'
import type { MemoryStore } from '../core/ports/memoryStore'
import type { Segmenter } from '../core/ports/segmenter'

/** What a plan is made with. */
export interface PlanPorts {
  readonly store: Pick<MemoryStore, 'search'>
  readonly segmenter: Segmenter
  readonly clock: Clock
}

/** What a draft would put into the prompt. `ranked` are the entries that come near it, best first. */
export interface MemoryPlan {
  readonly terms: readonly string[]
  readonly nowMs: number
  readonly limitTokens: number
  readonly ranked: readonly RankedMemory[]
  readonly injected: readonly InjectedMemory[]
}

/** Candidates of the first look, and of the second where much room is left. */
const looks = [256, 1024] as const
const muchRoomTokens = 100
/** Of one entry: hundreds may all contradict each other, and each is in the record of the turn. */
const mostAgainst = 20

/**
 * Works out what a draft would put into the prompt (R39, R40). Only the best 1,024 entries are looked at: what comes after them
 * would have to be much smaller to find room.
 */
export async function planMemories(workspaceId: WorkspaceId, draft: string, windowTokens: number | null, ports: PlanPorts): Promise<MemoryPlan> {
  const nowMs = ports.clock.nowMs()
  const limitTokens = memoryBudget(windowTokens)
  const [terms = []] = draft.trim() === '' ? [] : await ports.segmenter.queryTerms([draft])
  let ranked: readonly RankedMemory[] = []
  for (const limit of terms.length === 0 ? [] : looks) {
    const found = await ports.store.search({ workspaceId, scope: 'all', isBin: false, terms, nowMs, limit })
    ranked = await inSlices(rankSteps(found, { termCount: terms.length, nowMs, windowTokens }), ports.clock)
    if (found.length < limit || (ranked.at(-1)?.score.score ?? 0) < injectedFrom || limitTokens - tokensIn(ranked) < muchRoomTokens) break
  }
  return { terms, nowMs, limitTokens, ranked, injected: await inSlices(injectedOf(ranked), ports.clock) }
}

function tokensIn(ranked: readonly RankedMemory[]): number {
  return ranked.reduce((sum, { score }) => sum + (score.fate === 'injected' ? score.tokens : 0), 0)
}

function* injectedOf(ranked: readonly RankedMemory[]): Generator<undefined, readonly InjectedMemory[]> {
  const chosen: (RankedMemory & { readonly fact: Fact })[] = []
  for (const one of ranked.filter(({ score }) => score.fate === 'injected')) {
    chosen.push({ ...one, fact: factOf(one.memory.text) })
    yield
  }
  const against = new Map<MemoryId, MemoryId[]>(chosen.map(({ memory }) => [memory.id, []]))
  const note = (id: MemoryId, other: MemoryId): void => {
    const known = against.get(id)
    if (known && known.length < mostAgainst) known.push(other)
  }
  for (const [at, { memory, fact }] of chosen.entries()) {
    for (const { memory: other, fact: otherFact } of chosen.slice(at + 1)) {
      if (relationOf(fact, otherFact) !== 'contradicts') continue
      note(memory.id, other.id)
      note(other.id, memory.id)
    }
    yield
  }
  return chosen.map(({ memory: { id, text, scope, atMs }, score: { score, tokens } }) => ({ id, text, scope, atMs, score, tokens, contradicts: against.get(id) ?? [] }))
}

/** The score of each entry for a plan's draft; none without a draft. */
export async function scoresFor(memories: readonly Memory[], plan: MemoryPlan, { segmenter, clock }: Pick<PlanPorts, 'segmenter' | 'clock'>): Promise<ReadonlyMap<MemoryId, MemoryScore>> {
  if (plan.terms.length === 0) return new Map()
  const scores = new Map(plan.ranked.map(({ memory, score }) => [memory.id, score]))
  const others = memories.filter(({ id }) => !scores.has(id))
  const terms = others.length === 0 ? [] : await segmenter.terms(others.map(({ text }) => text))
  return inSlices(scoring(others, terms, plan, scores), clock)
}

function* scoring(others: readonly Memory[], terms: readonly (readonly string[])[], plan: MemoryPlan, scores: Map<MemoryId, MemoryScore>): Generator<undefined, ReadonlyMap<MemoryId, MemoryScore>> {
  const count = counterOf(plan.terms)
  for (const [at, memory] of others.entries()) {
    scores.set(memory.id, beyond(memory, count({ normal: normalText(memory.text), terms: new Set(terms[at]) }), plan))
    yield
  }
  return scores
}

/** The rest of the app gets a turn after as long. */
const sliceMs = 6

/** Does work that comes in small steps without holding up the rest of the app. */
export async function inSlices<Value>(steps: Generator<undefined, Value>, clock: Clock): Promise<Value> {
  let sinceMs = clock.nowMs()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (clock.nowMs() - sinceMs < sliceMs) continue
    await new Promise<void>((resolve) => void setImmediate(resolve))
    sinceMs = clock.nowMs()
  }
}

/** An entry that the plan did not get to, or that is in the bin: there is no room for it, or nobody asks. */
function beyond(memory: Memory, found: number, plan: MemoryPlan): MemoryScore {
  const parts = scoreOf(memory, found, plan.terms.length, plan.nowMs)
  const fate = parts.score < injectedFrom ? 'below' : isHeldBack(memory) ? 'outside' : 'budget'
  return { ...parts, tokens: entryTokens(memory), fate }
}
