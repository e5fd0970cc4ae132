import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elsewhere, here, memoryTables, newMemory, scan } from '../../../support/memoryTables'
import { makeSegmenter } from '../../../../src/main/adapters/segment/segmenter'
import { firstSlot, slotFinder, timeOf } from '../../../../src/main/adapters/sqlite/memory/slots'
import type { MemorySearch, NewMemory } from '../../../../src/main/core/ports/memoryStore'
import type { Memory } from '../../../../src/shared/domain/memory'

const hour = 3_600_000
const nowMs = 1_800_000_000_123
const words = ['回滚', '数据库', '快照功能', '我们', '不要', 'test', 'server', 'getUserName', 'user_name', 'utf8', 'c++', '1.2.3', '10%', '👍🏽', '👨‍👩‍👧', '❤️', 'привет', 'naïve', 'コード', '안녕하세요', 'a', 'x1', '的', '中华人民共和国', 'T恤', 'src/main']
const segmenter = makeSegmenter()

/** Ages around the last day, ties, the far past, and the future. */
const age = fc.oneof(
  fc.constantFrom(0, 1, 24 * hour - 1, 24 * hour, 24 * hour + 1, 24 * hour + 1024, 12 * hour, -5000, nowMs),
  fc.integer({ min: 0, max: 30 * hour }),
  fc.integer({ min: 0, max: 3 }).map((step) => step * 500),
  fc.integer({ min: 0, max: 400 * 24 * hour }),
)
const entry = fc.record({ text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }), join: fc.constantFrom(' ', '', '，'), age, isPinned: fc.boolean().map((one) => one), place: fc.constantFrom(here, null, elsewhere), isGone: fc.integer({ max: 5, min: 0 }).map((one) => one === 0) })
const query = fc.record({ words: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.constantFrom('据', '华人民', 'User', 'names', '1', 'é', 'er_na', '👩', 'nothing', 'f', '民共和国') }), { minLength: 1, maxLength: 14 }), limit: fc.integer({ min: 1, max: 12 }), scope: fc.constantFrom('all', 'project', 'general'), isBin: fc.integer({ min: 0, max: 6 }).map((one) => one === 0) } as const)

type GivenEntry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never
type GivenQuery = typeof query extends fc.Arbitrary<infer Value> ? Value : never

async function filled(given: readonly GivenEntry[], shortList?: number) {
  const tables = memoryTables(shortList)
  const texts = given.map(({ text, join }) => text.join(join))
  const terms = await segmenter.terms(texts)
  const entries: readonly NewMemory[] = given.map((one, at) => newMemory(`m${at}`, texts[at] ?? '', terms[at] ?? [], { workspaceId: one.place, isPinned: one.isPinned, atMs: nowMs - one.age }))
  tables.addMemories({ entries })
  tables.removeMemories({ ids: given.flatMap((one, at) => (one.isGone ? [`m${at}`] : [])), batch: 'b', atMs: nowMs })
  const stored = tables.memories({ ids: entries.map(({ id }) => id) })
  return { tables, all: stored.map((memory: Memory, at) => ({ memory, terms: terms[at] ?? [] })) }
}

async function asked({ words: asking, limit, scope, isBin }: GivenQuery): Promise<MemorySearch> {
  const [terms = []] = await segmenter.queryTerms([asking.join(' ')])
  return { workspaceId: here, scope, isBin, terms, nowMs, limit }
}

async function compare(numRuns: number, entries: number) {
  // Lists count as long from different lengths on, so that every way to find candidates is taken.
  await fc.assert(fc.asyncProperty(fc.array(entry, { maxLength: entries, size: 'max' }), fc.array(query, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 3, 12, 48), async (given, queries, shortList) => {
    const { tables, all } = await filled(given, shortList)
    for (const one of queries) {
      const search = await asked(one)
      expect(tables.searchMemories(search)).toEqual(scan(all, search))
    }
  }), { numRuns })
}

test('D1: a search gives exactly what a scan with the formula gives: scopes, pins, bin, ages around a day, ties', async () => {
  await compare(30, 60)
})

describe('D5: whatever the segmenter cuts', () => {
  test('a Chinese word of two characters is found in every text that holds it', async () => {
    const sentence = '中华人民共和国成立以后我们在数据库里保存了所有快照功能的记录然后回滚到昨天的版本'
    const { tables } = await filled([])
    const texts = Array.from({ length: sentence.length - 9 }, (_, at) => sentence.slice(at, at + 10))
    const terms = await segmenter.terms(texts)
    tables.addMemories({ entries: texts.map((text, at) => newMemory(`m${at}`, text, terms[at] ?? [])) })
    for (let at = 0; at + 2 <= sentence.length; at += 1) {
      const word = sentence.slice(at, at + 2)
      const found = tables.searchMemories({ workspaceId: here, scope: 'all', isBin: false, terms: [word], nowMs, limit: 100 })
      expect(new Set(found.map(({ memory }) => memory.text))).toEqual(new Set(texts.filter((text) => text.includes(word))))
    }
  })
})

describe('slots', () => {
  test('follow the time, and are never before it', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 8_640_000_000_000_000 }), fc.integer({ min: 0, max: 63 }), (atMs, step) => {
      const slot = firstSlot(atMs) + step
      expect(Number.isSafeInteger(slot)).toBe(true)
      expect(timeOf(slot)).toBeGreaterThanOrEqual(atMs)
      expect(timeOf(slot) - atMs).toBeLessThan(1024)
    }))
  })

  test('that are taken make way to later ones, also for ten thousand entries of one time', () => {
    const taken = new Set<number>()
    let questions = 0
    const free = slotFinder((from, below) => {
      questions += 1
      for (let slot = below - 1; slot >= from; slot -= 1) if (taken.has(slot)) return slot
      return null
    })
    for (let count = 0; count < 10_000; count += 1) taken.add(free(5000))
    expect(taken.size).toBe(10_000)
    expect(Math.min(...taken)).toBe(firstSlot(5000))
    expect(questions).toBeLessThan(11_000)
  })
})
