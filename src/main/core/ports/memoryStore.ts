import type { MemoryId, WorkspaceId } from '../../../shared/domain/ids'
import type { Memory, MemoryScope, MemorySource } from '../../../shared/domain/memory'

/** An entry to be stored, with its terms (`Segmenter`). */
export interface NewMemory {
  readonly id: MemoryId
  readonly text: string
  readonly terms: readonly string[]
  readonly workspaceId: WorkspaceId | null
  readonly source: MemorySource
  readonly isPinned: boolean
  readonly atMs: number
}

/** Changes to one entry, made on its revision `rev`; what is left out stays. `text` comes with its terms and the new `atMs`. */
export interface MemoryChange {
  readonly id: MemoryId
  readonly rev: number
  readonly text?: { readonly text: string; readonly terms: readonly string[]; readonly atMs: number }
  /** Null: general. */
  readonly workspaceId?: WorkspaceId | null
  readonly isPinned?: boolean
  readonly source?: MemorySource
}

/** All changes were made; or none, because these entries are not as they were seen (null: deleted). */
export type MemoryChanged = { readonly kind: 'changed'; readonly memories: readonly Memory[] } | { readonly kind: 'conflict'; readonly theirs: readonly { readonly id: MemoryId; readonly now: Memory | null }[] }

/** Which entries: those of a project, the general ones, or both (`all`). The bin is asked for alone. */
export interface MemoryFilter {
  readonly workspaceId: WorkspaceId
  readonly scope: MemoryScope | 'all'
  readonly isBin: boolean
}

/** How a page is ordered; entries that are equal in it come newest first. */
export interface MemoryOrder {
  readonly by: 'text' | 'scope' | 'source' | 'at'
  readonly isDescending: boolean
}

/** An entry found for terms, with how many distinct ones it holds. */
export interface FoundMemory {
  readonly memory: Memory
  readonly found: number
}

/** What is looked for. An entry is found by at least one term; `countFound` of shared/domain/termText is the rule. */
export interface MemorySearch extends MemoryFilter {
  /** Distinct terms of the query (`Segmenter.queryTerms`). */
  readonly terms: readonly string[]
  readonly nowMs: number
  readonly limit: number
}

/** Long-term memory (R34). Committed when a call resolves; a change of several entries is made whole or not at all. */
export interface MemoryStore {
  add(entries: readonly NewMemory[]): Promise<void>
  get(ids: readonly MemoryId[]): Promise<readonly Memory[]>
  change(changes: readonly MemoryChange[]): Promise<MemoryChanged>
  /** Into the bin, under one `batch`; entries that lie there already are left. Returns how many. */
  remove(ids: readonly MemoryId[], batch: string, atMs: number): Promise<number>
  /** All of one scope into the bin (`project` needs the workspace). */
  clear(workspaceId: WorkspaceId, scope: MemoryScope, batch: string, atMs: number): Promise<number>
  /** Out of the bin, by batch or by ids. */
  restore(from: { readonly batch: string } | { readonly ids: readonly MemoryId[] }): Promise<number>
  /** Deletes for good what went into the bin before `beforeMs`. */
  empty(beforeMs: number): Promise<number>
  count(workspaceId: WorkspaceId): Promise<{ readonly project: number; readonly general: number; readonly bin: number }>
  page(filter: MemoryFilter, order: MemoryOrder, offset: number, limit: number): Promise<readonly Memory[]>
  /**
   * The best entries by match × decay (R38, R39), exactly as a scan with `scoreOf` would order them: score, then the newer, then
   * the id. Cost follows the rarest terms, not the number of entries (D1).
   */
  search(search: MemorySearch): Promise<readonly FoundMemory[]>
  /** Entries whose normal text is the same as one given. */
  same(workspaceId: WorkspaceId, normalTexts: readonly string[]): Promise<readonly Memory[]>
}
