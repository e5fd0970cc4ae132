import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { configure, openFile } from '../../src/main/adapters/sqlite/driver'
import { searchIndexOf } from '../../src/main/adapters/sqlite/sessions/searchIndex'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import type { EventDraft } from '../../src/shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Print } from './index'
import { corpusOf, type Corpus } from './memoryCorpus'
import { median, type PerfLine } from './perfLine'

/** So many messages a session. */
const perSession = 500
const hits = 50

type Line = (name: string, unit: string, figures: { readonly value: number; readonly baseline: number | null; readonly runs: number }) => void

/**
 * `perf session`, searching: over what was said beside a linear scan, reading the same events from the same file and finding the same
 * messages; the filling of the index; its size; how long one part of the filling keeps an append waiting. Size: messages.
 */
export async function perfSearch(print: Print, size = 100_000): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-session-'))
  const opened = await openDatabase({ dataDir, migrationsDir: path.resolve('resources/migrations'), workerFile: path.resolve('out/main/sqliteWorker.js'), clock: systemClock, ids: makeIdSource(systemClock) })
  if (!opened.ok) throw new Error(opened.fault.code)
  const database = opened.value
  const line: Line = (name, unit, { value, baseline, runs }) => {
    const one: PerfLine = { goal: 'D5', name: `${name}, ${size} messages`, value, unit, baseline, ratio: baseline === null ? null : value / baseline, runs }
    print(one)
  }
  const db = openFile(path.join(dataDir, 'countersign.db'), false)
  configure(db)
  const index = searchIndexOf(db, path.join(dataDir, 'cache.db'))
  try {
    const corpus = corpusOf(7)
    const { id } = await database.timeline.workspace('/home/me/lab', 'lab')
    await fill(database, id, corpus, size)
    fillIndex(index, line)
    line('size of the cache', 'MB', { value: statSync(path.join(dataDir, 'cache.db')).size / 1e6, baseline: statSync(path.join(dataDir, 'countersign.db')).size / 1e6, runs: 1 })
    const scan = () => db.prepare<[], { id: string; seq: number; text: string }>("SELECT session_id AS id, seq, json_extract(payload, '$.text') AS text FROM event WHERE type IN ('user-message-added', 'assistant-message-added')").iterate()
    for (const kind of ['rare', 'common'] as const) timeSearches(kind, corpus.queries(kind, 12, 1).map(([word = '']) => word), { index, scan, line })
  } finally {
    index.close()
    db.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(database: Database, workspaceId: WorkspaceId, corpus: Corpus, size: number): Promise<void> {
  for (let at = 0; at < size; at += perSession) {
    const count = Math.min(perSession, size - at)
    const texts = Array.from({ length: count }, (_, index): EventDraft => {
      const text = Array.from({ length: 4 }, () => corpus.entry().text).join(' ')
      const [turnId, messageId] = [asId<Extract<EventDraft, { type: 'user-message-added' }>['turnId']>('t'), asId<Extract<EventDraft, { type: 'user-message-added' }>['messageId']>(`m${index}`)]
      if (index % 2 === 0) return { type: 'user-message-added', turnId, messageId, text }
      return { type: 'assistant-message-added', turnId, step: 1, messageId, text, reasoning: '', choice: { provider: 'p', model: 'm' }, calls: [], stop: 'stop', isComplete: true }
    })
    await database.events.append(asId<SessionId>(`lab-${at}`), [{ type: 'session-opened', workspaceId, title: `${at}`, level: 'writes' }, ...texts])
  }
}

function fillIndex(index: ReturnType<typeof searchIndexOf>, line: Line): void {
  const times: number[] = []
  for (let isDone = false; !isDone; ) {
    const from = performance.now()
    isDone = index.catchUp()
    times.push(performance.now() - from)
  }
  line('filling the index', 'ms', { value: times.reduce((sum, one) => sum + one, 0), baseline: null, runs: times.length })
  line('one part of the filling, p50', 'ms', { value: median(times), baseline: null, runs: times.length })
  line('one part of the filling, longest', 'ms', { value: Math.max(...times), baseline: null, runs: times.length })
}

interface Searching {
  readonly index: ReturnType<typeof searchIndexOf>
  readonly scan: () => Iterable<{ readonly id: string; readonly seq: number; readonly text: string }>
  readonly line: Line
}

/** Both find all there is, by turns: the newest that fit on a page for the index, every one for the recall. */
function timeSearches(kind: string, queries: readonly string[], { index, scan, line }: Searching): void {
  const [ours, scans]: [number[], number[]] = [[], []]
  let [found, expected] = [0, 0]
  for (const query of queries) {
    let from = performance.now()
    index.find({ query, workspaceId: null, limit: hits })
    ours.push(performance.now() - from)
    from = performance.now()
    const wanted = new Set<string>()
    for (const { id, seq, text } of scan()) if (text.toLowerCase().includes(query)) wanted.add(`${id}/${seq}`)
    scans.push(performance.now() - from)
    if (!/^\p{Script=Han}+$/u.test(query)) continue
    expected += wanted.size
    for (const { sessionId, seq } of index.find({ query, workspaceId: null, limit: 1_000_000 }).found) if (wanted.has(`${sessionId}/${seq}`)) found += 1
  }
  line(`search, ${kind} words, p50`, 'ms', { value: median(ours), baseline: median(scans), runs: queries.length })
  if (expected > 0) line(`recall of Chinese words against substring search, ${kind}`, 'share', { value: found / expected, baseline: 1, runs: expected })
}
