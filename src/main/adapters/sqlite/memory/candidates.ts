import { isLoneCharacter, termKind } from '../../../../shared/domain/termText'
import { allOf, anyOf, markOf, matchOf } from './feed'
import type { ScopedSearch, SearchTables } from './scopedSearch'

/** Entries that may hold enough terms. */
export interface Candidates {
  /**
   * Slots of all entries from a slot on that hold at least `level` terms, and perhaps of others, newest first, each once. Asked for
   * the highest level first: who could hold more terms than a level may be left out there, as it was told before.
   */
  newest(level: number, from: number): Iterable<number>
}

/** A term whose list is longer than this is asked for together with others; a shorter one is read whole at the start. */
export const shortList = 48
/** Walks begin with little, as most end early. */
const firstPage = 32
const mostPage = 1024
/** From more long lists than this, all are read once and counted: there would be too many ways to choose among them. */
const mostLong = 5

/** Chooses how to find the entries of one kind (pinned or not) of a search. */
export function candidatesOf(tables: SearchTables, search: ScopedSearch, isPinned: boolean): Candidates {
  const { terms } = search
  const [first] = terms
  if (first !== undefined && isLoneCharacter(terms) && termKind(first) !== 'dense') return holders(tables, search, isPinned, first)
  const marks = search.scopes.map((scope) => markOf(scope, isPinned))
  const lists = terms.map((term) => listOf(tables, matchOf(marks, term), search.shortList))
  const long = lists.filter(({ isWhole }) => !isWhole)
  return long.length > mostLong ? counted(tables, lists) : mixed(tables, lists.filter(({ isWhole }) => isWhole), long)
}

/** The newest entries that match one term; all of them when the list is whole. */
interface TermList {
  readonly match: string
  readonly slots: readonly number[]
  readonly isWhole: boolean
}

function listOf({ index }: SearchTables, match: string, most: number): TermList {
  const slots = index.newest(match, Number.MAX_SAFE_INTEGER, 0, most + 1)
  return { match, slots, isWhole: slots.length <= most }
}

/** A single letter or digit is found wherever it stands: the texts themselves are read, from the newest. */
function holders({ memories }: SearchTables, { scopes }: ScopedSearch, isPinned: boolean, piece: string): Candidates {
  return { newest: (_, from) => pages(Number.MAX_SAFE_INTEGER, (below, limit) => memories.holding(scopes, isPinned, piece, below, limit).filter((slot) => slot >= from)) }
}

/** Whoever is in a short list is known; whoever is in long ones alone is asked for. */
function mixed(tables: SearchTables, short: readonly TermList[], long: readonly TermList[]): Candidates {
  const counts = countIn(short.map(({ slots }) => slots))
  const known = [...counts.keys()].sort((a, b) => b - a)
  return {
    newest(level, from) {
      const ofShort = known.filter((slot) => slot >= from && (counts.get(slot) ?? 0) + long.length >= level)
      if (level > long.length) return ofShort
      return merged(ofShort, level === 1 ? newestOfAny(tables, long, from) : newestOfSome(tables, long, level, from))
    },
  }
}

/** What is at hand of the lists is taken first: it is complete down to where the first of them breaks off. */
function* newestOfAny(tables: SearchTables, long: readonly TermList[], from: number): Iterable<number> {
  const brokenOff = Math.max(...long.map(({ slots }) => slots.at(-1) ?? 0))
  const atHand = new Set(long.flatMap(({ slots }) => slots.filter((slot) => slot >= Math.max(from, brokenOff))))
  yield* [...atHand].sort((a, b) => b - a)
  if (brokenOff <= from) return
  const match = anyOf(long.map((list) => list.match))
  yield* pages(brokenOff, (below, limit) => tables.index.newest(match, below, from, limit))
}

function newestOfSome(tables: SearchTables, long: readonly TermList[], level: number, from: number): Iterable<number> {
  const match = anyOf(choose(long.map((list) => list.match), level).map(allOf))
  return pages(Number.MAX_SAFE_INTEGER, (below, limit) => tables.index.newest(match, below, from, limit))
}

/** For many common terms: every list is read once, and how often an entry is met is counted. */
function counted({ index }: SearchTables, lists: readonly TermList[]): Candidates {
  const byCount = groupedByCount(lists.map(({ match, slots, isWhole }) => (isWhole ? slots : index.all(match))))
  return { newest: (level, from) => (byCount[level - 1] ?? []).filter((slot) => slot >= from) }
}

/** Slots by how many lists hold them, newest first as in the lists: one walk over all at once, faster than counting in a map. */
function groupedByCount(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const byCount: number[][] = lists.map(() => [])
  const places = lists.map(() => 0)
  for (;;) {
    let newest = -1
    for (let at = 0; at < lists.length; at += 1) {
      const slot = lists[at]?.[places[at] ?? 0] ?? -1
      if (slot > newest) newest = slot
    }
    if (newest === -1) return byCount
    let count = 0
    for (let at = 0; at < lists.length; at += 1) {
      const place = places[at] ?? 0
      if (lists[at]?.[place] !== newest) continue
      places[at] = place + 1
      count += 1
    }
    byCount[count - 1]?.push(newest)
  }
}

function countIn(lists: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const slots of lists) {
    for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  return counts
}

function* pages(start: number, read: (below: number, limit: number) => readonly number[]): Iterable<number> {
  let below = start
  for (let limit = firstPage; ; limit = Math.min(limit * 4, mostPage)) {
    const slots = read(below, limit)
    yield* slots
    if (slots.length < limit) return
    below = slots.at(-1) ?? 0
  }
}

/** Two walks from the newest as one. */
function* merged(one: readonly number[], other: Iterable<number>): Iterable<number> {
  let at = 0
  for (const slot of other) {
    for (let next = one[at]; next !== undefined && next >= slot; next = one[at]) {
      at += 1
      if (next > slot) yield next
    }
    yield slot
  }
  yield* one.slice(at)
}

/** Every way to take `count` of them. */
function choose(from: readonly string[], count: number): readonly (readonly string[])[] {
  if (count === 0) return [[]]
  if (from.length < count) return []
  return from.flatMap((one, index) => choose(from.slice(index + 1), count - 1).map((rest) => [one, ...rest]))
}
