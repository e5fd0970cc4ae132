import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
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
