import { expect, test } from 'vitest'
import type { MemorySearch } from '../../../../src/main/core/ports/memoryStore'
import { compareWithScan } from '../../../support/memorySearches'
import { here, memoryTables, newMemory, scan } from '../../../support/memoryTables'

test('D1: many searches over many entries give exactly what a scan gives', async () => {
  await compareWithScan(250, 60)
  await compareWithScan(40, 500)
})

test('D1: of thousands of one time, as an import without dates brings them, the order is that of a scan', () => {
  const nowMs = 1_800_000_000_000
  const tables = memoryTables()
  const entries = Array.from({ length: 5000 }, (_, at) => {
    const words = ['gateway', 'order', 'retry', ...(at % 3 === 0 ? ['port'] : []), ...(at % 700 === 0 ? ['rare'] : []), 'a1', 'b2', 'c3']
    return newMemory(`m${(at * 7919) % 5000}`, words.join(' '), words, { atMs: nowMs - (at % 2) })
  })
  tables.addMemories({ entries })
  const all = tables.memories({ ids: entries.map(({ id }) => id) }).map((memory, at) => ({ memory, terms: entries[at]?.terms ?? [] }))
  for (const terms of [['gateway', 'order', 'retry', 'port', 'rare', 'b2', 'c3', 'a1', 'missing'], ['gateway', 'port'], ['rare', 'retry'], ['order']]) {
    for (const limit of [10, 300]) {
      const search: MemorySearch = { workspaceId: here, scope: 'all', isBin: false, terms, nowMs, limit }
      expect(tables.searchMemories(search)).toEqual(scan(all, search))
    }
  }
})
