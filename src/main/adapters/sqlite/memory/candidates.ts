import { isLoneCharacter, termKind } from '../../../../shared/domain/termText'
import { allOf, anyOf, markOf, matchOf } from './feed'
import type { ScopedSearch, SearchTables } from './searchMemories'

/** Entries that may hold enough terms. */
export interface Candidates {
  /** Slots of all entries that hold at least `level` terms, and perhaps of others, newest first, from a slot on. */
  newest(level: number, from: number): Iterable<number>
}

/** The first walk reads little, as most end early; later ones more. */
const firstPage = 32
const mostPage = 1024
/** More ways than this to choose a level's terms are counted instead of asked for. */
const mostChoices = 20

/** Chooses how to find the entries of one kind (pinned or not) of a search. */
export function candidatesOf(tables: SearchTables, search: ScopedSearch, isPinned: boolean): Candidates {
  const { terms } = search
  const [first] = terms
  if (first !== undefined && isLoneCharacter(terms) && termKind(first) !== 'dense') return holders(tables, search, isPinned, first)
  const marks = search.scopes.map((scope) => markOf(scope, isPinned))
  const matches = terms.map((term) => matchOf(marks, term))
  let counted: Candidates | null = null
  return {
    newest(level, from) {
      const match = atLeast(matches, level)
      if (match !== null) return pages((below, limit) => tables.index.newest(match, below, from, limit))
      return (counted ??= countedBy(tables, matches)).newest(level, from)
    },
  }
}

/** A single letter or digit is found wherever it stands: the texts themselves are read, from the newest. */
function holders({ memories }: SearchTables, { scopes }: ScopedSearch, isPinned: boolean, piece: string): Candidates {
  return { newest: (_, from) => pages((below, limit) => memories.holding(scopes, isPinned, piece, below, limit).filter((slot) => slot >= from)) }
}

function* pages(read: (below: number, limit: number) => readonly number[]): Iterable<number> {
  let below = Number.MAX_SAFE_INTEGER
  for (let limit = firstPage; ; limit = Math.min(limit * 4, mostPage)) {
    const slots = read(below, limit)
    yield* slots
    if (slots.length < limit) return
    below = slots.at(-1) ?? 0
  }
}

/** An expression for "at least `level` of these"; null when it would be too long. */
function atLeast(matches: readonly string[], level: number): string | null {
  if (level === 1) return anyOf(matches)
  const choices = choicesOf(matches, level)
  return choices === null ? null : anyOf(choices.map(allOf))
}

function choicesOf(matches: readonly string[], level: number): readonly (readonly string[])[] | null {
  if (binomial(matches.length, level) > mostChoices) return null
  return choose(matches, level)
}

function choose(from: readonly string[], count: number): readonly (readonly string[])[] {
  if (count === 0) return [[]]
  if (from.length < count) return []
  return from.flatMap((one, index) => choose(from.slice(index + 1), count - 1).map((rest) => [one, ...rest]))
}

function binomial(total: number, chosen: number): number {
  let ways = 1
  for (let step = 1; step <= Math.min(chosen, total - chosen); step += 1) ways = (ways * (total - step + 1)) / step
  return ways
}

/** For many terms: every list is read once, and how often an entry is met is counted. */
function countedBy({ index }: SearchTables, matches: readonly string[]): Candidates {
  const counts = new Map<number, number>()
  for (const match of matches) {
    for (const slot of index.all(match, 0)) counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  const byCount: number[][] = matches.map(() => [])
  for (const [slot, count] of counts) byCount[count - 1]?.push(slot)
  return {
    newest: (level, from) => byCount.slice(level - 1).flatMap((slots) => slots.filter((slot) => slot >= from)).sort((a, b) => b - a),
  }
}
