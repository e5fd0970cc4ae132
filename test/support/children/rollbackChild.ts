import { openAuditLog } from '../../../src/main/adapters/audit/auditLog'
import { killProcess } from '../../../src/main/adapters/sqlite/crashPoint'
import { openDatabase } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import type { SnapshotStore } from '../../../src/main/core/ports/snapshotStore'
import { openSnapshots } from '../../../src/main/services/snapshots'
import type { SnapshotPorts } from '../../../src/main/services/snapshotPorts'
import { asId, type RollbackId, type SessionId, type SnapshotId } from '../../../src/shared/domain/ids'
import { succeed, type Result } from '../../../src/shared/domain/result'
import { snapshotPorts } from '../snapshotPorts'

/** A rollback, or the undo of one, in a process that ends itself as by kill -9 when it has come to a step for the n-th time. */
export interface RollbackJob {
  readonly act: 'apply' | 'undo'
  /** A snapshot to apply, a rollback to undo. */
  readonly to: string
  readonly sessionId: string
  readonly killAt: RollbackStep
  readonly time: number
  readonly project: string
  readonly data: string
  readonly workersFolder: string
  readonly migrationsDir: string
  readonly workerFile: string
  /** Where the audit log is. */
  readonly auditDir: string
}

/** The steps of a rollback that a kill can follow or come before. */
export type RollbackStep =
  | 'planned'
  | 'before applying'
  | 'applying'
  | 'path told'
  | 'before paths marked'
  | 'paths marked'
  | 'before after-rollback'
  | 'after-rollback'
  | 'before session told'
  | 'session told'
  | 'before audit'
  | 'audit told'
  | 'before undone'
  | 'undone'
  | 'before ended'
  | 'ended'

const job = JSON.parse(process.argv[2] ?? '{}') as RollbackJob
let seen = 0

function reach(step: RollbackStep): void {
  if (step === job.killAt && ++seen === job.time) killProcess()
}

async function around<T>(before: RollbackStep | null, run: () => Promise<T>, after: RollbackStep | null): Promise<T> {
  if (before) reach(before)
  const value = await run()
  if (after) reach(after)
  return value
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}

/** The real ports, with a look at each step. */
function watched(ports: SnapshotPorts): SnapshotPorts {
  const { timeline } = ports
  return {
    ...ports,
    stores: {
      async open(id, root) {
        const opened = await ports.stores.open(id, root)
        return opened.ok ? succeed(watchedStore(opened.value)) : opened
      },
    },
    timeline: {
      ...timeline,
      addRollback: (record) => around(null, () => timeline.addRollback(record), 'planned'),
      updateRollback(record) {
        const isEnd = record.state === 'applied' || record.state === 'partly'
        const [before, after] = record.state === 'applying' ? (['before applying', 'applying'] as const) : isEnd ? (['before ended', 'ended'] as const) : (['before undone', 'undone'] as const)
        return around(before, () => timeline.updateRollback(record), after)
      },
      markRollbackPaths: (id, settled) => around('before paths marked', () => timeline.markRollbackPaths(id, settled), 'paths marked'),
      addSnapshot: (one) => (one.kind === 'after-rollback' ? around('before after-rollback', () => timeline.addSnapshot(one), 'after-rollback') : timeline.addSnapshot(one)),
    },
    append(sessionId, drafts) {
      const isTelling = drafts.some(({ type }) => type === 'rolled-back' || type === 'rollback-undone')
      return isTelling ? around('before session told', () => ports.append(sessionId, drafts), 'session told') : ports.append(sessionId, drafts)
    },
    audit: {
      ...ports.audit,
      append: (draft) => around('before audit', () => log.append(draft), 'audit told'),
    },
  }
}

function watchedStore(store: SnapshotStore): SnapshotStore {
  const restore: SnapshotStore['restore'] = (steps, shape, onStep) =>
    store.restore(steps, shape, (path, outcome) => {
      onStep(path, outcome)
      reach('path told')
    })
  return new Proxy(store, {
    get(target, name) {
      if (name === 'restore') return restore
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
}

const ids = makeIdSource(systemClock)
const log = valueOf(await openAuditLog({ dir: job.auditDir, clock: systemClock, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) }))
const database = valueOf(await openDatabase({ dataDir: job.data, migrationsDir: job.migrationsDir, workerFile: job.workerFile, clock: systemClock, ids }))
const workspace = await database.timeline.workspace(job.project, 'project')
const snapshots = valueOf(await openSnapshots(workspace, watched(snapshotPorts(database, job.data, job.workersFolder, [])), { isRecorded: false }))
if (job.act === 'undo') valueOf(await snapshots.undo(asId<RollbackId>(job.to)))
else {
  const target = { to: asId<SnapshotId>(job.to), keepUserEdits: false }
  const plan = valueOf(await snapshots.plans.plan(target))
  valueOf(await snapshots.apply({ target, scope: 'files', sessionId: asId<SessionId>(job.sessionId), turnId: null, head: plan.head, unticked: [], resolved: {}, leftChanges: {} }))
}
throw new Error(`it was not killed at "${job.killAt}", which came ${seen} times`)
