import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { historyFor } from '../../../src/main/core/context/history'
import { makeDrafts } from '../../../src/main/services/drafts'
import { makeSessionActs } from '../../../src/main/services/sessionActs'
import { makeForks } from '../../../src/main/services/sessionForks'
import { makeSessions } from '../../../src/main/services/sessions'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { intent, opened, toolFinished, turnBegun, turnEnded } from '../../support/drafts'
import { openIn, rawOpen, scratchFolder } from '../../support/scratchDatabase'

const used: EventDraft = { type: 'usage-reported', turnId: asId('t1'), step: 1, usage: { inputTokens: 10, outputTokens: 5, estimated: false }, choice: { provider: 'p', model: 'm' }, cost: { currency: 'USD', micros: 7 } }
const answer = (turn: string, text: string, calls: Extract<EventDraft, { type: 'assistant-message-added' }>['calls'] = []): EventDraft => ({ type: 'assistant-message-added', turnId: asId(turn), step: 1, messageId: asId(`${turn}-a`), text, reasoning: '', choice: { provider: 'p', model: 'm' }, calls, stop: 'stop', isComplete: true })

async function world(dataDir = scratchFolder()) {
  const database = await openIn(dataDir)
  const workspace = await database.timeline.workspace('/home/me/project', 'project')
  const ids = makeIdSource(systemClock)
  const sessions = makeSessions({ events: database.events, clock: systemClock, ids })
  const running = new Set<SessionId>()
  const forks = makeForks({ sessions, forks: database.forks, ids })
  const acts = makeSessionActs(sessions, () => ({ isRunning: (id) => running.has(id) }))
  const begin = async (): Promise<SessionId> => {
    const id = asId<SessionId>(ids.next())
    const call = intent(id, 't1', `${id}-call`)
    await database.events.append(id, [opened(workspace.id, 'Origin'), ...turnBegun('t1', 'first'), answer('t1', 'I will', [{ callId: asId(`${id}-call`), providerCallId: 'p1', name: 'write_file', argumentsText: '{"path":"a"}' }]), ...call.drafts, toolFinished('t1', `${id}-call`), used, turnEnded('t1')], call.changes)
    await database.events.append(id, [...turnBegun('t2', 'second'), answer('t2', 'Done'), turnEnded('t2')])
    return id
  }
  return { dataDir, database, workspace, sessions, forks, acts, running, begin }
}

function valueOf<Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: { readonly code: string } }): Value {
  if (!result.ok) throw new Error(result.fault.code)
  return result.value
}

describe('R96: a fork', () => {
  test('begins with the same events under the same numbers: the same screen, the same history for the model', async () => {
    const { database, forks, begin } = await world()
    const id = await begin()
    const { session, text } = valueOf(await forks.fork(id, { messageSeq: 9, side: 'before' }, 'Origin (fork)'))
    expect([text, session.title, session.forkedFrom, session.state]).toEqual(['second', 'Origin (fork)', { sessionId: id, seq: 8 }, 'idle'])
    const [origin, fork] = [await database.events.read(id, 1, 8), await database.events.read(session.id, 1, 8)]
    expect(fork.slice(1)).toEqual(origin.slice(1).map((event) => ({ ...event, sessionId: session.id })))
    expect(historyFor(fork, 'S')).toEqual(historyFor(origin, 'S'))
    const items = (events: typeof fork) => events.reduce(applyEvent, emptyChat(events[0]?.sessionId ?? id)).items
    expect(items(fork)).toEqual(items(origin))
  })

  test('leaves the journal with the origin, counts no use twice, and the origin is not touched', async () => {
    const { dataDir, database, workspace, forks, begin } = await world()
    const id = await begin()
    const before = await database.events.read(id)
    const { session } = valueOf(await forks.fork(id, { messageSeq: 4, side: 'after' }, 'F'))
    expect(await database.calls.list(session.id)).toEqual([])
    expect((await database.calls.list(id)).map(({ callId }) => callId)).toEqual([`${id}-call`])
    expect(await database.usage.costsSince(0)).toEqual([{ currency: 'USD', micros: 7 }])
    expect(await database.events.read(id)).toEqual(before)
    const rows = await database.events.sessions(workspace.id)
    await database.rebuildSessions()
    expect(await database.events.sessions(workspace.id)).toEqual(rows)
    expect(await database.usage.costsSince(0)).toEqual([{ currency: 'USD', micros: 7 }])
    const raw = rawOpen(path.join(dataDir, 'countersign.db'), true)
    expect(raw.prepare('SELECT pinned, deleted_at_ms AS deleted, forked_session AS of, forked_seq AS seq FROM session WHERE id = ?').get(session.id)).toEqual({ pinned: 0, deleted: null, of: id, seq: 8 })
    raw.close()
  })

  test('of a running turn is refused, and then there is no new session', async () => {
    const { database, workspace, sessions, forks, begin } = await world()
    const id = await begin()
    await sessions.append(id, turnBegun('t3', 'third'))
    const refused = await forks.fork(id, { messageSeq: 13, side: 'after' }, 'F')
    expect(refused).toMatchObject({ ok: false, fault: { code: 'session.fork-running' } })
    expect(await database.events.sessions(workspace.id)).toHaveLength(1)
    await expect(database.forks.fork({ sessionId: asId('x'), from: { sessionId: id, seq: 14 }, workspaceId: workspace.id, title: '', level: 'writes', tail: [] })).rejects.toThrow('a turn is open')
    expect(await database.events.read(asId('x'))).toEqual([])
  })

  test('of a fork is a fork like any other', async () => {
    const { database, forks, begin } = await world()
    const first = valueOf(await forks.fork(await begin(), { messageSeq: 4, side: 'after' }, 'one')).session
    const second = valueOf(await forks.fork(first.id, { messageSeq: 4, side: 'after' }, 'two')).session
    expect(second.forkedFrom).toEqual({ sessionId: first.id, seq: 8 })
    expect(historyFor(await database.events.read(second.id), '')).toEqual(historyFor(await database.events.read(first.id), ''))
  })
})

describe('R96: pinned, deleted, restored', () => {
  test('each is an event, said twice done once, and stands in the list', async () => {
    const { database, workspace, acts, begin } = await world()
    const id = await begin()
    const list = async () => (await database.events.sessions(workspace.id)).map(({ isPinned, deletedAtMs }) => [isPinned, deletedAtMs !== null])
    const lastAtMs = (await database.events.sessions(workspace.id))[0]?.lastAtMs
    for (const _ of [1, 2]) valueOf(await acts.pin(id, true))
    for (const _ of [1, 2]) valueOf(await acts.remove(id))
    expect(await list()).toEqual([[true, true]])
    for (const _ of [1, 2]) valueOf(await acts.restore(id))
    expect(await list()).toEqual([[true, false]])
    expect((await database.events.sessions(workspace.id))[0]?.lastAtMs).toBe(lastAtMs)
    const events = await database.events.read(id)
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['session-pinned', 'session-deleted', 'session-restored'])
  })

  test('a running one cannot be deleted, nor one whose turn a crash left', async () => {
    const { acts, running, sessions, begin } = await world()
    const id = await begin()
    running.add(id)
    expect(await acts.remove(id)).toMatchObject({ fault: { code: 'session.delete-running' } })
    running.clear()
    await sessions.append(id, turnBegun('t3'))
    expect(await acts.remove(id)).toMatchObject({ fault: { code: 'session.delete-running' } })
  })

  test('whoever writes into a deleted one puts it back in the same commit', async () => {
    const { acts, sessions, begin } = await world()
    const id = await begin()
    valueOf(await acts.remove(id))
    const added = await sessions.append(id, turnBegun('t3'))
    expect(added.map(({ type }) => type)).toEqual(['session-restored', 'user-message-added', 'turn-started'])
  })
})

test('R109: drafts are kept over a restart, by project, without registered secrets; an empty one is gone', async () => {
  const dataDir = scratchFolder()
  const draftsOf = async (root: string) => {
    const database = await openIn(dataDir)
    const { id } = await database.timeline.workspace(root, 'p')
    return { database, drafts: makeDrafts({ store: database.drafts, withoutKnown: (text) => text.replaceAll('sk-known', '***'), workspaceId: () => id }) }
  }
  const first = await draftsOf('/a')
  await first.drafts.save({ sessionId: 'new', payload: JSON.stringify({ text: '还没写完 "x"\nsk-known' }) })
  await first.drafts.save({ sessionId: 's1', payload: '{"text":"one"}' })
  await first.drafts.save({ sessionId: 's1', payload: '' })
  await first.database.close()
  expect(await (await draftsOf('/a')).drafts.list()).toEqual([{ sessionId: 'new', payload: JSON.stringify({ text: '还没写完 "x"\n***' }) }])
  expect(await (await draftsOf('/b')).drafts.list()).toEqual([])
})
