import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { configure, openFile } from '../../src/main/adapters/sqlite/driver'
import { memoryOperations } from '../../src/main/adapters/sqlite/memory/memoryOperations'
import type { FoundMemory, MemorySearch, NewMemory } from '../../src/main/core/ports/memoryStore'
import { asId, type MemoryId, type WorkspaceId } from '../../src/shared/domain/ids'
import { byScore, scoreOf } from '../../src/shared/domain/memoryScore'
import { countFound, normalText } from '../../src/shared/domain/termText'
import type { Print } from './index'
import { corpusOf, type Corpus } from './memoryCorpus'
import { perfInject } from './perfInject'
import { median, type PerfLine } from './perfLine'

const dayMs = 24 * 3_600_000
const top = 10
const workspaceId = asId<WorkspaceId>('lab')

/** An entry as the plain design would hold it: all texts in memory. */
interface Held {
  readonly id: string
  readonly text: string
  readonly words: readonly string[]
  readonly atMs: number
  readonly isPinned: boolean
}

/** `perf memory`: search beside a linear scan over texts in memory, both in this run; adding one entry; a long draft; recall of two characters; what a message and the page cost (`perfInject`). Size: entries. */
export async function perfMemory(print: Print, size = 100_000): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-memory-'))
  const opened = await openDatabase({ dataDir, migrationsDir: path.resolve('resources/migrations'), workerFile: path.resolve('out/main/sqliteWorker.js'), clock: systemClock, ids: makeIdSource(systemClock) })
  if (!opened.ok) throw new Error(opened.fault.code)
  const database = opened.value
  // As the database thread has it; here without the way between threads, which the scan has not either.
  const db = openFile(path.join(dataDir, 'countersign.db'), false)
  configure(db)
  const operations = memoryOperations(db)
  try {
    const nowMs = Date.now()
    const corpus = corpusOf(11)
    const held = Array.from({ length: size }, (_, at): Held => ({ id: `m${at}`, ...corpus.entry(), atMs: nowMs - Math.floor(corpus.random() * 90 * dayMs), isPinned: corpus.random() < 0.001 }))
    await fill(database, held)
    const line = lineOf(print, size)
    await timeSearches({ search: (terms) => operations.searchMemories(searchFor(terms, nowMs)), ask: (terms) => database.memories.search(searchFor(terms, nowMs)) }, held, corpus, nowMs, line)
    await measureRecall(database, held, corpus, nowMs, line)
    await timeAdding(database, corpus, line)
  } finally {
    db.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  await perfInject(print, size)
}

type Line = (goal: string, name: string, unit: string, figures: { readonly value: number; readonly baseline: number | null; readonly runs: number }) => void

function lineOf(print: Print, size: number): Line {
  return (goal, name, unit, { value, baseline, runs }) => {
    const line: PerfLine = { goal, name: `${name}, ${size} entries`, value, unit, baseline, ratio: baseline === null ? null : value / baseline, runs }
    print(line)
  }
}

/** In imports that grow, as somebody with that many would bring them. */
async function fill(database: Database, held: readonly Held[]): Promise<void> {
  for (let from = 0, count = 2000; from < held.length; from += count, count = Math.min(2 * count, 100_000)) await database.memories.add(held.slice(from, from + count).map(entryOf))
}

function entryOf({ id, text, words, atMs, isPinned }: Held): NewMemory {
  return { id: asId<MemoryId>(id), text, terms: [...new Set(words)], workspaceId, source: { kind: 'person', by: 'table', sessionId: null }, isPinned, atMs }
}

interface Searching {
  readonly search: (terms: readonly string[]) => readonly FoundMemory[]
  /** The same, asked of the database thread. */
  readonly ask: (terms: readonly string[]) => Promise<readonly FoundMemory[]>
}

async function timeSearches({ search, ask }: Searching, held: readonly Held[], corpus: Corpus, nowMs: number, line: Line): Promise<void> {
  const runs = held.length > 300_000 ? 30 : 100
  const texts = held.map(({ text, atMs, isPinned }, at) => ({ text: text.toLowerCase(), atMs, isPinned, id: at }))
  const measure = async (name: string, queries: readonly (readonly string[])[]) => {
    const times = { ours: [] as number[], asked: [] as number[], scans: [] as number[] }
    for (const terms of queries.slice(0, 10)) search(terms)
    // Some of each by turns, so that a busy machine hurts all.
    for (let from = 0; from < queries.length; from += 10) {
      const some = queries.slice(from, from + 10)
      for (const terms of some) times.ours.push(await timed(() => search(terms)))
      for (const terms of some) times.asked.push(await timed(() => ask(terms)))
      for (const terms of some) times.scans.push(await timed(() => plainScan(texts, terms, nowMs)))
    }
    line('D1', `search, ${name}, p50`, 'ms', { value: median(times.ours), baseline: median(times.scans), runs: queries.length })
    checkSame(search, held, queries.slice(0, 4), nowMs)
    return times
  }
  const [rare, common] = [await measure('two rare words', corpus.queries('rare', runs, 2)), await measure('two common words', corpus.queries('common', runs, 2))]
  const [ours, asked, scans] = (['ours', 'asked', 'scans'] as const).map((key) => [...rare[key], ...common[key]]) as [number[], number[], number[]]
  const half = 'half rare and half common words'
  line('D1', `search, ${half}, p50`, 'ms', { value: median(ours), baseline: median(scans), runs: ours.length })
  line('D1', `search, ${half}, p99`, 'ms', { value: percentile(ours, 0.99), baseline: percentile(scans, 0.99), runs: ours.length })
  line('D1', `search asked of the database thread, ${half}, p50`, 'ms', { value: median(asked), baseline: median(scans), runs: asked.length })
  await measure('draft of 30 terms', corpus.queries('mixed', held.length > 300_000 ? 6 : 20, 30))
}

function searchFor(terms: readonly string[], nowMs: number): MemorySearch {
  return { workspaceId, scope: 'all', isBin: false, terms, nowMs, limit: top }
}

/** The plain design: every text, every word. */
function plainScan(texts: readonly { readonly text: string; readonly atMs: number; readonly isPinned: boolean; readonly id: number }[], words: readonly string[], nowMs: number): readonly (readonly [number, number])[] {
  const best: [number, number][] = []
  for (const { text, atMs, isPinned, id } of texts) {
    let found = 0
    for (const word of words) if (text.includes(word)) found += 1
    if (found === 0) continue
    const score = (found / words.length) * (isPinned ? 1 : Math.max(0.5, 1 - (nowMs - atMs) / 3_600_000 / 48))
    if (best.length >= top && score <= (best.at(-1)?.[0] ?? 0)) continue
    best.push([score, id])
    best.sort((a, b) => b[0] - a[0])
    if (best.length > top) best.pop()
  }
  return best
}

/** A figure of a search that finds something else would be worth nothing. */
function checkSame(search: Searching['search'], held: readonly Held[], queries: readonly (readonly string[])[], nowMs: number): void {
  for (const terms of queries) {
    const found = search(terms).map(({ memory }) => memory.id)
    const scored = held.map((one) => ({ ...one, score: scoreOf(one, countFound(terms, { normal: normalText(one.text), terms: new Set(one.words) }), terms.length, nowMs).score }))
    const expected = scored.filter(({ score }) => score > 0).sort(byScore).slice(0, top).map(({ id }) => id)
    if (found.join() !== expected.join()) throw new Error(`the search for ${terms.join(' ')} gave ${found.join(', ')} and the scan ${expected.join(', ')}`)
  }
}

async function timeAdding(database: Database, corpus: Corpus, line: Line): Promise<void> {
  const times: number[] = []
  for (let at = 0; at < 200; at += 1) {
    const entry = entryOf({ id: `new${at}`, ...corpus.entry(), atMs: Date.now(), isPinned: false })
    times.push(await timed(() => database.memories.add([entry])))
  }
  line('D1', 'add one entry, p50', 'ms', { value: median(times), baseline: null, runs: times.length })
  line('D1', 'add one entry, p99', 'ms', { value: percentile(times, 0.99), baseline: null, runs: times.length })
}

/** Pairs of neighbouring characters from anywhere in the texts, against substring search. */
async function measureRecall(database: Database, held: readonly Held[], corpus: Corpus, nowMs: number, line: Line): Promise<void> {
  let [found, expected] = [0, 0]
  const runs = 20
  for (let run = 0; run < runs; run += 1) {
    const pieces = /\p{Script=Han}{2}/u.exec(held[Math.floor(corpus.random() * held.length)]?.text ?? '')
    if (pieces === null) continue
    const [word] = pieces
    const have = new Set(held.filter(({ text }) => text.includes(word)).map(({ id }) => id))
    const got = await database.memories.search({ workspaceId, scope: 'all', isBin: false, terms: [word], nowMs, limit: 2000 })
    expected += Math.min(have.size, 2000)
    found += got.filter(({ memory }) => have.has(memory.id)).length
  }
  line('D5', 'recall of two Chinese characters against substring search', 'share', { value: expected === 0 ? 1 : found / expected, baseline: 1, runs })
}

async function timed(run: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
}
