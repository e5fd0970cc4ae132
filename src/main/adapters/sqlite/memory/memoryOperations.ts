import { normalText } from '../../../../shared/domain/termText'
import type { Memory } from '../../../../shared/domain/memory'
import type { MemoryChange, MemoryChanged, MemoryFilter } from '../../../core/ports/memoryStore'
import type { Db } from '../driver'
import type { Operations } from '../protocol'
import { memoryIndexTable } from '../tables/memoryIndexTable'
import { memoryTable, type MemoryRow } from '../tables/memoryTable'
import { shortList } from './candidates'
import { feedOf, markOf } from './feed'
import { mostPinned, pinnedEntries } from './pinnedEntries'
import { scanMemories, searchMemories } from './searchMemories'
import { slotFinder } from './slots'

const manyEntries = 500

/** Where a search changes its way; tests take less, so that small ones go all ways. */
export interface MemoryLimits {
  readonly shortList: number
  readonly mostPinned: number
}

/** The worker's side of memory. Row and index are written together, inside the caller's transaction. */
export function memoryOperations(db: Db, limits: MemoryLimits = { shortList, mostPinned }) {
  const memories = memoryTable(db)
  const index = memoryIndexTable(db)
  const pinned = pinnedEntries(db, memories, limits.mostPinned)
  return { ...writingOperations({ memories, index, pinned }), ...readingOperations({ memories, index, pinned }, limits) }
}

interface Parts {
  readonly memories: ReturnType<typeof memoryTable>
  readonly index: ReturnType<typeof memoryIndexTable>
  readonly pinned: ReturnType<typeof pinnedEntries>
}

function writingOperations({ memories, index, pinned }: Parts) {
  const scopeFor = (workspaceId: string | null): number => memories.scopeOf(workspaceId) ?? memories.newScope()
  const freeSlots = () => slotFinder((from, below) => memories.lastSlot(from, below))

  function store(row: MemoryRow): void {
    pinned.forget()
    memories.put(row)
    if (row.memory.deletedAtMs === null) index.put(row.slot, feedOf(markOf(row.scope, row.memory.isPinned), row.normal, row.terms))
  }

  function replace(before: MemoryRow, after: MemoryRow): void {
    memories.remove(before.slot)
    if (before.memory.deletedAtMs === null) index.remove(before.slot)
    store(after)
  }

  function discard(rows: readonly MemoryRow[], batch: string, atMs: number): number {
    const living = rows.filter(({ memory }) => memory.deletedAtMs === null)
    for (const row of living) replace(row, { ...row, batch, memory: { ...row.memory, deletedAtMs: atMs, rev: row.memory.rev + 1 } })
    return living.length
  }

  return {
    addMemories({ entries }: Operations['addMemories']['args']) {
      const free = freeSlots()
      for (const { text, terms, ...entry } of entries) {
        const { id, workspaceId, source, isPinned, atMs } = entry
        const memory: Memory = { id, text, scope: workspaceId === null ? 'general' : 'project', workspaceId, source, isPinned, atMs, rev: 1, deletedAtMs: null }
        store({ memory, slot: free(atMs), scope: scopeFor(workspaceId), normal: normalText(text), terms, batch: null })
      }
      // Worth it when much of the index is new: an import.
      if (entries.length >= manyEntries && entries.length * 8 >= memories.total()) index.merge()
      return null
    },
    changeMemories({ changes }: Operations['changeMemories']['args']): MemoryChanged {
      const rows = changes.map((change) => ({ change, row: living(memories.byId(change.id)) }))
      const theirs = rows.flatMap(({ change, row }) => (row?.memory.rev === change.rev ? [] : [{ id: change.id, now: row?.memory ?? null }]))
      if (theirs.length > 0) return { kind: 'conflict', theirs }
      const free = freeSlots()
      const after = rows.flatMap(({ change, row }) => {
        if (row === null) return []
        const next = changed(row, change, free, scopeFor)
        replace(row, next)
        return [next.memory]
      })
      return { kind: 'changed', memories: after }
    },
    removeMemories: ({ ids, batch, atMs }: Operations['removeMemories']['args']) => discard(ids.flatMap((id) => memories.byId(id) ?? []), batch, atMs),
    clearMemories: ({ workspaceId, scope, batch, atMs }: Operations['clearMemories']['args']) => discard(scopesOf(memories, { workspaceId, scope }).flatMap((one) => memories.ofScope(one)), batch, atMs),
    restoreMemories({ from }: Operations['restoreMemories']['args']) {
      const rows = 'batch' in from ? memories.ofBatch(from.batch) : from.ids.flatMap((id) => memories.byId(id) ?? [])
      const gone = rows.filter(({ memory }) => memory.deletedAtMs !== null)
      for (const row of gone) replace(row, { ...row, batch: null, memory: { ...row.memory, deletedAtMs: null, rev: row.memory.rev + 1 } })
      return gone.length
    },
    emptyMemories: ({ beforeMs }: Operations['emptyMemories']['args']) => memories.empty(beforeMs),
  }
}

function readingOperations({ memories, index, pinned }: Parts, limits: MemoryLimits) {
  return {
    memories: ({ ids }: Operations['memories']['args']) => ids.flatMap((id) => memories.byId(id)?.memory ?? []),
    countMemories({ workspaceId }: Operations['countMemories']['args']) {
      const project = scopesOf(memories, { workspaceId, scope: 'project' }).map((scope) => memories.count(scope))
      const general = memories.count(0)
      const inProject = project.reduce((sum, one) => sum + one.count - one.bin, 0)
      return { project: inProject, general: general.count - general.bin, bin: project.reduce((sum, one) => sum + one.bin, general.bin) }
    },
    pageMemories: ({ filter, order, offset, limit }: Operations['pageMemories']['args']) => memories.page(scopesOf(memories, filter), filter, order, offset, limit),
    searchMemories(search: Operations['searchMemories']['args']) {
      const scopes = scopesOf(memories, search)
      return search.isBin ? scanMemories(memories.bin(scopes), search) : searchMemories({ memories, index, pinned }, { ...search, scopes, shortList: limits.shortList })
    },
    sameMemories: ({ workspaceId, normalTexts }: Operations['sameMemories']['args']) => [...new Set(normalTexts)].flatMap((normal) => memories.same(scopesOf(memories, { workspaceId, scope: 'all' }), normal).map(({ memory }) => memory)),
  }
}

/** The numbers of the projects that are meant; 0 is general. */
function scopesOf(memories: Parts['memories'], { workspaceId, scope }: Pick<MemoryFilter, 'workspaceId' | 'scope'>): readonly number[] {
  const project = scope === 'general' ? null : memories.scopeOf(workspaceId)
  return [...(scope === 'project' ? [] : [0]), ...(project === null ? [] : [project])]
}

/** Makes the index anew from the rows, inside the caller's transaction: after a recovery, which saves rows alone. */
export function rebuildMemoryIndex(db: Db): void {
  const index = memoryIndexTable(db)
  index.clear()
  for (const row of [...memoryTable(db).all()]) index.put(row.slot, feedOf(markOf(row.scope, row.memory.isPinned), row.normal, row.terms))
  index.merge()
}

function living(row: MemoryRow | null): MemoryRow | null {
  return row?.memory.deletedAtMs === null ? row : null
}

function changed(row: MemoryRow, { text, workspaceId, isPinned, source }: MemoryChange, free: (atMs: number) => number, scopeFor: (workspaceId: string | null) => number): MemoryRow {
  const place = workspaceId === undefined ? {} : { workspaceId, scope: workspaceId === null ? 'general' : 'project' } as const
  const memory: Memory = {
    ...row.memory,
    ...place,
    ...(text === undefined ? {} : { text: text.text, atMs: text.atMs }),
    ...(isPinned === undefined ? {} : { isPinned }),
    ...(source === undefined ? {} : { source }),
    rev: row.memory.rev + 1,
  }
  return {
    ...row,
    memory,
    scope: workspaceId === undefined ? row.scope : scopeFor(workspaceId),
    ...(text === undefined ? {} : { normal: normalText(text.text), terms: text.terms, slot: free(text.atMs) }),
  }
}
