import { go } from '../../../src/renderer/app/appStore'
import { listUsage, showUsage } from '../../../src/renderer/features/usage/usageStore'
import { addCosts, type Cost } from '../../../src/shared/domain/budget'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId } from '../../../src/shared/domain/ids'
import type { UsageSum, UsageView } from '../../../src/shared/ipc/usageViews'
import type { MemoryAnswers } from '../../support/memoryHost'

const none: UsageSum = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, estimatedTokens: 0, durationMs: 0, unpricedCalls: 0, costs: [] }

function sum(calls: number, tokens: number, cached: number, minutes: number, costs: readonly Cost[], more: Partial<UsageSum> = {}): UsageSum {
  const inputTokens = Math.round(tokens * 0.94)
  return { calls, inputTokens, cachedTokens: Math.round(inputTokens * cached), outputTokens: tokens - inputTokens, estimatedTokens: 0, durationMs: minutes * 60_000, unpricedCalls: 0, costs, ...more }
}

const usd = (amount: number): readonly Cost[] => [{ currency: 'USD', micros: Math.round(amount * 1e6) }]
const here = [0.6, 1.1, 0.4, 1.9, 0.1, 0, 1.3, 2.2, 0.8, 1.5, 0.9, 0.2, 0.1, 1.6]
const elsewhere = [0.2, 0.5, 0.1, 0.7, 0, 0, 0.5, 0.9, 0.3, 0.4, 0.6, 0, 0.1, 0.4]

function daysOf(count: number): UsageView['days'] {
  return Array.from({ length: count }, (_, at) => {
    const day = (list: readonly number[], costs: (amount: number) => readonly Cost[]): UsageSum => {
      const amount = list[at % list.length] ?? 0
      return amount === 0 ? none : sum(Math.round(amount * 30), Math.round(amount * 530_000), 0.7, amount * 9, costs(amount))
    }
    return { startMs: new Date(2026, 10, 30 - count + 1 + at).getTime(), here: day(here, usd), elsewhere: day(elsewhere, (amount) => (at % 5 === 0 ? [{ currency: 'CNY', micros: amount * 7e6 }] : usd(amount))) }
  })
}

function together(sums: readonly UsageSum[]): UsageSum {
  return sums.reduce((all, one) => ({
    calls: all.calls + one.calls, inputTokens: all.inputTokens + one.inputTokens, cachedTokens: all.cachedTokens + one.cachedTokens, outputTokens: all.outputTokens + one.outputTokens,
    estimatedTokens: all.estimatedTokens + one.estimatedTokens, durationMs: all.durationMs + one.durationMs, unpricedCalls: all.unpricedCalls + one.unpricedCalls, costs: addCosts(all.costs, one.costs),
  }), none)
}

function view(story: string): UsageView {
  const days = daysOf(story === 'usage-year' ? 300 : 14)
  const rows: readonly (readonly [string, string, UsageSum, boolean])[] = [
    ['Index for orders.created_at', 'plover-code', sum(62, 1_204_880, 0.78, 14, usd(0.71)), true],
    ['Translate the handbook', 'tern-2', sum(31, 684_102, 0.64, 11, [{ currency: 'CNY', micros: 4_100_000 }, ...usd(0.58)]), false],
    ['Retry policy for HTTP client', 'tern-2', sum(19, 186_300, 0.69, 4, usd(0.42)), true],
    ['Why is the CI cache cold?', 'wren-coder:30b', sum(12, 98_400, 0, 9, [], { estimatedTokens: 98_400, unpricedCalls: 12 }), true],
    ['把「付款」改名为「结算」，并更新所有测试和文档，还有很长很长的标题', 'tern-2', sum(44, 702_950, 0.81, 7, usd(0.0042)), true],
  ]
  return {
    total: { ...together(days.flatMap((day) => [day.here, day.elsewhere])), estimatedTokens: 190_000, unpricedCalls: 12 },
    days,
    models: [['harbor', 'tern-2'], ['harbor', 'plover-code'], ['ollama', 'wren-coder:30b']].map(([provider = '', model = ''], at) => ({ ...(rows[at]?.[2] ?? none), choice: { provider, model } })),
    sessions: rows.map(([title, model, own, isHere], at) => ({ ...own, sessionId: asId(`s${at}`), title, isHere, models: [model] })),
    sessionCount: story === 'usage-year' ? 312 : rows.length,
    signatures: { person: 143, rule: 512, denied: 9, medianMs: 6200 },
    today: [{ limit: { currency: 'USD', micros: 5_000_000 }, spentMicros: 2_000_000 }],
  }
}

/** The answers of a host with this usage. */
export function usageAnswers(story: string): MemoryAnswers {
  const empty: UsageView = { total: none, days: [], models: [], sessions: [], sessionCount: 0, signatures: { person: 0, rule: 0, denied: 0, medianMs: null }, today: [] }
  return { 'usage/read': () => (story === 'usage-empty' ? empty : view(story)), 'usage/export': () => ({ ok: true, value: { path: '/home/ada/countersign-usage.csv', calls: 331 } }) }
}

/** What stands at the end of the conversation where a ceiling was met. */
export function budgetDrafts(story: string): readonly EventDraft[] {
  const at = { turnId: asId<never>('t2'), step: 3 }
  const reached = story === 'budget-day' ? { kind: 'day-cost' as const, currency: 'USD', limit: 5_000_000, spent: 5_120_000 } : story === 'budget-tokens' ? { kind: 'turn-tokens' as const, currency: null, limit: 200_000, spent: 231_004 } : { kind: 'turn-cost' as const, currency: 'USD', limit: 2_000_000, spent: 2_014_200 }
  return [
    { type: 'usage-reported', ...at, usage: { inputTokens: 180_000, outputTokens: 3000, estimated: false }, choice: { provider: 'harbor', model: 'tern-2' }, cost: { currency: 'USD', micros: 2_014_200 } },
    ...(story === 'budget-day' ? [{ type: 'budget-reached' as const, ...at, reached: { kind: 'turn-cost' as const, currency: 'USD', limit: 1_000_000, spent: 1_010_000 } }, { type: 'budget-raised' as const, ...at, raise: { kind: 'turn-cost' as const, currency: 'USD', limit: 9_000_000 }, by: 'person' as const }] : []),
    { type: 'budget-reached', ...at, reached },
  ]
}

/** Opens the page in one of its states. */
export async function playUsage(story: string): Promise<void> {
  go('usage')
  await new Promise((done) => setTimeout(done, 200))
  if (story === 'usage-year') showUsage({ period: 'all' })
  if (story === 'usage-days') listUsage('days')
  if (story === 'usage-models') listUsage('models')
}
