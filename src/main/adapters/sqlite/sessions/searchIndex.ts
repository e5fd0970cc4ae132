import type { FoundMessage, SessionQuery } from '../../../core/ports/sessionSearch'
import { readEvent, type StoredEvent } from '../../../../shared/domain/readEvent'
import { searchParts, searchPieces, searchPlaces, type SearchPart } from '../../../../shared/domain/searchText'
import { sqliteCode, type Db } from '../driver'
import { isDamage } from '../faults'
import { eventTable } from '../tables/eventTable'
import { statementsOf } from '../tables/statements'
import { openCache, remakeTables, removeCache } from './cacheFile'

/** The index over what was said, in the cache beside the database. Opened when it is first asked for. */
export interface SearchIndex {
  /** Takes some of what is new; whether that was all. */
  catchUp(): boolean
  find(ask: SessionQuery): { readonly found: readonly FoundMessage[]; readonly hasMore: boolean }
  /** Empties it: it fills again from the events. */
  clear(): void
  close(): void
}

/** So much is taken in at once: an append waits no longer than for this. */
const [messagesAtOnce, charactersAtOnce] = [100, 40_000]

/** Around a place, so that a secret can be told whole before less is shown. */
const charactersAround = 4000

/** Makes it over the database's connection and a file of its own. */
export function searchIndexOf(db: Db, file: string): SearchIndex {
  let open: { readonly cache: Db; readonly tables: ReturnType<typeof tablesOf> } | null = null
  const record = recordOf(db)

  const opened = (): NonNullable<typeof open> => {
    if (open === null) {
      const cache = openCache(file)
      open = { cache, tables: tablesOf(cache) }
    }
    return open
  }
  const close = (): void => {
    open?.cache.close()
    open = null
  }

  /** A damaged cache is made anew, once. */
  const withCache = <Answer>(work: (of: NonNullable<typeof open>) => Answer): Answer => {
    try {
      return work(opened())
    } catch (error) {
      if (!isDamage(error)) throw error
      close()
      removeCache(file)
      return work(opened())
    }
  }

  return {
    catchUp() {
      try {
        return withCache(({ cache, tables }) => cache.transaction(() => feed(record, tables)).immediate())
      } catch (error) {
        if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) return false
        throw error
      }
    },
    find: (ask) => withCache(({ tables }) => find(record, tables, ask)),
    clear: () => withCache(({ cache }) => remakeTables(cache)),
    close,
  }
}

interface Listed {
  readonly id: string
  readonly title: string
  readonly workspaceId: FoundMessage['workspaceId']
  readonly deletedAtMs: number | null
  readonly project: string
  readonly root: string
}

/** What is read of the record. */
function recordOf(db: Db) {
  const lazy = statementsOf(db)
  const events = eventTable(db)
  const ends = lazy<{ id: string; taken: number; last: number }>('SELECT id, coalesce(forked_seq, 0) AS taken, coalesce((SELECT max(seq) FROM event WHERE session_id = session.id), 0) AS last FROM session ORDER BY last_at_ms, id')
  const said = lazy<StoredEvent>(`SELECT session_id AS sessionId, seq, type, v, at_ms AS atMs, payload FROM event WHERE session_id = ? AND seq > ? AND seq <= ?
    AND type IN ('user-message-added', 'assistant-message-added', 'rolled-back', 'rollback-undone') ORDER BY seq`)
  const listed = lazy<Listed>(`SELECT s.id AS id, s.title AS title, s.workspace_id AS workspaceId, s.deleted_at_ms AS deletedAtMs, coalesce(w.name, '') AS project, coalesce(w.root, '') AS root
    FROM session s LEFT JOIN workspace w ON w.id = s.workspace_id WHERE @workspaceId IS NULL OR s.workspace_id = @workspaceId`)
  return {
    ends: () => ends.all(),
    said: (sessionId: string, after: number, until: number) => said.iterate(sessionId, after, until),
    listed: (workspaceId: string | null) => new Map(listed.all({ workspaceId }).map((row) => [row.id, row])),
    event: (sessionId: string, seq: number) => events.range(sessionId, seq, seq, 1)[0],
  }
}

function tablesOf(cache: Db) {
  const lazy = statementsOf(cache)
  const known = lazy<{ id: string; seq: number }>('SELECT session_id AS id, seq FROM said_session')
  const note = lazy('INSERT OR REPLACE INTO said_session (session_id, seq) VALUES (?, ?)')
  const message = lazy<{ id: number }>('INSERT INTO said_message (session_id, seq) VALUES (?, ?) RETURNING id')
  const text = lazy('INSERT INTO said_text (rowid, body) VALUES (?, ?)')
  const hide = lazy('INSERT OR REPLACE INTO said_hidden (session_id, rollback_id, from_seq, to_seq) VALUES (?, ?, ?, ?)')
  const show = lazy('DELETE FROM said_hidden WHERE session_id = ? AND rollback_id = ?')
  const isHidden = lazy<{ count: number }>('SELECT count(*) AS count FROM said_hidden WHERE session_id = ? AND from_seq <= ? AND to_seq >= ?')
  const matching = lazy<{ sessionId: string; seq: number }>('SELECT m.session_id AS sessionId, m.seq AS seq FROM said_text t JOIN said_message m ON m.id = t.rowid WHERE said_text MATCH ? ORDER BY t.rowid DESC')
  return {
    known: () => new Map(known.all().map(({ id, seq }) => [id, seq])),
    note: (sessionId: string, seq: number): void => note.run(sessionId, seq),
    add(sessionId: string, seq: number, body: string): void {
      const row = message.get(sessionId, seq)
      if (row !== undefined) text.run(row.id, body)
    },
    hide: (sessionId: string, rollbackId: string, fromSeq: number, toSeq: number): void => hide.run(sessionId, rollbackId, fromSeq, toSeq),
    show: (sessionId: string, rollbackId: string): void => show.run(sessionId, rollbackId),
    isHidden: (sessionId: string, seq: number): boolean => (isHidden.get(sessionId, seq, seq)?.count ?? 0) > 0,
    matching: (match: string) => matching.iterate(match),
  }
}

/** Inside a transaction: what another process took in meanwhile is seen, and taken once. */
function feed(record: ReturnType<typeof recordOf>, tables: ReturnType<typeof tablesOf>): boolean {
  const known = tables.known()
  let [messages, characters] = [0, 0]
  for (const { id, taken, last } of record.ends()) {
    let seq = Math.max(known.get(id) ?? 0, taken)
    if (seq >= last) continue
    for (const stored of record.said(id, seq, last)) {
      messages += 1
      characters += take(stored, tables)
      seq = stored.seq
      if (messages < messagesAtOnce && characters < charactersAtOnce) continue
      tables.note(id, seq)
      return false
    }
    tables.note(id, last)
  }
  return true
}

/** @returns how many characters it read. */
function take(stored: StoredEvent, tables: ReturnType<typeof tablesOf>): number {
  const event = readEvent(stored)
  if (event.type === 'rolled-back' && event.hidden !== null) tables.hide(event.sessionId, event.rollbackId, event.hidden.fromSeq, event.hidden.toSeq)
  if (event.type === 'rollback-undone') tables.show(event.sessionId, event.undoneId)
  if ((event.type !== 'user-message-added' && event.type !== 'assistant-message-added') || event.text === '') return 0
  let body = ''
  for (const { token } of searchPieces(event.text)) body += `${token} `
  if (body !== '') tables.add(event.sessionId, event.seq, body)
  return event.text.length
}

/** Every part as a phrase: more than enough, for a space may stand between. What is found is looked at again in the text. */
function matchOf(parts: readonly SearchPart[]): string {
  return parts.map(({ tokens, isOpen }) => `"${tokens.join(' ').replaceAll('"', '""')}"${isOpen ? ' *' : ''}`).join(' AND ')
}

function find(record: ReturnType<typeof recordOf>, tables: ReturnType<typeof tablesOf>, { query, workspaceId, limit }: SessionQuery): ReturnType<SearchIndex['find']> {
  const parts = searchParts(query)
  if (parts.length === 0) return { found: [], hasMore: false }
  const sessions = record.listed(workspaceId)
  const found: FoundMessage[] = []
  for (const { sessionId, seq } of tables.matching(matchOf(parts))) {
    const session = sessions.get(sessionId)
    const one = session === undefined ? null : foundIn(session, record.event(sessionId, seq), parts)
    if (one === null) continue
    if (found.length === limit) return { found: newestFirst(found), hasMore: true }
    found.push({ ...one, isRolledBack: tables.isHidden(sessionId, seq) })
  }
  return { found: newestFirst(found), hasMore: false }
}

/** Null where the text does not hold it: a space stood between, or the event cannot be read any more. */
function foundIn({ title, workspaceId, project, root, deletedAtMs }: Listed, stored: StoredEvent | undefined, parts: readonly SearchPart[]): Omit<FoundMessage, 'isRolledBack'> | null {
  const event = stored === undefined ? null : readEvent(stored)
  if (event?.type !== 'user-message-added' && event?.type !== 'assistant-message-added') return null
  const first = searchPlaces(event.text, parts)?.[0]
  if (first === undefined) return null
  const text = event.text.slice(Math.max(0, first[0] - charactersAround), first[1] + charactersAround)
  return { sessionId: event.sessionId, seq: event.seq, atMs: event.atMs, by: event.type === 'user-message-added' ? 'user' : 'agent', text, title, workspaceId, project, root, isDeleted: deletedAtMs !== null }
}

function newestFirst(found: readonly FoundMessage[]): readonly FoundMessage[] {
  return [...found].sort((a, b) => b.atMs - a.atMs || b.seq - a.seq)
}
