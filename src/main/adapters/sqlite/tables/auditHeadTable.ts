import type { AuditHead } from '../../../../shared/domain/audit'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `audit_head`, which holds one row. */
export function auditHeadTable(db: Db) {
  const lazy = statementsOf(db)
  const get = lazy<AuditHead>('SELECT entries, chain FROM audit_head WHERE id = 1')
  // Turns of two processes end in any order: the longer chain holds the shorter one.
  const put = lazy(`INSERT INTO audit_head (id, entries, chain) VALUES (1, ?, ?)
    ON CONFLICT (id) DO UPDATE SET entries = excluded.entries, chain = excluded.chain WHERE excluded.entries > entries`)
  return {
    get: (): AuditHead | null => get.get() ?? null,
    put: (head: AuditHead): void => put.run(head.entries, head.chain),
  }
}
