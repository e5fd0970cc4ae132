import type { DecidedBy } from '../../../../shared/domain/approval'
import { askedOf } from '../../../../shared/domain/askedOf'
import type { StoredEvent } from '../../../../shared/domain/readEvent'
import type { PastCall } from '../../../core/ports/ruleStore'
import type { Db } from '../driver'
import { statementsOf } from '../tables/statements'

interface CallRow extends Omit<PastCall, 'asked' | 'decision' | 'by'> {
  readonly row: number
  readonly proposed: string
  readonly approved: string | null
  readonly state: string
  readonly outcome: string | null
  readonly by: DecidedBy
}

/** A session with grants, without its events. */
export interface GrantSession {
  readonly sessionId: string
  readonly workspaceId: string
  readonly title: string
  readonly openTurn: string | null
}

/** Statements over the tables of the record that rules are tried on and shown with. */
export function pastCalls(db: Db) {
  const lazy = statementsOf(db)
  // Several sessions may lie between two calls of one; the row number is the order in which they were made.
  const page = lazy<CallRow>(`SELECT c.rowid AS row, c.call_id AS callId, c.session_id AS sessionId, s.workspace_id AS workspaceId, w.root AS root, c.decided_at_ms AS atMs, c.tool AS tool,
    c.proposed AS proposed, c.approved AS approved, c.state AS state, c.outcome AS outcome, c.decided_by AS by
    FROM call c JOIN session s ON s.id = c.session_id JOIN workspace w ON w.id = s.workspace_id
    WHERE c.tool = ? AND c.rowid < ? AND (? IS NULL OR s.workspace_id = ?) AND c.decided_by IS NOT NULL AND c.decided_at_ms IS NOT NULL ORDER BY c.rowid DESC LIMIT ?`)
  const sessions = lazy<GrantSession>(`SELECT s.id AS sessionId, s.workspace_id AS workspaceId, s.title AS title, s.open_turn AS openTurn FROM session s
    WHERE (? IS NULL OR s.workspace_id = ?) AND s.id IN (SELECT session_id FROM event WHERE type = 'grant-given') ORDER BY s.id`)
  const events = lazy<StoredEvent>(`SELECT session_id AS sessionId, seq, type, v, at_ms AS atMs, payload FROM event
    WHERE session_id = ? AND type IN ('grant-given', 'grant-used', 'grant-revoked', 'turn-ended', 'rolled-back') ORDER BY seq`)
  const names = lazy<{ readonly id: string; readonly name: string }>('SELECT id, name FROM workspace')
  return {
    page(tool: string, workspaceId: string | null, before: number | null, limit: number): { readonly calls: readonly PastCall[]; readonly next: number | null } {
      const rows = page.all(tool, before ?? Number.MAX_SAFE_INTEGER, workspaceId, workspaceId, limit)
      return { calls: rows.map(callOf), next: rows.length < limit ? null : (rows.at(-1)?.row ?? null) }
    },
    grantSessions: (workspaceId: string | null): readonly GrantSession[] => sessions.all(workspaceId, workspaceId),
    grantEvents: (sessionId: string): readonly StoredEvent[] => events.all(sessionId),
    projectNames: (): Readonly<Record<string, string>> => Object.fromEntries(names.all().map(({ id, name }) => [id, name])),
  }
}

function callOf({ row: _, proposed, approved, state, outcome, ...call }: CallRow): PastCall {
  const decision = state !== 'refused' ? 'allowed' : outcome === 'skipped' ? 'skipped' : 'denied'
  return { ...call, decision, asked: askedOf(approved ?? proposed) }
}
