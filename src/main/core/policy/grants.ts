import type { AgentEvent } from '../../../shared/domain/event'
import type { SessionId, TurnId } from '../../../shared/domain/ids'
import type { Grant } from '../../../shared/domain/rule'

/** A grant that has not been revoked, with what is left of it now and how often it answered. */
export interface KeptGrant {
  readonly grant: Grant
  readonly uses: number
  /** The number of the event that gave it. */
  readonly seq: number
}

/** A session's grants by id. */
export type KeptGrants = ReadonlyMap<string, KeptGrant>

/**
 * What an event makes of a session's grants. The end of a turn ends its grants, and taking the conversation back takes those
 * along that were given in it, for good: what was undone is not allowed by a word that was undone. Ends by time and count are
 * seen where a grant would answer.
 */
export function applyToGrants(grants: KeptGrants, event: AgentEvent): KeptGrants {
  switch (event.type) {
    case 'grant-given':
      return new Map(grants).set(event.grant.id, { grant: event.grant, uses: 0, seq: event.seq })
    case 'grant-used':
      return used(grants, event.grantId)
    case 'grant-revoked':
      return without(grants, (one) => one.grant.id === event.grantId)
    case 'turn-ended':
      return without(grants, (one) => one.grant.turnId === event.turnId)
    case 'rolled-back': {
      const { hidden } = event
      return hidden === null ? grants : without(grants, (one) => one.seq >= hidden.fromSeq && one.seq <= hidden.toSeq)
    }
    default:
      return grants
  }
}

/** Those of a turn, and of its session; ended ones are left to `isLive`. */
export function grantsOfTurn(grants: KeptGrants, sessionId: SessionId, turnId: TurnId | null): readonly KeptGrant[] {
  return [...grants.values()].filter(({ grant }) => grant.sessionId === sessionId && (grant.turnId === null || grant.turnId === turnId))
}

function used(grants: KeptGrants, id: string): KeptGrants {
  const known = grants.get(id)
  if (!known) return grants
  const usesLeft = known.grant.usesLeft === null ? null : Math.max(0, known.grant.usesLeft - 1)
  return new Map(grants).set(id, { ...known, grant: { ...known.grant, usesLeft }, uses: known.uses + 1 })
}

function without(grants: KeptGrants, isGone: (one: KeptGrant) => boolean): KeptGrants {
  const kept = [...grants].filter(([, one]) => !isGone(one))
  return kept.length === grants.size ? grants : new Map(kept)
}
