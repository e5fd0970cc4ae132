import type { AuditEntry } from '../../shared/domain/audit'
import type { Call } from '../../shared/domain/call'
import type { AgentEvent } from '../../shared/domain/event'
import { asId, type CallId, type SessionId, type WorkspaceId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { sourceName } from '../../shared/domain/sourceName'
import { auditRecordOf, isOfCall, type AuditBeside } from '../../shared/ipc/auditRows'
import type { AuditAsk, AuditCheck, AuditPageView, AuditRecord } from '../../shared/ipc/views'
import type { AuditPart, AuditReader, ExportVerdict } from '../core/ports/auditReader'
import type { Clock } from '../core/ports/clock'
import type { CallJournal, EventStore } from '../core/ports/eventStore'
import { orFault } from '../core/ports/storageFault'

/** The record for people (R68): rows, one whole record, the check of the chain, and what can be given away. */
export interface AuditPages {
  page(ask: AuditAsk): Promise<AuditPageView>
  record(entry: number): Promise<Result<AuditRecord>>
  check(): Promise<AuditCheck>
  /** `html`: one file that checks itself, without network. Returns how many entries it holds; the file appears whole or not at all. */
  exportTo(file: string, format: 'html' | 'jsonl', part?: AuditPartAsk): Promise<Result<{ readonly entries: number }>>
  /** Checks a file that was exported, with nothing but the file. */
  verifyExport(file: string): Promise<Result<ExportVerdict>>
}

/** Which part of the record is given away. */
export type AuditPartAsk = Omit<AuditAsk, 'before' | 'limit'> & { readonly untilMs?: number; readonly sessionId?: string }

/** What the pages are made from. */
export interface AuditPagesPorts {
  readonly reader: AuditReader
  readonly journal: Pick<CallJournal, 'get'>
  readonly events: Pick<EventStore, 'read' | 'sessions'>
  readonly clock: Clock
  /** Masks secrets: journal and conversation hold what was written verbatim. */
  redact(text: string): string
  /** The opened folder. */
  workspaceId(): WorkspaceId | null
}

/** Makes the pages over the log, the journal and the conversations. */
export function makeAuditPages(ports: AuditPagesPorts): AuditPages {
  const { reader, events, clock } = ports

  async function sessionsHere(): Promise<readonly string[]> {
    const workspaceId = ports.workspaceId()
    return workspaceId === null ? [] : (await events.sessions(workspaceId)).map(({ id }) => id)
  }

  async function partOf({ isThisProject, sessionId, ...ask }: AuditPartAsk): Promise<AuditPart> {
    return { ...ask, sessions: sessionId !== undefined ? [sessionId] : isThisProject ? await sessionsHere() : null }
  }

  return {
    page: async ({ isThisProject, ...ask }) => reader.page({ ...ask, sessions: isThisProject ? await sessionsHere() : null }),
    async record(entry) {
      const entries = await reader.entriesAt(entry)
      return entries.length === 0 ? fail('audit.no-entry', { entry: String(entry) }) : succeed(auditRecordOf(entries, entry, await besideOf(entries, ports)))
    },
    check: async () => ({ ...(await reader.verify()), atMs: clock.nowMs() }),
    exportTo: (file, format, part) => orFault(async () => succeed({ entries: await reader.exportTo(file, format, part && (await partOf(part))) })),
    verifyExport: (file) =>
      orFault(async () => {
        const verdict = await reader.verifyExport(file)
        return verdict === null ? fail('audit.no-export', { file }) : succeed(verdict)
      }),
  }
}

const nothing: AuditBeside = { proposed: null, effective: null, confined: null, sources: [], output: null }

/** What the journal and the conversation say of a call; a call whose session is gone has only its lines. */
async function besideOf(entries: readonly AuditEntry[], ports: AuditPagesPorts): Promise<AuditBeside> {
  const last = entries.at(-1)
  if (last?.callId === undefined || !isOfCall(last)) return nothing
  const callId = asId<CallId>(last.callId)
  const [call, events] = await Promise.all([ports.journal.get(callId), last.sessionId === undefined ? [] : ports.events.read(asId<SessionId>(last.sessionId))])
  const finished = events.find((event) => event.type === 'tool-finished' && event.callId === callId)
  const end = finished?.type === 'tool-finished' ? finished : null
  return { ...argumentsOf(call, ports), confined: end?.confined ?? null, sources: sourcesOf(events, callId).map((source) => ports.redact(source)), output: end === null || end.text === '' ? null : ports.redact(end.text) }
}

/** The log has what was decided; what the model sent, and what ran without a line of its own, the journal has. */
function argumentsOf(call: Call | null, { redact }: Pick<AuditPagesPorts, 'redact'>): Pick<AuditBeside, 'proposed' | 'effective'> {
  return { proposed: call === null ? null : parsedOr(redact(call.proposed)), effective: call?.effective == null ? null : parsedOr(redact(JSON.stringify(call.effective))) }
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // what the model sent need not be JSON
  }
}

/** What had marked the turn when the call was asked, and what it brought in itself. */
function sourcesOf(events: readonly AgentEvent[], callId: CallId): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'approval-asked' && event.callId === callId) return (event.request.taint ?? []).map(({ source }) => sourceName(source))
    return event.type === 'taint-marked' && event.callId === callId ? [sourceName(event.source)] : []
  })
}
