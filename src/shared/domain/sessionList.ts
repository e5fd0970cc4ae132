import type { AgentEvent } from './event'
import type { SessionSummary } from './session'

/** The row of a session that was just opened. */
export function rowOfOpening({ sessionId, workspaceId, title, atMs, forkedFrom }: Extract<AgentEvent, { readonly type: 'session-opened' }>): SessionSummary {
  return { id: sessionId, workspaceId, title, openedAtMs: atMs, lastAtMs: atMs, state: 'idle', isPinned: false, deletedAtMs: null, forkedFrom: forkedFrom ?? null }
}

/**
 * The order of the list: pinned ones first, then by what last happened. Whoever pins or deletes one does not mean to move
 * it, so these change no time.
 */
export function inListOrder(rows: readonly SessionSummary[]): readonly SessionSummary[] {
  return [...rows].sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.lastAtMs - a.lastAtMs || (a.id < b.id ? 1 : -1))
}

/** Whether a session is out of the list after these events. */
export function isDeletedNow(events: readonly AgentEvent[]): boolean {
  return events.filter(({ type }) => type === 'session-deleted' || type === 'session-restored').at(-1)?.type === 'session-deleted'
}

/** Whether it stands at the top. */
export function isPinnedNow(events: readonly AgentEvent[]): boolean {
  const last = events.filter((event) => event.type === 'session-pinned').at(-1)
  return last?.type === 'session-pinned' && last.isPinned
}

const keepsTime: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>(['session-pinned', 'session-deleted', 'session-restored'])

/** A row of the session list after one more event of that session; the same fold the main process makes for its list. */
export function applyToSummary(row: SessionSummary, event: AgentEvent): SessionSummary {
  const next = { ...row, lastAtMs: keepsTime.has(event.type) ? row.lastAtMs : Math.max(row.lastAtMs, event.atMs) }
  switch (event.type) {
    case 'session-renamed': return { ...next, title: event.title }
    case 'session-pinned': return { ...next, isPinned: event.isPinned }
    case 'session-deleted': return { ...next, deletedAtMs: event.atMs }
    case 'session-restored': return { ...next, deletedAtMs: null }
    case 'turn-started':
    case 'approval-decided':
    case 'approval-withdrawn':
    case 'budget-raised':
      return { ...next, state: 'running' }
    case 'approval-asked':
    case 'budget-reached':
      return { ...next, state: 'waiting' }
    case 'turn-ended': return { ...next, state: stateAfter(event.reason) }
    default: return next
  }
}

function stateAfter(reason: Extract<AgentEvent, { readonly type: 'turn-ended' }>['reason']): SessionSummary['state'] {
  if (reason === 'done') return 'idle'
  return reason === 'error' || reason === 'incomplete' ? 'failed' : 'stopped'
}
