import fc from 'fast-check'
import { expect } from 'vitest'
import { elsewhere, here, memoryTables, newMemory, scan } from './memoryTables'
import { makeSegmenter } from '../../src/main/adapters/segment/segmenter'
import type { MemoryLimits } from '../../src/main/adapters/sqlite/memory/memoryOperations'
import type { MemorySearch, NewMemory } from '../../src/main/core/ports/memoryStore'

const hour = 3_600_000
const nowMs = 1_800_000_000_123
const words = ['回滚', '数据库', '快照功能', '我们', '不要', 'test', 'server', 'getUserName', 'user_name', 'utf8', 'c++', '1.2.3', '10%', '👍🏽', '👨‍👩‍👧', '❤️', 'привет', 'naïve', 'コード', '안녕하세요', 'a', 'x1', '的', '中华人民共和国', 'T恤', 'src/main']
const pieces = ['据', '华人民', 'User', 'names', '1', 'é', 'er_na', '👩', 'nothing', 'f', '民共和国']
const segmenter = makeSegmenter()

/** Ages around the last day, ties, the far past, and the future. */
const age = fc.oneof(
  fc.constantFrom(0, 1, 24 * hour - 1, 24 * hour, 24 * hour + 1, 24 * hour + 1024, 12 * hour, -5000, nowMs),
  fc.integer({ min: 0, max: 30 * hour }),
  fc.integer({ min: 0, max: 3 }).map((step) => step * 500),
  fc.integer({ min: 0, max: 400 * 24 * hour }),
)
const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map((one) => one === 1)
const entry = fc.record({ text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }), join: fc.constantFrom(' ', '', '，'), age, isPinned: oneIn(4), place: fc.constantFrom(here, here, null, elsewhere), isGone: oneIn(6) })
const query = fc.record({ words: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.constantFrom(...pieces) }), { minLength: 1, maxLength: 30 }), limit: fc.integer({ min: 1, max: 12 }), scope: fc.constantFrom('all', 'project', 'general'), isBin: oneIn(7) })

type Given<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never

/** Compares searches over made-up entries with a scan. Limits differ, so that every way to find candidates is taken. */
export async function compareWithScan(numRuns: number, entries: number): Promise<void> {
  const limits = fc.record({ shortList: fc.constantFrom(0, 3, 12, 48), mostPinned: fc.constantFrom(0, 1000) })
  await fc.assert(fc.asyncProperty(fc.array(entry, { maxLength: entries, size: 'max' }), fc.array(query, { minLength: 1, maxLength: 6 }), limits, async (given, queries, chosen) => {
    const { tables, all } = await filled(given, chosen)
    for (const one of queries) {
      const search = await asked(one)
      expect(tables.searchMemories(search)).toEqual(scan(all, search))
    }
  }), { numRuns })
}

async function filled(given: readonly Given<typeof entry>[], limits: MemoryLimits) {
  const tables = memoryTables(limits)
  const texts = given.map(({ text, join }) => text.join(join))
  const terms = await segmenter.terms(texts)
  const entries: readonly NewMemory[] = given.map((one, at) => newMemory(`m${at}`, texts[at] ?? '', terms[at] ?? [], { workspaceId: one.place, isPinned: one.isPinned, atMs: nowMs - one.age }))
  tables.addMemories({ entries })
  tables.removeMemories({ ids: given.flatMap((one, at) => (one.isGone ? [`m${at}`] : [])), batch: 'b', atMs: nowMs })
  const stored = tables.memories({ ids: entries.map(({ id }) => id) })
  return { tables, all: stored.map((memory, at) => ({ memory, terms: terms[at] ?? [] })) }
}

async function asked({ words: asking, limit, scope, isBin }: Given<typeof query>): Promise<MemorySearch> {
  const [terms = []] = await segmenter.queryTerms([asking.join(' ')])
  return { workspaceId: here, scope, isBin, terms, nowMs, limit }
}
