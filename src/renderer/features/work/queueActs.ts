import type { MessageId, SessionId } from '../../../shared/domain/ids'
import type { Result } from '../../../shared/domain/result'
import { host } from '../../bridge/host'
import type { Typed } from './drafts'
import { messageOf } from './typedMessage'

/** Messages on their way to the main process; what is typed meanwhile comes behind them. */
const underway = new Map<SessionId, Promise<boolean>>()

/** Remembers a message that is being handed over, so that the next one waits for it. */
export function handingOver(sessionId: SessionId, isTaken: Promise<boolean>): void {
  underway.set(sessionId, isTaken)
  void isTaken.finally(() => { if (underway.get(sessionId) === isTaken) underway.delete(sessionId) })
}

/**
 * Keeps a message in the record until the next step of the running turn (R10); `isNow` interrupts the step. Null when the message
 * before it did not go out: then this one comes back too.
 */
export async function enqueue(sessionId: SessionId, typed: Typed, isNow: boolean): Promise<Result<unknown> | null> {
  if ((await underway.get(sessionId)) === false) return null
  const put = await host().sessionQueue({ sessionId, ...messageOf(typed) })
  return put.ok && isNow ? host().sessionDeliver({ sessionId, messageId: put.value.messageId }) : put
}

/** The same message with other words; what goes along with it stays. */
export function rewriteQueued(sessionId: SessionId, messageId: MessageId, text: string): Promise<Result<unknown>> {
  return host().sessionQueue({ sessionId, messageId, text })
}

export function withdrawQueued(sessionId: SessionId, messageId: MessageId): Promise<Result<null>> {
  return host().sessionWithdraw({ sessionId, messageId })
}

/** At once: interrupts the running step, or begins a turn. */
export function deliverQueued(sessionId: SessionId, messageId: MessageId): Promise<Result<null>> {
  return host().sessionDeliver({ sessionId, messageId })
}
