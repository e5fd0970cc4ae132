import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serialize } from 'node:v8'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { configure, openFile } from '../../src/main/adapters/sqlite/driver'
import { operationsOf } from '../../src/main/adapters/sqlite/operations'
import { searchIndexOf } from '../../src/main/adapters/sqlite/sessions/searchIndex'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { ownIdentity } from '../../src/main/native/processIdentity'
import { openSnapshots, type Snapshots } from '../../src/main/services/snapshots'
import { asId, type SnapshotId } from '../../src/shared/domain/ids'
import type { Result } from '../../src/shared/domain/result'
import type { Snapshot } from '../../src/shared/domain/snapshot'
import { snapshotPorts } from '../support/snapshotPorts'
import { median, type PerfLine } from './perfLine'

const workersFolder = path.resolve(import.meta.dirname, '../main')
const filesInPoint = 200
const changedInPoint = 3

/**
 * `perf timeline`: what a long past costs: reading it for the first time, after a start, again, and after one more call, with
 * the work of the database (beside one bare query of the same rows) and of the thread that the window waits for; one path's
 * past, and who made its lines. Size: points.
 */
export async function perfTimeline(print: (line: PerfLine) => void, size = 5000, rounds = 7): Promise<void> {
  const top = mkdtempSync(path.join(tmpdir(), 'countersign-timeline-'))
  const project = path.join(top, 'project')
  const data = path.join(top, 'data')
  mkdirSync(project)
  mkdirSync(data)
  try {
    await prepare(data, project, size)
    await measure({ data, project, size, rounds, print })
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

interface Bench {
  readonly data: string
  readonly project: string
  readonly size: number
  readonly rounds: number
  readonly print: (line: PerfLine) => void
}

interface Opened {
  readonly database: Database
  readonly snapshots: Snapshots
  readonly close: () => Promise<void>
}

async function open({ data, project }: Pick<Bench, 'data' | 'project'>): Promise<Opened> {
  const ids = makeIdSource(systemClock)
  const database = valueOf(await openDatabase({ dataDir: data, migrationsDir: path.resolve('resources/migrations'), workerFile: path.join(workersFolder, 'sqliteWorker.js'), clock: systemClock, ids }))
  const workspace = await database.timeline.workspace(project, 'project')
  const snapshots = valueOf(await openSnapshots(workspace, snapshotPorts(database, data, workersFolder, []), { isRecorded: false }))
  const close = async (): Promise<void> => {
    await snapshots.close()
    await database.close()
  }
  return { database, snapshots, close }
}

/** A past of so many points: two real moments in turn, and a file of many lines by two authors in turn. */
async function prepare(data: string, project: string, size: number): Promise<void> {
  const opened = await open({ data, project })
  const write = (salt: string): void => {
    for (let at = 0; at < changedInPoint; at++) writeFileSync(path.join(project, `src-${at}.ts`), Array.from({ length: 400 }, (_, line) => `const value${line} = ${line % 7 === at ? `'${salt}'` : line}\n`).join(''))
  }
  for (let at = 0; at < filesInPoint; at++) writeFileSync(path.join(project, `other-${at}.ts`), `${at}\n`)
  write('even')
  valueOf(await opened.snapshots.take())
  write('odd')
  valueOf(await opened.snapshots.take())
  const list = await opened.snapshots.list()
  const [even, odd] = [list[0], list.at(-1)]
  if (!even || !odd || even.tree === odd.tree) throw new Error('no points')
  for (let from = 0; from < size; from += 500) {
    await Promise.all(Array.from({ length: Math.min(500, size - from) }, (_, at) => opened.database.timeline.addSnapshot(pointOf(from + at, even, odd))))
  }
  await opened.close()
}

/** A before and an after of each call, as a real past has them. */
function pointOf(at: number, even: Snapshot, odd: Snapshot): Snapshot {
  const isAfter = at % 2 === 1
  const held = Math.floor((at + 1) / 2) % 2 === 0 ? odd : even
  const skipped = Array.from({ length: 60 }, (_, line) => ({ path: `packages/part-${line}/node_modules`, reason: 'ignored' as const }))
  return { ...held, id: asId<SnapshotId>(`point-${at}`), kind: isAfter ? 'after-call' : 'before-call', author: isAfter ? (at % 4 === 1 ? 'agent' : 'command') : null, parent: null, atMs: odd.atMs + at, skipped }
}

/** Reads everything as the window does, page by page, each packed as it would be for the window; gives the most work a page was. */
async function readAll(snapshots: Snapshots, since?: SnapshotId): Promise<number> {
  let most = 0
  for (let after = since; ; ) {
    const from = workMs()
    const page = await snapshots.reading.timeline(after)
    serialize(page)
    most = Math.max(most, workMs() - from)
    after = page.rows.at(-1)?.id ?? after
    if (page.isWhole) return most
  }
}

async function measure(bench: Bench): Promise<void> {
  const { print, rounds, size } = bench
  const line = (name: string, value: number, baseline: number | null = null, runs = rounds): void =>
    print({ goal: 'R79', name, value: round(value), unit: 'ms', baseline: baseline === null ? null : round(baseline), ratio: baseline === null ? null : Math.round((value / baseline) * 1000) / 1000, runs })
  const first = await open(bench)
  line(`first reading of ${size} points, nothing known of any`, (await watch(() => readAll(first.snapshots))).ms, null, 1)
  await first.close()
  const [starts, again, database] = [[] as Watched[], [] as Watched[], [] as (readonly [number, number])[]]
  for (let turn = 0; turn < rounds; turn++) {
    const one = await open(bench)
    starts.push(await watch(() => readAll(one.snapshots)))
    again.push(await watch(() => readAll(one.snapshots)))
    const { id } = one.snapshots.workspace
    await one.close()
    database.push([databaseTime(bench.data, id), bareQuery(bench.data)])
  }
  line('reading after a start', median(starts.map(({ ms }) => ms)))
  line('reading again from the first point on', median(again.map(({ ms }) => ms)))
  line('the database’s part of reading after a start, in its own thread (beside one bare query)', median(database.map(([own]) => own)), median(database.map(([, bare]) => bare)))
  line('reading after a start, work of the main thread for a page, at most', median(starts.map(({ most }) => most)))
  line('reading again, work of the main thread for a page, at most', median(again.map(({ most }) => most)))
  await measurePaths(bench, line)
}

async function measurePaths(bench: Bench, line: (name: string, value: number, baseline?: number | null) => void): Promise<void> {
  const one = await open(bench)
  const rows = await one.snapshots.rows()
  await readAll(one.snapshots)
  const [since, past, lines] = [[] as Watched[], [] as Watched[], [] as Watched[]]
  for (let turn = 0; turn < bench.rounds; turn++) {
    since.push(await watch(() => readAll(one.snapshots, rows.at(-3)?.id)))
    past.push(await watch(() => one.snapshots.reading.history('src-0.ts')))
    lines.push(await watch(() => one.snapshots.reading.authors('src-0.ts', rows.at(-400)?.id ?? asId(''), rows.at(-1)?.id ?? null)))
  }
  const target = { to: rows[0]?.id ?? asId<SnapshotId>(''), keepUserEdits: true }
  const plans = [await watch(() => one.snapshots.plans.plan(target)), await watch(() => one.snapshots.plans.plan(target))]
  await one.close()
  line('a plan back to the oldest point, after a start', plans[0]?.ms ?? NaN)
  line('the same again', plans[1]?.ms ?? NaN)
  line('what came with one more call', median(since.map(({ ms }) => ms)))
  line('the past of one path, 500 moments', median(past.map(({ ms }) => ms)))
  line('the past of one path, work of the main thread', median(past.map(({ work }) => work)))
  line('who made the lines of a file, 200 texts of 400 lines', median(lines.map(({ ms }) => ms)))
  line('who made the lines, work of the main thread', median(lines.map(({ work }) => work)))
}

interface Watched {
  readonly ms: number
  readonly work: number
  /** What the act itself gave. */
  readonly most: number
}

async function watch(act: () => Promise<unknown>): Promise<Watched> {
  const [from, worked] = [performance.now(), workMs()]
  const answer = await act()
  return { ms: performance.now() - from, work: workMs() - worked, most: typeof answer === 'number' ? answer : 0 }
}

/** Time that this thread has worked: what else the machine does is not in it. On other systems than Linux it is. */
function workMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** The questions that a reading asks, in the thread that answers them. */
function databaseTime(data: string, workspaceId: string): number {
  const db = openFile(path.join(data, 'countersign.db'), false)
  configure(db)
  const { points, summaries, rollbackRows } = operationsOf(db, ownIdentity(), searchIndexOf(db, path.join(data, 'cache.db')))
  const from = workMs()
  for (let since: string | null = null; ; ) {
    const { rows } = points({ workspaceId, since, limit: 500 })
    summaries({ ids: rows.map(({ id }) => id) })
    rollbackRows({ workspaceId })
    since = rows.at(-1)?.id ?? null
    if (rows.length < 500) break
  }
  const ms = workMs() - from
  db.close()
  return ms
}

/** What SQLite alone takes to give the same columns and summaries, unpacked. */
function bareQuery(data: string): number {
  const db = openFile(path.join(data, 'countersign.db'), true)
  configure(db)
  const from = workMs()
  const rows = db.prepare<[], { others: string; summary: string | null }>(`SELECT id, workspace_id, tree, side, git_commit, parent, kind, author, others, session_id, call_id, at_ms, files, summary
    FROM snapshot LEFT JOIN snapshot_summary ON snapshot_id = id ORDER BY snapshot.rowid`)
  for (const row of rows.all()) JSON.parse(`[${row.others},${row.summary ?? 'null'}]`)
  const ms = workMs() - from
  db.close()
  return ms
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}
