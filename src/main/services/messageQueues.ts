import type { EventDraft } from '../../shared/domain/event'
import { asId, type MessageId, type SessionId } from '../../shared/domain/ids'
import { queueOf, type QueuedMessage } from '../../shared/domain/messageQueue'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Turn } from '../core/agent/turnPorts'
import type { IdSource } from '../core/ports/idSource'
import { messageDrafts, type StorableMessage } from './runMessages'
import type { OpenSession, Sessions } from './sessions'

/**
 * Messages that wait for the next step boundary (R10). They are in the record from the moment they are typed: a reload, a crash
 * or another start loses none. What is done to one queue is done in order, so a message is either withdrawn or delivered.
 */
export interface MessageQueues {
  /** A new message, or the same again with other words: then what went along with it stays. */
  put(session: OpenSession, message: StorableMessage, edited: MessageId | null): Promise<Result<{ readonly messageId: MessageId }>>
  withdraw(session: OpenSession, messageId: MessageId): Promise<Result<null>>
  /** All that wait become user messages of the turn, in order; how many. */
  deliver(session: OpenSession, turn: Turn, step: number): Promise<number>
  /** One begins a turn: `store` is to commit it. False when it does not wait any more. */
  begin(session: OpenSession, messageId: MessageId, store: (message: QueuedMessage) => Promise<unknown>): Promise<boolean>
}

/** Makes the service. */
export function makeMessageQueues(sessions: Pick<Sessions, 'append'>, ids: Pick<IdSource, 'next'>): MessageQueues {
  const last = new Map<SessionId, Promise<unknown>>()

  const inOrder = <Outcome>(id: SessionId, work: () => Promise<Outcome>): Promise<Outcome> => {
    const before = last.get(id) ?? Promise.resolve()
    const done = before.then(work, work)
    const settled = done.catch(() => undefined).finally(() => {
      if (last.get(id) === settled) last.delete(id)
    })
    last.set(id, settled)
    return done
  }
  const waiting = (session: OpenSession, messageId: MessageId): QueuedMessage | undefined => queueOf(session.events).find((one) => one.messageId === messageId)

  return {
    put: (session, message, edited) =>
      inOrder(session.id, async () => {
        const known = edited === null ? undefined : waiting(session, edited)
        if (edited !== null && known === undefined) return fail('session.queued-gone')
        const { atMs: _then, ...kept } = known ?? { atMs: 0 }
        const messageId = edited ?? asId<MessageId>(ids.next())
        const draft: EventDraft = { ...kept, ...message, type: 'message-queued', messageId }
        await sessions.append(session.id, [draft])
        return succeed({ messageId })
      }),
    withdraw: (session, messageId) =>
      inOrder(session.id, async () => {
        if (waiting(session, messageId) === undefined) return fail('session.queued-gone')
        await sessions.append(session.id, [{ type: 'message-withdrawn', messageId }])
        return succeed(null)
      }),
    deliver(session, { turnId }, step) {
      // Nearly always nothing waits: no step is to wait for a queue then.
      if (queueOf(session.events).length === 0) return Promise.resolve(0)
      return inOrder(session.id, async () => {
        const messages = queueOf(session.events)
        if (messages.length > 0) await sessions.append(session.id, messages.flatMap((one) => messageDrafts(one, { turnId, step, messageId: one.messageId })))
        return messages.length
      })
    },
    begin: (session, messageId, store) =>
      inOrder(session.id, async () => {
        const message = waiting(session, messageId)
        if (message === undefined) return false
        await store(message)
        return true
      }),
  }
}
