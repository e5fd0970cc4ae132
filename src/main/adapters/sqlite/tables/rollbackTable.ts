import type { Said } from '../../../../shared/domain/result'
import type { RollbackRecord } from '../../../../shared/domain/rollback'
import type { Db } from '../driver'
import { statementsOf } from './statements'

type FlatRollback = Omit<RollbackRecord, 'plan' | 'done' | 'failed'> & { readonly plan: string }

const columns = `id, workspace_id AS workspaceId, plan, scope, state, before_snapshot AS beforeSnapshot, after_snapshot AS afterSnapshot,
  undo_of AS undoOf, at_ms AS atMs`

/** Statements of the table `rollback`. The paths of a record are in `rollback_path`. */
export function rollbackTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy(`INSERT INTO rollback (id, workspace_id, plan, scope, state, before_snapshot, after_snapshot, undo_of, at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = lazy<{ id: string }>('UPDATE rollback SET state = ?, before_snapshot = ?, after_snapshot = ? WHERE id = ? RETURNING id')
  const list = lazy<FlatRollback>(`SELECT ${columns} FROM rollback WHERE workspace_id = ? ORDER BY rowid`)
  return {
    insert(one: RollbackRecord): void {
      insert.run(one.id, one.workspaceId, JSON.stringify(one.plan), one.scope, one.state, one.beforeSnapshot, one.afterSnapshot, one.undoOf, one.atMs)
    },
    /** Whether there is such a rollback. */
    update: (one: RollbackRecord): boolean => update.get(one.state, one.beforeSnapshot, one.afterSnapshot, one.id) !== undefined,
    /** Oldest first. */
    list: (workspaceId: string) => list.all(workspaceId).map((row) => ({ ...row, plan: JSON.parse(row.plan) as RollbackRecord['plan'] })),
  }
}

/** Statements of the table `rollback_path`. */
export function rollbackPathTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy(`INSERT INTO rollback_path (rollback_id, path, fault) VALUES (?, ?, ?)
    ON CONFLICT (rollback_id, path) DO UPDATE SET fault = excluded.fault`)
  const clear = lazy('DELETE FROM rollback_path WHERE rollback_id = ?')
  const list = lazy<{ path: string; fault: string | null }>('SELECT path, fault FROM rollback_path WHERE rollback_id = ? ORDER BY rowid')
  return {
    put: (id: string, path: string, fault: Said | null): void => put.run(id, path, fault === null ? null : JSON.stringify(fault)),
    replace(one: Pick<RollbackRecord, 'id' | 'done' | 'failed'>): void {
      clear.run(one.id)
      for (const path of one.done) put.run(one.id, path, null)
      for (const { path, reason } of one.failed) put.run(one.id, path, JSON.stringify(reason))
    },
    of(id: string): Pick<RollbackRecord, 'done' | 'failed'> {
      const rows = list.all(id)
      return {
        done: rows.filter((row) => row.fault === null).map((row) => row.path),
        failed: rows.flatMap((row) => (row.fault === null ? [] : [{ path: row.path, reason: JSON.parse(row.fault) as Said }])),
      }
    },
  }
}
