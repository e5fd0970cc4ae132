import { expect, test } from 'vitest'
import { makeSessions } from '../../../src/main/services/sessions'
import { asId, type MessageId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { queueOf } from '../../../src/shared/domain/messageQueue'
import { memoryRecord, runsSession as id, type Left } from '../../support/runsWorld'

test('R97 R10 two instances on one record: what the other one added is in memory before what comes behind it, and is pushed', async () => {
  const left: Left = { events: [], calls: new Map() }
  const store = memoryRecord(left)
  await store.append(id, [{ type: 'session-opened', workspaceId: asId<WorkspaceId>('w'), title: 'T', level: 'writes' }])
  let numbers = 0
  const ports = { events: store, clock: { nowMs: () => 0 }, ids: { next: () => `id${++numbers}`, nonce: () => 'n' } }
  const [one, other] = [makeSessions(ports), makeSessions(ports)]
  const session = await one.open(id)
  await other.open(id)
  const pushed: number[] = []
  one.onEvents((events) => pushed.push(...events.map(({ seq }) => seq)))
  await other.append(id, [{ type: 'message-queued', messageId: asId<MessageId>('m'), text: 'from the other window' }])
  await Promise.all([one.append(id, [{ type: 'session-renamed', title: 'A' }]), one.append(id, [{ type: 'session-renamed', title: 'B' }])])
  expect([session.events.map(({ seq }) => seq), pushed, session.title]).toEqual([[1, 2, 3, 4], [2, 3, 4], 'B'])
  expect(queueOf(session.events).map(({ text }) => text)).toEqual(['from the other window'])
})
