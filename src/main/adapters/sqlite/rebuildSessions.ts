import type { AuditHead } from '../../../shared/domain/audit'
import { readEvent } from '../../../shared/domain/readEvent'
import type { Db } from './driver'
import { projectSession } from './projectSession'
import { auditHeadTable } from './tables/auditHeadTable'
import { eventTable } from './tables/eventTable'
import { sessionTable, type SessionRow } from './tables/sessionTable'
import { usageProjection } from './usage/projectUsage'

/**
 * Makes the session list, the audit head and the usage anew from the events, inside a transaction.
 * A session whose opening cannot be read keeps what its row says about it; without a row it stays unlisted.
 *
 * @returns how many sessions are listed.
 */
export function rebuildSessions(db: Db): number {
  const events = eventTable(db)
  const sessions = sessionTable(db)
  const heads = auditHeadTable(db)
  let count = 0
  for (const sessionId of events.sessionIds()) {
    const known = sessions.get(sessionId)
    const { row, head } = replay(events.each(sessionId), known)
    if (row !== null) {
      // A turn that runs at this moment keeps its process.
      sessions.put(known !== null && known.openTurn === row.openTurn ? { ...row, owner: known.owner } : row)
      count += 1
    }
    if (head !== null) heads.put(head)
  }
  usageProjection(db).rebuild()
  return count
}

function replay(stored: Iterable<Parameters<typeof readEvent>[0]>, known: SessionRow | null): { row: SessionRow | null; head: AuditHead | null } {
  let row: SessionRow | null = null
  let head: AuditHead | null = null
  for (const one of stored) {
    const event = readEvent(one)
    const isOpening = event.type === 'session-opened'
    if (row === null && !isOpening) row = known === null ? null : { ...known, state: 'idle', openTurn: null, owner: null }
    // Only damage makes a second opening, or none.
    if (isOpening === (row !== null)) continue
    row = projectSession(row, event, null)
    if (event.type === 'turn-ended' && event.auditHead !== null && event.auditHead.entries > (head?.entries ?? 0)) head = event.auditHead
  }
  return { row, head }
}
