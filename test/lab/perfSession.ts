import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openAuditLog } from '../../src/main/adapters/audit/auditLog'
import { openDatabase, type Database } from '../../src/main/adapters/sqlite/database'
import { systemClock } from '../../src/main/adapters/system/clock'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { bothStored } from '../../src/main/core/agent/bothStored'
import type { EventDraft } from '../../src/shared/domain/event'
import { asId, type MessageId, type SessionId, type TurnId } from '../../src/shared/domain/ids'
import { oneOfEach } from '../support/drafts'
import type { Print } from './index'
import { median } from './perfLine'

const root = path.resolve(import.meta.dirname, '../..')
const ids = makeIdSource(systemClock)
const tail = 200
const choice = { provider: 'p', model: 'm' }

/** The bare statements, in a thread of their own as the product's are, so that the way there costs both the same. */
const bareThread = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.module)
const open = (file, options) => new Database(file, { ...options, ...(workerData.binding ? { nativeBinding: workerData.binding } : {}) })
const own = open(workerData.own, {})
own.pragma('journal_mode = WAL')
own.pragma('synchronous = FULL')
own.exec('CREATE TABLE m (session TEXT, seq INTEGER, type TEXT, payload TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID')
const insert = own.prepare('INSERT INTO m VALUES (?, ?, ?, ?)')
const query = open(workerData.file, { readonly: true }).prepare('SELECT * FROM event WHERE session_id = ? AND seq >= ? ORDER BY seq')
parentPort.on('message', ({ insertion, asked }) => parentPort.postMessage(insertion ? insert.run(...insertion).changes : query.all(...asked)))
`

interface BareThread {
  insert(values: readonly unknown[]): Promise<void>
  tail(session: SessionId, fromSeq: number): Promise<number>
  close(): Promise<number>
}

function openBare(dataDir: string): BareThread {
  const worker = new Worker(bareThread, { eval: true, workerData: { module: createRequire(path.join(root, 'package.json')).resolve('better-sqlite3'), binding: process.env['COUNTERSIGN_SQLITE_BINDING'] ?? '', file: path.join(dataDir, 'countersign.db'), own: path.join(dataDir, 'bare.db') } })
  const ask = (message: object): Promise<unknown> => new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (answer) => {
      worker.off('error', reject)
      resolve(answer)
    })
    worker.postMessage(message)
  })
  return {
    insert: async (insertion) => void (await ask({ insertion })),
    tail: async (session, fromSeq) => ((await ask({ asked: [session, fromSeq] })) as readonly unknown[]).length,
    close: () => worker.terminate(),
  }
}

interface Bench {
  readonly bare: BareThread

  readonly database: Database
  readonly dataDir: string
  readonly print: Print
}

/**
 * `perf session`: D2, reading the end of a long session beside the bare indexed query and beside a short session; D3, saving a
 * message through the database thread beside a bare insert with synchronous FULL; D4, saving an approval and an audit line beside
 * append and fdatasync. All in this run, in turn. Size: messages of the long session.
 */
export async function perfSession(print: Print, size = 100_000): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-session-'))
  const opened = await openDatabase({ dataDir, migrationsDir: path.join(root, 'resources/migrations'), workerFile: path.join(root, 'out/main/sqliteWorker.js'), clock: systemClock, ids })
  if (!opened.ok) throw new Error(opened.fault.code)
  const bench: Bench = { bare: openBare(dataDir), database: opened.value, dataDir, print }
  try {
    await reading(bench, size)
    await savingMessages(bench)
    await savingFacts(bench)
  } finally {
    await bench.bare.close()
    await bench.database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const message = (n: number, characters: number): EventDraft => ({
  type: 'assistant-message-added', turnId: asId<TurnId>('t'), step: 1, messageId: asId<MessageId>(`m${n}`), text: `${n} `.padEnd(characters, 'lorem 记忆 '), reasoning: '', choice, calls: [], stop: 'stop', isComplete: true,
})

async function fill({ database }: Bench, messages: number): Promise<SessionId> {
  const id = asId<SessionId>(ids.next())
  await database.events.append(id, [{ type: 'session-opened', workspaceId: (await database.timeline.workspace('/lab', 'lab')).id, title: '', level: 'writes' }])
  for (let n = 0; n < messages; n += 1_000) await database.events.append(id, Array.from({ length: Math.min(1_000, messages - n) }, (_, at) => message(n + at, 200 + ((n + at) * 37) % 1_600)))
  return id
}

async function reading(bench: Bench, size: number): Promise<void> {
  const { database, print } = bench
  const [long, short] = [await fill(bench, size), await fill(bench, 1_000)]
  const bare = async (): Promise<void> => { if ((await bench.bare.tail(long, size + 2 - tail)) !== tail) throw new Error('the query found other rows') }
  const read = async (id: SessionId, count: number): Promise<void> => { if ((await database.events.read(id, count + 2 - tail)).length !== tail) throw new Error('other events were read') }
  const times = { long: [] as number[], short: [] as number[], bare: [] as number[] }
  for (let round = 0; round < 120; round++) {
    const all = [() => timed(times.long, () => read(long, size)), () => timed(times.short, () => read(short, 1_000)), () => timed(times.bare, bare)]
    for (let at = 0; at < all.length; at++) await all[(at + round) % all.length]?.()
  }
  line(print, 'D2', `last ${tail} of ${size} messages; beside the bare indexed query`, times.long, times.bare)
  line(print, 'D2', `last ${tail} of ${size} messages; beside a session of 1000`, times.long, times.short)
  const whole: number[] = []
  await timed(whole, async () => void (await database.events.read(long)))
  print({ goal: 'D2', name: `the whole session of ${size} messages, for what is told of it`, value: Math.round(whole[0] ?? 0), unit: 'ms', baseline: null, ratio: null, runs: 1 })
}

async function savingMessages(bench: Bench): Promise<void> {
  const id = await fill(bench, 200)
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let n = 0; n < 400; n++) {
    const draft = message(n, 600)
    const ours = (): Promise<void> => timed(times.ours, async () => void (await bench.database.events.append(id, [draft])))
    const bare = (): Promise<void> => timed(times.bare, () => bench.bare.insert(['s', n, draft.type, JSON.stringify(draft)]))
    for (const one of n % 2 === 0 ? [ours, bare] : [bare, ours]) await one()
  }
  line(bench.print, 'D3', 'saving a message; beside a bare insert with synchronous FULL', times.ours, times.bare)
}

async function savingFacts(bench: Bench): Promise<void> {
  const id = await fill(bench, 10)
  const audit = await openAuditLog({ dir: path.join(bench.dataDir, 'audit'), clock: systemClock, redact: (text) => text, macKey: null, knownHead: () => Promise.resolve(null) })
  if (!audit.ok) throw new Error(audit.fault.code)
  const file = openSync(path.join(bench.dataDir, 'plain.log'), 'a')
  const times = { approval: [] as number[], both: [] as number[], audit: [] as number[], plain: [] as number[], rested: [] as number[], bare: [] as number[] }
  const text = `${JSON.stringify(oneOfEach['approval-asked'])}\n`
  const entry = (n: number): Promise<unknown> => audit.value.append({ fact: 'asked', atMs: n, actor: 'agent', args: { path: 'a', n } })
  for (let n = 0; n < 300; n++) {
    const all = [
      () => timed(times.approval, async () => void (await bench.database.events.append(id, [oneOfEach['approval-decided']]))),
      () => timed(times.bare, () => bench.bare.insert(['f', n, 'approval-decided', text])),
      () => timed(times.audit, async () => void (await entry(n))),
      () => timed(times.both, () => bothStored(bench.database.events.append(id, [oneOfEach['approval-decided']]), entry(n))),
      () => timed(times.plain, () => { writeSync(file, text); return Promise.resolve(fdatasyncSync(file)) }),
    ]
    for (let at = 0; at < all.length; at++) await all[(at + n) % all.length]?.()
  }
  // After a rest the lock has to be taken first.
  const plainRested: number[] = []
  for (let n = 0; n < 60; n++) {
    await sleep(40)
    const all = [() => timed(times.rested, async () => void (await entry(n))), () => timed(plainRested, () => { writeSync(file, text); return Promise.resolve(fdatasyncSync(file)) })]
    for (let at = 0; at < all.length; at++) await all[(at + n) % all.length]?.()
  }
  closeSync(file)
  line(bench.print, 'D4', 'saving an approval; beside append and fdatasync', times.approval, times.plain)
  line(bench.print, 'D4', 'saving an approval and its audit line; beside append and fdatasync', times.both, times.plain)
  line(bench.print, 'D4', 'saving an approval; beside a bare insert with synchronous FULL', times.approval, times.bare)
  line(bench.print, 'D4', 'a bare insert with synchronous FULL; beside append and fdatasync', times.bare, times.plain)
  line(bench.print, 'D4', 'saving an audit line; beside append and fdatasync', times.audit, times.plain)
  line(bench.print, 'D4', 'saving an audit line after a rest; beside append and fdatasync', times.rested, plainRested)
}

async function timed(into: number[], work: () => Promise<void>): Promise<void> {
  const beganAt = performance.now()
  await work()
  into.push(performance.now() - beganAt)
}

function line(print: Print, goal: string, name: string, ours: readonly number[], base: readonly number[]): void {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  const [value, baseline] = [median(ours), median(base)]
  print({ goal, name, value: rounded(value), unit: 'ms', baseline: rounded(baseline), ratio: rounded(value / baseline), runs: ours.length })
}
