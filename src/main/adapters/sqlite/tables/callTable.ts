import type { Call } from '../../../../shared/domain/call'
import type { CallLine } from '../../../core/ports/eventStore'
import type { Db } from '../driver'
import { mappingOf } from './mapping'
import { statementsOf } from './statements'

const mapping = mappingOf<Call>(
  {
    callId: 'call_id',
    providerCallId: 'provider_call_id',
    sessionId: 'session_id',
    turnId: 'turn_id',
    step: 'step',
    index: 'call_index',
    tool: 'tool',
    effect: 'effect',
    proposed: 'proposed',
    approved: 'approved',
    effective: 'effective',
    argsHash: 'args_hash',
    state: 'state',
    decidedBy: 'decided_by',
    ruleId: 'rule_id',
    askedAtMs: 'asked_at_ms',
    decidedAtMs: 'decided_at_ms',
    startedAtMs: 'started_at_ms',
    finishedAtMs: 'finished_at_ms',
    beforeSnapshot: 'before_snapshot',
    afterSnapshot: 'after_snapshot',
    pid: 'pid',
    writes: 'writes',
    outcome: 'outcome',
  },
  ['approved', 'effective', 'writes'],
)

/** Statements of the table `call`. */
export function callTable(db: Db) {
  const lazy = statementsOf(db)
  const get = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM call WHERE call_id = ?`)
  const list = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM call WHERE session_id = ? ORDER BY rowid`)
  const lines = lazy<CallLine>(`SELECT call_id AS callId, tool, CASE WHEN tool = 'run_command' THEN json_extract(effective, '$.command') END AS command
    FROM call WHERE effect = 'execute' AND started_at_ms IS NOT NULL AND call_id IN (SELECT value FROM json_each(?))`)
  const put = lazy(`INSERT INTO call (${mapping.names}) VALUES (${mapping.places}) ON CONFLICT (call_id) DO UPDATE SET ${mapping.replaced}`)
  return {
    get(callId: string): Call | null {
      const row = get.get(callId)
      return row === undefined ? null : mapping.restore(row)
    },
    /** In the order they were made. */
    list: (sessionId: string): readonly Call[] => list.all(sessionId).map(mapping.restore),
    lines: (callIds: readonly string[]): readonly CallLine[] => lines.all(JSON.stringify(callIds)),
    put: (call: Call): void => put.run(...mapping.flatten(call)),
  }
}
