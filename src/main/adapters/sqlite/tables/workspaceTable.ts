import type { Workspace } from '../../../../shared/domain/session'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `workspace`. */
export function workspaceTable(db: Db) {
  const lazy = statementsOf(db)
  const byRoot = lazy<Workspace>('SELECT id, root, name FROM workspace WHERE root = ?')
  const insert = lazy('INSERT INTO workspace (id, root, name, added_at_ms) VALUES (?, ?, ?, ?)')
  return {
    byRoot: (root: string): Workspace | null => byRoot.get(root) ?? null,
    insert: (workspace: Workspace, atMs: number): void => insert.run(workspace.id, workspace.root, workspace.name, atMs),
  }
}
