import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { memoryOperations, type MemoryLimits } from '../../src/main/adapters/sqlite/memory/memoryOperations'
import type { FoundMemory, MemorySearch, NewMemory } from '../../src/main/core/ports/memoryStore'
import { asId, type MemoryId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Memory } from '../../src/shared/domain/memory'
import { byScore, scoreOf } from '../../src/shared/domain/memoryScore'
import { countFound, normalText } from '../../src/shared/domain/termText'
import { migrationsDir, rawOpen } from './scratchDatabase'

export const here = asId<WorkspaceId>('here')
export const elsewhere = asId<WorkspaceId>('elsewhere')

/** The worker's side of memory on a database of its own, without a thread between. */
export function memoryTables(limits?: MemoryLimits) {
  const db = rawOpen(':memory:')
  onTestFinished(() => void db.close())
  for (const name of readdirSync(migrationsDir).sort()) db.exec(readFileSync(path.join(migrationsDir, name), 'utf8'))
  return memoryOperations(db, limits)
}

/** An entry of the person's own. */
export function newMemory(id: string, text: string, terms: readonly string[], change: Partial<NewMemory> = {}): NewMemory {
  return { id: asId<MemoryId>(id), text, terms, workspaceId: here, source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: 1_700_000_000_000, ...change }
}

/** What a search is to give: every entry read, scored, sorted. */
export function scan(entries: readonly { readonly memory: Memory; readonly terms: readonly string[] }[], search: MemorySearch): readonly FoundMemory[] {
  return entries
    .filter(({ memory }) => (memory.deletedAtMs !== null) === search.isBin && (memory.workspaceId === null ? search.scope !== 'project' : memory.workspaceId === search.workspaceId && search.scope !== 'general'))
    .map(({ memory, terms }) => ({ memory, found: countFound(search.terms, { normal: normalText(memory.text), terms: new Set(terms) }) }))
    .filter(({ found }) => found > 0)
    .map((one) => ({ ...one, atMs: one.memory.atMs, id: one.memory.id, score: scoreOf(one.memory, one.found, search.terms.length, search.nowMs).score }))
    .sort(byScore)
    .slice(0, search.limit)
    .map(({ memory, found }) => ({ memory, found }))
}
