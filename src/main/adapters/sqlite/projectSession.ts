import { StorageFault } from '../../core/ports/storageFault'
import type { AgentEvent } from '../../../shared/domain/event'
import type { TurnId } from '../../../shared/domain/ids'
import { said } from '../../../shared/domain/result'
import { applyToSummary, rowOfOpening } from '../../../shared/domain/sessionList'
import { lifeOf, type ProcessIdentity } from '../../native/processIdentity'
import type { SessionRow } from './tables/sessionTable'

/**
 * A session's row after one more event: what the list shows is the same fold as the window's, beside it stands the turn that
 * has not ended. An event of a session that was never opened, and a second opening, is a bug and throws.
 */
export function projectSession(row: SessionRow | null, event: AgentEvent, owner: ProcessIdentity | null): SessionRow {
  if (event.type === 'session-opened') {
    if (row !== null) throw new Error(`session ${event.sessionId} was opened before`)
    return { ...rowOfOpening(event), openTurn: null, owner: null }
  }
  if (row === null) throw new Error(`session ${event.sessionId} was never opened`)
  const next = { ...row, ...applyToSummary(row, event) }
  if (!isWork(row, event)) return next
  return event.type === 'turn-ended' ? { ...next, openTurn: null, owner: null } : { ...next, openTurn: event.turnId, owner }
}

/** Whether an event begins a turn or belongs to the open one: whoever stores it runs the turn. */
function isWork(row: SessionRow, event: AgentEvent): event is Extract<AgentEvent, { readonly turnId: TurnId }> {
  if (event.type === 'user-message-added' || event.type === 'turn-started') return true
  return 'turnId' in event && event.turnId !== null && event.turnId === row.openTurn
}

/** Whether the session's open turn runs in another process that lives. */
export function runsElsewhere(row: SessionRow, self: ProcessIdentity): boolean {
  return row.openTurn !== null && row.owner !== null && row.owner.pid !== self.pid && lifeOf(row.owner) === 'alive'
}

/** Two processes must not work on one session at once, nor take up one turn after a crash: the second one is told. */
export function refuseSecondWorker(row: SessionRow | null, event: AgentEvent, self: ProcessIdentity): void {
  if (row !== null && isWork(row, event) && runsElsewhere(row, self)) throw new StorageFault(said('app.session-elsewhere', { pid: String(row.owner?.pid ?? '?') }))
}
