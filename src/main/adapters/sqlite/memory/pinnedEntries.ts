import type { Db } from '../driver'
import type { memoryTable, MemoryRow } from '../tables/memoryTable'

/** More pinned entries than this are looked up in the index as the others are. */
export const mostPinned = 1000

/** The pinned entries of a scope, ready to be compared. They do not decay, so every search must look at them. */
export interface PinnedEntries {
  /** Null when there are too many to hold. */
  of(scopes: readonly number[]): readonly PinnedEntry[] | null
  /** After every write of this connection. */
  forget(): void
}

export interface PinnedEntry {
  readonly row: MemoryRow
  readonly terms: ReadonlySet<string>
}

/** Holds them until this connection or another one has written. */
export function pinnedEntries(db: Db, memories: ReturnType<typeof memoryTable>, most: number): PinnedEntries {
  const held = new Map<number, readonly PinnedEntry[] | null>()
  const prepare = () => db.prepare<[], number>('PRAGMA data_version').pluck()
  let dataVersion: ReturnType<typeof prepare> | undefined
  let seen: number | undefined

  function ofScope(scope: number): readonly PinnedEntry[] | null {
    const before = held.get(scope)
    if (before !== undefined) return before
    const rows = memories.pinned(scope, most + 1)
    const entries = rows.length > most ? null : rows.map((row) => ({ row, terms: new Set(row.terms) }))
    held.set(scope, entries)
    return entries
  }

  return {
    of(scopes) {
      const now = (dataVersion ??= prepare()).get()
      if (now !== seen) held.clear()
      seen = now
      const all = scopes.map(ofScope)
      return all.some((one) => one === null) ? null : all.flatMap((one) => one ?? [])
    },
    forget: () => held.clear(),
  }
}
