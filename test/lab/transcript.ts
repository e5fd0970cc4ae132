import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openDatabase } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { findUnfinishedTurn } from '../../src/main/core/agent/unfinishedTurn'
import type { AgentEvent, EventDraft } from '../../src/shared/domain/event'
import { asId, type SessionId } from '../../src/shared/domain/ids'
import { readEvent, storeEvent, type StoredEvent } from '../../src/shared/domain/readEvent'
import { said } from '../../src/shared/domain/result'

const root = path.resolve(import.meta.dirname, '../..')

/** The events of a transcript, as they are stored or as a session is exported, in the words of this version. */
export function readTranscript(text: string): readonly AgentEvent[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Partial<StoredEvent> & { readonly format?: string })
  return lines.filter(({ format }) => format === undefined).map((line) => readEvent('payload' in line ? (line as StoredEvent) : stored(line as AgentEvent)))
}

function stored({ seq, atMs, sessionId, v, ...draft }: AgentEvent): StoredEvent {
  return { ...storeEvent(draft as EventDraft), v, seq, atMs, sessionId }
}

/** Puts a transcript into a data folder as a session of `project`. Nothing of it goes on: a turn that was left open is ended. */
export async function putTranscript(file: string, dataDir: string, project: string): Promise<SessionId> {
  const events = readTranscript(readFileSync(file, 'utf8'))
  const ids = makeIdSource(systemClock)
  const opened = await openDatabase({ dataDir, migrationsDir: path.join(root, 'resources/migrations'), workerFile: path.join(root, 'out/main/sqliteWorker.js'), clock: systemClock, ids })
  if (!opened.ok) throw new Error(opened.fault.code)
  const database = opened.value
  try {
    const workspaceId = (await database.timeline.workspace(project, path.basename(project))).id
    const id = asId<SessionId>(ids.next())
    const drafts = events.flatMap((event) => draftOf(event, workspaceId))
    const left = findUnfinishedTurn(events)
    const end: readonly EventDraft[] = left === null ? [] : [{ type: 'turn-ended', turnId: left.turnId, step: left.step, reason: 'incomplete', say: said('turn.incomplete'), text: '', tokens: { input: 0, output: 0 }, auditHead: null }]
    await database.events.append(id, [...drafts, ...end])
    return id
  } finally {
    await database.close()
  }
}

/** What this version does not know is left out; the head of the record is another folder's. */
function draftOf(event: AgentEvent, workspaceId: Extract<EventDraft, { type: 'session-opened' }>['workspaceId']): readonly EventDraft[] {
  if (event.type === 'event-unread') return []
  const { seq: _seq, atMs: _atMs, sessionId: _sessionId, v: _v, ...draft } = event
  if (draft.type === 'session-opened') return [{ type: draft.type, title: draft.title, level: draft.level, workspaceId }]
  return [draft.type === 'turn-ended' ? { ...draft, auditHead: null } : draft]
}
