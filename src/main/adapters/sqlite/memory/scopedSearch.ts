import type { memoryIndexTable } from '../tables/memoryIndexTable'
import type { memoryTable } from '../tables/memoryTable'
import type { PinnedEntries } from './pinnedEntries'

/** What a search works on. */
export interface SearchTables {
  readonly memories: ReturnType<typeof memoryTable>
  readonly index: ReturnType<typeof memoryIndexTable>
  readonly pinned: PinnedEntries
}

/** A search among the entries of these scopes that are not in the bin. */
export interface ScopedSearch {
  readonly scopes: readonly number[]
  readonly terms: readonly string[]
  readonly nowMs: number
  readonly limit: number
  /** `candidates.shortList`; tests take less. */
  readonly shortList: number
}
