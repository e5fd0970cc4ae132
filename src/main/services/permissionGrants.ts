import type { CallId, SessionId, TurnId, WorkspaceId } from '../../shared/domain/ids'
import type { Grant } from '../../shared/domain/rule'
import type { GrantRow } from '../../shared/ipc/views'
import { applyToGrants, grantsOfTurn, type KeptGrants } from '../core/policy/grants'
import { isLive } from '../core/policy/permissions'
import type { Clock } from '../core/ports/clock'
import type { AnsweredCall } from '../core/ports/permissionDesk'
import type { GrantHistory, RuleStore } from '../core/ports/ruleStore'
import { StorageFault } from '../core/ports/storageFault'
import { HeldUses } from './heldUses'
import type { OpenSession, Sessions } from './sessions'

/** The grants of all sessions: folded from the events of those that are open here, looked up for the page of the others. */
export interface GrantBook {
  /** Those that may answer in this turn now. Never waits. */
  live(sessionId: SessionId, turnId: TurnId): readonly Grant[]
  /** The project of an open session. */
  workspaceOf(sessionId: SessionId): WorkspaceId | null
  /** Keeps one use for a call. False when there is none left. */
  hold(id: string, at: AnsweredCall): boolean
  /** Whether what a call holds still answers. */
  holds(id: string, at: AnsweredCall): boolean
  /** Takes one use, recorded when it resolves. False when there is none left. */
  use(id: string, at: AnsweredCall): Promise<boolean>
  letGo(callId: CallId): void
  /** Live ones of a project, or of all. */
  rows(workspaceId: WorkspaceId | null): Promise<readonly GrantRow[]>
  close(): void
}

interface Opened {
  readonly session: OpenSession
  grants: KeptGrants
  /** So many of its events are folded. */
  folded: number
}

const none: KeptGrants = new Map()

/** Makes it; it follows the events of all sessions. `changed` is called when one of them says something of a grant. */
export function makeGrantBook(ports: { readonly store: RuleStore; readonly sessions: Pick<Sessions, 'open' | 'append' | 'onEvents'>; readonly clock: Clock }, changed: () => void): GrantBook {
  const open = new Map<SessionId, Opened>()
  const opening = new Set<SessionId>()
  const held = new HeldUses()

  const stop = ports.sessions.onEvents((events) => {
    const [first] = events
    if (first && !open.has(first.sessionId) && !opening.has(first.sessionId)) void follow(first.sessionId)
    if (events.some(({ type }) => type.startsWith('grant-') || type === 'turn-ended' || type === 'rolled-back')) changed()
  })

  async function follow(id: SessionId): Promise<void> {
    opening.add(id)
    try {
      open.set(id, { session: await ports.sessions.open(id), grants: none, folded: 0 })
    } catch (error) {
      // Without its events no grant answers, and the next event tries again.
      if (!(error instanceof StorageFault)) throw error
    } finally {
      opening.delete(id)
    }
  }

  function grantsOf(id: SessionId): KeptGrants {
    const one = open.get(id)
    if (!one) return none
    for (const event of one.session.events.slice(one.folded)) one.grants = applyToGrants(one.grants, event)
    one.folded = one.session.events.length
    return one.grants
  }

  const leftOf = (grant: Grant, besides?: CallId): Grant => (grant.usesLeft === null ? grant : { ...grant, usesLeft: grant.usesLeft - held.count(grant.id, besides) })
  const isLiveNow = (grant: Grant): boolean => isLive({ by: 'grant', grant }, ports.clock.nowMs())

  const mayAnswer = (id: string, { sessionId, turnId, callId }: AnsweredCall): boolean => {
    const known = grantsOf(sessionId).get(id)
    return known !== undefined && isLiveNow(leftOf(known.grant, callId)) && (known.grant.turnId === null || known.grant.turnId === turnId)
  }

  return {
    live: (sessionId, turnId) => grantsOfTurn(grantsOf(sessionId), sessionId, turnId).map(({ grant }) => leftOf(grant)).filter(isLiveNow),
    workspaceOf: (sessionId) => open.get(sessionId)?.session.workspaceId ?? null,
    hold(id, at) {
      if (!mayAnswer(id, at)) return false
      held.hold(id, at.callId)
      return true
    },
    holds: (id, at) => held.isHeld(id, at.callId) && mayAnswer(id, at),
    async use(id, at) {
      const { sessionId, turnId, step, callId } = at
      if (!mayAnswer(id, at)) return false
      held.hold(id, callId)
      try {
        await ports.sessions.append(sessionId, [{ type: 'grant-used', turnId, step, grantId: id, callId }])
      } finally {
        held.free(id, callId)
      }
      return true
    },
    letGo: (callId) => held.letGo(callId),
    rows: async (workspaceId) => (await ports.store.grants(workspaceId)).flatMap(liveRows).filter(({ grant }) => isLiveNow(grant)),
    close: stop,
  }
}

function liveRows({ sessionId, title, openTurn, events }: GrantHistory): readonly GrantRow[] {
  const grants = events.reduce(applyToGrants, none)
  return grantsOfTurn(grants, sessionId, openTurn).map(({ grant, uses }) => ({ grant, uses, sessionTitle: title }))
}
