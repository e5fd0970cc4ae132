import type { MemoryId, WorkspaceId } from '../../shared/domain/ids'
import type { Memory } from '../../shared/domain/memory'
import type { Ask } from '../../shared/ipc/bridge'
import type { MemoryPage } from '../../shared/ipc/views'
import type { MemoryFilter, MemoryOrder, MemoryStore } from '../core/ports/memoryStore'
import type { Segmenter } from '../core/ports/segmenter'
import { planMemories, scoresFor, type MemoryPlan, type PlanPorts } from './memoryPlan'

interface PagePorts extends PlanPorts {
  readonly store: MemoryStore
}

type PageAsk = Ask<'memory/page'>
interface Rows {
  readonly memories: readonly Memory[]
  readonly total: number
}

/** Most entries that a query lists, best first: nobody reads on beyond. */
const mostFound = 1000

/** A part of the memory table (R36, R39): never more of the store is read than it takes. */
export async function memoryPage(workspaceId: WorkspaceId, ask: PageAsk, windowTokens: number | null, ports: PagePorts): Promise<MemoryPage> {
  const [plan, counts] = await Promise.all([planMemories(workspaceId, ask.draft, windowTokens, ports), ports.store.count(workspaceId)])
  const filter: MemoryFilter = { workspaceId, scope: ask.scope, isBin: ask.isBin }
  const total = ask.isBin ? counts.bin : ask.scope === 'all' ? counts.project + counts.general : counts[ask.scope]
  const { memories, total: found } = await rowsFor(ask, filter, total, plan, ports)
  const scores = await scoresFor(memories, plan, ports)
  const texts = new Map(plan.injected.map(({ id, text }) => [id, text]))
  const against = new Map(plan.injected.map(({ id, contradicts }) => [id, contradicts.flatMap((other) => texts.get(other) ?? [])]))
  return {
    rows: memories.map((memory) => ({ memory, score: scores.get(memory.id) ?? null, contradicts: ask.isBin ? [] : (against.get(memory.id) ?? []) })),
    total: found,
    counts,
    budget: { entries: plan.injected.length, tokens: plan.injected.reduce((sum, { tokens }) => sum + tokens, 0), limit: plan.limitTokens },
  }
}

async function rowsFor(ask: PageAsk, filter: MemoryFilter, total: number, plan: MemoryPlan, ports: PagePorts): Promise<Rows> {
  const { order: { by, isDescending }, offset, limit } = ask
  if (ask.query.trim() !== '') return foundFor(ask, filter, plan, ports)
  if (by !== 'score') return { memories: await ports.store.page(filter, { by, isDescending }, offset, limit), total }
  // From the best down; the other way round it is the same list from its end.
  const from = isDescending ? offset : Math.max(0, total - offset - limit)
  const count = isDescending ? limit : Math.max(0, Math.min(limit, total - offset))
  const memories = count === 0 ? [] : await bestFirst(filter, plan, from, count, ports.store)
  return { memories: isDescending ? memories : [...memories].reverse(), total }
}

async function foundFor({ query, order, offset, limit }: PageAsk, filter: MemoryFilter, plan: MemoryPlan, ports: PagePorts): Promise<Rows> {
  const found = await searchMemories(filter, query, mostFound, plan.nowMs, ports)
  const sorted = order.by === 'score' ? (order.isDescending ? found : [...found].reverse()) : [...found].sort(comparing(order.by, order.isDescending))
  return { memories: sorted.slice(offset, offset + limit), total: found.length }
}

/** Entries for a query, best first. */
export async function searchMemories(filter: MemoryFilter, query: string, limit: number, nowMs: number, { store, segmenter }: { readonly store: Pick<MemoryStore, 'search'>; readonly segmenter: Segmenter }): Promise<readonly Memory[]> {
  const [terms = []] = await segmenter.queryTerms([query])
  if (terms.length === 0) return []
  return (await store.search({ ...filter, terms, nowMs, limit })).map(({ memory }) => memory)
}

/** All entries of a filter: those that the draft finds by their score, then the others, the newest first. */
async function bestFirst(filter: MemoryFilter, plan: MemoryPlan, offset: number, limit: number, store: MemoryStore): Promise<readonly Memory[]> {
  // The plan has looked at the best of all already.
  if (filter.scope === 'all' && !filter.isBin && offset + limit <= plan.ranked.length) return plan.ranked.slice(offset, offset + limit).map(({ memory }) => memory)
  const found = plan.terms.length === 0 ? [] : (await store.search({ ...filter, terms: plan.terms, nowMs: plan.nowMs, limit: mostFound })).map(({ memory }) => memory)
  const best = found.slice(offset, offset + limit)
  if (best.length === limit) return best
  const start = Math.max(0, offset - found.length)
  const wanted = limit - best.length
  // Among the others, found entries stand in between: as many more are read.
  const newest = await store.page(filter, { by: 'at', isDescending: true }, start, wanted + found.length)
  const [first] = newest
  if (first === undefined) return best
  const ids = new Set<MemoryId>(found.map(({ id }) => id))
  const isBefore = comparing('at', true)
  const skipped = found.filter((one) => isBefore(one, first) < 0).length
  return [...best, ...newest.filter(({ id }) => !ids.has(id)).slice(skipped, skipped + wanted)]
}

/** As the store orders; of the same, the id decides. */
function comparing(by: MemoryOrder['by'], isDescending: boolean): (a: Memory, b: Memory) => number {
  const sign = isDescending ? -1 : 1
  return (a, b) => sign * compare(keyOf(a, by), keyOf(b, by)) || compare(a.id, b.id)
}

function keyOf(memory: Memory, by: MemoryOrder['by']): string | number {
  return by === 'at' ? memory.atMs : by === 'source' ? memory.source.kind : memory[by]
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
