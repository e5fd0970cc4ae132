import type { StoredEvent } from '../../../../shared/domain/readEvent'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** A row as it is written. */
export interface EventRow extends StoredEvent {
  readonly turnId: string | null
  readonly step: number | null
}

const columns = 'session_id AS sessionId, seq, type, v, at_ms AS atMs, payload'

/** Statements of the table `event`. */
export function eventTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy('INSERT INTO event (session_id, seq, type, v, at_ms, turn_id, step, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  // The plus keeps SQLite from planning anew at each run: with the partial indexes here it takes a bare value into account. Asked before every append.
  const last = lazy<{ seq: number | null }>('SELECT max(seq) AS seq FROM event WHERE session_id = +?')
  const range = lazy<StoredEvent>(`SELECT ${columns} FROM event WHERE session_id = ? AND seq >= ? AND seq <= ? ORDER BY seq`)
  const ids = lazy<{ id: string }>('SELECT DISTINCT session_id AS id FROM event')
  return {
    insert: (row: EventRow): void => insert.run(row.sessionId, row.seq, row.type, row.v, row.atMs, row.turnId, row.step, row.payload),
    /** 0 for a session without events. */
    lastSeq: (sessionId: string): number => last.get(sessionId)?.seq ?? 0,
    /** In order of seq, cut after `maxCharacters` of payload, but never empty when there is a row. */
    range(sessionId: string, fromSeq: number, toSeq: number, maxCharacters: number): readonly StoredEvent[] {
      const rows: StoredEvent[] = []
      let characters = 0
      for (const row of range.iterate(sessionId, fromSeq, toSeq)) {
        rows.push(row)
        characters += row.payload.length
        if (characters >= maxCharacters) break
      }
      return rows
    },
    /** All of a session, in order. Nothing may be written until the last one was taken. */
    each: (sessionId: string): IterableIterator<StoredEvent> => range.iterate(sessionId, 1, Number.MAX_SAFE_INTEGER),
    sessionIds: (): readonly string[] => ids.all().map((row) => row.id),
  }
}
