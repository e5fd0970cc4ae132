import type { StoredDraft } from '../../../core/ports/draftStore'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `draft`. */
export function draftTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy('INSERT OR REPLACE INTO draft (workspace_id, session_id, payload, at_ms) VALUES (?, ?, ?, ?)')
  const remove = lazy('DELETE FROM draft WHERE workspace_id = ? AND session_id = ?')
  const list = lazy<StoredDraft>('SELECT session_id AS sessionId, payload FROM draft WHERE workspace_id = ? ORDER BY session_id')
  return {
    put: (workspaceId: string, { sessionId, payload }: StoredDraft, atMs: number): void => put.run(workspaceId, sessionId, payload, atMs),
    remove: (workspaceId: string, sessionId: string): void => remove.run(workspaceId, sessionId),
    list: (workspaceId: string): readonly StoredDraft[] => list.all(workspaceId),
  }
}
