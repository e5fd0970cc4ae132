import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import type { NewMemory } from '../../src/main/core/ports/memoryStore'
import { asId, type MemoryId, type WorkspaceId } from '../../src/shared/domain/ids'
import { byScore, scoreOf } from '../../src/shared/domain/memoryScore'
import { countFound, normalText } from '../../src/shared/domain/termText'
import type { Print } from './index'
import { corpusOf, type Corpus } from './memoryCorpus'
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

/** `perf memory`: search beside a linear scan over texts in memory, both in this run; adding one entry; a long draft; recall of two characters. Size: entries. */
export async function perfMemory(print: Print, size = 100_000): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-memory-'))
  const opened = await openDatabase({ dataDir, migrationsDir: path.resolve('resources/migrations'), workerFile: path.resolve('out/main/sqliteWorker.js'), clock: systemClock, ids: makeIdSource(systemClock) })
  if (!opened.ok) throw new Error(opened.fault.code)
  const database = opened.value
  try {
    const nowMs = Date.now()
    const corpus = corpusOf(11)
    const held = Array.from({ length: size }, (_, at): Held => ({ id: `m${at}`, ...corpus.entry(), atMs: nowMs - Math.floor(corpus.random() * 90 * dayMs), isPinned: corpus.random() < 0.001 }))
    await fill(database, held)
    const line = lineOf(print, size)
    await timeSearches(database, held, corpus, nowMs, line)
    await measureRecall(database, held, corpus, nowMs, line)
    await timeAdding(database, corpus, line)
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
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

async function timeSearches(database: Database, held: readonly Held[], corpus: Corpus, nowMs: number, line: Line): Promise<void> {
  const runs = held.length > 300_000 ? 24 : 100
  const texts = held.map(({ text, atMs, isPinned }, at) => ({ text: text.toLowerCase(), atMs, isPinned, id: at }))
  const sets: Readonly<Record<string, readonly (readonly string[])[]>> = {
    'two rare words': corpus.queries('rare', runs, 2),
    'two common words': corpus.queries('common', runs, 2),
    'draft of 30 terms': corpus.queries('mixed', held.length > 300_000 ? 6 : 20, 30),
  }
  const times: Record<string, { ours: number[]; scans: number[] }> = {}
  for (const [name, queries] of Object.entries(sets)) {
    const [ours, scans]: [number[], number[]] = [[], []]
    for (const terms of queries.slice(0, 10)) await search(database, terms, nowMs)
    for (const [at, terms] of queries.entries()) {
      // Both by turns, so that a busy machine hurts both.
      ours.push(await timed(() => search(database, terms, nowMs)))
      if (at % 2 === 0) scans.push(await timed(() => Promise.resolve(plainScan(texts, terms, nowMs))))
    }
    times[name] = { ours, scans }
    line('D1', `search, ${name}, p50`, 'ms', { value: median(ours), baseline: median(scans), runs: ours.length })
    await checkSame(database, held, queries.slice(0, 4), nowMs)
  }
  const mixed = { ours: [...(times['two rare words']?.ours ?? []), ...(times['two common words']?.ours ?? [])], scans: [...(times['two rare words']?.scans ?? []), ...(times['two common words']?.scans ?? [])] }
  line('D1', 'search, half rare and half common words, p50', 'ms', { value: median(mixed.ours), baseline: median(mixed.scans), runs: mixed.ours.length })
  line('D1', 'search, half rare and half common words, p99', 'ms', { value: percentile(mixed.ours, 0.99), baseline: percentile(mixed.scans, 0.99), runs: mixed.ours.length })
}

function search(database: Database, terms: readonly string[], nowMs: number) {
  return database.memories.search({ workspaceId, scope: 'all', isBin: false, terms, nowMs, limit: top })
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
async function checkSame(database: Database, held: readonly Held[], queries: readonly (readonly string[])[], nowMs: number): Promise<void> {
  for (const terms of queries) {
    const found = (await search(database, terms, nowMs)).map(({ memory }) => memory.id)
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

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
}
