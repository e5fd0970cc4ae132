import { expect, test } from 'vitest'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { makeRuns } from '../../../src/main/services/runs'
import type { OpenSession, Sessions } from '../../../src/main/services/sessions'
import type { EventDraft, MessageAttachment } from '../../../src/shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said, succeed } from '../../../src/shared/domain/result'
import { makeTurnWorld, reply } from '../../support/turnWorld'

test('R94 when not even the end of a turn can be recorded, whoever listens is told why, and the session is free again', async () => {
  const world = makeTurnWorld({ tools: [], replies: [reply('Hello')] })
  const session: OpenSession = { id: asId<SessionId>('s'), workspaceId: asId<WorkspaceId>('w'), level: 'writes', title: 'x', events: [] }
  const full = new StorageFault(said('app.disk-full', { file: '/data/countersign.db' }))
  let appends = 0
  const never = (): never => { throw new Error('not asked here') }
  const sessions: Sessions = {
    create: never, list: never, show: () => undefined, onEvents: never, onParts: never,
    open: () => Promise.resolve(session), refresh: () => Promise.resolve(),
    append: () => (appends++ === 0 ? Promise.resolve([]) : Promise.reject(full)),
  }
  const runs = makeRuns({
    sessions, journal: { get: never, list: () => Promise.resolve([]) }, turnPorts: () => Promise.resolve(succeed(world.ports)), history: () => ({ messages: [], repairs: [] }), hashesNow: () => never, recoverOutput: never,
    leftOpen: () => Promise.resolve([]), choice: () => Promise.resolve(succeed({ provider: 'p', model: 'm' })), maxSteps: () => Promise.resolve(5), ids: world.ports.ids,
  })
  const told: unknown[] = []
  runs.onBroken((fault) => told.push(fault))
  const started = await runs.prompt(session.id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  await started.value.ended.catch(() => undefined)
  await new Promise((resolve) => setImmediate(resolve))
  expect({ told, running: runs.isRunning(session.id) }).toEqual({ told: [full.fault], running: false })
})

test('R50 R71 attached resources are marked as from outside before their message is stored, once a server, and redacted', async () => {
  const world = makeTurnWorld({ tools: [], replies: [reply('Hello')], redact: (text) => text.replaceAll('token-1', '***') })
  const stored: EventDraft[] = []
  const session: OpenSession = { id: asId<SessionId>('s'), workspaceId: asId<WorkspaceId>('w'), level: 'writes', title: 'x', events: [] }
  const never = (): never => { throw new Error('not asked here') }
  const runs = makeRuns({
    sessions: {
      create: never, list: never, show: () => undefined, onEvents: never, onParts: never, open: () => Promise.resolve(session), refresh: () => Promise.resolve(),
      append: (_id, drafts) => (stored.push(...drafts), Promise.resolve([])),
    },
    journal: { get: never, list: () => Promise.resolve([]) }, turnPorts: () => Promise.resolve(succeed(world.ports)), history: () => ({ messages: [], repairs: [] }), hashesNow: () => never, recoverOutput: never,
    leftOpen: () => Promise.resolve([]), choice: () => Promise.resolve(succeed({ provider: 'p', model: 'm' })), maxSteps: () => Promise.resolve(5), ids: world.ports.ids,
  })
  const one = (server: string, text: string): MessageAttachment => ({ server, uri: `${server}://a`, name: 'token-1', text, outputRef: null, content: [] })
  const started = await runs.prompt(session.id, 'Read', { attachments: [one('docs', 'has token-1'), one('files', 'b'), one('docs', 'c')] })
  if (!started.ok) throw new Error(started.fault.code)
  await started.value.ended
  expect(stored.slice(0, 4)).toMatchObject([
    { type: 'taint-marked', callId: null, source: { kind: 'mcp', server: 'docs' } },
    { type: 'taint-marked', callId: null, source: { kind: 'mcp', server: 'files' } },
    { type: 'user-message-added', text: 'Read', attachments: [{ server: 'docs', name: '***', text: 'has ***' }, { server: 'files', text: 'b' }, { server: 'docs', text: 'c' }] },
    { type: 'turn-started' },
  ])
})
