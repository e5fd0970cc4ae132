import Sqlite from 'better-sqlite3'
import path from 'node:path'
import { expect, test } from 'vitest'
import { crasher } from '../../../../src/main/adapters/sqlite/crashPoint'
import type { OperationName, Response } from '../../../../src/main/adapters/sqlite/protocol'
import { serve } from '../../../../src/main/adapters/sqlite/serve'
import { ownIdentity } from '../../../../src/main/native/processIdentity'
import { openIn, scratchFolder } from '../../../support/scratchDatabase'

test('R84 R97: only a commit of places in the queue for the lane is not flushed; whatever stands beside them, or follows, is', async () => {
  const dataDir = scratchFolder()
  const file = path.join(dataDir, 'countersign.db')
  const made = await openIn(dataDir)
  const workspace = await made.timeline.workspace('/w', 'w')
  await made.close()
  const run: string[] = []
  const binding = Number(process.versions.napi) < 10 ? { nativeBinding: process.env['COUNTERSIGN_SQLITE_BINDING'] ?? '' } : {}
  const db = new Sqlite(file, { ...binding, verbose: (text) => void run.push(String(text)) })
  db.pragma('synchronous = FULL')
  const answers: Response[] = []
  const handle = serve({ db, file, isReadOnly: false, self: ownIdentity(), crash: crasher(null, () => undefined), send: (response) => void answers.push(response) })
  const ask = async (...asked: readonly (readonly [OperationName, unknown])[]) => {
    run.length = 0
    asked.forEach(([op, args], index) => handle.ask({ kind: 'ask', id: index, op, args }))
    await new Promise((resolve) => setImmediate(resolve))
    return run.filter((text) => /^(PRAGMA synchronous|BEGIN|COMMIT|ROLLBACK$)/.test(text))
  }
  const join = ['joinLane', { workspaceId: workspace.id, nowMs: 1 }] as const
  const save = ['saveDraft', { workspaceId: workspace.id, draft: { sessionId: 'new', payload: '{}' }, atMs: 1 }] as const
  const unflushed = ['PRAGMA synchronous = NORMAL', 'BEGIN IMMEDIATE', 'COMMIT', 'PRAGMA synchronous = FULL']

  expect(await ask(join)).toEqual(unflushed)
  expect(await ask(join, ['askLane', { workspaceId: workspace.id, ticket: 1, nowMs: 1 }], ['leaveLane', { ticket: 1 }], ['beatLane', { tickets: [2], nowMs: 2 }])).toEqual(unflushed)
  expect(await ask(save)).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
  expect(await ask(join, save)).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
  expect(answers.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'answered'))
  // Also after one that failed as a whole.
  db.pragma('user_version = 99')
  expect((await ask(join)).at(-1)).toBe('PRAGMA synchronous = FULL')
  expect(db.pragma('synchronous', { simple: true })).toBe(2)
  handle.finish()
  db.close()
})
