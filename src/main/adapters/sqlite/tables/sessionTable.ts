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

interface FlatSummary extends Omit<SessionSummary, 'isPinned' | 'forkedFrom'> {
  readonly pinned: number
  readonly forkedSession: string | null
  readonly forkedSeq: number | null
}

interface FlatRow extends FlatSummary {
  readonly openTurn: string | null
  readonly ownerPid: number | null
  readonly ownerStarted: string | null
  readonly ownerScope: string | null
}

const summaryColumns = 'id, workspace_id AS workspaceId, title, opened_at_ms AS openedAtMs, last_at_ms AS lastAtMs, state, pinned, deleted_at_ms AS deletedAtMs, forked_session AS forkedSession, forked_seq AS forkedSeq'
const columns = `${summaryColumns}, open_turn AS openTurn, owner_pid AS ownerPid, owner_started AS ownerStarted, owner_scope AS ownerScope`

/** Statements of the table `session`. */
export function sessionTable(db: Db) {
  const lazy = statementsOf(db)
  const get = lazy<FlatRow>(`SELECT ${columns} FROM session WHERE id = ?`)
  const put = lazy(`INSERT INTO session (id, workspace_id, title, opened_at_ms, last_at_ms, state, pinned, deleted_at_ms, forked_session, forked_seq, open_turn, owner_pid, owner_started, owner_scope)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, last_at_ms = excluded.last_at_ms, state = excluded.state,
      pinned = excluded.pinned, deleted_at_ms = excluded.deleted_at_ms, forked_session = excluded.forked_session, forked_seq = excluded.forked_seq,
      open_turn = excluded.open_turn, owner_pid = excluded.owner_pid, owner_started = excluded.owner_started, owner_scope = excluded.owner_scope`)
  const list = lazy<FlatSummary>(`SELECT ${summaryColumns} FROM session WHERE workspace_id = ? ORDER BY last_at_ms DESC, id DESC`)
  const open = lazy<FlatRow>(`SELECT ${columns} FROM session WHERE open_turn IS NOT NULL ORDER BY last_at_ms, id`)
  return {
    get(sessionId: string): SessionRow | null {
      const row = get.get(sessionId)
      return row === undefined ? null : rowOf(row)
    },
    put(row: SessionRow): void {
      const { owner, forkedFrom } = row
      put.run(row.id, row.workspaceId, row.title, row.openedAtMs, row.lastAtMs, row.state, row.isPinned ? 1 : 0, row.deletedAtMs, forkedFrom?.sessionId ?? null, forkedFrom?.seq ?? null, row.openTurn, owner?.pid ?? null, owner?.startedAt ?? null, owner?.scope ?? null)
    },
    /** Newest first, deleted ones among them. */
    list: (workspaceId: string): readonly SessionSummary[] => list.all(workspaceId).map(summaryOf),
    withOpenTurn: (): readonly (SessionRow & { readonly id: SessionId })[] => open.all().map(rowOf),
  }
}

function summaryOf({ pinned, forkedSession, forkedSeq, ...row }: FlatSummary): SessionSummary {
  return { ...row, id: asId(row.id), isPinned: pinned === 1, forkedFrom: forkedSession === null ? null : { sessionId: asId<SessionId>(forkedSession), seq: forkedSeq ?? 0 } }
}

function rowOf({ openTurn, ownerPid, ownerStarted, ownerScope, ...flat }: FlatRow): SessionRow {
  return { ...summaryOf(flat), openTurn, owner: ownerPid === null ? null : { pid: ownerPid, startedAt: ownerStarted ?? '', scope: ownerScope ?? '' } }
}
