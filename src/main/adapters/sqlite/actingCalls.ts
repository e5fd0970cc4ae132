import type { CallArgs } from '../../../shared/domain/call'
import type { ActingCall } from '../../core/ports/eventStore'
import type { Db } from './driver'
import type { Operations } from './protocol'
import { statementsOf } from './tables/statements'

interface ActingRow extends Omit<ActingCall, 'args'> {
  readonly args: string | null
}

/** What calls did outside the project, over the journal and the results. Only a command's arguments are read: others may be long. */
export function actingCalls(db: Db): (ask: Operations['actingCalls']['args']) => readonly ActingCall[] {
  const list = statementsOf(db)<ActingRow>(`SELECT c.call_id AS callId, c.session_id AS sessionId, c.started_at_ms AS atMs, c.tool AS tool, CASE WHEN c.tool = 'run_command' THEN c.effective END AS args,
    (SELECT json_extract(e.payload, '$.confined') FROM event e WHERE e.type = 'tool-finished' AND e.session_id = c.session_id AND json_extract(e.payload, '$.callId') = c.call_id) AS confined
    FROM call c JOIN session s ON s.id = c.session_id
    WHERE s.workspace_id = ? AND c.started_at_ms >= ? AND (? IS NULL OR c.call_id = ?) AND c.effect IN ('execute', 'network')
    ORDER BY c.started_at_ms DESC, c.rowid DESC LIMIT ?`)
  return ({ workspaceId, sinceMs, callId, limit }) => list.all(workspaceId, sinceMs, callId, callId, limit).map((row) => ({ ...row, args: row.args === null ? {} : (JSON.parse(row.args) as CallArgs) }))
}
