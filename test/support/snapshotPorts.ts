import { GitStores } from '../../src/main/adapters/git/gitStores'
import type { Limits } from '../../src/main/adapters/git/limits'
import type { Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import type { SnapshotPorts } from '../../src/main/services/snapshotPorts'
import type { AuditDraft } from '../../src/shared/domain/audit'

/** The ports of snapshots over real adapters; only the audit is a list. Also for processes without a test runner. */
export function snapshotPorts(database: Database, dataFolder: string, workersFolder: string, audit: AuditDraft[], limits?: Limits): SnapshotPorts {
  return {
    stores: new GitStores({ workersFolder, dataFolder, ...(limits ? { limits } : {}) }),
    timeline: database.timeline,
    lane: database.lane,
    events: database.events,
    append: (sessionId, drafts) => database.events.append(sessionId, drafts),
    audit: {
      append: (draft) => {
        audit.push(draft)
        return Promise.resolve({ entries: audit.length, chain: `chain${audit.length}` })
      },
      head: () => ({ entries: 7, chain: 'audit-chain' }),
    },
    clock: systemClock,
    ids: makeIdSource(systemClock),
    programsLeft: () => 0,
    home: '/home/somebody',
  }
}
