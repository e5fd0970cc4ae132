import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { oneOfEach, opened, turnEnded } from '../../../support/drafts'
import { migrationsDir, openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'
import { openDatabase } from '../../../../src/main/adapters/sqlite/database'
import { asId, type SessionId } from '../../../../src/shared/domain/ids'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/db')
const known = readdirSync(migrationsDir).length
const session = asId<SessionId>('session-1')

function databaseOfVersion(version: number): string {
  const dataDir = scratchFolder()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  raw.exec(readFileSync(path.join(fixtures, `version-${version}.sql`), 'utf8'))
  raw.close()
  return dataDir
}

function schemaOf(file: string): readonly unknown[] {
  const raw = rawOpen(file, true)
  const rows = raw.prepare<[], { type: string; name: string; sql: string | null }>('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  raw.close()
  return rows.map((row) => ({ ...row, sql: row.sql?.replace(/--[^\n]*/g, '').replace(/\s+/g, ' ') ?? null }))
}

describe('R95: a database of every version that ever was', () => {
  const versions = Array.from({ length: known }, (_, index) => index + 1)

  test.each(versions)('version %i opens, and every event in it is read', async (version) => {
    const dataDir = databaseOfVersion(version)
    const database = await openIn(dataDir)
    expect(database.faults).toEqual([])
    const workspace = await database.timeline.workspace('/home/me/project', 'project')
    const events = await database.events.read(session)
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: events.length }, (_, index) => index + 1))
    expect(events.filter((event) => event.type === 'event-unread')).toEqual([])
    expect((await database.events.sessions(workspace.id)).map(({ id, title, state }) => [id, title, state])).toEqual([['session-2', 'Left by a crash', 'running'], ['session-1', '改名 👍', 'idle']])
    expect(await database.events.unfinished()).toEqual(['session-2'])
    expect((await database.calls.list(session)).map((call) => [call.callId, call.state])).toEqual([['call-1', 'finished']])
    expect((await database.timeline.snapshots(workspace.id)).map((one) => one.id)).toEqual(['snap-1', 'snap-2'])
    expect((await database.timeline.rollbacks(workspace.id)).map((one) => [one.id, one.done, one.failed.length])).toEqual([['r1', ['a'], 1]])
    expect(await database.auditHead()).toEqual({ entries: 3, chain: 'c'.repeat(64) })
    await database.events.append(session, [turnEnded('t2')])
    await database.close()
  })

  test.each(versions)('version %i becomes the same schema as a new database', async (version) => {
    const old = databaseOfVersion(version)
    const fresh = scratchFolder()
    for (const dataDir of [old, fresh]) await (await openIn(dataDir)).close()
    expect(schemaOf(path.join(old, 'countersign.db'))).toEqual(schemaOf(path.join(fresh, 'countersign.db')))
  })

  test('the newest version has a fixture that holds an event of every type', () => {
    const text = readFileSync(path.join(fixtures, `version-${known}.sql`), 'utf8')
    for (const type of Object.keys(oneOfEach)) expect(text).toContain(`'${type}'`)
  })
})

/** The shipped migrations and one more, as the next version would bring. */
function withNextMigration(sql: string): string {
  const folder = path.join(scratchFolder(), 'migrations')
  mkdirSync(folder)
  for (const name of readdirSync(migrationsDir)) copyFileSync(path.join(migrationsDir, name), path.join(folder, name))
  writeFileSync(path.join(folder, `${String(known + 1).padStart(3, '0')}-next.sql`), sql)
  return folder
}

test('R95: before a migration runs, the database is copied as it was, for its owner alone', async () => {
  const dataDir = databaseOfVersion(known)
  const before = rawOpen(path.join(dataDir, 'countersign.db'), true)
  const rows = before.prepare('SELECT count(*) AS count FROM event').get()
  before.close()
  const database = await openIn(dataDir, undefined, withNextMigration('ALTER TABLE workspace ADD COLUMN colour TEXT;'))
  expect(await database.events.read(session)).not.toEqual([])
  await database.close()
  const copy = path.join(dataDir, `countersign.db.version-${known}`)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const raw = rawOpen(copy, true)
  expect(raw.pragma('user_version', { simple: true })).toBe(known)
  expect(raw.prepare('SELECT count(*) AS count FROM event').get()).toEqual(rows)
  raw.close()
})

test('a migration that fails changes nothing', async () => {
  const dataDir = databaseOfVersion(1)
  const before = schemaOf(path.join(dataDir, 'countersign.db'))
  const next = withNextMigration('CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);')
  await expect(openIn(dataDir, undefined, next)).rejects.toThrow('table half already exists')
  expect(schemaOf(path.join(dataDir, 'countersign.db'))).toEqual(before)
  await (await openIn(dataDir)).close()
})

describe('i09: a database of a newer version', () => {
  function newer(change: string): string {
    const dataDir = databaseOfVersion(known)
    const raw = rawOpen(path.join(dataDir, 'countersign.db'))
    raw.exec(`${change}; PRAGMA user_version = ${known + 5};`)
    raw.close()
    return dataDir
  }

  test('R97: is opened for reading, said so, and not changed by a byte', async () => {
    const dataDir = newer('ALTER TABLE session ADD COLUMN colour TEXT; CREATE TABLE unknown (id TEXT)')
    const before = readFileSync(path.join(dataDir, 'countersign.db'))
    const database = await openIn(dataDir)
    const file = path.join(dataDir, 'countersign.db')
    const fault = { code: 'app.database-newer', values: { file } }
    expect({ isReadOnly: database.isReadOnly, faults: database.faults }).toEqual({ isReadOnly: true, faults: [fault] })
    const workspace = await database.timeline.workspace('/home/me/project', 'project')
    expect(await database.events.sessions(workspace.id)).toHaveLength(2)
    expect((await database.events.read(session)).length).toBeGreaterThan(20)
    for (const refused of [
      database.events.append(session, [turnEnded('t2')]),
      database.events.append(asId('new'), [opened(workspace.id)]),
      database.timeline.workspace('/another', 'another'),
      database.lane.enter(workspace.id, new AbortController().signal),
    ]) await expect(refused).rejects.toMatchObject({ fault })
    await database.close()
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(dataDir).filter((name) => name.includes('version') || name.includes('damaged'))).toEqual([])
  })

  test('a column that it renamed is a fault in words, not a crash', async () => {
    const database = await openIn(newer('ALTER TABLE session RENAME COLUMN title TO name'))
    const [workspace] = [await database.timeline.workspace('/home/me/project', 'project')]
    await expect(database.events.sessions(workspace.id)).rejects.toMatchObject({ fault: { code: 'app.database-newer' } })
    expect((await database.events.read(session)).length).toBeGreaterThan(20)
  })

  test('one that becomes newer while it is open takes no more writes', async () => {
    const dataDir = databaseOfVersion(known)
    const database = await openIn(dataDir)
    const later = await openIn(dataDir, undefined, withNextMigration('ALTER TABLE event RENAME COLUMN payload TO body;'))
    await expect(database.events.append(session, [turnEnded('t2')])).rejects.toMatchObject({ fault: { code: 'app.database-newer' } })
    await later.close()
  })
})

test('a data folder that cannot be written is a fault that names the file and the reason', async () => {
  const dataDir = scratchFolder()
  const blocked = path.join(dataDir, 'file')
  writeFileSync(blocked, '')
  const result = await openDatabase({ dataDir: path.join(blocked, 'data'), migrationsDir, workerFile: path.resolve('out/main/sqliteWorker.js'), clock: { nowMs: () => 0 }, ids: { next: () => 'id', nonce: () => 'n' } })
  expect(result).toMatchObject({ ok: false, fault: { code: 'app.database-unusable', values: { file: path.join(blocked, 'data/countersign.db') } } })
  expect(existsSync(path.join(blocked, 'data'))).toBe(false)
})
