import type { TrustDecision } from '../../../core/ports/trustStore'
import type { Db } from '../driver'
import { statementsOf } from './statements'

type Row = Omit<TrustDecision, 'isTrusted'> & { readonly isTrusted: number }

/** Statements of the table `trust`. */
export function trustTable(db: Db) {
  const lazy = statementsOf(db)
  const list = lazy<Row>('SELECT kind, name, hash, is_trusted AS isTrusted, decided_at_ms AS decidedAtMs FROM trust WHERE workspace_id = ? ORDER BY kind, name, decided_at_ms, hash')
  const put = lazy(`INSERT INTO trust (workspace_id, kind, name, hash, is_trusted, decided_at_ms) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (workspace_id, kind, name, hash) DO UPDATE SET is_trusted = excluded.is_trusted, decided_at_ms = excluded.decided_at_ms`)
  return {
    list: (workspaceId: string): readonly TrustDecision[] => list.all(workspaceId).map((row) => ({ ...row, isTrusted: row.isTrusted === 1 })),
    put: (workspaceId: string, { kind, name, hash, isTrusted, decidedAtMs }: TrustDecision): void => put.run(workspaceId, kind, name, hash, isTrusted ? 1 : 0, decidedAtMs),
  }
}
