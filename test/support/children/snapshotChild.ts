import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { GitStores } from '../../../src/main/adapters/git/gitStores'
import { openDatabase } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { openSnapshots } from '../../../src/main/services/snapshots'
import { asId, type CallId, type SessionId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import type { Result } from '../../../src/shared/domain/result'
import { snapshotPorts } from '../snapshotPorts'

/** One job for a second process on the same project; a line on stdout a fact. Its parent may kill it at any time. */
export interface SnapshotJob {
  readonly job: 'scan' | 'roll-back' | 'calls' | 'disk-full'
  readonly project: string
  readonly data: string
  readonly workersFolder: string
  readonly migrationsDir: string
  readonly workerFile: string
  readonly name: string
  readonly to?: string
  readonly times?: number
  /** A line of shared.txt that each call changes too. */
  readonly line?: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as SnapshotJob
const say = (line: string): unknown => process.stdout.write(`${line}\n`)

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}

const jobs: Readonly<Record<SnapshotJob['job'], () => Promise<void>>> = {
  async scan() {
    const store = valueOf(await new GitStores({ workersFolder: job.workersFolder, dataFolder: job.data }).open('w1', job.project))
    say('scanning')
    const taken = valueOf(await store.scan(new AbortController().signal))
    valueOf(await store.commit(taken, { snapshotId: job.name, kind: 'manual', author: null, callId: null, audit: null, atMs: Date.now() }))
    say(`taken ${taken.tree}`)
    await store.close()
  },
  async 'roll-back'() {
    const { snapshots, close } = await open()
    const target = { to: asId<SnapshotId>(job.to ?? ''), keepUserEdits: false }
    const plan = valueOf(await snapshots.plans.plan(target))
    say('applying')
    valueOf(await snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, leftChanges: {}, unticked: [], resolved: {} }))
    say('applied')
    await close()
  },
  async calls() {
    const { snapshots, close, sessionId } = await open()
    for (let time = 0; time < (job.times ?? 1); time++) {
      const call = { callId: asId<CallId>(`${job.name}-${time}`), sessionId, turnId: asId<TurnId>('t'), step: 1, author: 'agent' as const, touches: null }
      const stay = await snapshots.enter(call, new AbortController().signal)
      if (!stay) throw new Error('cancelled')
      await new Promise((resolve) => setTimeout(resolve, 25))
      writeFileSync(join(job.project, `${job.name}-${time}`), `${time}`)
      if (job.line !== undefined) changeLine(join(job.project, 'shared.txt'), job.line, `${job.name} ${time}`)
      await valueOf(stay).leave()
      say(`call ${time}`)
    }
    await close()
  },
  /** Project and data lie on one small disk. */
  async 'disk-full'() {
    const store = valueOf(await new GitStores({ workersFolder: job.workersFolder, dataFolder: job.data }).open('w1', job.project))
    const file = join(job.project, 'a')
    const bytes = [randomBytes(300_000), randomBytes(300_000)] as const
    const commit = async (): Promise<string> => {
      const taken = await store.scan(new AbortController().signal)
      if (!taken.ok) return taken.fault.code
      const made = await store.commit(taken.value, { snapshotId: job.name, kind: 'manual', author: null, callId: null, audit: null, atMs: 1 })
      return made.ok ? 'ok' : made.fault.code
    }
    writeFileSync(file, bytes[0])
    const before = valueOf(await store.scan(new AbortController().signal))
    say(`first ${await commit()}`)
    const filler = join(job.data, 'filler')
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(16_384))
    } catch {
      truncateSync(filler, statSync(filler).size - 65_536)
    }
    const fd = openSync(file, 'r+')
    writeSync(fd, bytes[1])
    closeSync(fd)
    say(`full ${await commit()}`)
    const [change] = await store.diff(null, before)
    const step = { path: 'a', to: change?.after ?? null, from: { oid: idOfBlob(bytes[1]), mode: '100644' } }
    await store.restore([step], before, (path, outcome) => say(`restore ${path} ${outcome.ok ? 'ok' : outcome.fault.code}`))
    say(`kept ${readFileSync(file).equals(bytes[1])} ${readdirSync(job.project).join()}`)
    rmSync(filler)
    say(`again ${await commit()}`)
    await store.restore([step], before, (path, outcome) => say(`restore ${path} ${outcome.ok ? 'ok' : outcome.fault.code}`))
    say(`back ${readFileSync(file).equals(bytes[0])}`)
    await store.close()
    execFileSync('git', ['--git-dir', join(job.data, 'snapshots', 'w1'), 'fsck', '--full', '--strict'])
  },
}

function changeLine(file: string, number: number, text: string): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.map((line, at) => (at === number - 1 ? text : line)).join('\n'))
}

function idOfBlob(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

async function open() {
  const ids = makeIdSource(systemClock)
  const database = valueOf(await openDatabase({ dataDir: job.data, migrationsDir: job.migrationsDir, workerFile: job.workerFile, clock: systemClock, ids }))
  const workspace = await database.timeline.workspace(job.project, 'project')
  const snapshots = valueOf(await openSnapshots(workspace, snapshotPorts(database, job.data, job.workersFolder, []), { isRecorded: false }))
  const sessionId = asId<SessionId>(ids.next())
  await database.events.append(sessionId, [{ type: 'session-opened', workspaceId: workspace.id, title: job.name, level: 'writes' }])
  return {
    snapshots,
    sessionId,
    close: async () => {
      await snapshots.close()
      await database.close()
    },
  }
}

await jobs[job.job]()
