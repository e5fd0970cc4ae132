import type { UsageStore } from '../../../core/ports/usageStore'
import type { Client } from '../client'

/** The port over the worker. */
export function usageOver(client: Client): UsageStore {
  return {
    firstAt: (scope) => client.ask('firstUse', scope),
    cells: (scope, edges) => client.ask('usageCells', { scope, edges }),
    rows: (scope, sinceMs, after, limit) => client.ask('usageRows', { scope, sinceMs, after, limit }),
    signatures: (scope, sinceMs, untilMs) => client.ask('signatures', { scope, sinceMs, untilMs }),
    costsSince: (sinceMs) => client.ask('costsSince', { sinceMs }),
    raisesSince: (sinceMs) => client.ask('raisesSince', { sinceMs }),
  }
}
