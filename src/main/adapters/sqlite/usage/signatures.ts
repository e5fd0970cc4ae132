import type { Signatures } from '../../../../shared/domain/usage'
import type { UsageScope } from '../../../core/ports/usageStore'
import type { Db } from '../driver'
import { statementsOf } from '../tables/statements'

const decided = `FROM call c JOIN session s ON s.id = c.session_id
  WHERE c.decided_at_ms >= @sinceMs AND c.decided_at_ms < @untilMs AND (@workspaceId IS NULL OR s.workspace_id = @workspaceId) AND (@sessionId IS NULL OR c.session_id = @sessionId)`

/** How calls were decided, counted over the journal. The middle of the answering times is the lower one of two. */
export function signaturesOf(db: Db): (scope: UsageScope, sinceMs: number, untilMs: number) => Signatures {
  const lazy = statementsOf(db)
  const counts = lazy<{ person: number; rule: number; denied: number; timed: number }>(`SELECT
      coalesce(sum(c.decided_by = 'person' AND c.state <> 'refused'), 0) AS person, coalesce(sum(c.decided_by IN ('rule', 'grant') AND c.state <> 'refused'), 0) AS rule,
      coalesce(sum(c.decided_by IS NOT NULL AND c.state = 'refused'), 0) AS denied, coalesce(sum(c.decided_by = 'person' AND c.asked_at_ms IS NOT NULL), 0) AS timed ${decided}`)
  const middle = lazy<{ ms: number }>(`SELECT c.decided_at_ms - c.asked_at_ms AS ms ${decided} AND c.decided_by = 'person' AND c.asked_at_ms IS NOT NULL ORDER BY ms LIMIT 1 OFFSET @offset`)
  return (scope, sinceMs, untilMs) => {
    const within = { ...scope, sinceMs, untilMs }
    const { timed, ...found } = counts.get(within) ?? { person: 0, rule: 0, denied: 0, timed: 0 }
    const medianMs = timed === 0 ? null : (middle.get({ ...within, offset: Math.floor((timed - 1) / 2) })?.ms ?? null)
    return { ...found, medianMs }
  }
}
