import type { EventDraft } from '../../shared/domain/event'
import type { SessionId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { isDeletedNow, isPinnedNow } from '../../shared/domain/sessionList'
import { findUnfinishedTurn } from '../core/agent/unfinishedTurn'
import { orFault } from '../core/ports/storageFault'
import type { Runs } from './runs'
import type { OpenSession, Sessions } from './sessions'

/** What a person does with a session as a whole (R96). Each is an event: nothing is ever removed. */
export interface SessionActs {
  pin(id: SessionId, isPinned: boolean): Promise<Result<null>>
  /** Out of the list. Refused while a turn of it runs, in whatever process, or waits to be taken up. */
  remove(id: SessionId): Promise<Result<null>>
  restore(id: SessionId): Promise<Result<null>>
}

/** Makes them. Said twice, each is done once. */
export function makeSessionActs(sessions: Sessions, runs: () => Pick<Runs, 'isRunning'>): SessionActs {
  const act = (id: SessionId, decide: (session: OpenSession) => Result<readonly EventDraft[]>): Promise<Result<null>> =>
    orFault(async () => {
      const session = await sessions.open(id)
      await sessions.refresh(id)
      const drafts = decide(session)
      if (!drafts.ok) return drafts
      if (drafts.value.length > 0) await sessions.append(id, drafts.value)
      return succeed(null)
    })
  return {
    pin: (id, isPinned) => act(id, (session) => succeed(isPinnedNow(session.events) === isPinned ? [] : [{ type: 'session-pinned', isPinned }])),
    remove: (id) =>
      act(id, (session) => {
        if (runs().isRunning(id) || findUnfinishedTurn(session.events)) return fail('session.delete-running')
        return succeed(isDeletedNow(session.events) ? [] : [{ type: 'session-deleted' }])
      }),
    restore: (id) => act(id, (session) => succeed(isDeletedNow(session.events) ? [{ type: 'session-restored' }] : [])),
  }
}
