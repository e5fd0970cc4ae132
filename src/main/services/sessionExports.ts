import type { AgentEvent } from '../../shared/domain/event'
import type { SessionId } from '../../shared/domain/ids'
import { redactedValue } from '../../shared/domain/redactedValue'
import { succeed, type Result } from '../../shared/domain/result'
import { auditRecordOf, type AuditBeside } from '../../shared/ipc/auditRows'
import type { ExportFormat } from '../../shared/ipc/sessionViews'
import { say, type Locale } from '../../shared/words/say'
import type { AuditReader } from '../core/ports/auditReader'
import type { AuditSink } from '../core/ports/auditSink'
import type { BlobStore } from '../core/ports/blobStore'
import type { Clock } from '../core/ports/clock'
import type { WriteExport } from '../core/ports/exportFile'
import { orFault } from '../core/ports/storageFault'
import { exportHtml } from '../core/sessions/exportHtml'
import { countMessages, exportItems, type ExportPicture } from '../core/sessions/exportItems'
import { exportMarkdown } from '../core/sessions/exportMarkdown'
import type { ExportHead, ExportLine, ExportRecord } from '../core/sessions/exportText'
import type { OpenSession, Sessions } from './sessions'

/** Gives a session away as one file (R96): without registered or detected secrets, whole or not at all, told in the record. */
export interface SessionExports {
  /** What the file is called unless the person says otherwise. */
  nameFor(id: SessionId, format: ExportFormat): Promise<string>
  exportTo(id: SessionId, file: string, format: ExportFormat): Promise<Result<null>>
}

/** What it works with. */
export interface SessionExportsPorts {
  readonly sessions: Sessions
  readonly blobs: BlobStore
  readonly reader: AuditReader
  readonly audit: AuditSink
  readonly clock: Clock
  readonly write: WriteExport
  readonly redact: (text: string) => string
  readonly locale: () => Locale
  readonly current: () => { readonly workspace: { readonly name: string } } | null
}

/** The version of the JSON form: a line that says what it is, then one event a line, each with its own version. */
const formVersion = 1

/** A larger picture is named and left out. */
const mostPictureBytes = 24 * 1024 * 1024

/** Lines of the record that are asked for at once. */
const pageLines = 200

/** Makes it. */
export function makeSessionExports(ports: SessionExportsPorts): SessionExports {
  const { sessions, redact, clock } = ports

  const headOf = ({ title, events }: OpenSession): ExportHead => ({ title: redact(title), project: redact(ports.current()?.workspace.name ?? ''), messages: countMessages(events), atMs: clock.nowMs(), locale: ports.locale() })

  async function* partsOf(session: OpenSession, format: ExportFormat): AsyncGenerator<string> {
    // What comes meanwhile is not a part of it.
    const events = [...session.events]
    const head = headOf(session)
    if (format === 'json') yield* jsonLines(head, session, events, redact)
    else if (format === 'md') yield* exportMarkdown(head, exportItems(events, redact))
    else yield* exportHtml(head, exportItems(events, redact), await recordOf(session.id, ports), (picture) => bytesOf(picture, ports.blobs))
  }

  return {
    async nameFor(id, format) {
      const { title } = await sessions.open(id)
      // What no file system takes, and what a shell would make something of, is left out.
      const name = redact(title).replace(/[^\p{L}\p{N}._ -]+/gu, ' ').replace(/\s+/gu, ' ').replace(/^[ .-]+|[ .-]+$/gu, '')
      return `${[...name].slice(0, 60).join('') || 'session'}.${format === 'json' ? 'jsonl' : format}`
    },
    exportTo: (id, file, format) =>
      orFault(async () => {
        const session = await sessions.open(id)
        await sessions.refresh(id)
        await ports.write(file, partsOf(session, format))
        await ports.audit.append({ fact: 'export-made', atMs: clock.nowMs(), sessionId: id, actor: 'person', outcome: file, args: { format } })
        return succeed(null)
      }),
  }
}

function* jsonLines({ atMs, title, project }: ExportHead, { id, workspaceId }: OpenSession, events: readonly AgentEvent[], redact: (text: string) => string): Generator<string> {
  yield `${JSON.stringify({ format: 'countersign-session', version: formVersion, sessionId: id, workspaceId, title, project, exportedAtMs: atMs, events: events.length })}\n`
  for (const event of events) yield `${JSON.stringify(redactedValue(event, redact))}\n`
}

const nothing: AuditBeside = { proposed: null, effective: null, confined: null, sources: [], output: null }

/** What the record holds of the session, oldest first. It is masked where it is written. */
async function recordOf(id: SessionId, { reader, audit, locale }: SessionExportsPorts): Promise<ExportRecord> {
  const lines: ExportLine[] = []
  for (let before: number | null = null; ; ) {
    const { rows, hasMore } = await reader.page({ query: '', sessions: [id], sinceMs: null, by: 'all', what: 'all', before, limit: pageLines })
    for (const row of rows) {
      const entries = await reader.entriesAt(row.entry)
      const record = entries.length === 0 ? null : auditRecordOf(entries, row.entry, nothing)
      const words = [...(record === null ? [] : [record.sentence]), row.outcome].map((one) => say(locale(), one))
      // Of what is no call both say the same.
      const how = [...new Set(words)].join(' ')
      lines.push({ entry: row.entry, atMs: row.atMs, what: [row.tool, row.on].filter((part) => part !== null && part !== '').join(' '), how, chain: entries.at(-1)?.chain ?? '' })
    }
    before = rows.at(-1)?.entry ?? null
    if (!hasMore || before === null) break
  }
  const head = audit.head()
  return { lines: lines.reverse(), entries: head?.entries ?? 0, chain: head?.chain ?? '', excerpt: await reader.excerpt({ query: '', sessions: [id], sinceMs: null, by: 'all', what: 'all' }) }
}

async function bytesOf({ ref, sizeBytes }: ExportPicture, blobs: BlobStore): Promise<string | null> {
  const bytes = sizeBytes > mostPictureBytes ? null : await blobs.get(ref)
  return bytes === null ? null : Buffer.from(bytes).toString('base64')
}
