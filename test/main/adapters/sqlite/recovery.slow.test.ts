import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { DatabaseJob } from '../../../support/children/databaseChild'
import { childOf } from '../../../support/childProcess'
import { intent, note, opened, turnBegun, turnEnded } from '../../../support/drafts'
import { migrationsDir, openIn, rawOpen, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { readWal } from '../../../../src/main/adapters/sqlite/recovery/walFrames'
import type { AgentEvent } from '../../../../src/shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../../../src/shared/domain/ids'

const startChild = childOf('databaseChild')
const damageScript = path.resolve(import.meta.dirname, '../../../cases/I/i11.mjs')
const sessions = ['one', 'two'].map((id) => asId<SessionId>(id))
const fileIn = (dataDir: string) => path.join(dataDir, 'countersign.db')

interface Filled {
  readonly dataDir: string
  readonly workspaceId: WorkspaceId
  readonly before: ReadonlyMap<string, readonly AgentEvent[]>
}

/** Two conversations, small events and long ones, with calls; closed, or left as kill -9 leaves it. */
async function filled({ isKilled = false, rounds = 100 } = {}): Promise<Filled> {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  const before = new Map<string, readonly AgentEvent[]>()
  for (const id of sessions) {
    await database.events.append(id, [opened(workspace.id, `Title ${id}`), ...turnBegun('t1')])
    for (let index = 0; index < rounds; index += 1) {
      const call = intent(id, 't1', `${id}-call-${index}`)
      await database.events.append(id, [note('t1', `${index} ${'文'.repeat((index % 10) * 700)}`), ...call.drafts], call.changes)
    }
    before.set(id, await database.events.read(id))
  }
  if (!isKilled) await database.close()
  else {
    // What another process would find after kill -9: the files as they are, the log not taken in.
    const left = scratchFolder()
    for (const end of ['', '-wal']) copyFileSync(fileIn(dataDir) + end, fileIn(left) + end)
    await database.close()
    return { dataDir: left, workspaceId: workspace.id, before }
  }
  return { dataDir, workspaceId: workspace.id, before }
}

/** What is in both is the same, seq has no gaps, and the rest says that it is lost. Returns how many events are whole. */
async function checkSalvaged({ before }: Filled, database: Awaited<ReturnType<typeof openIn>>): Promise<number> {
  let whole = 0
  for (const [id, events] of before) {
    const after = await database.events.read(asId(id))
    expect(after.map((event) => event.seq)).toEqual(Array.from({ length: after.length }, (_, index) => index + 1))
    after.forEach((event, index) => {
      // Lost, or known by a text that is damaged.
      if (event.type === 'event-unread') expect(event.storedType === 'event-lost' || !isJson(event.payload)).toBe(true)
      else {
        expect(event).toEqual(events[index])
        whole += 1
      }
    })
  }
  return whole
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const asideIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('.damaged-'))

test('i11 R97: damaged pages are found at start; the file is set aside, what can be read is saved, and the app works on', async () => {
  const world = await filled()
  const { dataDir } = world
  execFileSync(process.execPath, [damageScript, fileIn(dataDir)])
  const damaged = readFileSync(fileIn(dataDir))
  const database = await openIn(dataDir)
  const [aside = ''] = asideIn(dataDir)
  expect(database.faults).toMatchObject([{ code: expect.stringMatching(/^app\.database-recovered(-unlisted)?$/), values: { file: path.join(dataDir, aside) } }])
  expect(readFileSync(path.join(dataDir, aside)).equals(damaged)).toBe(true)
  const whole = await checkSalvaged(world, database)
  // Every tenth page was overwritten; the rest is to be found.
  expect(whole).toBeGreaterThan(0.6 * 2 * 203)
  expect((await database.events.sessions(world.workspaceId)).map((row) => row.title).sort()).toEqual(['Title one', 'Title two'])
  await database.events.append(sessions[0] ?? asId(''), [turnEnded('t1')])
  await database.close()
  const again = await openIn(dataDir)
  expect(again.faults).toEqual([])
  expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).filter((name) => /recover|scratch/.test(name))).toEqual([])
})

test('i11 R97: a damaged log is found too, although SQLite passes over it; what stands behind the damage is saved', async () => {
  const world = await filled({ isKilled: true, rounds: 35 })
  const { dataDir } = world
  // All of it stands in the log still.
  expect(readWal(`${fileIn(dataDir)}-wal`)?.frames.length).toBeGreaterThan(300)
  execFileSync(process.execPath, [damageScript, `${fileIn(dataDir)}-wal`])
  const database = await openIn(dataDir)
  // Whether the one row that names the folder stands on a damaged page depends on the schema's size.
  expect(database.faults.map((fault) => fault.code.replace('-unlisted', ''))).toEqual(['app.database-recovered'])
  expect(asideIn(dataDir).some((name) => name.endsWith('-wal'))).toBe(true)
  expect(await checkSalvaged(world, database)).toBeGreaterThan(0.5 * 2 * 73)
})

test('i11 R97: a database replaced by random bytes is set aside and a new one serves', async () => {
  const { dataDir } = await filled()
  const rubbish = randomBytes(100_000)
  writeFileSync(fileIn(dataDir), rubbish)
  const database = await openIn(dataDir)
  const [aside = ''] = asideIn(dataDir)
  expect(database.faults).toEqual([{ code: 'app.database-recovered', values: { file: path.join(dataDir, aside), saved: 0, lost: 0, unlisted: 0 } }])
  expect(readFileSync(path.join(dataDir, aside)).equals(rubbish)).toBe(true)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(asId('new'), [opened(workspace.id)])
})

test('R97: an undamaged log of a killed process is taken in without a word', async () => {
  const world = await filled({ isKilled: true })
  const database = await openIn(world.dataDir)
  expect(database.faults).toEqual([])
  expect(await checkSalvaged(world, database)).toBe(2 * 203)
})

test('R97: a log that was cut in its last transaction is no damage; nothing acknowledged was in it', async () => {
  const world = await filled({ isKilled: true })
  const log = `${fileIn(world.dataDir)}-wal`
  // Behind the last page is room for what is to come.
  const last = readWal(log)?.frames.at(-1)
  truncateSync(log, (last?.at ?? 0) + 3096)
  const database = await openIn(world.dataDir)
  expect(database.faults).toEqual([])
  expect(await checkSalvaged(world, database)).toBeGreaterThanOrEqual(2 * 203 - 2)
})

test('R97: a truncated file and a lost first page give back what stands on the other pages', async () => {
  for (const harm of [(file: string) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096), (file: string) => writeFileSync(file, Buffer.concat([Buffer.alloc(4096), readFileSync(file).subarray(4096)]))]) {
    const world = await filled()
    harm(fileIn(world.dataDir))
    const database = await openIn(world.dataDir)
    expect(database.faults).toMatchObject([{ code: expect.stringContaining('app.database-recovered') }])
    expect(await checkSalvaged(world, database)).toBeGreaterThan(100)
    await database.close()
  }
})

test('R97: a recovery that was killed after the old file had been moved is finished at the next start', async () => {
  const world = await filled({ isKilled: true })
  const file = fileIn(world.dataDir)
  const whole = await filled()
  // As `recover` leaves it between its two renames: the log of the old one is still in its place.
  copyFileSync(fileIn(whole.dataDir), `${file}.recovered`)
  renameSync(file, `${file}.damaged-20250101T000000000`)
  const database = await openIn(world.dataDir)
  expect(database.faults).toEqual([{ code: 'app.database-recovery-finished', values: { file: `${file}.damaged-20250101T000000000` } }])
  expect(await checkSalvaged(whole, database)).toBe(2 * 203)
  expect(existsSync(`${file}.recovered`)).toBe(false)
})

test('R97: a damaged file that another living process has open is not moved from under it', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(asId('session-1'), [opened(workspace.id)])
  await database.close()
  const job: DatabaseJob = { dataDir, migrationsDir, workerFile, job: 'begin-turn', name: 'other', times: 1 }
  const child = startChild(job)
  await child.line('begun')
  const raw = rawOpen(fileIn(dataDir))
  raw.pragma('wal_checkpoint(TRUNCATE)')
  raw.close()
  execFileSync(process.execPath, [damageScript, fileIn(dataDir)])
  await expect(openIn(dataDir)).rejects.toThrow('app.database-damaged-shared')
  expect(asideIn(dataDir)).toEqual([])
  child.process.kill('SIGKILL')
  await child.ended
  expect((await openIn(dataDir)).faults).toMatchObject([{ code: expect.stringMatching(/^app\.database-recovered(-unlisted)?$/) }])
})

test('R97: damage that shows only while the app runs is a fault that says what to do', async () => {
  const { dataDir, workspaceId } = await filled()
  const database = await openIn(dataDir)
  execFileSync(process.execPath, [damageScript, fileIn(dataDir)])
  const results = await Promise.allSettled([...sessions.map((id) => database.events.read(id)), database.events.sessions(workspaceId)])
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { fault?: { code: string } }).fault?.code] : []))
  expect(new Set(faults)).toEqual(new Set(['app.database-damaged']))
})
