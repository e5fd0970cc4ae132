import { describe, expect, test } from 'vitest'
import type { FoundMessage, SessionSearch } from '../../../src/main/core/ports/sessionSearch'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { makeSessionSearch } from '../../../src/main/services/sessionSearch'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { turnEnded } from '../../support/drafts'

const found: FoundMessage = { sessionId: asId('s'), seq: 2, atMs: 1, by: 'user', text: 'the word is hunter2, remember', isRolledBack: false, title: 'about hunter2', workspaceId: asId('w'), project: 'p', root: '/p', isDeleted: false }

function world(search: Partial<SessionSearch> = {}) {
  const listeners = new Set<(events: readonly AgentEvent[]) => void>()
  const clock = { now: 0, nowMs: () => clock.now }
  let caughtUp = 0
  const pages = makeSessionSearch({
    search: { catchUp: () => { caughtUp += 1; clock.now += 100; return Promise.resolve(caughtUp >= 3) }, find: () => Promise.resolve({ found: [found], hasMore: false }), ...search },
    sessions: { onEvents: (listener) => { listeners.add(listener); return () => void listeners.delete(listener) } },
    clock, redact: (text) => text.replaceAll('hunter2', '[redacted:word]'), workspaceId: () => asId<WorkspaceId>('w'),
  })
  const ended = () => listeners.forEach((listener) => listener([{ ...turnEnded('t'), v: 1, sessionId: asId('s'), seq: 9, atMs: 1 }]))
  return { pages, ended, listeners, caughtUp: () => caughtUp }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('R96: search over sessions', () => {
  test('a hit is masked before a line of it is cut, its title too, and a masked word is not marked', async () => {
    const { pages } = world()
    const result = await pages.find('hunter2', true)
    expect(result).toMatchObject({ ok: true, value: { isWhole: true, hits: [{ isHere: true, title: 'about [redacted:word]', snippet: { text: 'the word is [redacted:word], remember', marks: [] } }] } })
    expect(await pages.find('remember', true)).toMatchObject({ value: { hits: [{ snippet: { marks: [[29, 37]] } }] } })
  })

  test('a person waits for so much of the catching up and no longer; asking again goes on', async () => {
    let rounds = 0
    const clock = { now: 0 }
    const { pages } = world({ catchUp: () => { rounds += 1; clock.now += 1; return Promise.resolve(rounds > 40) } })
    const slow = world({ catchUp: () => Promise.resolve(false) })
    slow.pages.close()
    expect(await slow.pages.find('x', false)).toMatchObject({ ok: true, value: { isWhole: false } })
    expect(await pages.find('x', false)).toMatchObject({ ok: true, value: { isWhole: true } })
  })

  test('when a turn has ended, what was said in it is taken in, once at a time', async () => {
    const { ended, caughtUp } = world()
    ended()
    ended()
    await settled()
    expect(caughtUp()).toBe(3)
  })

  test('a cache that cannot be had is told to whoever searches, and to nobody else', async () => {
    const fault = said('app.disk-full', { file: '/cache.db' })
    const { pages, ended } = world({ catchUp: () => Promise.reject(new StorageFault(fault)) })
    ended()
    await settled()
    expect(await pages.find('x', true)).toEqual({ ok: false, fault })
  })

  test('closed, it listens no more', () => {
    const { pages, listeners } = world()
    pages.close()
    expect(listeners.size).toBe(0)
  })
})
