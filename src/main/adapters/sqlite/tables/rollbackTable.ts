import type { RollbackRecord, RollbackRow } from '../../../../shared/domain/rollback'
import type { Db } from '../driver'
import { mappingOf } from './mapping'
import { statementsOf } from './statements'

/** A record without its paths, which are in `rollback_path`. */
type StoredRollback = Omit<RollbackRecord, 'done' | 'failed'>

const mapping = mappingOf<StoredRollback>(
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

/** Characters of a plan that is looked into for a list; a larger one has some ten thousand rows. */
const mostPlan = 4_000_000

/** Statements of the table `rollback`. */
export function rollbackTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy(`INSERT INTO rollback (${mapping.names}) VALUES (${mapping.places})`)
  const update = lazy<{ id: string }>('UPDATE rollback SET state = ?, before_snapshot = ?, after_snapshot = ? WHERE id = ? RETURNING id')
  const list = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM rollback WHERE workspace_id = ? ORDER BY rowid`)
  const one = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM rollback WHERE id = ?`)
  const count = (of: string): string => `(SELECT count(*) FROM rollback_path WHERE rollback_id = one.id AND fault IS ${of})`
  // Of a file that was damaged the plan may be all that is left.
  const rows = lazy<Omit<RollbackRow, 'target' | 'left' | 'partly' | 'kept'> & { target: string; left: string; partly: string; kept: string }>(`SELECT one.id, one.scope, one.session_id AS sessionId, one.turn_id AS turnId, one.state, one.before_snapshot AS beforeSnapshot,
    one.after_snapshot AS afterSnapshot, one.undo_of AS undoOf, one.at_ms AS atMs, coalesce(aim.target, json_extract(one.plan, '$.target')) AS target, ${count('NULL')} AS done, ${count('NOT NULL')} AS failed,
    CASE WHEN length(one.plan) > ${mostPlan} THEN '[]' ELSE (SELECT json_group_array(json(path)) FROM (SELECT value -> '$.path' AS path FROM json_each(one.plan, '$.rows')
      WHERE value ->> '$.action' IN ('conflict', 'cannot') OR (value ->> '$.action' = 'leave' AND value ->> '$.reason.code' NOT IN ('rollback.nothing-left', 'rollback.you-deleted'))
      UNION SELECT path FROM rollback_path WHERE rollback_id = one.id AND fault IS NOT NULL)) END AS left,
    CASE WHEN length(one.plan) > ${mostPlan} THEN '[]' ELSE (SELECT json_group_array(value -> '$.path') FROM json_each(one.plan, '$.rows')
      WHERE value ->> '$.action' = 'merge' AND value ->> '$.reason.code' IN ('rollback.chosen', 'rollback.resolved')) END AS partly,
    CASE WHEN length(one.plan) > ${mostPlan} THEN '[]' ELSE (SELECT json_group_array(value -> '$.path') FROM json_each(one.plan, '$.rows')
      WHERE value ->> '$.action' = 'leave' AND value ->> '$.reason.code' = 'rollback.yours') END AS kept
    FROM rollback AS one LEFT JOIN rollback_target AS aim ON aim.rollback_id = one.id WHERE one.workspace_id = ? ORDER BY one.rowid`)
  return {
    insert: (one: StoredRollback): void => insert.run(...mapping.flatten(one)),
    /** Whether there is such a rollback. */
    update: (one: StoredRollback): boolean => update.get(one.state, one.beforeSnapshot, one.afterSnapshot, one.id) !== undefined,
    /** Oldest first. */
    list: (workspaceId: string): readonly StoredRollback[] => list.all(workspaceId).map(mapping.restore),
    get(id: string): StoredRollback | null {
      const found = one.get(id)
      return found === undefined ? null : mapping.restore(found)
    },
    /** The same without their plans. */
    rows: (workspaceId: string): readonly RollbackRow[] => rows.all(workspaceId).map((row) => ({ ...row, target: JSON.parse(row.target) as RollbackRow['target'], left: JSON.parse(row.left) as RollbackRow['left'], partly: JSON.parse(row.partly) as RollbackRow['partly'], kept: JSON.parse(row.kept) as RollbackRow['kept'] })),
  }
}
