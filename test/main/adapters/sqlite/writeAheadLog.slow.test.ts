import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { readWal } from '../../../../src/main/adapters/sqlite/recovery/walFrames'
import { note, opened } from '../../../support/drafts'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'
import { asId, type SessionId } from '../../../../src/shared/domain/ids'

const session = asId<SessionId>('session-1')

test('i03: the write-ahead log grows only while somebody reads, is cut afterwards, and is gone after leaving', async () => {
  const dataDir = scratchFolder()
  const file = path.join(dataDir, 'countersign.db')
  const logBytes = () => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0)
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(session, [opened(workspace.id)])
  const reader = rawOpen(file, true)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM event').get()
  const batch = Array.from({ length: 200 }, (_, index) => note('t1', `${index} ${'x'.repeat(5000)}`))
  for (let time = 0; time < 80; time += 1) await database.events.append(session, batch)
  expect(logBytes()).toBeGreaterThan(64 * 1024 * 1024)
  reader.exec('COMMIT')
  reader.close()
  // Two commits: the first takes the log in, the second begins it anew.
  for (let time = 0; time < 2; time += 1) await database.events.append(session, [note('t1', 'after')])
  expect(logBytes()).toBeLessThan(64 * 1024 * 1024)
  await database.close()
  expect(logBytes()).toBe(0)
}, 60_000)

test('R97 i03: the log has its room from the start, in front of no event, also with two that write', async () => {
  const dataDir = scratchFolder()
  const log = `${path.join(dataDir, 'countersign.db')}-wal`
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/w', 'w')
  await database.events.append(session, [opened(workspace.id)])
  // A second one that opens while the first one is at it, and both write meanwhile.
  const [second] = await Promise.all([openIn(dataDir), ...Array.from({ length: 40 }, (_, index) => database.events.append(session, [note('t1', `first ${index}`)]))])
  for (let index = 0; index < 20; index += 1) await Promise.all([database, second].map((one) => one.events.append(session, [note('t1', `both ${index}`)])))
  const room = 4.5 * 1024 * 1024
  await vi.waitFor(() => expect(statSync(log).size).toBe(room), 10_000)
  for (let index = 0; index < 20; index += 1) await second.events.append(session, [note('t1', `behind ${index}`)])
  expect({ size: statSync(log).size, isBroken: readWal(log)?.isBroken }).toEqual({ size: room, isBroken: false })
  expect((await database.events.read(session)).map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1))
  const raw = rawOpen(path.join(dataDir, 'countersign.db'), true)
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
  raw.close()
  await second.close()
  await database.close()
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
})
