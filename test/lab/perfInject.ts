import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeLibraryThread, segmenterOver } from '../../src/main/app/libraryClient'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import type { NewMemory } from '../../src/main/core/ports/memoryStore'
import type { Memories } from '../../src/main/services/memories'
import { makeMemories } from '../../src/main/services/makeMemories'
import { asId, type MemoryId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Print } from './index'
import { corpusOf, templatesOf } from './memoryCorpus'
import { median, type PerfLine } from './perfLine'

const dayMs = 24 * 3_600_000
const workspaceId = asId<WorkspaceId>('lab')
/** Room for 5,000 tokens of memory: the most there is. */
const windowTokens = 1_000_000
const atOnce = 2000

/** What a message and a look at the page cost beside many entries, and how long the main thread is held at a time: for varied entries, and for such as are nearly all alike and came with one import. */
export async function perfInject(print: Print, size: number): Promise<void> {
  for (const kind of ['varied', 'alike'] as const) {
    const corpus = kind === 'varied' ? corpusOf(17) : templatesOf(17)
    await inStore(async (database, memories, terms) => {
      const nowMs = Date.now()
      for (let from = 0; from < size; from += atOnce) {
        const texts = Array.from({ length: Math.min(atOnce, size - from) }, () => corpus.entry().text)
        const cut = await terms(texts)
        await database.memories.add(texts.map((text, at): NewMemory => ({ id: asId<MemoryId>(`m${from + at}`), text, terms: cut[at] ?? [], workspaceId, source: { kind: 'person', by: 'table', sessionId: null }, isPinned: corpus.random() < 0.001, atMs: kind === 'varied' ? nowMs - Math.floor(corpus.random() * 90 * dayMs) : nowMs })))
      }
      const line = (name: string, unit: string, value: number, runs: number): void => print({ goal: 'D1', name: `${name}, ${kind}, ${size} entries`, value, unit, baseline: null, ratio: null, runs } satisfies PerfLine)
      for (const count of [10, 60]) {
        const drafts = corpus.queries('mixed', 12, count).map((words) => words.join(' '))
        await measure(`inject, draft of ${count} terms`, drafts, (draft) => memories.inject(workspaceId, draft, windowTokens), line)
        await measure(`memory page, draft of ${count} terms`, drafts, (draft) => memories.page(workspaceId, { query: '', scope: 'all', isBin: false, order: { by: 'score', isDescending: true }, offset: 0, limit: 100, draft }, windowTokens), line)
      }
    })
  }
}

type Line = (name: string, unit: string, value: number, runs: number) => void

async function measure(name: string, drafts: readonly string[], run: (draft: string) => Promise<unknown>, line: Line): Promise<void> {
  await run(drafts[0] ?? '')
  const times: number[] = []
  const held: number[] = []
  for (const draft of drafts) {
    const startedAt = performance.now()
    held.push(await heldDuring(() => run(draft)))
    times.push(performance.now() - startedAt)
  }
  line(`${name}, p50`, 'ms', median(times), times.length)
  line(`${name}, slowest`, 'ms', Math.max(...times), times.length)
  line(`${name}, longest hold of the main thread`, 'ms', Math.max(...held), held.length)
}

/** The longest time between two turns of the event loop while something runs. */
async function heldDuring(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = performance.now()
  let isOver = false
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setTimeout(look, 1)
  }
  look()
  await run()
  isOver = true
  return Math.max(longest, performance.now() - before)
}

async function inStore(work: (database: Database, memories: Memories, terms: (texts: readonly string[]) => Promise<readonly (readonly string[])[]>) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-inject-'))
  const thread = makeLibraryThread(path.resolve('out/main/libraryWorker.js'))
  const ids = makeIdSource(systemClock)
  const opened = await openDatabase({ dataDir, migrationsDir: path.resolve('resources/migrations'), workerFile: path.resolve('out/main/sqliteWorker.js'), clock: systemClock, ids })
  if (!opened.ok) throw new Error(opened.fault.code)
  const segmenter = segmenterOver(thread)
  const silent = { append: () => Promise.resolve({ entries: 0, chain: '' }), head: () => null, verify: () => Promise.resolve({ ok: true as const, entries: 0 }), hasRollback: () => Promise.resolve(false), exportTo: () => Promise.resolve(0) }
  try {
    await work(opened.value, makeMemories({ store: opened.value.memories, segmenter, clock: systemClock, ids, audit: silent, withoutKnown: (text) => text }), (texts) => segmenter.terms(texts))
  } finally {
    await opened.value.close()
    await thread.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
