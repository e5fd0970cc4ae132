import { writeExport } from '../adapters/system/exportFile'
import type { AuditSink } from '../core/ports/auditSink'
import type { BlobStore } from '../core/ports/blobStore'
import type { Clock } from '../core/ports/clock'
import type { IdSource } from '../core/ports/idSource'
import type { AuditReader } from '../core/ports/auditReader'
import type { Locale } from '../../shared/words/say'
import type { WorkspaceId } from '../../shared/domain/ids'
import type { Database } from '../adapters/sqlite/database'
import { makeDrafts } from '../services/drafts'
import type { HostServices, OpenWorkspace } from '../services/hostServices'
import type { Runs } from '../services/runs'
import { makeSessionActs } from '../services/sessionActs'
import { makeSessionExports } from '../services/sessionExports'
import { makeForks } from '../services/sessionForks'
import { resender } from '../services/sessionResend'
import { makeSessionSearch } from '../services/sessionSearch'
import type { Sessions } from '../services/sessions'

/** What is done with whole sessions works on these. */
interface SessionParts {
  readonly database: Database
  readonly sessions: Sessions
  readonly blobs: BlobStore
  readonly audit: AuditSink
  readonly reader: AuditReader
  readonly clock: Clock
  readonly ids: IdSource
  readonly redact: (text: string) => string
  readonly withoutKnown: (text: string) => string
  readonly locale: () => Locale
  readonly runs: () => Runs
  readonly current: () => OpenWorkspace | null
}

/** Wires what a person does with whole sessions. */
export function composeSessions({ database, sessions, runs, current, ...parts }: SessionParts): Pick<HostServices, 'sessionActs' | 'sessionSearch' | 'sessionForks' | 'sessionExports' | 'drafts' | 'resend'> {
  const workspaceId = (): WorkspaceId | null => current()?.workspace.id ?? null
  return {
    sessionActs: makeSessionActs(sessions, runs),
    sessionSearch: makeSessionSearch({ search: database.search, sessions, clock: parts.clock, redact: parts.redact, workspaceId }),
    sessionForks: makeForks({ sessions, forks: database.forks, ids: parts.ids }),
    sessionExports: makeSessionExports({ ...parts, sessions, current, write: writeExport }),
    drafts: makeDrafts({ store: database.drafts, withoutKnown: parts.withoutKnown, workspaceId }),
    resend: resender({ sessions, runs, current }),
  }
}
