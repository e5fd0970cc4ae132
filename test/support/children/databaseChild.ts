import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { asId, type SessionId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { note, turnBegun } from '../drafts'

/** One job for a second process on the same database; a line on stdout a fact. Its parent may kill it at any time. */
export interface DatabaseJob {
  readonly dataDir: string
  readonly migrationsDir: string
  readonly workerFile: string
  readonly job: 'append' | 'lane' | 'hold-lane' | 'begin-turn'
  readonly name: string
  readonly times: number
  /** Where the stays in the lane are written down. */
  readonly log?: string
}

const job = JSON.parse(process.argv[2] ?? '{}') as DatabaseJob
const never = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }
const tell = (line: string) => process.stdout.write(`${line}\n`)
const sessionId = asId<SessionId>('session-1')
const workspaceId = asId<WorkspaceId>('workspace-1')

const opened = await openDatabase({ ...job, clock: systemClock, ids: makeIdSource(systemClock) })
if (!opened.ok) throw new Error(JSON.stringify(opened.fault))
const database = opened.value
tell('open')

async function append(): Promise<void> {
  for (let time = 0; time < job.times; time += 1) {
    const batch = Array.from({ length: 1 + (time % 3) }, (_, index) => note('t1', `${job.name} ${time} ${index}`))
    const events = await database.events.append(sessionId, batch)
    for (const event of events) tell(`acknowledged ${event.seq}`)
  }
}

async function useLane(): Promise<void> {
  for (let time = 0; time < job.times; time += 1) {
    const release = await database.lane.enter(workspaceId, never)
    appendFileSync(job.log ?? '', `in ${job.name}\n`)
    await sleep(time % 3)
    appendFileSync(job.log ?? '', `out ${job.name}\n`)
    await release?.()
  }
}

if (job.job === 'append') await append()
if (job.job === 'lane') await useLane()
if (job.job === 'hold-lane') {
  await database.lane.enter(workspaceId, never)
  tell('held')
  await sleep(60_000)
}
if (job.job === 'begin-turn') {
  await database.events.append(sessionId, turnBegun('t1'))
  tell('begun')
  await sleep(60_000)
}
await database.close()
