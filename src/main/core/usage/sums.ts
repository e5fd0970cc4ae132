import { addCosts, type Cost } from '../../../shared/domain/budget'
import type { WorkspaceId } from '../../../shared/domain/ids'
import type { UsageDay, UsageOfModel, UsageOfSession, UsageSum } from '../../../shared/ipc/usageViews'
import type { UsageCell } from '../ports/usageStore'

/** Nothing used. */
export const noUse: UsageSum = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, estimatedTokens: 0, durationMs: 0, unpricedCalls: 0, costs: [] }

/** The sum of cells; costs by currency. */
export function sumOf(cells: readonly UsageCell[]): UsageSum {
  let costs: readonly Cost[] = []
  const sum = { ...noUse }
  for (const cell of cells) {
    sum.calls += cell.calls
    sum.inputTokens += cell.inputTokens
    sum.cachedTokens += cell.cachedTokens
    sum.outputTokens += cell.outputTokens
    sum.estimatedTokens += cell.estimatedTokens
    sum.durationMs += cell.durationMs
    if (cell.currency === null) sum.unpricedCalls += cell.calls
    else costs = addCosts(costs, [{ currency: cell.currency, micros: cell.micros }])
  }
  return { ...sum, costs }
}

/** One row a day, also for days without any use, in their order; `edges` as `dayEdges` gives them. */
export function byDay(cells: readonly UsageCell[], edges: readonly number[], here: WorkspaceId | null): readonly UsageDay[] {
  const groups = grouped(cells, (cell) => cell.dayMs)
  return edges.slice(0, -1).map((startMs) => {
    const own = groups.get(startMs) ?? []
    return { startMs, here: sumOf(own.filter((cell) => cell.workspaceId === here)), elsewhere: sumOf(own.filter((cell) => cell.workspaceId !== here)) }
  })
}

/** One row a model, the most used first. */
export function byModel(cells: readonly UsageCell[]): readonly UsageOfModel[] {
  const rows = [...grouped(cells, ({ provider, model }) => JSON.stringify([provider, model])).values()]
  return mostFirst(rows.flatMap((own) => (own[0] ? [{ ...sumOf(own), choice: { provider: own[0].provider, model: own[0].model } }] : [])))
}

/** One row a session, the most used first: `most` of them, and how many there are. */
export function bySession(cells: readonly UsageCell[], here: WorkspaceId | null, most: number): { readonly rows: readonly UsageOfSession[]; readonly count: number } {
  const groups = [...grouped(cells, (cell) => cell.sessionId)].map(([sessionId, own]) => ({ sessionId, own, tokens: own.reduce((sum, cell) => sum + cell.inputTokens + cell.outputTokens, 0) }))
  const named = groups.sort((a, b) => b.tokens - a.tokens).slice(0, most)
  const rows = named.map(({ sessionId, own }) => ({ ...sumOf(own), sessionId, title: own[0]?.title ?? '', isHere: own.some((cell) => cell.workspaceId === here), models: [...new Set(byModel(own).map(({ choice }) => choice.model))] }))
  return { rows, count: groups.length }
}

function grouped<Key>(cells: readonly UsageCell[], keyOf: (cell: UsageCell) => Key): Map<Key, UsageCell[]> {
  const groups = new Map<Key, UsageCell[]>()
  for (const cell of cells) {
    const key = keyOf(cell)
    const own = groups.get(key)
    if (own) own.push(cell)
    else groups.set(key, [cell])
  }
  return groups
}

/** By tokens: amounts of two currencies have no order. */
function mostFirst<Row extends UsageSum>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens))
}
