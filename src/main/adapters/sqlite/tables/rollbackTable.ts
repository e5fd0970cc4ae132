import type { Said } from '../../../../shared/domain/result'
import type { RollbackRecord } from '../../../../shared/domain/rollback'
import type { Db } from '../driver'
import { mappingOf } from './mapping'
import { statementsOf } from './statements'

/** A record without its paths, which are in `rollback_path`. */
type RollbackRow = Omit<RollbackRecord, 'done' | 'failed'>

const mapping = mappingOf<RollbackRow>(
  {
    id: 'id',
    workspaceId: 'workspace_id',
    plan: 'plan',
    scope: 'scope',
    sessionId: 'session_id',
    turnId: 'turn_id',
    state: 'state',
    beforeSnapshot: 'before_snapshot',
    afterSnapshot: 'after_snapshot',
    undoOf: 'undo_of',
    atMs: 'at_ms',
  },
  ['plan'],
)

/** Statements of the table `rollback`. */
export function rollbackTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy(`INSERT INTO rollback (${mapping.names}) VALUES (${mapping.places})`)
  const update = lazy<{ id: string }>('UPDATE rollback SET state = ?, before_snapshot = ?, after_snapshot = ? WHERE id = ? RETURNING id')
  const list = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM rollback WHERE workspace_id = ? ORDER BY rowid`)
  return {
    insert: (one: RollbackRow): void => insert.run(...mapping.flatten(one)),
    /** Whether there is such a rollback. */
    update: (one: RollbackRow): boolean => update.get(one.state, one.beforeSnapshot, one.afterSnapshot, one.id) !== undefined,
    /** Oldest first. */
    list: (workspaceId: string): readonly RollbackRow[] => list.all(workspaceId).map(mapping.restore),
  }
}

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
