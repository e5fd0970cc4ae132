import type { UsageCell, UsageRow } from '../../../core/ports/usageStore'
import type { Cost } from '../../../../shared/domain/budget'
import type { Db } from '../driver'
import type { Operations } from '../protocol'
import { budgetRaiseTable } from '../tables/budgetRaiseTable'
import { statementsOf } from '../tables/statements'
import { signaturesOf } from './signatures'

/** Of all or of one project and session: null stands for all. */
const inScope = '(@workspaceId IS NULL OR u.workspace_id = @workspaceId) AND (@sessionId IS NULL OR u.session_id = @sessionId)'

/** The worker's side of the usage page and of the ceilings of a day. Sums are made here: a year of rows never leaves the file. */
export function usageOperations(db: Db) {
  const lazy = statementsOf(db)
  const raises = budgetRaiseTable(db)
  const signatures = signaturesOf(db)
  const first = lazy<{ atMs: number }>(`SELECT u.at_ms AS atMs FROM usage u WHERE ${inScope} ORDER BY u.at_ms LIMIT 1`)
  // One stretch of the index a day: a local day is no fixed number of hours.
  const cells = lazy<UsageCell>(`WITH sums AS (
      SELECT d.value AS dayMs, u.session_id AS sessionId, u.workspace_id AS workspaceId, u.provider AS provider, u.model AS model, u.currency AS currency, coalesce(sum(u.micros), 0) AS micros, count(*) AS calls,
        sum(u.input_tokens) AS inputTokens, sum(u.cached_tokens) AS cachedTokens, sum(u.output_tokens) AS outputTokens, sum(CASE u.estimated WHEN 1 THEN u.input_tokens + u.output_tokens ELSE 0 END) AS estimatedTokens, coalesce(sum(u.duration_ms), 0) AS durationMs
      FROM json_each(@edges) d CROSS JOIN usage u ON u.at_ms >= d.value AND u.at_ms < json_extract(@edges, '$[' || (d.key + 1) || ']')
      WHERE ${inScope} GROUP BY d.key, u.session_id, u.provider, u.model, u.currency)
    SELECT sums.*, coalesce(s.title, '') AS title FROM sums LEFT JOIN session s ON s.id = sums.sessionId ORDER BY dayMs, sessionId, provider, model, currency`)
  const rows = lazy<Omit<UsageRow, 'isEstimated'> & { readonly estimated: number }>(`SELECT u.session_id AS sessionId, u.seq AS seq, u.at_ms AS atMs, coalesce(w.name, '') AS project, coalesce(s.title, '') AS title, u.turn_id AS turnId, u.step AS step, u.provider AS provider, u.model AS model, u.purpose AS purpose,
      u.input_tokens AS inputTokens, u.cached_tokens AS cachedTokens, u.output_tokens AS outputTokens, u.estimated AS estimated, u.duration_ms AS durationMs, u.currency AS currency, coalesce(u.micros, 0) AS micros
    FROM usage u LEFT JOIN session s ON s.id = u.session_id LEFT JOIN workspace w ON w.id = u.workspace_id
    WHERE u.at_ms >= @sinceMs AND ${inScope} AND (u.at_ms, u.session_id, u.seq) > (@afterMs, @afterSession, @afterSeq) ORDER BY u.at_ms, u.session_id, u.seq LIMIT @limit`)
  const costs = lazy<Cost>('SELECT currency, sum(micros) AS micros FROM usage WHERE at_ms >= ? AND currency IS NOT NULL GROUP BY currency ORDER BY currency')
  return {
    firstUse: (scope: Operations['firstUse']['args']) => first.get(scope)?.atMs ?? null,
    usageCells: ({ scope, edges }: Operations['usageCells']['args']) => cells.all({ edges: JSON.stringify(edges), ...scope }),
    usageRows({ scope, sinceMs, after, limit }: Operations['usageRows']['args']) {
      return rows.all({ ...scope, sinceMs, afterMs: after?.atMs ?? -1, afterSession: after?.sessionId ?? '', afterSeq: after?.seq ?? 0, limit }).map(({ estimated, ...row }): UsageRow => ({ ...row, isEstimated: estimated === 1 }))
    },
    signatures: ({ scope, sinceMs, untilMs }: Operations['signatures']['args']) => signatures(scope, sinceMs, untilMs),
    costsSince: ({ sinceMs }: Operations['costsSince']['args']) => costs.all(sinceMs),
    raisesSince: ({ sinceMs }: Operations['raisesSince']['args']) => raises.since(sinceMs).map(({ currency, micros }) => ({ kind: 'day-cost' as const, currency, limit: micros })),
  }
}
