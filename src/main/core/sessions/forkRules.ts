import type { AgentEvent, EventDraft } from '../../../shared/domain/event'
import { afterRollback, isHiddenBy, type StandingRollback } from '../../../shared/domain/hiddenRanges'
import type { TurnId } from '../../../shared/domain/ids'
import { queueOf } from '../../../shared/domain/messageQueue'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { isLooser, type AskingLevel } from '../../../shared/domain/session'
import { isDeletedNow, isPinnedNow } from '../../../shared/domain/sessionList'
import { findUnfinishedTurn } from '../agent/unfinishedTurn'

/** Where a fork is to part: before the turn that a message of the person began, or behind the turn that a message belongs to. */
export interface ForkPlace {
  readonly messageSeq: number
  readonly side: 'before' | 'after'
}

type Message = Extract<AgentEvent, { readonly type: 'user-message-added' | 'assistant-message-added' }>

/**
 * The last event that a fork takes over. Only whole turns: a question that waits, and a turn that runs, stay where they are.
 */
export function forkSeq(events: readonly AgentEvent[], { messageSeq, side }: ForkPlace): Result<number> {
  const message = events[messageSeq - 1]
  if (message?.type !== 'user-message-added' && message?.type !== 'assistant-message-added') return fail('session.fork-no-message')
  if (side === 'before') {
    const begun = beganTurn(events, message)
    return begun.ok ? succeed(begun.value - 1) : begun
  }
  const ended = events.find((event) => event.type === 'turn-ended' && event.turnId === message.turnId)
  return ended === undefined ? fail('session.fork-running') : succeed(ended.seq)
}

/** The first event of the turn that a message began; a message that came in the middle of one has no place before it. */
function beganTurn(events: readonly AgentEvent[], { seq, turnId }: Message): Result<number> {
  const first = firstOf(events, turnId)
  const said = events.find((event) => event.type === 'user-message-added' && event.turnId === turnId)
  return said?.seq === seq && first !== undefined ? succeed(first.seq) : fail('session.fork-mid-turn')
}

function firstOf(events: readonly AgentEvent[], turnId: TurnId): AgentEvent | undefined {
  return events.find((event) => 'turnId' in event && event.turnId === turnId)
}

/**
 * What sets a fork apart from the beginning that it took over: its title; it is in the list and not pinned; nothing waits in it;
 * and it asks no less than its origin does now. Permissions were given to the origin by name and answer nowhere else.
 */
export function forkTail(copied: readonly AgentEvent[], title: string, now: AskingLevel): readonly EventDraft[] {
  const level = copied.reduce((held, event) => (event.type === 'session-opened' || event.type === 'level-changed' ? event.level : held), now)
  return [
    { type: 'session-renamed', title },
    ...(isPinnedNow(copied) ? [{ type: 'session-pinned', isPinned: false } as const] : []),
    ...(isDeletedNow(copied) ? [{ type: 'session-restored' } as const] : []),
    ...(isLooser(now, level) ? [{ type: 'level-changed', level: now } as const] : []),
    ...queueOf(copied).map(({ messageId }) => ({ type: 'message-withdrawn', messageId }) as const),
  ]
}

/**
 * What goes out of sight when a message is said anew: its turn, from the first event of it, and all that follows. Refused while a
 * turn is open, for a message in the middle of a turn, and for one that is out of sight already.
 */
export function resendFrom(events: readonly AgentEvent[], messageSeq: number): Result<{ readonly turnId: TurnId; readonly fromSeq: number }> {
  const message = events[messageSeq - 1]
  if (message?.type !== 'user-message-added' || isHidden(events, messageSeq)) return fail('session.fork-no-message')
  if (findUnfinishedTurn(events)) return fail('rollback.turn-running')
  const begun = beganTurn(events, message)
  return begun.ok ? succeed({ turnId: message.turnId, fromSeq: begun.value }) : begun
}

function isHidden(events: readonly AgentEvent[], seq: number): boolean {
  return isHiddenBy(events.reduce<readonly StandingRollback[]>(afterRollback, []), seq)
}
