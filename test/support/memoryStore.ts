import type { FoundMemory, MemoryFilter, MemoryStore, NewMemory } from '../../src/main/core/ports/memoryStore'
import type { Segmenter } from '../../src/main/core/ports/segmenter'
import type { MemoryId } from '../../src/shared/domain/ids'
import type { Memory } from '../../src/shared/domain/memory'
import { countFound, normalText } from '../../src/shared/domain/termText'

interface Row extends Memory {
  readonly terms: readonly string[]
  readonly batch: string | null
}

/** A memory store in memory, by the port's words: each search is the scan that the real one must equal. */
export function memoryStoreInMemory(): MemoryStore {
  const rows = new Map<MemoryId, Row>()
  const fits = (row: Row, { workspaceId, scope, isBin }: MemoryFilter): boolean =>
    (row.deletedAtMs !== null) === isBin && (row.scope === 'general' ? scope !== 'project' : scope !== 'general' && row.workspaceId === workspaceId)
  const put = (row: Row): Row => {
    rows.set(row.id, row)
    return row
  }
  return {
    add(entries) {
      for (const entry of entries) put(rowOf(entry))
      return Promise.resolve()
    },
    get: (ids) => Promise.resolve(ids.flatMap((id) => plain(rows.get(id)))),
    change(changes) {
      const theirs = changes.flatMap(({ id, rev }) => {
        const row = rows.get(id)
        const now = row?.deletedAtMs === null ? row : null
        return now?.rev === rev ? [] : [{ id, now: now ? (plain(now)[0] ?? null) : null }]
      })
      if (theirs.length > 0) return Promise.resolve({ kind: 'conflict', theirs })
      const memories = changes.flatMap(({ id, text, workspaceId, isPinned, source }) => {
        const row = rows.get(id)
        if (!row) return []
        return plain(put({ ...row, ...text, rev: row.rev + 1, isPinned: isPinned ?? row.isPinned, source: source ?? row.source, ...(workspaceId === undefined ? {} : { workspaceId, scope: workspaceId === null ? 'general' : 'project' }) }))
      })
      return Promise.resolve({ kind: 'changed', memories })
    },
    remove(ids, batch, atMs) {
      const gone = ids.flatMap((id) => (rows.get(id)?.deletedAtMs === null ? [rows.get(id)] : []))
      for (const row of gone) if (row) put({ ...row, deletedAtMs: atMs, batch, rev: row.rev + 1 })
      return Promise.resolve(gone.length)
    },
    clear(workspaceId, scope, batch, atMs) {
      return this.remove([...rows.values()].filter((row) => fits(row, { workspaceId, scope, isBin: false })).map(({ id }) => id), batch, atMs)
    },
    restore(from) {
      const back = [...rows.values()].filter((row) => row.deletedAtMs !== null && ('batch' in from ? row.batch === from.batch : from.ids.includes(row.id)))
      for (const row of back) put({ ...row, deletedAtMs: null, batch: null, rev: row.rev + 1 })
      return Promise.resolve(back.length)
    },
    empty(beforeMs) {
      const old = [...rows.values()].filter((row) => row.deletedAtMs !== null && row.deletedAtMs < beforeMs)
      for (const { id } of old) rows.delete(id)
      return Promise.resolve(old.length)
    },
    count(workspaceId) {
      const count = (scope: MemoryFilter['scope'], isBin: boolean): number => [...rows.values()].filter((row) => fits(row, { workspaceId, scope, isBin })).length
      return Promise.resolve({ project: count('project', false), general: count('general', false), bin: count('all', true) })
    },
    page(filter, order, offset, limit) {
      const sorted = [...rows.values()].filter((row) => fits(row, filter)).sort((a, b) => compare(keyOf(a, order.by), keyOf(b, order.by)) * (order.isDescending ? -1 : 1) || compare(a.id, b.id))
      return Promise.resolve(sorted.slice(offset, offset + limit).flatMap(plain))
    },
    search({ terms, nowMs, limit, ...filter }) {
      const found = [...rows.values()].filter((row) => fits(row, filter)).flatMap((row): (FoundMemory & { readonly score: number })[] => {
        const count = countFound(terms, { normal: normalText(row.text), terms: new Set(row.terms) })
        const decay = row.isPinned ? 1 : Math.min(1, Math.max(0.5, 1 - (nowMs - row.atMs) / 3_600_000 / 48))
        return count === 0 ? [] : plain(row).map((memory) => ({ memory, found: count, score: (count / terms.length) * decay }))
      })
      const best = found.sort((a, b) => b.score - a.score || b.memory.atMs - a.memory.atMs || compare(a.memory.id, b.memory.id)).slice(0, limit)
      return Promise.resolve(best.map(({ memory, found: count }) => ({ memory, found: count })))
    },
    same(workspaceId, texts) {
      return Promise.resolve([...rows.values()].filter((row) => fits(row, { workspaceId, scope: 'all', isBin: false }) && texts.includes(normalText(row.text))).flatMap(plain))
    },
  }
}

/** Cuts at everything that is no letter or digit, and every Chinese character from the next: enough for tests of what is above it. */
export const plainSegmenter: Segmenter = {
  terms: (texts) => Promise.resolve(texts.map(termsIn)),
  queryTerms: (texts) => Promise.resolve(texts.map(termsIn)),
}

function termsIn(text: string): readonly string[] {
  return [...new Set(normalText(text).match(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+|\p{Extended_Pictographic}/gu) ?? [])]
}

function rowOf({ workspaceId, ...entry }: NewMemory): Row {
  return { ...entry, workspaceId, scope: workspaceId === null ? 'general' : 'project', rev: 1, deletedAtMs: null, batch: null }
}

function plain(row: Row | undefined): Memory[] {
  if (!row) return []
  const { terms: _terms, batch: _batch, ...memory } = row
  return [memory]
}

function keyOf(row: Row, by: 'text' | 'scope' | 'source' | 'at'): string | number {
  return { text: row.text, scope: row.scope, source: row.source.kind, at: row.atMs }[by]
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
