import { asId } from '../../../../shared/domain/ids'
import type { Memory, MemorySource } from '../../../../shared/domain/memory'
import type { MemoryFilter, MemoryOrder } from '../../../core/ports/memoryStore'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** A row as it is stored, with what the index needs. */
export interface MemoryRow {
  readonly memory: Memory
  readonly slot: number
  readonly scope: number
  readonly normal: string
  readonly terms: readonly string[]
  readonly batch: string | null
}

interface Flat {
  readonly slot: number
  readonly id: string
  readonly text: string
  readonly normal: string
  readonly terms: string
  readonly scope: number
  readonly workspaceId: string | null
  readonly source: string
  readonly isPinned: number
  readonly atMs: number
  readonly rev: number
  readonly deletedAtMs: number | null
  readonly batch: string | null
}

const columns = 'slot, id, text, normal, terms, scope, workspace_id AS workspaceId, source, is_pinned AS isPinned, at_ms AS atMs, rev, deleted_at_ms AS deletedAtMs, batch'

const orders: Readonly<Record<MemoryOrder['by'], readonly string[]>> = {
  text: ['normal'],
  scope: ['scope > 0'],
  source: ["source ->> '$.kind'", "source ->> '$.by'"],
  at: ['at_ms'],
}

/** Statements of the table `memory`. */
export function memoryTable(db: Db) {
  const lazy = statementsOf(db)
  const byId = lazy<Flat>(`SELECT ${columns} FROM memory WHERE id = ?`)
  const bySlot = lazy<Flat>(`SELECT ${columns} FROM memory WHERE slot = ?`)
  const put = lazy(`INSERT INTO memory (slot, id, text, normal, terms, scope, workspace_id, source, is_pinned, at_ms, rev, deleted_at_ms, batch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const remove = lazy('DELETE FROM memory WHERE slot = ?')
  const last = lazy<{ slot: number | null }>('SELECT max(slot) AS slot FROM memory WHERE slot >= ? AND slot < ?')
  const scopeOf = lazy<{ scope: number }>('SELECT scope FROM memory WHERE workspace_id = ? LIMIT 1')
  const lastScope = lazy<{ scope: number | null }>('SELECT max(scope) AS scope FROM memory')
  const ofScope = lazy<Flat>(`SELECT ${columns} FROM memory WHERE scope = ? AND deleted_at_ms IS NULL ORDER BY slot`)
  const ofBatch = lazy<Flat>(`SELECT ${columns} FROM memory WHERE deleted_at_ms IS NOT NULL AND batch = ? ORDER BY slot`)
  const pinned = lazy<Flat>(`SELECT ${columns} FROM memory WHERE scope = ? AND is_pinned = 1 AND deleted_at_ms IS NULL LIMIT ?`)
  const bin = lazy<Flat>(`SELECT ${columns} FROM memory WHERE deleted_at_ms IS NOT NULL AND scope IN (SELECT value FROM json_each(?))`)
  const empty = lazy<{ slot: number }>('DELETE FROM memory WHERE deleted_at_ms < ? RETURNING slot')
  const count = lazy<{ count: number; bin: number }>('SELECT count(*) AS count, count(deleted_at_ms) AS bin FROM memory WHERE scope = ?')
  const total = lazy<{ count: number }>('SELECT count(*) AS count FROM memory')
  const same = lazy<Flat>(`SELECT ${columns} FROM memory WHERE substr(normal, 1, 64) = substr(?, 1, 64) AND normal = ? AND deleted_at_ms IS NULL AND scope IN (SELECT value FROM json_each(?)) ORDER BY at_ms DESC, id`)
  const holding = lazy<{ slot: number }>(`SELECT slot FROM memory NOT INDEXED WHERE slot < ? AND is_pinned = ? AND deleted_at_ms IS NULL AND scope IN (SELECT value FROM json_each(?)) AND instr(normal, ?) > 0 ORDER BY slot DESC LIMIT ?`)
  const keys = lazy<{ slot: number; id: string; atMs: number }>('SELECT slot, id, at_ms AS atMs FROM memory WHERE slot IN (SELECT value FROM json_each(?))')
  const all = lazy<Flat>(`SELECT ${columns} FROM memory WHERE deleted_at_ms IS NULL`)
  const pages = new Map<string, ReturnType<typeof lazy<Flat>>>()

  function pageBy({ by, isDescending }: MemoryOrder, isBin: boolean): ReturnType<typeof lazy<Flat>> {
    const keys = [...orders[by].map((key) => `${key} ${isDescending ? 'DESC' : 'ASC'}`), ...(by === 'at' ? [] : ['at_ms DESC']), 'id']
    const text = `SELECT ${columns} FROM memory WHERE scope IN (SELECT value FROM json_each(?)) AND deleted_at_ms IS ${isBin ? 'NOT ' : ''}NULL ORDER BY ${keys.join(', ')} LIMIT ? OFFSET ?`
    const known = pages.get(text) ?? lazy<Flat>(text)
    pages.set(text, known)
    return known
  }

  const found = (flat: Flat | undefined): MemoryRow | null => (flat === undefined ? null : rowOf(flat))
  return {
    byId: (id: string): MemoryRow | null => found(byId.get(id)),
    bySlot: (slot: number): MemoryRow | null => found(bySlot.get(slot)),
    /** Time and id of the entries in these slots, in any order. */
    keys: (slots: readonly number[]): readonly { readonly slot: number; readonly id: string; readonly atMs: number }[] => (slots.length === 0 ? [] : keys.all(JSON.stringify(slots))),
    put({ memory, slot, scope, normal, terms, batch }: MemoryRow): void {
      put.run(slot, memory.id, memory.text, normal, terms.join('\n'), scope, memory.workspaceId, JSON.stringify(memory.source), Number(memory.isPinned), memory.atMs, memory.rev, memory.deletedAtMs, batch)
    },
    remove: (slot: number): void => remove.run(slot),
    lastSlot: (from: number, below: number): number | null => last.get(from, below)?.slot ?? null,
    /** The number of a project, null for one without entries; 0 is general. */
    scopeOf: (workspaceId: string | null): number | null => (workspaceId === null ? 0 : (scopeOf.get(workspaceId)?.scope ?? null)),
    newScope: (): number => (lastScope.get()?.scope ?? 0) + 1,
    ofScope: (scope: number): readonly MemoryRow[] => ofScope.all(scope).map(rowOf),
    ofBatch: (batch: string): readonly MemoryRow[] => ofBatch.all(batch).map(rowOf),
    pinned: (scope: number, limit: number): readonly MemoryRow[] => pinned.all(scope, limit).map(rowOf),
    bin: (scopes: readonly number[]): readonly MemoryRow[] => bin.all(JSON.stringify(scopes)).map(rowOf),
    empty: (beforeMs: number): number => empty.all(beforeMs).length,
    count: (scope: number): { readonly count: number; readonly bin: number } => count.get(scope) ?? { count: 0, bin: 0 },
    total: (): number => total.get()?.count ?? 0,
    same: (scopes: readonly number[], normal: string): readonly MemoryRow[] => same.all(normal, normal, JSON.stringify(scopes)).map(rowOf),
    /** Slots below one, of entries whose text holds a piece, newest first. */
    holding: (scopes: readonly number[], isPinned: boolean, piece: string, below: number, limit: number): readonly number[] => holding.all(below, Number(isPinned), JSON.stringify(scopes), piece, limit).map(({ slot }) => slot),
    page: (scopes: readonly number[], { isBin }: MemoryFilter, order: MemoryOrder, offset: number, limit: number): readonly Memory[] => pageBy(order, isBin).all(JSON.stringify(scopes), limit, offset).map((flat) => rowOf(flat).memory),
    *all(): Iterable<MemoryRow> {
      for (const flat of all.iterate()) yield rowOf(flat)
    },
  }
}

function rowOf({ slot, scope, normal, terms, batch, ...flat }: Flat): MemoryRow {
  const memory: Memory = {
    id: asId(flat.id),
    text: flat.text,
    scope: scope === 0 ? 'general' : 'project',
    workspaceId: flat.workspaceId === null ? null : asId(flat.workspaceId),
    source: JSON.parse(flat.source) as MemorySource,
    isPinned: flat.isPinned === 1,
    atMs: flat.atMs,
    rev: flat.rev,
    deletedAtMs: flat.deletedAtMs,
  }
  return { memory, slot, scope, normal, terms: terms === '' ? [] : terms.split('\n'), batch }
}
