import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryTokens, memoryBudget } from '../../../../src/main/core/memory/budget'
import { rank } from '../../../../src/main/core/memory/rank'
import { asId, type MemoryId, type SessionId, type CallId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import type { Memory } from '../../../../src/shared/domain/memory'
import { byScore, decayOf, scoreOf } from '../../../../src/shared/domain/memoryScore'

const hour = 3_600_000
const nowMs = 1_800_000_000_000

function entry(id: string, change: Partial<Memory> = {}): Memory {
  return { id: asId<MemoryId>(id), text: `text of ${id}`, scope: 'project', workspaceId: asId<WorkspaceId>('w'), source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: nowMs - 100 * hour, rev: 1, deletedAtMs: null, ...change }
}
const outside = { kind: 'outside', source: { kind: 'web', url: 'https://a.example' }, sessionId: asId<SessionId>('s'), callId: asId<CallId>('c') } as unknown as Memory['source']

describe('R38: decay', () => {
  test.each([[0, 1], [12, 0.75], [23.999, 1 - 23.999 / 48], [24, 0.5], [24.001, 0.5], [1000, 0.5], [-5, 1]])('after %d hours is %d', (hours, decay) => {
    expect(decayOf({ atMs: nowMs - hours * hour, isPinned: false }, nowMs)).toBeCloseTo(decay, 12)
    expect(decayOf({ atMs: nowMs - hours * hour, isPinned: true }, nowMs)).toBe(1)
  })

  test('is exactly a half at 24 hours', () => {
    expect(decayOf({ atMs: nowMs - 24 * hour, isPinned: false }, nowMs)).toBe(0.5)
  })
})

test('R39: score is match by decay, and nothing matches a query without terms', () => {
  expect(scoreOf(entry('a', { atMs: nowMs - 12 * hour }), 2, 4, nowMs)).toEqual({ match: 0.5, decay: 0.75, score: 0.375 })
  expect(scoreOf(entry('a'), 0, 0, nowMs)).toEqual({ match: 0, decay: 0.5, score: 0 })
})

test('R39: the order is score, then the newer, then the id', () => {
  const at = (id: string, score: number, atMs: number) => ({ id, score, atMs })
  const sorted = [at('b', 0.5, 1), at('a', 0.5, 1), at('c', 0.5, 2), at('d', 0.9, 0)].sort(byScore)
  expect(sorted.map(({ id }) => id)).toEqual(['d', 'c', 'a', 'b'])
})

test.each([[null, 500], [0, 500], [8_000, 500], [100_000, 500], [100_200, 501], [200_000, 1000], [1_000_000, 5000], [10_000_000, 5000]])('R40: a window of %s tokens gives memory %i', (window, budget) => {
  expect(memoryBudget(window)).toBe(budget)
})

test('R39 R71: an entry from outside is held back, and used while it is pinned', () => {
  const [free, pinned] = [entry('free', { source: outside, text: 'a' }), entry('pinned', { source: outside, text: 'b', isPinned: true })]
  expect(rank([free, pinned].map((memory) => ({ memory, found: 1 })), { termCount: 1, nowMs, windowTokens: null }).map(({ memory, score }) => [memory.id, score.fate])).toEqual([['pinned', 'injected'], ['free', 'outside']])
})

test('R39: what becomes of each entry is said: injected from 0.20 up, no duplicates, nothing from outside', () => {
  const ranked = rank(
    [
      { memory: entry('weak'), found: 1 },
      { memory: entry('edge'), found: 2 },
      { memory: entry('same', { text: 'Use  PNPM here' }), found: 4 },
      { memory: entry('first', { text: 'use pnpm here', atMs: nowMs }), found: 4 },
      { memory: entry('web', { source: outside }), found: 5 },
    ],
    { termCount: 5, nowMs, windowTokens: null },
  )
  expect(ranked.map(({ memory, score }) => [memory.id, score.match, score.decay, score.score, score.fate])).toEqual([
    ['first', 0.8, 1, 0.8, 'injected'],
    ['web', 1, 0.5, 0.5, 'outside'],
    ['same', 0.8, 0.5, 0.4, 'duplicate'],
    ['edge', 0.4, 0.5, 0.2, 'injected'],
    ['weak', 0.2, 0.5, 0.1, 'below'],
  ])
})

test('R40: an entry that does not fit leaves room for a smaller one, and the sum keeps the bound', () => {
  const big = entry('big', { text: '字'.repeat(600), isPinned: true })
  const huge = entry('huge', { text: 'x'.repeat(4000), atMs: nowMs })
  const small = entry('small')
  const ranked = rank([big, huge, small].map((memory) => ({ memory, found: 1 })), { termCount: 1, nowMs, windowTokens: 90_000 })
  expect(ranked.map(({ memory, score }) => [memory.id, score.fate])).toEqual([['huge', 'budget'], ['big', 'injected'], ['small', 'injected']])
  fc.assert(fc.property(fc.array(fc.record({ size: fc.integer({ min: 1, max: 3000 }), found: fc.integer({ min: 0, max: 3 }) }), { maxLength: 30 }), fc.integer({ min: 0, max: 2_000_000 }), (sizes, windowTokens) => {
    const all = rank(sizes.map(({ size, found }, index) => ({ memory: entry(`m${index}`, { text: `${index} `.repeat(size).slice(0, 4000) }), found })), { termCount: 3, nowMs, windowTokens })
    const tokens = all.filter(({ score }) => score.fate === 'injected').map(({ memory }) => entryTokens(memory))
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(memoryBudget(windowTokens))
  }), { numRuns: 30 })
})
