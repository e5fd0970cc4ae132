import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitStores } from '../../../src/main/adapters/git/gitStores'
import type { SnapshotStore } from '../../../src/main/core/ports/snapshotStore'
import type { Result } from '../../../src/shared/domain/result'

/** One job for another process on the same store; a line on stdout a fact. Its parent may kill it at any time. */
export interface PackJob {
  readonly job: 'commits' | 'clean' | 'disk-full'
  readonly project: string
  readonly data: string
  readonly workersFolder: string
  readonly times?: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as PackJob
const never = new AbortController().signal
const folder = join(job.data, 'snapshots', 'w1')
const say = (line: string): unknown => process.stdout.write(`${line}\n`)

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}

/** The commits a cleaning keeps: about half, the same for everybody. */
function isKept(commit: string): boolean {
  return commit < '8'
}

const jobs: Readonly<Record<PackJob['job'], (store: SnapshotStore) => Promise<void>>> = {
  /** Changes a file, takes a snapshot, and once more from the start where another process forgot what was scanned. */
  async commits(store) {
    for (let time = 0; time < (job.times ?? 1); time++) {
      writeFileSync(join(job.project, 'n'), `${time}\n`)
      writeFileSync(join(job.project, `n${time % 5}`), randomBytes(200))
      for (let isDone = false; !isDone; ) {
        const taken = valueOf(await store.scan(never))
        const commit = await store.commit(taken, { snapshotId: `${time}`, kind: 'manual', author: null, callId: null, audit: null, atMs: Date.now() })
        isDone = commit.ok
        // No person and no agent leaves the lock without a gap.
        await sleep(30)
        if (commit.ok) say(`taken ${time} ${commit.value} ${taken.tree} ${taken.side}`)
        else say(`again ${commit.fault.code}`)
      }
    }
  },
  async clean(store) {
    for (let time = 0; time < (job.times ?? 1); time++) {
      say('packing')
      valueOf(await store.pack(never))
      const all = execFileSync('git', ['--git-dir', folder, 'rev-list', '--all'], { encoding: 'utf8' }).trim().split('\n')
      say('forgetting')
      valueOf(await store.forget(all.filter(isKept), never))
      say(`cleaned ${time}`)
    }
  },
  /** Project and data lie on one small disk. */
  async 'disk-full'(store) {
    for (let i = 0; i < 20; i++) writeFileSync(join(job.project, `f${i}`), randomBytes(40_000))
    const taken = valueOf(await store.scan(never))
    const commit = valueOf(await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 }))
    const filler = join(job.data, 'filler')
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(16_384))
    } catch {
      truncateSync(filler, statSync(filler).size - 65_536)
    }
    const files = (): string => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort().join()
    const before = files()
    const full = await store.pack(never)
    say(`full ${full.ok ? 'ok' : full.fault.code} ${files() === before}`)
    rmSync(filler)
    valueOf(await store.pack(never))
    valueOf(await store.forget([commit], never))
    const [lack] = await store.missing([taken])
    say(`again ${readdirSync(join(folder, 'objects', 'pack')).length} ${lack?.objects}`)
    execFileSync('git', ['--git-dir', folder, 'fsck', '--full', '--strict'])
  },
}

const store = valueOf(await new GitStores({ workersFolder: job.workersFolder, dataFolder: job.data }).open('w1', job.project))
await jobs[job.job](store)
await store.close()
