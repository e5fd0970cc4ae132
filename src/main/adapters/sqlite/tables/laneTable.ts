import type { ProcessIdentity } from '../../../native/processIdentity'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** One place in the queue of a workspace. */
export interface Ticket extends ProcessIdentity {
  readonly ticket: number
  readonly heartbeatAtMs: number
}

/** Statements of the table `lane`. */
export function laneTable(db: Db) {
  const lazy = statementsOf(db)
  const join = lazy<{ ticket: number }>(`INSERT INTO lane (workspace_id, owner_pid, owner_started, owner_scope, heartbeat_at_ms)
    VALUES (?, ?, ?, ?, ?) RETURNING ticket`)
  const before = lazy<Ticket>(`SELECT ticket, owner_pid AS pid, owner_started AS startedAt, owner_scope AS scope, heartbeat_at_ms AS heartbeatAtMs
    FROM lane WHERE workspace_id = ? AND ticket < ? ORDER BY ticket`)
  const has = lazy<{ ticket: number }>('SELECT ticket FROM lane WHERE ticket = ?')
  const leave = lazy('DELETE FROM lane WHERE ticket = ?')
  const beat = lazy('UPDATE lane SET heartbeat_at_ms = ? WHERE ticket = ?')
  return {
    join(workspaceId: string, owner: ProcessIdentity, nowMs: number): number {
      const row = join.get(workspaceId, owner.pid, owner.startedAt, owner.scope, nowMs)
      if (row === undefined) throw new Error('the new ticket was not given back')
      return row.ticket
    },
    /** The tickets before this one, first come first. */
    before: (workspaceId: string, ticket: number): readonly Ticket[] => before.all(workspaceId, ticket),
    has: (ticket: number): boolean => has.get(ticket) !== undefined,
    leave: (ticket: number): void => leave.run(ticket),
    beat: (ticket: number, nowMs: number): void => beat.run(nowMs, ticket),
  }
}
