import type { Snapshot } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { statementsOf } from './statements'

type FlatSnapshot = Omit<Snapshot, 'skipped'> & { readonly skipped: string }

const columns = `id, workspace_id AS workspaceId, tree, git_commit AS "commit", parent, kind, author, session_id AS sessionId, call_id AS callId,
  at_ms AS atMs, files, skipped`

/** Statements of the table `snapshot`. */
export function snapshotTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy(`INSERT INTO snapshot (id, workspace_id, tree, git_commit, parent, kind, author, session_id, call_id, at_ms, files, skipped)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const list = lazy<FlatSnapshot>(`SELECT ${columns} FROM snapshot WHERE workspace_id = ? ORDER BY rowid`)
  return {
    insert(one: Snapshot): void {
      const { id, workspaceId, tree, commit, parent, kind, author, sessionId, callId, atMs, files, skipped } = one
      insert.run(id, workspaceId, tree, commit, parent, kind, author, sessionId, callId, atMs, files, JSON.stringify(skipped))
    },
    /** Oldest first. */
    list: (workspaceId: string): readonly Snapshot[] => list.all(workspaceId).map((row) => ({ ...row, skipped: JSON.parse(row.skipped) })),
  }
}
