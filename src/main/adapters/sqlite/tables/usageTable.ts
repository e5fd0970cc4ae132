import type { UsedCall } from '../../../../shared/domain/usage'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** A row of the projection. */
export interface StoredUse extends UsedCall {
  readonly workspaceId: string
  readonly micros: number | null
}

/** Statements of the table `usage`. */
export function usageTable(db: Db) {
  const lazy = statementsOf(db)
  const put = lazy(`INSERT OR REPLACE INTO usage (session_id, seq, workspace_id, turn_id, step, at_ms, provider, model, purpose, input_tokens, cached_tokens, output_tokens, estimated, duration_ms, currency, micros)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const clear = lazy('DELETE FROM usage')
  return {
    put: (row: StoredUse): void => put.run(row.sessionId, row.seq, row.workspaceId, row.turnId, row.step, row.atMs, row.provider, row.model, row.purpose, row.inputTokens, row.cachedTokens, row.outputTokens, row.isEstimated ? 1 : 0, row.durationMs, row.currency, row.micros),
    clear: (): void => clear.run(),
  }
}
