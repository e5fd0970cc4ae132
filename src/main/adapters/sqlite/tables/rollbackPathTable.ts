import type { Said } from '../../../../shared/domain/result'
import type { RollbackRecord } from '../../../../shared/domain/rollback'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `rollback_path`. */
export function rollbackPathTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy(`INSERT INTO rollback_path (rollback_id, path, fault) VALUES (?, ?, ?)
    ON CONFLICT (rollback_id, path) DO UPDATE SET fault = excluded.fault`)
  const clear = lazy('DELETE FROM rollback_path WHERE rollback_id = ?')
  const list = lazy<{ path: string; fault: string | null }>('SELECT path, fault FROM rollback_path WHERE rollback_id = ? ORDER BY rowid')
  // A name may hold bytes that are no UTF-8 (lone surrogates here): JSON keeps them, a plain text column would not.
  const mark = (id: string, path: string, fault: Said | null) => put.run(id, JSON.stringify(path), fault === null ? null : JSON.stringify(fault))
  return {
    put: mark,
    replace(one: Pick<RollbackRecord, 'id' | 'done' | 'failed'>): void {
      clear.run(one.id)
      for (const path of one.done) mark(one.id, path, null)
      for (const { path, reason } of one.failed) mark(one.id, path, reason)
    },
    of(id: string): Pick<RollbackRecord, 'done' | 'failed'> {
      const rows = list.all(id).map((row) => ({ path: JSON.parse(row.path) as string, fault: row.fault === null ? null : (JSON.parse(row.fault) as Said) }))
      return {
        done: rows.filter((row) => row.fault === null).map((row) => row.path),
        failed: rows.flatMap(({ path, fault }) => (fault === null ? [] : [{ path, reason: fault }])),
      }
    },
  }
}
