import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DatabaseJob } from '../../../support/children/databaseChild'
import { childOf } from '../../../support/childProcess'
import { opened, note, turnBegun, turnEnded } from '../../../support/drafts'
import { migrationsDir, openIn, rawOpen, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { asId, type SessionId, type WorkspaceId } from '../../../../src/shared/domain/ids'

const startChild = childOf('databaseChild')
const session = asId<SessionId>('session-1')
const never = new AbortController().signal

function jobIn(dataDir: string, job: DatabaseJob['job'], name = job as string, times = 1): DatabaseJob {
  return { dataDir, migrationsDir, workerFile, job, name, times, log: path.join(dataDir, 'lane.log') }
}

async function databaseWithSession(dataDir: string) {
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(session, [opened(workspace.id)])
  return database
}

async function seqs(database: Awaited<ReturnType<typeof openIn>>): Promise<readonly number[]> {
  return (await database.events.read(session)).map((event) => event.seq)
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

test('R97: two processes that append to one session at once leave no gap and lose nothing', async () => {
  const dataDir = scratchFolder()
  const database = await databaseWithSession(dataDir)
  const children = ['a', 'b'].map((name) => startChild(jobIn(dataDir, 'append', name, 60)))
  for (let time = 0; time < 30; time += 1) await database.events.append(session, [note('t1', `own ${time}`)])
  expect(await Promise.all(children.map((child) => child.ended))).toEqual([{ code: 0, signal: null }, { code: 0, signal: null }])
  expect(await seqs(database)).toEqual(upTo(1 + 30 + 2 * 120))
  const acknowledged = children.flatMap((child) => child.lines).filter((line) => line.startsWith('acknowledged'))
  expect(new Set(acknowledged).size).toBe(240)
})

test('R97: kill -9 in the middle of writing, 20 times: every acknowledged event is there, and reopening needs no hand', async () => {
  const dataDir = scratchFolder()
  await (await databaseWithSession(dataDir)).close()
  let count = 1
  for (let round = 0; round < 20; round += 1) {
    const child = startChild(jobIn(dataDir, 'append', `round ${round}`, 100_000))
    await child.line(`acknowledged ${count + 1}`)
    await sleep((round * 37) % 25)
    child.process.kill('SIGKILL')
    await child.ended
    const database = await openIn(dataDir)
    expect(database.faults).toEqual([])
    const stored = await seqs(database)
    expect(stored).toEqual(upTo(stored.length))
    const last = Math.max(0, ...child.lines.filter((line) => line.startsWith('acknowledged')).map((line) => Number(line.split(' ')[1])))
    expect(stored.length).toBeGreaterThanOrEqual(last)
    count = stored.length
    await database.close()
  }
}, 60_000)

test('R97: while a turn runs in another living process no second one starts; when it is dead the session is unfinished work', async () => {
  const dataDir = scratchFolder()
  const database = await databaseWithSession(dataDir)
  const child = startChild(jobIn(dataDir, 'begin-turn'))
  await child.line('begun')
  expect(await database.events.unfinished()).toEqual([])
  await expect(database.events.append(session, turnBegun('t2'))).rejects.toMatchObject({ fault: { code: 'app.session-elsewhere', values: { pid: String(child.process.pid) } } })
  await database.events.append(session, [{ type: 'session-renamed', title: 'Still allowed' }])
  child.process.kill('SIGKILL')
  await child.ended
  expect(await database.events.unfinished()).toEqual([session])
  await database.events.append(session, [turnEnded('t1', 'cancelled'), ...turnBegun('t2')])
})

test('R97: a turn that a dead process left is taken up by one process only', async () => {
  const dataDir = scratchFolder()
  const database = await databaseWithSession(dataDir)
  const dead = startChild(jobIn(dataDir, 'begin-turn'))
  await dead.line('begun')
  dead.process.kill('SIGKILL')
  await dead.ended
  const taker = startChild(jobIn(dataDir, 'append', 'taker', 1))
  await taker.ended
  // The taker is gone again: its turn is anybody's.
  await database.events.append(session, [note('t1', 'mine now')])
  const late = startChild(jobIn(dataDir, 'append', 'late', 1))
  expect((await late.ended).code).not.toBe(0)
  expect(late.lines.filter((line) => line.startsWith('acknowledged'))).toEqual([])
  await database.events.append(session, [turnEnded('t1')])
})

test('the lane is held by one call at a time, over sessions and processes', async () => {
  const dataDir = scratchFolder()
  const database = await databaseWithSession(dataDir)
  const children = ['a', 'b'].map((name) => startChild(jobIn(dataDir, 'lane', name, 15)))
  await Promise.all(children.map((child) => child.ended))
  const lines = readFileSync(path.join(dataDir, 'lane.log'), 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(60)
  for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'))
  await database.close()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  expect(raw.prepare('SELECT count(*) AS count FROM lane').get()).toEqual({ count: 0 })
  raw.close()
})

test('the lane of a killed process is taken over, and one that waits is told', async () => {
  const dataDir = scratchFolder()
  const database = await databaseWithSession(dataDir)
  const child = startChild(jobIn(dataDir, 'hold-lane'))
  await child.line('held')
  let isIn = false
  const entering = database.lane.enter(asId<WorkspaceId>('workspace-1'), never).then((release) => {
    isIn = true
    return release
  })
  await sleep(200)
  expect(isIn).toBe(false)
  // Another workspace has its own lane.
  expect(await database.lane.enter('workspace-2', never)).toBeTypeOf('function')
  child.process.kill('SIGKILL')
  await child.ended
  expect(await entering).toBeTypeOf('function')
})
