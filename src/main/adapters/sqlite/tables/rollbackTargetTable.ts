import type { RollbackRecord } from '../../../../shared/domain/rollback'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `rollback_target`: what a rollback's plan says of where it goes, readable without the plan. */
export function rollbackTargetTable(db: Db) {
  const put = statementsOf(db)('INSERT INTO rollback_target (rollback_id, target) VALUES (?, ?)')
  return {
    insert: ({ id, plan }: Pick<RollbackRecord, 'id' | 'plan'>): void => put.run(id, JSON.stringify(plan.target)),
  }
}
