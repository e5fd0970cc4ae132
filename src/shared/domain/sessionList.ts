import type { AgentEvent } from './event'
import type { SessionSummary } from './session'

/** A row of the session list after one more event of that session; the same fold the main process makes for its list. */
export function applyToSummary(row: SessionSummary, event: AgentEvent): SessionSummary {
  const next = { ...row, lastAtMs: Math.max(row.lastAtMs, event.atMs) }
  switch (event.type) {
    case 'session-renamed': return { ...next, title: event.title }
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
