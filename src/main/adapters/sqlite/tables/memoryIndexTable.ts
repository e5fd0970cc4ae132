import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the index `memory_index`; what stands in it is `memory/feed`. A number that is no INTEGER to SQLite would be no bound to FTS5. */
export function memoryIndexTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy('INSERT INTO memory_index (rowid, feed) VALUES (CAST (? AS INTEGER), ?)')
  const remove = lazy('DELETE FROM memory_index WHERE rowid = CAST (? AS INTEGER)')
  const clear = lazy("INSERT INTO memory_index (memory_index) VALUES ('delete-all')")
  const newest = lazy<{ slot: number }>('SELECT rowid AS slot FROM memory_index WHERE memory_index MATCH ? AND rowid < CAST (? AS INTEGER) AND rowid >= CAST (? AS INTEGER) ORDER BY rowid DESC LIMIT ?')
  const all = lazy<{ slot: number }>('SELECT rowid AS slot FROM memory_index WHERE memory_index MATCH ? AND rowid >= CAST (? AS INTEGER)')
  return {
    put: (slot: number, feed: string): void => put.run(slot, feed),
    remove: (slot: number): void => remove.run(slot),
    clear: (): void => clear.run(),
    /** Slots of entries that match, newest first, below one and from another on. */
    newest: (match: string, below: number, from: number, limit: number): readonly number[] => newest.all(match, below, from, limit).map(({ slot }) => slot),
    /** Slots of all entries that match, from one on. */
    all: (match: string, from: number): readonly number[] => all.all(match, from).map(({ slot }) => slot),
  }
}
