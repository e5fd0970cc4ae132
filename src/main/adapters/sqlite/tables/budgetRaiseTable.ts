import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `budget_raise`. */
export function budgetRaiseTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy('INSERT OR REPLACE INTO budget_raise (session_id, seq, at_ms, currency, micros) VALUES (?, ?, ?, ?, ?)')
  const clear = lazy('DELETE FROM budget_raise')
  const since = lazy<{ currency: string; micros: number }>('SELECT currency, max(micros) AS micros FROM budget_raise WHERE at_ms >= ? GROUP BY currency ORDER BY currency')
  return {
    put: (sessionId: string, seq: number, atMs: number, currency: string, micros: number): void => put.run(sessionId, seq, atMs, currency, micros),
    clear: (): void => clear.run(),
    /** The highest of each currency. */
    since: (sinceMs: number) => since.all(sinceMs),
  }
}
