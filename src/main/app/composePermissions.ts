import type { Database } from '../adapters/sqlite/database'
import { systemClock } from '../adapters/system/clock'
import type { AuditSink } from '../core/ports/auditSink'
import type { IdSource } from '../core/ports/idSource'
import type { Where } from '../core/policy/shell/call'
import { openRoot } from '../native/safePath'
import { makePermissions, type Permissions } from '../services/permissions'
import type { Sessions } from '../services/sessions'
import type { HostOptions } from './hostOptions'
import { projectGitOf } from './projectGitOf'

/** What permissions share with the rest of a host. */
export interface SharedWithPermissions {
  readonly database: Pick<Database, 'rules' | 'calls'>
  readonly sessions: Sessions
  readonly audit: Pick<AuditSink, 'append'>
  readonly ids: IdSource
  redact(text: string): string
}

/** Wires rules and grants. Past calls are judged as the project is seen now; of a folder that is gone, git asks. */
export function composePermissions(options: Pick<HostOptions, 'home' | 'dataFolder'>, shared: SharedWithPermissions): Permissions {
  const { database, sessions, audit, ids } = shared
  return makePermissions({
    store: database.rules,
    journal: database.calls,
    sessions,
    audit,
    ids,
    clock: systemClock,
    redact: (text) => shared.redact(text),
    whereOf: (root) => whereIn(root, options),
  })
}

/** How the guards see a folder. Of one that is gone, git asks. */
export function whereIn(root: string, { home, dataFolder }: Pick<HostOptions, 'home' | 'dataFolder'>): Where {
  const folder = openRoot(root)
  return { cwd: root, root, home, appData: dataFolder, isRoot: process.getuid?.() === 0, projectGit: folder.ok ? projectGitOf(folder.value) : { executes: null } }
}
