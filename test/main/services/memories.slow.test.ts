import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { segmenterOver, makeLibraryThread } from '../../../src/main/app/libraryClient'
import type { MemoryStore } from '../../../src/main/core/ports/memoryStore'
import { makeMemories } from '../../../src/main/services/makeMemories'
import type { MemorySaved } from '../../../src/shared/ipc/views'
import type { Result } from '../../../src/shared/domain/result'
import { asId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { openIn, scratchFolder } from '../../support/scratchDatabase'

const here = asId<WorkspaceId>('here')

/** A host's memory over the product's own store and thread. */
async function openMemories(folder: string, watched: (store: MemoryStore) => MemoryStore = (store) => store) {
  const database = await openIn(folder)
  const thread = makeLibraryThread(path.resolve(import.meta.dirname, '../../../out/main/libraryWorker.js'))
  onTestFinished(() => thread.close())
  const audit = { append: () => Promise.resolve({ entries: 1, chain: 'c' }), head: () => null, verify: () => Promise.resolve({ ok: true, entries: 0 }), hasRollback: () => Promise.resolve(false), exportTo: () => Promise.resolve(0) }
  return makeMemories({ store: watched(database.memories), segmenter: segmenterOver(thread), clock: systemClock, ids: makeIdSource(systemClock), audit, withoutKnown: (text) => text })
}

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.fault.code)
  return result.value
}

test('R36 two windows that add and edit at the same time lose nothing, and an edit of what changed shows both versions', async () => {
  const folder = scratchFolder()
  const [one, two] = [await openMemories(folder), await openMemories(folder)]
  const save = (memories: typeof one, text: string): Promise<Result<MemorySaved>> => memories.save(here, { text, scope: 'project', by: 'table', sessionId: null })
  const { memory: old } = valueOf(await save(one, 'An old entry'))
  const numbers = Array.from({ length: 50 }, (_, at) => at)
  const [, edited] = await Promise.all([
    Promise.all(numbers.map((at) => save(one, `Fact ${at} of window 1`))),
    two.change(here, [{ id: old.id, rev: old.rev, text: 'An old entry, edited in window 2' }]),
    Promise.all(numbers.map((at) => save(two, `Fact ${at} of window 2`))),
    one.emptyBin(),
  ])
  expect(edited).toMatchObject({ ok: true, value: { kind: 'changed' } })
  expect(await one.change(here, [{ id: old.id, rev: old.rev, text: 'An old entry, edited in window 1' }])).toMatchObject({ ok: true, value: { kind: 'conflict', theirs: [{ id: old.id, now: { text: 'An old entry, edited in window 2', rev: 2 } }] } })
  const { rows, counts } = await two.page(here, { query: '', scope: 'all', isBin: false, order: { by: 'text', isDescending: false }, offset: 0, limit: 500, draft: '' }, null)
  expect(counts.project).toBe(101)
  expect(rows.map(({ memory }) => memory.text).sort()).toEqual(['An old entry, edited in window 2', ...[1, 2].flatMap((window) => numbers.map((at) => `Fact ${at} of window ${window}`))].sort())
  // What one process deletes, the other sends no more.
  valueOf(await two.remove(here, [old.id]))
  expect([...(await one.stillThere([old.id]))]).toEqual([])
})

test('R36 R37 R39 a table of many entries is read a part at a time, in every order, and a draft finds its entries in it', async () => {
  let most = 0
  const counted = <Row>(rows: readonly Row[]): readonly Row[] => {
    most = Math.max(most, rows.length)
    return rows
  }
  const memories = await openMemories(scratchFolder(), (store) => ({
    ...store,
    page: async (...args) => counted(await store.page(...args)),
    search: async (search) => counted(await store.search(search)),
  }))
  const entries = 2500
  const lines = Array.from({ length: entries }, (_, at) => `- 第 ${at} 条：网关 gateway 在端口 ${at} 上${at % 100 === 0 ? '重试 retry' : '等待'}`)
  expect(valueOf(await memories.importText(here, lines.join('\n'), 'project'))).toEqual({ added: entries, known: 0, faults: [] })
  for (const by of ['score', 'text', 'at'] as const) {
    const pages = [0, 1200, entries - 50].map(async (offset) => (await memories.page(here, { query: '', scope: 'all', isBin: false, order: { by, isDescending: true }, offset, limit: 100, draft: 'gateway 重试' }, 200_000)).rows)
    expect((await Promise.all(pages)).map((rows) => rows.length), by).toEqual([100, 100, 50])
  }
  const best = await memories.page(here, { query: '', scope: 'all', isBin: false, order: { by: 'score', isDescending: true }, offset: 0, limit: 20, draft: 'gateway 重试' }, 200_000)
  expect([best.rows.every(({ memory, score }) => memory.text.includes('重试') && score?.match === 1), best.total, best.budget.tokens <= 1000, best.budget.tokens > 900]).toEqual([true, entries, true, true])
  expect((await memories.search(here, '网关', 5)).length).toBe(5)
  expect(most).toBeLessThanOrEqual(1100)
})
