import type { UsagePurpose } from '../../../../shared/domain/budget'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** A call of a model as it is stored: a row of the projection. */
export interface StoredUse {
  readonly sessionId: string
  readonly seq: number
  readonly workspaceId: string
  readonly turnId: string
  readonly step: number
  readonly atMs: number
  readonly provider: string
  readonly model: string
  readonly purpose: UsagePurpose
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly isEstimated: boolean
  readonly durationMs: number | null
  readonly currency: string | null
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
