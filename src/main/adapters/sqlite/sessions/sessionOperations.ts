import { asId } from '../../../../shared/domain/ids'
import { readEvent } from '../../../../shared/domain/readEvent'
import type { Db } from '../driver'
import type { Operations } from '../protocol'
import { projectSession } from '../projectSession'
import { draftTable } from '../tables/draftTable'
import { eventTable } from '../tables/eventTable'
import { sessionTable, type SessionRow } from '../tables/sessionTable'
import { statementsOf } from '../tables/statements'
import type { SearchIndex } from './searchIndex'

/** The worker's side of search over sessions, of forks and of drafts. `append` is the one that everything is written with. */
export function sessionOperations(db: Db, index: SearchIndex, append: (args: Operations['append']['args']) => unknown) {
  const drafts = draftTable(db)
  const events = eventTable(db)
  const sessions = sessionTable(db)
  const lazy = statementsOf(db)
  const copy = lazy('INSERT INTO event (session_id, seq, type, v, at_ms, turn_id, step, payload) SELECT ?, seq, type, v, at_ms, turn_id, step, payload FROM event WHERE session_id = ? AND seq > 1 AND seq <= ? ORDER BY seq')

  /** The row as if the session had lived through the copied events: no usage and no audit head, which are its origin's. */
  function projected(sessionId: string): SessionRow | null {
    let row: SessionRow | null = null
    for (const stored of events.each(sessionId)) row = projectSession(row, readEvent(stored), null)
    return row
  }

  return {
    indexSessions: () => index.catchUp(),
    searchSessions: (ask: Operations['searchSessions']['args']) => index.find(ask),
    forkSession({ sessionId, from, atMs, opening, tail }: Operations['forkSession']['args']) {
      if (events.lastSeq(sessionId) > 0) throw new Error(`session ${sessionId} was opened before`)
      if (from.seq < 1 || events.lastSeq(from.sessionId) < from.seq) throw new Error(`session ${from.sessionId} has no event ${from.seq}`)
      events.insert({ sessionId: asId(sessionId), seq: 1, atMs, ...opening })
      copy.run(sessionId, from.sessionId, from.seq)
      const row = projected(sessionId)
      if (row === null) throw new Error('a fork without its opening')
      if (row.openTurn !== null) throw new Error('a turn is open at this place')
      sessions.put(row)
      if (tail.length > 0) append({ sessionId, atMs, events: tail, changes: [] })
      return null
    },
    drafts: ({ workspaceId }: Operations['drafts']['args']) => drafts.list(workspaceId),
    saveDraft({ workspaceId, draft, atMs }: Operations['saveDraft']['args']) {
      if (draft.payload === '') drafts.remove(workspaceId, draft.sessionId)
      else drafts.put(workspaceId, draft, atMs)
      return null
    },
  }
}

