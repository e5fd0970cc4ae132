import { microsOf } from '../../shared/domain/budget'
import type { WorkspaceId } from '../../shared/domain/ids'
import type { UsageAsk, UsageView } from '../../shared/ipc/usageViews'
import type { Clock } from '../core/ports/clock'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { UsagePlace, UsageScope, UsageStore } from '../core/ports/usageStore'
import { csvHead, csvLine } from '../core/usage/csv'
import { dayEdges, dayLater, dayStart } from '../core/usage/localDays'
import { byDay, byModel, bySession, sumOf } from '../core/usage/sums'

/** What the page of usage needs. */
export interface UsagePagePorts {
  readonly store: UsageStore
  readonly settings: Pick<SettingsStore, 'read'>
  readonly clock: Clock
  /** The opened folder's. */
  readonly workspaceId: () => WorkspaceId | null
}

/** What models were used for and what it cost (R93). */
export interface UsagePages {
  read(ask: UsageAsk): Promise<UsageView>
  /** The rows behind the page as CSV: a line a call, below a head. */
  csv(ask: UsageAsk): Promise<{ readonly text: string; readonly calls: number }>
}

/** Days that a fortnight shows, today among them. */
const fortnightDays = 14
/** Sessions that a page names; the rest is in its sums. */
const namedSessions = 200
/** Rows of one piece of an export. */
const csvRows = 2000

/** Makes the service. */
export function makeUsagePages({ store, settings, clock, workspaceId }: UsagePagePorts): UsagePages {
  const scopeOf = ({ period, isThisProject, sessionId }: UsageAsk): UsageScope => ({ workspaceId: isThisProject ? workspaceId() : null, sessionId: period === 'session' ? sessionId : null })

  const sinceOf = async ({ period }: UsageAsk, scope: UsageScope): Promise<number> => {
    const now = clock.nowMs()
    if (period === 'today') return dayStart(now)
    if (period === 'fortnight') return dayLater(dayStart(now), 1 - fortnightDays)
    return dayStart((await store.firstAt(scope)) ?? now)
  }

  return {
    async read(ask) {
      const now = clock.nowMs()
      const scope = scopeOf(ask)
      const edges = dayEdges(await sinceOf(ask, scope), now)
      const [cells, signatures, today] = await Promise.all([store.cells(scope, edges), store.signatures(scope, edges[0] ?? now, edges.at(-1) ?? now), todayOf(now)])
      const sessions = bySession(cells, workspaceId(), namedSessions)
      return { total: sumOf(cells), days: byDay(cells, edges, workspaceId()), models: byModel(cells), sessions: sessions.rows, sessionCount: sessions.count, signatures, today }
    },
    async csv(ask) {
      const scope = scopeOf(ask)
      const sinceMs = await sinceOf(ask, scope)
      const pieces = [csvHead]
      let calls = 0
      for (let after: UsagePlace | null = null; ; ) {
        const rows = await store.rows(scope, sinceMs, after, csvRows)
        pieces.push(rows.map(csvLine).join(''))
        calls += rows.length
        const last = rows.at(-1)
        if (last === undefined || rows.length < csvRows) return { text: pieces.join(''), calls }
        after = { atMs: last.atMs, sessionId: last.sessionId, seq: last.seq }
      }
    },
  }

  /** The ceilings of a day hold for all projects together. */
  async function todayOf(now: number): Promise<UsageView['today']> {
    const { dayCost } = (await settings.read()).settings.budget
    if (dayCost.length === 0) return []
    const start = dayStart(now)
    const [costs, raises] = await Promise.all([store.costsSince(start), store.raisesSince(start)])
    return dayCost.map(({ currency, amount }) => ({
      limit: { currency, micros: Math.max(microsOf(amount), ...raises.flatMap((raise) => (raise.currency === currency && raise.limit !== null ? [raise.limit] : []))) },
      spentMicros: costs.find((cost) => cost.currency === currency)?.micros ?? 0,
    }))
  }
}
