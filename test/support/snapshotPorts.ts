import { GitStores } from '../../src/main/adapters/git/gitStores'
import { defaultBounds } from '../../src/main/adapters/git/scan/limits'
import type { Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import type { SnapshotPorts } from '../../src/main/services/snapshotPorts'
import type { AuditDraft } from '../../src/shared/domain/audit'

/** The ports of snapshots over real adapters; only the audit is a list. Also for processes without a test runner. */
export function snapshotPorts(database: Database, dataFolder: string, workersFolder: string, audit: AuditDraft[], bounds = defaultBounds): SnapshotPorts {
  return {
    stores: new GitStores({ workersFolder, dataFolder }),
    timeline: database.timeline,
    lane: database.lane,
    events: database.events,
    calls: database.calls,
    whereOf: (root) => ({ cwd: root, root, home: '/home/somebody', appData: dataFolder }),
    redact: (text) => text.replaceAll('hunter2', '•••'),
    append: (sessionId, drafts) => database.events.append(sessionId, drafts),
    audit: {
      append: (draft) => {
        audit.push(draft)
        return Promise.resolve({ entries: audit.length, chain: `chain${audit.length}` })
      },
      head: () => ({ entries: 7, chain: 'audit-chain' }),
      hasRollback: () => Promise.resolve(false),
    },
    clock: systemClock,
    ids: makeIdSource(systemClock),
    programsLeft: () => 0,
    home: '/home/somebody',
    rules: () => Promise.resolve({ bounds, keepDays: 30, keepPoints: 10_000, keepBytes: 2 ** 31 }),
    neededPoints: () => Promise.resolve([]),
  }
}
