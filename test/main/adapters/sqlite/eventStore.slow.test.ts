import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asId, type CallId, type SessionId } from '../../../../src/shared/domain/ids'
import type { EventDraft } from '../../../../src/shared/domain/event'
import { intent, note, opened, toolFinished, turnBegun, turnEnded } from '../../../support/drafts'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'

const session = asId<SessionId>('session-1')

async function started(dataDir = scratchFolder(), nowMs = 1000) {
  const clock = { nowMs: () => nowMs }
  const database = await openIn(dataDir, clock)
  const workspace = await database.timeline.workspace('/home/me/project', 'project')
  return { dataDir, database, workspace, open: () => database.events.append(session, [opened(workspace.id)]) }
}

test('R95: what append gives back is what is read later, numbered from 1 without gaps', async () => {
  const { database, open } = await started()
  const lived = [...(await open()), ...(await database.events.append(session, [...turnBegun('t1', 'héllo 你好 \ud83d\ude00'), note('t1', 'a\u0000b')])), ...(await database.events.append(session, [turnEnded('t1')]))]
  expect(lived.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5])
  expect(await database.events.read(session)).toEqual(lived)
  expect(await database.events.read(session, 2, 3)).toEqual(lived.slice(1, 3))
  expect(lived[1]).toEqual({ type: 'user-message-added', turnId: 't1', messageId: 't1-message', text: 'héllo 你好 😀', v: 1, sessionId: session, seq: 2, atMs: 1000 })
})

test('R95: a long session is read whole, page by page', async () => {
  const { database, open } = await started()
  await open()
  const drafts = Array.from({ length: 40 }, (_, index) => note('t1', `${index} ${'x'.repeat(50_000)}`))
  await database.events.append(session, drafts)
  const read = await database.events.read(session)
  expect(read.map((event) => event.seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1))
  expect(await database.events.read(session, 30, 35)).toEqual(read.slice(29, 35))
  expect(await database.events.read(asId('nobody'))).toEqual([])
})

test('R84: events and journal are committed together or not at all', async () => {
  const { database, open } = await started()
  await open()
  const { drafts, changes } = intent(session, 't1', 'call-1')
  await database.events.append(session, drafts, changes)
  const before = await database.events.read(session)
  const illegal = database.events.append(session, [toolFinished('t1', 'call-1')], [{ to: 'finished', callId: asId('call-1'), finishedAtMs: 5, afterSnapshot: null, outcome: 'ok' }])
  await expect(illegal).rejects.toThrow('call call-1 is intent and cannot become finished')
  expect(await database.events.read(session)).toEqual(before)
  expect((await database.calls.get(asId('call-1')))?.state).toBe('intent')
})

test('R84: a refused append takes nothing of the others with it that wait for the same commit', async () => {
  const { database, open } = await started()
  const results = await Promise.allSettled([
    open(),
    database.events.append(session, [note('t1', 'first')]),
    database.events.append(session, [note('t1', 'refused')], [{ to: 'running', callId: asId('nobody'), pid: 1 }]),
    database.events.append(session, [note('t1', 'second')]),
  ])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const read = await database.events.read(session)
  expect(read.map((event) => [event.seq, event.type === 'note-added' ? event.say.values['problem'] : event.type])).toEqual([[1, 'session-opened'], [2, 'first'], [3, 'second']])
})

test('R5: a second result of one call is refused by the database itself', async () => {
  const { database, open } = await started()
  await open()
  await database.events.append(session, [toolFinished('t1', 'call-1')])
  await expect(database.events.append(session, [toolFinished('t1', 'call-1')])).rejects.toThrow('UNIQUE')
  expect(await database.events.read(session)).toHaveLength(2)
})

test('R95: events can be neither changed nor deleted', async () => {
  const { dataDir, database, open } = await started()
  await open()
  await database.close()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  expect(() => raw.exec("UPDATE event SET payload = '{}'")).toThrow('events are not changed')
  expect(() => raw.exec('DELETE FROM event')).toThrow('events are not deleted')
  raw.close()
})

test('an event of a session that was never opened, and a second opening, are bugs', async () => {
  const { database, workspace, open } = await started()
  await expect(database.events.append(session, [note('t1', 'x')])).rejects.toThrow('session session-1 was never opened')
  await open()
  await expect(database.events.append(session, [opened(workspace.id)])).rejects.toThrow('session session-1 was opened before')
})

test('R94: the journal keeps every field of a call, in order of the calls', async () => {
  const { database, open } = await started()
  await open()
  for (const call of ['call-1', 'call-2']) {
    const { drafts, changes } = intent(session, 't1', call)
    await database.events.append(session, drafts, changes)
  }
  const callId = asId<CallId>('call-1')
  const writes = [{ path: 'a', before: null, after: 'hash' }]
  await database.events.append(session, [], [{ to: 'asked', callId, askedAtMs: 1, argsHash: 'h' }])
  await database.events.append(session, [], [{ to: 'approved', callId, approved: { path: 'a' }, argsHash: 'h2', decidedBy: 'person', ruleId: null, decidedAtMs: 2 }])
  await database.events.append(session, [], [{ to: 'started', callId, effective: { path: 'b' }, startedAtMs: 3, beforeSnapshot: asId('snap-1'), writes }])
  await database.events.append(session, [], [{ to: 'running', callId, pid: 4711 }])
  await database.events.append(session, [], [{ to: 'finished', callId, finishedAtMs: 4, afterSnapshot: asId('snap-2'), outcome: 'ok' }])
  expect(await database.calls.list(session)).toEqual([
    {
      callId: 'call-1', providerCallId: 'provider-call-1', sessionId: session, turnId: 't1', step: 1, index: 0, tool: 'write_file', effect: 'write', proposed: '{"path":"a"}',
      approved: { path: 'a' }, effective: { path: 'b' }, argsHash: 'h2', state: 'finished', decidedBy: 'person', ruleId: null, askedAtMs: 1, decidedAtMs: 2, startedAtMs: 3,
      finishedAtMs: 4, beforeSnapshot: 'snap-1', afterSnapshot: 'snap-2', pid: 4711, writes, outcome: 'ok',
    },
    expect.objectContaining({ callId: 'call-2', state: 'intent', approved: null, writes: [] }),
  ])
  expect(await database.calls.get(asId('nobody'))).toBe(null)
})

test('R94: the session list is kept with the events, newest first, and can be rebuilt from them', async () => {
  const dataDir = scratchFolder()
  let nowMs = 1000
  const database = await openIn(dataDir, { nowMs: () => (nowMs += 1000) })
  const workspace = await database.timeline.workspace('/w', 'w')
  const live = (id: string, drafts: readonly EventDraft[]) => database.events.append(asId(id), [opened(workspace.id, id), ...drafts])
  await live('done', [...turnBegun('t1'), turnEnded('t1')])
  await live('failed', [...turnBegun('t2'), turnEnded('t2', 'error')])
  await live('stopped', [...turnBegun('t3'), turnEnded('t3', 'cancelled')])
  await live('running', turnBegun('t4'))
  await database.events.append(asId('done'), [{ type: 'session-renamed', title: 'Renamed' }])
  const listed = await database.events.sessions(workspace.id)
  expect(listed.map(({ id, title, state }) => [id, title, state])).toEqual([
    ['done', 'Renamed', 'idle'], ['running', 'running', 'running'], ['stopped', 'stopped', 'stopped'], ['failed', 'failed', 'failed'],
  ])
  expect(await database.events.unfinished()).toEqual(['running'])
  await database.close()

  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  raw.exec("UPDATE session SET title = 'wrong', state = 'idle', last_at_ms = 0, open_turn = NULL")
  raw.close()
  const again = await openIn(dataDir)
  expect(await again.rebuildSessions()).toBe(4)
  expect(await again.events.sessions(workspace.id)).toEqual(listed)
  expect(await again.events.unfinished()).toEqual(['running'])
})

test('R97: a message whose turn did not even start is unfinished work', async () => {
  const { database, open } = await started()
  await open()
  await database.events.append(session, turnBegun('t1').slice(0, 1))
  expect(await database.events.unfinished()).toEqual([session])
  await database.events.append(session, [turnEnded('t1')])
  expect(await database.events.unfinished()).toEqual([])
})

test('R68: the audit head of a turn end is in the database, and the longest one stays', async () => {
  const { database, open } = await started()
  await open()
  expect(await database.auditHead()).toBe(null)
  await database.events.append(session, [turnEnded('t1', 'done', { entries: 7, chain: 'seven' })])
  await database.events.append(session, [turnEnded('t2', 'done', { entries: 5, chain: 'five' })])
  expect(await database.auditHead()).toEqual({ entries: 7, chain: 'seven' })
})

test('E28: data folder and files are for their owner alone', async () => {
  const dataDir = path.join(scratchFolder(), 'data')
  const { open } = await started(dataDir)
  await open()
  const modeOf = (name: string) => statSync(path.join(dataDir, name)).mode & 0o777
  expect({ folder: modeOf('.'), database: modeOf('countersign.db'), log: modeOf('countersign.db-wal'), shared: modeOf('countersign.db-shm') }).toEqual({ folder: 0o700, database: 0o600, log: 0o600, shared: 0o600 })
})

test('R94: a commit is on the disk before it is answered: write-ahead log with synchronous FULL', async () => {
  const { dataDir, database, open } = await started()
  await open()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'), true)
  expect(raw.pragma('journal_mode', { simple: true })).toBe('wal')
  // Seen by another connection as soon as the promise resolved.
  expect(raw.prepare('SELECT count(*) AS count FROM event').get()).toEqual({ count: 1 })
  raw.close()
  await database.close()
})

test('what was asked before closing is still done; afterwards a fault says that the database is closed', async () => {
  const { dataDir, database, open } = await started()
  const last = open()
  await database.close()
  expect(await last).toHaveLength(1)
  await expect(database.events.read(session)).rejects.toMatchObject({ fault: { code: 'app.database-stopped' } })
  expect(await (await openIn(dataDir)).events.read(session)).toHaveLength(1)
})
