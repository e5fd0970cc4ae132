import { byScore, scoreOf, type Scored } from '../../../../shared/domain/memoryScore'
import { counterOf, type TermedText } from '../../../../shared/domain/termText'
import type { FoundMemory } from '../../../core/ports/memoryStore'
import type { MemoryRow } from '../tables/memoryTable'
import { candidatesOf } from './candidates'
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
 * Among entries with the same count of terms the newer is never worse. For each count, from all terms down to one, the entries
 * that may hold as many are walked from the newest until none that is left can be better than the last of the best so far. Of each
 * its time and id are read; the row, on which `countFound` counts, only where the entry would be among the best if it held as
 * many terms as it may: so thousands of one time cost little. Pinned entries do not decay: they are looked at apart, all of them
 * unless they are very many.
 */
export function searchMemories(tables: SearchTables, search: ScopedSearch): readonly FoundMemory[] {
  if (search.terms.length === 0 || search.limit < 1 || search.scopes.length === 0) return []
  const best = bestOf(search.limit)
  const pinned = tables.pinned.of(search.scopes)
  if (pinned === null) walkLevels(tables, search, true, best)
  else {
    const count = counterOf(search.terms)
    for (const { row, terms } of pinned) take(best, hitOf(row, terms, count, search))
  }
  walkLevels(tables, search, false, best)
  return best.hits().map(({ memory, found }) => ({ memory, found }))
}

/** Ranks entries that are all at hand: the bin. */
export function scanMemories(rows: readonly MemoryRow[], { terms, nowMs, limit }: Omit<ScopedSearch, 'scopes' | 'shortList'>): readonly FoundMemory[] {
  const count = counterOf(terms)
  const hits = rows.map((row) => hitOf(row, new Set(row.terms), count, { terms, nowMs })).filter(({ found }) => found > 0)
  return hits.sort(byScore).slice(0, limit).map(({ memory, found }) => ({ memory, found }))
}

/** Entries are looked at together: first as many as are wanted, which mostly does, then soon as many as there may be of one time. */
const growth = 8

function walkLevels(tables: SearchTables, search: ScopedSearch, isPinned: boolean, best: Best): void {
  const candidates = candidatesOf(tables, search, isPinned)
  const count = counterOf(search.terms)
  const known = new Set<number>()
  const look = (slot: number): void => {
    const row = tables.memories.bySlot(slot)
    if (row !== null) take(best, hitOf(row, new Set(row.terms), count, search))
  }
  for (let level = search.terms.length; level >= 1; level -= 1) {
    const from = oldestWorth(best.last()?.score ?? Number.NEGATIVE_INFINITY, level / search.terms.length, search.nowMs, isPinned)
    if (from === null) continue
    const scoreAt = (atMs: number): number => scoreOf({ atMs, isPinned }, level, search.terms.length, search.nowMs).score
    // Whoever comes here anew holds no more terms than this: for more it has been met, or could not be among the best.
    const lookAt = (slots: readonly number[]): void => {
      if (slots.length <= best.room()) return slots.forEach(look)
      const keys = tables.memories.keys(slots).map((key) => ({ ...key, score: scoreAt(key.atMs) })).sort(byScore)
      for (const key of keys) {
        if (isBehind(key, best.last())) return
        look(key.slot)
      }
    }
    let some: number[] = []
    let most = search.limit
    for (const slot of candidates.newest(level, from)) {
      if (some.length >= most) {
        lookAt(some)
        some = []
        most *= growth
      }
      const latestMs = timeOf(slot)
      if (isTooLate({ score: scoreAt(latestMs), atMs: latestMs }, best.last())) break
      if (known.has(slot)) continue
      known.add(slot)
      some.push(slot)
    }
    lookAt(some)
  }
}

/** Whether nothing of this time or before it, with this score at best, has a place among them. */
function isTooLate({ score, atMs }: Pick<Scored, 'score' | 'atMs'>, last: Hit | undefined): boolean {
  return last !== undefined && (score < last.score || (score === last.score && atMs < last.atMs))
}

/** Whether an entry with this score at best has no place among them. */
function isBehind(key: Scored, last: Scored | undefined): boolean {
  return last !== undefined && byScore(key, last) > 0
}

/** The first slot from which an entry with this match could reach a score; null when none could. */
function oldestWorth(least: number, match: number, nowMs: number, isPinned: boolean): number | null {
  if (match < least) return null
  if (isPinned || match * 0.5 >= least) return 0
  // A minute is left for what rounding does.
  return firstSlot(nowMs - (1 - least / match) * 2 * decayMs - 60_000)
}

function hitOf({ memory, normal }: MemoryRow, entryTerms: ReadonlySet<string>, count: (entry: TermedText) => number, { terms, nowMs }: Pick<ScopedSearch, 'terms' | 'nowMs'>): Hit {
  const found = count({ normal, terms: entryTerms })
  return { memory, found, score: scoreOf(memory, found, terms.length, nowMs).score, atMs: memory.atMs, id: memory.id }
}

function take(best: Best, hit: Hit): void {
  if (hit.found > 0) best.take(hit)
}

interface Best {
  take(hit: Hit): void
  /** How many more are taken whatever they are. */
  room(): number
  /** Whom an entry must be before to be one of the best; undefined while there is room. */
  last(): Hit | undefined
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
    room: () => limit - hits.length,
    last: () => hits[limit - 1],
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

