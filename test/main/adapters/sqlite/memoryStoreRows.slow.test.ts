import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { elsewhere, here, newMemory } from '../../../support/memoryTables'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'
import type { MemoryFilter, MemoryOrder, MemoryStore } from '../../../../src/main/core/ports/memoryStore'
import { asId, type MemoryId, type WorkspaceId } from '../../../../src/shared/domain/ids'

const id = (name: string) => asId<MemoryId>(name)
const nowMs = 1_800_000_000_000
const search = (store: MemoryStore, terms: readonly string[], filter: Partial<MemoryFilter> = {}) => store.search({ workspaceId: here, scope: 'all', isBin: false, terms, nowMs, limit: 10, ...filter })
const idsOf = async (found: Promise<readonly { readonly memory: { readonly id: string } }[]>) => (await found).map(({ memory }) => memory.id)
const page = async (store: MemoryStore, filter: Partial<MemoryFilter> = {}, order: MemoryOrder = { by: 'at', isDescending: true }, offset = 0, limit = 10) => (await store.page({ workspaceId: here, scope: 'all', isBin: false, ...filter }, order, offset, limit)).map((one) => one.id)

async function storeWith(entries: Parameters<MemoryStore['add']>[0]): Promise<MemoryStore> {
  const { memories } = await openIn(scratchFolder())
  await memories.add(entries)
  return memories
}

const four = [
  newMemory('a', '回滚前拍快照', ['回滚', '前', '拍', '快照'], { atMs: nowMs - 4000 }),
  newMemory('b', 'Use pnpm', ['us', 'pnpm'], { atMs: nowMs - 3000, source: { kind: 'agent', sessionId: asId('s'), callId: asId('c') } }),
  newMemory('c', 'answer briefly', ['answer', 'briefli'], { workspaceId: null, atMs: nowMs - 2000, isPinned: true }),
  newMemory('d', 'Use npm', ['us', 'npm'], { workspaceId: elsewhere, atMs: nowMs - 1000 }),
]

test('R34: a project reads its own entries and the general ones, as they were stored', async () => {
  const store = await storeWith(four)
  expect(await page(store)).toEqual(['c', 'b', 'a'])
  expect([await page(store, { scope: 'project' }), await page(store, { scope: 'general' }), await page(store, { workspaceId: elsewhere })]).toEqual([['b', 'a'], ['c'], ['d', 'c']])
  expect(await idsOf(search(store, ['us']))).toEqual(['b'])
  expect(await store.get([id('c'), id('nobody'), id('a')])).toEqual([
    { id: 'c', text: 'answer briefly', scope: 'general', workspaceId: null, source: { kind: 'person', by: 'table', sessionId: null }, isPinned: true, atMs: nowMs - 2000, rev: 1, deletedAtMs: null },
    { id: 'a', text: '回滚前拍快照', scope: 'project', workspaceId: here, source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: nowMs - 4000, rev: 1, deletedAtMs: null },
  ])
  expect([await store.count(here), await store.count(elsewhere), await store.count(asId<WorkspaceId>('new'))]).toEqual([{ project: 2, general: 1, bin: 0 }, { project: 1, general: 1, bin: 0 }, { project: 0, general: 1, bin: 0 }])
})

test('R36: a page is sorted by text, scope, source or time, either way, and cut', async () => {
  const store = await storeWith(four)
  const by = (order: MemoryOrder['by'], isDescending: boolean) => page(store, {}, { by: order, isDescending })
  expect([await by('text', false), await by('text', true), await by('scope', false), await by('scope', true), await by('source', false), await by('at', false)]).toEqual([
    ['c', 'b', 'a'], ['a', 'b', 'c'], ['c', 'b', 'a'], ['b', 'a', 'c'], ['b', 'c', 'a'], ['a', 'b', 'c'],
  ])
  expect(await page(store, {}, { by: 'at', isDescending: true }, 1, 1)).toEqual(['b'])
})

test('R36: an edit, a pin and a new scope are found at once where they are now, and nowhere else', async () => {
  const store = await storeWith(four)
  const changed = await store.change([
    { id: id('a'), rev: 1, text: { text: '先提交', terms: ['先', '提交'], atMs: nowMs } },
    { id: id('b'), rev: 1, workspaceId: null, isPinned: true, source: { kind: 'person', by: 'table', sessionId: null } },
    { id: id('c'), rev: 1, workspaceId: elsewhere, isPinned: false },
  ])
  expect(changed.kind === 'changed' && changed.memories.map((one) => [one.id, one.text, one.scope, one.isPinned, one.atMs - nowMs, one.rev])).toEqual([['a', '先提交', 'project', false, 0, 2], ['b', 'Use pnpm', 'general', true, -3000, 2], ['c', 'answer briefly', 'project', false, -2000, 2]])
  expect([await idsOf(search(store, ['回滚'])), await idsOf(search(store, ['提交'])), await idsOf(search(store, ['pnpm'], { workspaceId: elsewhere })), await idsOf(search(store, ['answer']))]).toEqual([[], ['a'], ['b'], []])
  expect(await idsOf(search(store, ['answer'], { workspaceId: elsewhere, scope: 'project' }))).toEqual(['c'])
  expect(await store.same(here, ['先提交', 'use pnpm', '先提交', 'nothing', 'use npm'])).toMatchObject([{ id: 'a' }, { id: 'b' }])
})

test('g08: changes are made together or not at all, and a conflict shows both versions', async () => {
  const store = await storeWith(four)
  await store.change([{ id: id('a'), rev: 1, text: { text: 'theirs', terms: ['their'], atMs: nowMs } }])
  await store.remove([id('c')], 'batch', nowMs)
  const answer = await store.change([{ id: id('b'), rev: 1, isPinned: true }, { id: id('a'), rev: 1, text: { text: 'mine', terms: ['mine'], atMs: nowMs } }, { id: id('c'), rev: 1, isPinned: false }, { id: id('gone'), rev: 1 }])
  expect(answer).toMatchObject({ kind: 'conflict', theirs: [{ id: 'a', now: { text: 'theirs', rev: 2 } }, { id: 'c', now: null }, { id: 'gone', now: null }] })
  expect(await store.get([id('b'), id('a')])).toMatchObject([{ isPinned: false, rev: 1 }, { text: 'theirs', rev: 2 }])
  expect(await idsOf(search(store, ['mine']))).toEqual([])
})

test('R36: what is deleted is in the bin alone, comes back by batch or by ids, and is gone when the bin is emptied', async () => {
  const store = await storeWith(four)
  expect(await store.remove([id('a'), id('b'), id('nobody')], 'first', nowMs)).toBe(2)
  expect(await store.remove([id('a')], 'second', nowMs)).toBe(0)
  expect([await page(store), await page(store, { isBin: true }), await store.count(here)]).toEqual([['c'], ['b', 'a'], { project: 0, general: 1, bin: 2 }])
  expect([await idsOf(search(store, ['回滚'])), await idsOf(search(store, ['回滚'], { isBin: true }))]).toEqual([[], ['a']])
  expect(await store.restore({ ids: [id('a'), id('c')] })).toBe(1)
  expect([await idsOf(search(store, ['回滚'])), (await store.get([id('a')]))[0]?.rev]).toEqual([['a'], 3])
  expect(await store.clear(here, 'project', 'third', nowMs + 5)).toBe(1)
  expect(await store.clear(asId<WorkspaceId>('new'), 'project', 'fourth', nowMs)).toBe(0)
  expect(await store.clear(here, 'general', 'fifth', nowMs + 5)).toBe(1)
  expect(await store.restore({ batch: 'third' })).toBe(1)
  expect(await store.empty(nowMs + 5)).toBe(1)
  expect([await page(store, { isBin: true }), await store.empty(nowMs + 6), await page(store, { isBin: true }), await page(store)]).toEqual([['c'], 1, [], ['a']])
  expect(await idsOf(search(store, ['us'], { workspaceId: elsewhere }))).toEqual(['d'])
})

test('what is added together is there as a whole or not at all', async () => {
  const store = await storeWith(four)
  await expect(store.add([newMemory('new', 'new one', ['new']), newMemory('a', 'again', ['again'])])).rejects.toThrow('UNIQUE')
  expect([await idsOf(search(store, ['new'])), await store.get([id('new')])]).toEqual([[], []])
})

test('R37: a query without terms finds nothing, and one with marks of the index\'s own language does no harm', async () => {
  const store = await storeWith(four)
  expect(await search(store, [])).toEqual([])
  for (const term of ['"', 'a"b', '*', 'NEAR(', 'a:b', '^a', "o'clock", '\u0000', 'AND']) expect(await search(store, [term])).toEqual([])
})

test('R95: a database of version 2 gets the table; one of version 3 keeps its entries and finds them', async () => {
  const dataDir = scratchFolder()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  raw.exec(readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/db/version-3.sql'), 'utf8'))
  raw.close()
  const { memories } = await openIn(dataDir)
  const workspaceId = asId<WorkspaceId>('0199c82c-c3e8-7000-a7db-7e0af6835665')
  expect([await idsOf(search(memories, ['测试'], { workspaceId })), await idsOf(search(memories, ['user_name', '👍'], { workspaceId })), await page(memories, { workspaceId, isBin: true })]).toEqual([['memory-1'], ['memory-1', 'memory-2'], ['memory-3']])
  expect(await memories.restore({ batch: 'batch-1' })).toBe(1)
  expect(await idsOf(search(memories, ['delet'], { workspaceId }))).toEqual(['memory-3'])
})
