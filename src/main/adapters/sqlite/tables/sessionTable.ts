import { asId, type SessionId } from '../../../../shared/domain/ids'
import type { SessionSummary } from '../../../../shared/domain/session'
import type { ProcessIdentity } from '../../../native/processIdentity'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** A session as it is listed, with the turn that has not ended and the process that runs it. */
export interface SessionRow extends SessionSummary {
  readonly openTurn: string | null
  readonly owner: ProcessIdentity | null
}

interface FlatRow extends SessionSummary {
  readonly openTurn: string | null
  readonly ownerPid: number | null
  readonly ownerStarted: string | null
  readonly ownerScope: string | null
}

const summaryColumns = 'id, workspace_id AS workspaceId, title, opened_at_ms AS openedAtMs, last_at_ms AS lastAtMs, state'
const columns = `${summaryColumns}, open_turn AS openTurn, owner_pid AS ownerPid, owner_started AS ownerStarted, owner_scope AS ownerScope`

/** Statements of the table `session`. */
export function sessionTable(db: Db) {
  const lazy = statementsOf(db)
  const get = lazy<FlatRow>(`SELECT ${columns} FROM session WHERE id = ?`)
  const put = lazy(`INSERT INTO session (id, workspace_id, title, opened_at_ms, last_at_ms, state, open_turn, owner_pid, owner_started, owner_scope)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, last_at_ms = excluded.last_at_ms, state = excluded.state,
      open_turn = excluded.open_turn, owner_pid = excluded.owner_pid, owner_started = excluded.owner_started, owner_scope = excluded.owner_scope`)
  const list = lazy<SessionSummary>(`SELECT ${summaryColumns} FROM session WHERE workspace_id = ? ORDER BY last_at_ms DESC, id DESC`)
  const open = lazy<FlatRow>(`SELECT ${columns} FROM session WHERE open_turn IS NOT NULL ORDER BY last_at_ms, id`)
  return {
    get(sessionId: string): SessionRow | null {
      const row = get.get(sessionId)
      return row === undefined ? null : rowOf(row)
    },
    put(row: SessionRow): void {
      const { owner } = row
      put.run(row.id, row.workspaceId, row.title, row.openedAtMs, row.lastAtMs, row.state, row.openTurn, owner?.pid ?? null, owner?.startedAt ?? null, owner?.scope ?? null)
    },
    /** Newest first. */
    list: (workspaceId: string): readonly SessionSummary[] => list.all(workspaceId),
    withOpenTurn: (): readonly (SessionRow & { readonly id: SessionId })[] => open.all().map(rowOf),
  }
}

function rowOf({ ownerPid, ownerStarted, ownerScope, ...row }: FlatRow): SessionRow {
  const owner = ownerPid === null ? null : { pid: ownerPid, startedAt: ownerStarted ?? '', scope: ownerScope ?? '' }
  return { ...row, id: asId(row.id), owner }
}
