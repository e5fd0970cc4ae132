import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { childOf } from '../../../support/childProcess'
import type { MemoryJob } from '../../../support/children/memoryChild'
import { here, newMemory } from '../../../support/memoryTables'
import { migrationsDir, openIn, rawOpen, scratchFolder, workerFile } from '../../../support/scratchDatabase'
import { asId, type MemoryId } from '../../../../src/shared/domain/ids'

const startChild = childOf('memoryChild')
const everything = { workspaceId: here, scope: 'all', isBin: false } as const
const byText = { by: 'text', isDescending: false } as const

test('g08: two processes that add fifty entries each and edit one lose nothing; an edit of what was changed meanwhile shows both', async () => {
  const dataDir = scratchFolder()
  const { memories } = await openIn(dataDir)
  await memories.add([newMemory('old', 'an old fact', ['old']), newMemory('mine', 'my fact', ['my'])])
  const job: MemoryJob = { dataDir, migrationsDir, workerFile, name: 'other', adds: 50, edits: { id: 'old', rev: 1 } }
  const child = startChild(job)
  await child.line('open')
  for (let at = 0; at < 50; at += 1) await memories.add([newMemory(`own-${at}`, `own fact ${at}`, ['own', 'fact', String(at)], { atMs: Date.now() })])
  await memories.change([{ id: asId<MemoryId>('mine'), rev: 1, isPinned: true }])
  expect(await child.ended).toEqual({ code: 0, signal: null })
  expect(child.lines).toEqual(['open', 'changed'])

  expect(await memories.page(everything, byText, 0, 200)).toHaveLength(102)
  expect(await memories.search({ ...everything, terms: ['fact'], nowMs: Date.now(), limit: 200 })).toHaveLength(100)
  const late = await memories.change([{ id: asId<MemoryId>('old'), rev: 1, text: { text: 'edited here', terms: ['edit'], atMs: Date.now() } }])
  expect(late).toMatchObject({ kind: 'conflict', theirs: [{ id: 'old', now: { text: 'edited by other', rev: 2 } }] })

  // What another process pins is known to the next search.
  const second = await openIn(dataDir)
  const fact = { ...everything, terms: ['fact'], nowMs: Date.now() + 48 * 3_600_000, limit: 1 }
  await memories.search(fact)
  await second.memories.change([{ id: asId<MemoryId>('other-7'), rev: 1, isPinned: true }])
  expect((await memories.search(fact)).map(({ memory }) => memory.id)).toEqual(['other-7'])
})

test('R97: a damaged database is recovered with its memories, and they are found', async () => {
  const dataDir = scratchFolder()
  const file = path.join(dataDir, 'countersign.db')
  const database = await openIn(dataDir)
  const texts = Array.from({ length: 400 }, (_, at) => `事实 ${at} ${'x'.repeat(at % 50)}`)
  await database.memories.add(texts.map((text, at) => newMemory(`m${at}`, text, [String(at)], { isPinned: at % 3 === 0 })))
  await database.memories.remove([asId<MemoryId>('m1')], 'bin', 5)
  await database.close()
  const raw = rawOpen(file)
  const page = raw.prepare<[], { rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = 'memory_of_scope'").get()
  const size = Number(raw.pragma('page_size', { simple: true }))
  raw.close()
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, ((page?.rootpage ?? 1) - 1) * size)
  closeSync(fd)

  const { memories, faults } = await openIn(dataDir)
  expect(faults).toMatchObject([{ code: 'app.database-recovered' }])
  expect(await memories.count(here)).toEqual({ project: 399, general: 0, bin: 1 })
  for (const at of [0, 200, 399]) expect((await memories.search({ ...everything, terms: ['事实', String(at)], nowMs: 0, limit: 1 })).map(({ memory }) => memory.text)).toEqual([texts[at]])
})
