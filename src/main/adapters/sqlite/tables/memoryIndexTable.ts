import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the index `memory_index`; what stands in it is `memory/feed`. A number that is no INTEGER to SQLite would be no bound to FTS5. */
export function memoryIndexTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy('INSERT INTO memory_index (rowid, feed) VALUES (CAST (? AS INTEGER), ?)')
  const remove = lazy('DELETE FROM memory_index WHERE rowid = CAST (? AS INTEGER)')
  const clear = lazy("INSERT INTO memory_index (memory_index) VALUES ('delete-all')")
  const merge = lazy("INSERT INTO memory_index (memory_index) VALUES ('optimize')")
  const newest = numbers(db, 'SELECT rowid FROM memory_index WHERE memory_index MATCH ? AND rowid < CAST (? AS INTEGER) AND rowid >= CAST (? AS INTEGER) ORDER BY rowid DESC LIMIT ?')
  const all = numbers(db, 'SELECT rowid FROM memory_index WHERE memory_index MATCH ? ORDER BY rowid DESC')
  return {
    put: (slot: number, feed: string): void => put.run(slot, feed),
    remove: (slot: number): void => remove.run(slot),
    clear: (): void => clear.run(),
    /** Makes one part of all: half the time for every search, at the price of writing the index once. */
    merge: (): void => merge.run(),
    /** Slots of entries that match, newest first, below one and from another on. */
    newest: (match: string, below: number, from: number, limit: number): readonly number[] => newest(match, below, from, limit),
    /** Slots of all entries that match, newest first. */
    all: (match: string): readonly number[] => all(match),
  }
}

/** A statement of one column, as plain numbers: lists are long. */
function numbers(db: Db, text: string): (...values: readonly unknown[]) => readonly number[] {
  const prepare = () => db.prepare<unknown[], number>(text).pluck()
  let made: ReturnType<typeof prepare> | undefined
  return (...values) => (made ??= prepare()).all(...values)
}
