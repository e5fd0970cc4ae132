import type { AgentEvent } from '../../../../shared/domain/event'
import type { ModelChoice } from '../../../../shared/domain/model'
import { readEvent, type StoredEvent } from '../../../../shared/domain/readEvent'
import type { Db } from '../driver'
import { budgetRaiseTable } from '../tables/budgetRaiseTable'
import { statementsOf } from '../tables/statements'
import { usageTable } from '../tables/usageTable'

/**
 * Keeps usage and raised ceilings beside the events, in their transaction; the same for an event that is stored and one that is
 * read again by the rebuilding. What a fork took over counts in the session that it came from.
 */
export function usageProjection(db: Db) {
  const uses = usageTable(db)
  const raises = budgetRaiseTable(db)
  const lazy = statementsOf(db)
  const taken = lazy<{ seq: number | null }>("SELECT json_extract(payload, '$.forkedFrom.seq') AS seq FROM event WHERE session_id = ? AND seq = 1 AND type = 'session-opened'")
  const began = lazy<{ provider: string | null; model: string | null }>("SELECT json_extract(payload, '$.choice.provider') AS provider, json_extract(payload, '$.choice.model') AS model FROM event WHERE session_id = ? AND seq < ? AND type = 'turn-started' AND turn_id = ? ORDER BY seq DESC LIMIT 1")
  const all = lazy<StoredEvent & { readonly workspaceId: string }>(`SELECT e.session_id AS sessionId, e.seq AS seq, e.type AS type, e.v AS v, e.at_ms AS atMs, e.payload AS payload, s.workspace_id AS workspaceId
    FROM event e JOIN session s ON s.id = e.session_id WHERE e.type IN ('usage-reported', 'budget-raised')`)

  const isCopied = ({ sessionId, seq }: AgentEvent): boolean => seq <= (taken.get(sessionId)?.seq ?? 0)

  /** Records of before there were prices do not say it; then it was the turn's own. */
  function choiceOf(event: Extract<AgentEvent, { readonly type: 'usage-reported' }>): ModelChoice {
    if (event.choice !== undefined) return event.choice
    const turn = began.get(event.sessionId, event.seq, event.turnId)
    return { provider: turn?.provider ?? '', model: turn?.model ?? '' }
  }

  function project(event: AgentEvent, workspaceId: string): void {
    if (event.type === 'usage-reported' && !isCopied(event)) {
      const { sessionId, seq, turnId, step, atMs, usage, purpose = 'turn', cost, durationMs } = event
      uses.put({
        sessionId, seq, workspaceId, turnId, step, atMs, purpose, ...choiceOf(event), inputTokens: usage.inputTokens, cachedTokens: usage.cachedTokens ?? 0, outputTokens: usage.outputTokens, isEstimated: usage.estimated,
        durationMs: durationMs ?? null, currency: cost?.currency ?? null, micros: cost?.micros ?? null,
      })
    }
    if (event.type === 'budget-raised' && event.raise.kind === 'day-cost' && event.raise.currency !== null && event.raise.limit !== null && !isCopied(event)) raises.put(event.sessionId, event.seq, event.atMs, event.raise.currency, event.raise.limit)
  }

  return {
    project,
    /** Makes both anew from the events, inside a transaction; the sessions must be listed already. */
    rebuild(): void {
      uses.clear()
      raises.clear()
      for (const { workspaceId, ...stored } of all.all()) project(readEvent(stored), workspaceId)
    },
  }
}
