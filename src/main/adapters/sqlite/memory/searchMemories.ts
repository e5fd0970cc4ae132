import { byScore, scoreOf } from '../../../../shared/domain/memoryScore'
import { countFound } from '../../../../shared/domain/termText'
import type { FoundMemory } from '../../../core/ports/memoryStore'
import type { MemoryRow } from '../tables/memoryTable'
import { candidatesOf, type Candidates } from './candidates'
import type { ScopedSearch, SearchTables } from './scopedSearch'
import { firstSlot, timeOf } from './slots'

/** An entry with its count and score. */
interface Hit extends FoundMemory {
  readonly score: number
  readonly atMs: number
  readonly id: string
}

const decayMs = 24 * 3_600_000

/**
 * The best entries, exactly as a scan would order them, without reading them all.
 *
 * Among entries with the same count of terms the newer is never worse, so no entry can be among the best N when N newer ones hold
 * as many terms or more. For each count, from all terms down to one, the newest entries with at least that count are
 * walked until N are certain, or until no older one can reach the N-th best score so far. The index only proposes; what
 * counts is `countFound` on the row. Pinned entries do not decay: they are looked at apart, all of them unless they are very many.
 */
export function searchMemories(tables: SearchTables, search: ScopedSearch): readonly FoundMemory[] {
  if (search.terms.length === 0 || search.limit < 1 || search.scopes.length === 0) return []
  const best = bestOf(search.limit)
  const pinned = tables.pinned.of(search.scopes)
  if (pinned === null) walkLevels(tables, search, true, best)
  else for (const { row, terms } of pinned) take(best, hitOf(row, terms, search))
  walkLevels(tables, search, false, best)
  return best.hits().map(({ memory, found }) => ({ memory, found }))
}

/** Ranks entries that are all at hand: the bin. */
export function scanMemories(rows: readonly MemoryRow[], { terms, nowMs, limit }: Omit<ScopedSearch, 'scopes' | 'shortList'>): readonly FoundMemory[] {
  const hits = rows.map((row) => hitOf(row, new Set(row.terms), { terms, nowMs })).filter(({ found }) => found > 0)
  return hits.sort(byScore).slice(0, limit).map(({ memory, found }) => ({ memory, found }))
}

function walkLevels(tables: SearchTables, search: ScopedSearch, isPinned: boolean, best: Best): void {
  const candidates = candidatesOf(tables, search, isPinned)
  const known = new Map<number, Hit | null>()
  const hitAt = (slot: number): Hit | null => {
    const before = known.get(slot)
    if (before !== undefined) return before
    const row = tables.memories.bySlot(slot)
    const hit = row === null ? null : hitOf(row, new Set(row.terms), search)
    known.set(slot, hit)
    if (hit !== null) take(best, hit)
    return hit
  }
  for (let level = search.terms.length; level >= 1; level -= 1) walkLevel(candidates, { ...search, level, isPinned }, best, hitAt)
}

/** Walks the entries with at least `level` terms from the newest on. */
function walkLevel(candidates: Candidates, { level, terms, nowMs, limit, isPinned }: ScopedSearch & { readonly level: number; readonly isPinned: boolean }, best: Best, hitAt: (slot: number) => Hit | null): void {
  const reach = (atMs: number) => scoreOf({ atMs, isPinned }, level, terms.length, nowMs).score
  const from = oldestWorth(best.leastScore(), level / terms.length, nowMs, isPinned)
  if (from === null) return
  const held: Hit[] = []
  for (const slot of candidates.newest(level, from)) {
    const latestMs = timeOf(slot)
    // Those with more terms have been met on a higher level; none of the rest can be better than what is there.
    if (reach(latestMs) < best.leastScore()) return
    const nth = held[limit - 1]
    if (nth !== undefined && nth.atMs > latestMs) return
    const hit = hitAt(slot)
    if (hit === null || hit.found < level) continue
    held.push(hit)
    if (held.length >= limit) held.sort((a, b) => b.atMs - a.atMs)
  }
}

/** The first slot from which an entry with this match could reach a score; null when none could. */
function oldestWorth(least: number, match: number, nowMs: number, isPinned: boolean): number | null {
  if (match < least) return null
  if (isPinned || match * 0.5 >= least) return 0
  // A minute is left for what rounding does.
  return firstSlot(nowMs - (1 - least / match) * 2 * decayMs - 60_000)
}

function hitOf({ memory, normal }: MemoryRow, entryTerms: ReadonlySet<string>, { terms, nowMs }: Pick<ScopedSearch, 'terms' | 'nowMs'>): Hit {
  const found = countFound(terms, { normal, terms: entryTerms })
  return { memory, found, score: scoreOf(memory, found, terms.length, nowMs).score, atMs: memory.atMs, id: memory.id }
}

function take(best: Best, hit: Hit): void {
  if (hit.found > 0) best.take(hit)
}

interface Best {
  take(hit: Hit): void
  /** What an entry must reach to be one of the best; below nothing while there is room. */
  leastScore(): number
  hits(): readonly Hit[]
}

function bestOf(limit: number): Best {
  const hits: Hit[] = []
  return {
    take(hit) {
      const last = hits[limit - 1]
      if (last !== undefined && byScore(hit, last) > 0) return
      const at = placeOf(hits, hit)
      hits.splice(at, 0, hit)
      if (hits.length > limit) hits.pop()
    },
    leastScore: () => hits[limit - 1]?.score ?? Number.NEGATIVE_INFINITY,
    hits: () => hits,
  }
}

function placeOf(hits: readonly Hit[], hit: Hit): number {
  let [low, high] = [0, hits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = hits[middle]
    if (other !== undefined && byScore(other, hit) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

