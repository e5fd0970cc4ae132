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
