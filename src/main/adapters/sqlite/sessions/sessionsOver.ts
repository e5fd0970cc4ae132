import type { Clock } from '../../../core/ports/clock'
import type { DraftStore } from '../../../core/ports/draftStore'
import type { SessionForks } from '../../../core/ports/sessionForks'
import type { SessionSearch } from '../../../core/ports/sessionSearch'
import type { EventDraft } from '../../../../shared/domain/event'
import { storeEvent } from '../../../../shared/domain/readEvent'
import type { Client } from '../client'
import type { EventToStore } from '../protocol'

/** An event on its way to the worker. */
export function eventToStore(draft: EventDraft): EventToStore {
  return { ...storeEvent(draft), turnId: 'turnId' in draft ? draft.turnId : null, step: 'step' in draft ? draft.step : null }
}

/** The port over the worker. */
export function sessionSearchOver(client: Client): SessionSearch {
  return {
    catchUp: () => client.ask('indexSessions', null),
    find: (ask) => client.ask('searchSessions', ask),
  }
}

/** The port over the worker. */
export function sessionForksOver(client: Client, clock: Clock): SessionForks {
  return {
    async fork({ sessionId, from, workspaceId, title, level, tail }) {
      const opening = eventToStore({ type: 'session-opened', workspaceId, title, level, forkedFrom: from })
      await client.ask('forkSession', { sessionId, from, atMs: clock.nowMs(), opening, tail: tail.map(eventToStore) })
    },
  }
}

/** The port over the worker. */
export function draftsOver(client: Client, clock: Clock): DraftStore {
  return {
    list: (workspaceId) => client.ask('drafts', { workspaceId }),
    async save(workspaceId, draft) {
      await client.ask('saveDraft', { workspaceId, draft, atMs: clock.nowMs() })
    },
  }
}
