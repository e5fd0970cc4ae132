import { asId, type SessionId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { applyToSummary, rowOfOpening } from '../../shared/domain/sessionList'
import type { SessionFork } from '../../shared/ipc/sessionViews'
import type { IdSource } from '../core/ports/idSource'
import type { SessionForks } from '../core/ports/sessionForks'
import { orFault } from '../core/ports/storageFault'
import { forkSeq, forkTail, type ForkPlace } from '../core/sessions/forkRules'
import type { Sessions } from './sessions'

/** Begins a session where another one once was (R96). */
export interface ForkSession {
  fork(id: SessionId, place: ForkPlace, title: string): Promise<Result<SessionFork>>
}

/** Makes it. The origin is not touched; what it has in the call journal stays there. */
export function makeForks(ports: { readonly sessions: Sessions; readonly forks: SessionForks; readonly ids: IdSource }): ForkSession {
  return {
    fork: (id, place, title) =>
      orFault(async () => {
        const origin = await ports.sessions.open(id)
        await ports.sessions.refresh(id)
        const seq = forkSeq(origin.events, place)
        if (!seq.ok) return seq
        const [opening] = origin.events
        if (opening?.type !== 'session-opened') return fail('session.fork-no-message')
        const sessionId = asId<SessionId>(ports.ids.next())
        const tail = forkTail(origin.events.slice(0, seq.value), title, origin.level)
        await ports.forks.fork({ sessionId, from: { sessionId: id, seq: seq.value }, workspaceId: origin.workspaceId, title: opening.title, level: opening.level, tail })
        const [own, ...rest] = (await ports.sessions.open(sessionId)).events
        if (own?.type !== 'session-opened') throw new Error('a fork without its opening')
        const message = place.side === 'before' ? origin.events[place.messageSeq - 1] : undefined
        const said = message?.type === 'user-message-added' ? message : null
        const attachments = (said?.attachments ?? []).map(({ server, uri, name }) => ({ server, uri, name }))
        return succeed({ session: rest.reduce(applyToSummary, rowOfOpening(own)), text: said?.text ?? '', attachments, files: said?.files ?? [] })
      }),
  }
}
