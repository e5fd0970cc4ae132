import type { ForgottenPoints } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `snapshot_forgotten`. */
export function snapshotForgottenTable(db: Db) {
  const lazy = statementsOf(db)
  const read = lazy<ForgottenPoints>('SELECT points, until_ms AS untilMs FROM snapshot_forgotten WHERE workspace_id = ?')
  const add = lazy(`INSERT INTO snapshot_forgotten (workspace_id, points, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (workspace_id) DO UPDATE SET points = points + excluded.points, until_ms = max(until_ms, excluded.until_ms)`)
  return {
    get: (workspaceId: string): ForgottenPoints | null => read.get(workspaceId) ?? null,
    /** Points taken at these moments were let go. */
    add: (workspaceId: string, atMs: readonly number[]): void => add.run(workspaceId, atMs.length, Math.max(...atMs)),
  }
}
