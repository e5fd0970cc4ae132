import { describe, expect, test } from 'vitest'
import type { DatabaseJob } from '../../../support/children/databaseChild'
import { childOf } from '../../../support/childProcess'
import { opened } from '../../../support/drafts'
import { migrationsDir, openIn, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { crasher, crashPointOf } from '../../../../src/main/adapters/sqlite/crashPoint'
import { asId, type SessionId } from '../../../../src/shared/domain/ids'

const startChild = childOf('databaseChild')
const session = asId<SessionId>('session-1')

test('a crash point counts only beside COUNTERSIGN_TEST=1', () => {
  expect(crashPointOf({ COUNTERSIGN_CRASH_AT: 'tool-started' })).toBe(null)
  expect(crashPointOf({ COUNTERSIGN_CRASH_AT: 'tool-started', COUNTERSIGN_TEST: '0' })).toBe(null)
  expect(crashPointOf({ COUNTERSIGN_TEST: '1' })).toBe(null)
  expect(crashPointOf({ COUNTERSIGN_CRASH_AT: 'tool-started', COUNTERSIGN_TEST: '1' })).toEqual({ type: 'tool-started', moment: 'after', time: 1 })
  expect(crashPointOf({ COUNTERSIGN_CRASH_AT: 'before:tool-started#3', COUNTERSIGN_TEST: '1' })).toEqual({ type: 'tool-started', moment: 'before', time: 3 })
})

test('a crash point is met at its n-th time, and only at its moment', () => {
  let kills = 0
  const crash = crasher({ type: 'b', moment: 'after', time: 3 }, () => void (kills += 1))
  crash.reach('after', ['a', 'b', 'b'])
  crash.reach('before', ['b'])
  expect(kills).toBe(0)
  crash.reach('after', ['b'])
  expect(kills).toBe(1)
})

describe('R97: the process dies', () => {
  async function crashAt(point: string, env: Readonly<Record<string, string>>) {
    const dataDir = scratchFolder()
    const database = await openIn(dataDir)
    const workspace = await database.timeline.workspace('/w', 'w')
    await database.events.append(session, [opened(workspace.id)])
    const job: DatabaseJob = { dataDir, migrationsDir, workerFile, job: 'append', name: 'x', times: 5 }
    const end = await startChild(job, { COUNTERSIGN_CRASH_AT: point, ...env }).ended
    return { signal: end.signal, events: (await database.events.read(session)).length }
  }

  test('before the commit: nothing of it is there', async () => {
    expect(await crashAt('before:note-added', { COUNTERSIGN_TEST: '1' })).toEqual({ signal: 'SIGKILL', events: 1 })
  })

  test('after the commit: all of it is there', async () => {
    // The child appends one note, then two, then three.
    expect(await crashAt('note-added#3', { COUNTERSIGN_TEST: '1' })).toEqual({ signal: 'SIGKILL', events: 4 })
  })

  test('not at all when one of the two variables is missing', async () => {
    expect(await crashAt('note-added', { COUNTERSIGN_TEST: '' })).toEqual({ signal: null, events: 1 + 1 + 2 + 3 + 1 + 2 })
  })
})
