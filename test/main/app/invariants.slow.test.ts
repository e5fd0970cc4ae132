import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/main/adapters/sqlite/database'
import { systemClock } from '../../../src/main/adapters/system/clock'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { composeHost, type Host } from '../../../src/main/app/compose'
import type { HostOptions } from '../../../src/main/app/hostOptions'
import { historyFor } from '../../../src/main/core/context/history'
import type { Call } from '../../../src/shared/domain/call'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import type { SessionId } from '../../../src/shared/domain/ids'
import { readEvent, storeEvent } from '../../../src/shared/domain/readEvent'
import { reply, startFakeModelServer, type FakeCall, type FakeModelServer } from '../../support/fakeModelServer'
import { pairingProblems } from '../../support/pairing'

/**
 * The invariants of the data model over random turns of the whole host: real files, shell, snapshots, database and audit
 * log; only the model and the person are scripted.
 */
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const names = fc.constantFrom('a.txt', 'b.txt', 'dir/c.txt')
const call: fc.Arbitrary<FakeCall> = fc.oneof(
  names.map((file) => ({ name: 'read_file', args: { path: file } })),
  fc.tuple(names, fc.string({ maxLength: 20 })).map(([file, content]) => ({ name: 'write_file', args: { path: file, content } })),
  names.map((file) => ({ name: 'delete_path', args: { path: file } })),
  fc.tuple(names, fc.integer({ min: 0, max: 99 })).map(([file, n]) => ({ name: 'run_command', args: { command: `mkdir -p dir && echo ${n} >> ${file}` } })),
  fc.constant({ name: 'write_file', args: { path: '../outside.txt', content: 'x' } }),
  fc.constant({ name: 'run_command', args: { command: 'rm -rf ~' } }),
  fc.constant({ name: 'no_such_tool', args: {} }),
  fc.constant({ name: 'write_file', argumentsText: '{"path": "a.txt", "content": ' }),
)
const answer = fc.constantFrom('allow', 'allow', 'allow', 'deny', 'skip' as const)
const step = fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 4 }), userWrites: fc.option(names) })
const turns = fc.array(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }), cancelAt: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 4 }) }), { minLength: 1, maxLength: 3 })

type Turns = typeof turns extends fc.Arbitrary<infer Value> ? Value : never

async function live(script: Turns, answers: readonly ('allow' | 'deny' | 'skip')[]) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-invariants-')))
  const project = path.join(base, 'project')
  mkdirSync(path.join(project, 'dir'), { recursive: true })
  writeFileSync(path.join(project, 'a.txt'), 'a\n')
  writeFileSync(path.join(base, 'outside.txt'), 'mine\n')
  const userWrites = script.flatMap((turn) => turn.steps.map((one) => one.userWrites))
  const replies = script.flatMap((turn) => [...turn.steps.map((one) => reply({ text: 'Now.', calls: one.calls })), reply({ text: 'Done.' })])
  let asked = 0
  const server: FakeModelServer = await startFakeModelServer({
    steps: () => {
      const write = userWrites[asked]
      if (write) appendFileSync(path.join(project, write), 'by the user\n')
      return replies[asked++] ?? reply({ text: 'End.' })
    },
  })
  let recorded: () => void = () => undefined
  const firstSnapshot = new Promise<void>((resolve) => (recorded = resolve))
  const host = await open(base, server.baseUrl, ({ isDone }) => isDone && recorded())
  closing.push(() => rmSync(base, { recursive: true, force: true }), () => server.close(), () => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  await firstSnapshot
  const session = await host.createSession('', 'writes')
  let decided = 0
  host.desk.onChange((questions) => {
    for (const { callId, nonce, argsHash } of questions) {
      const kind = answers[decided++ % answers.length] ?? 'allow'
      host.desk.decide({ callId, nonce, argsHash, answer: kind === 'deny' ? { kind, reason: 'no' } : { kind } })
    }
  })
  for (const turn of script) {
    let seen = 0
    const stop = host.sessions.onEvents((events) => {
      seen += events.length
      if (turn.cancelAt !== null && seen >= turn.cancelAt) host.runs.cancel(session.id)
    })
    const started = await host.runs.prompt(session.id, 'Go')
    if (!started.ok) throw new Error(started.fault.code)
    await started.value.ended
    stop()
  }
  return { base, project, host, session, server, snapshots: opened.value.snapshots }
}

function open(base: string, baseUrl: string, onSnapshotProgress: NonNullable<HostOptions['onSnapshotProgress']>): Promise<Host> {
  const root = path.resolve(import.meta.dirname, '../../..')
  return composeHost({
    dataFolder: path.join(base, 'data'), dataFolderSetBy: null, workersFolder: path.join(root, 'out/main'), resourcesFolder: path.join(root, 'resources'), home: path.join(base, 'home'),
    env: { PATH: process.env['PATH'], HOME: path.join(base, 'home') }, platform: process.platform, locale: () => 'en', keychain: null, openAddress: null, recordsOpening: true, indexesAtOpening: false,
    given: { baseUrl, model: 'm' }, chosenModel: null, log: () => undefined, onSnapshotProgress,
  })
}

test('R5 R62 R68 R75 R84 R95: the invariants hold over random turns, answers, user edits and cancels', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(turns, fc.array(answer, { minLength: 1, maxLength: 6 }), async (script, answers) => {
      const world = await live(script, answers)
      const { events } = await world.host.sessions.open(world.session.id)

      // 1. Replaying the events gives the same screen and the same history as living through them.
      const replayed = events.map((event) => (event.type === 'event-unread' ? event : readEvent({ ...storeEvent(event), sessionId: event.sessionId, seq: event.seq, atMs: event.atMs })))
      expect(replayed.reduce(applyEvent, emptyChat(world.session.id))).toEqual(events.reduce(applyEvent, emptyChat(world.session.id)))
      expect(historyFor(replayed, 'system')).toEqual(historyFor(events, 'system'))
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))

      // 2. One result a call, in call order; what started and can change files has a before-snapshot.
      const called = events.flatMap((event) => (event.type === 'tool-called' ? [event.callId] : []))
      const finished = events.flatMap((event) => (event.type === 'tool-finished' ? [event.callId] : []))
      expect(finished).toEqual(called)
      const calls = await callsOf(world.base, world.session.id)
      expect(calls.filter((one) => one.startedAtMs !== null && one.effect !== 'read' && one.beforeSnapshot === null)).toEqual([])
      expect(calls.filter((one) => one.state !== 'finished' && one.state !== 'refused')).toEqual([])
      for (const request of world.server.requests) expect(pairingProblems(request.messages)).toEqual([])

      // 3. The tree after call n is the tree before call n+1 unless a drift or a rollback stands between.
      const { rows } = await world.snapshots.reading.timeline()
      const broken = rows.filter((row, index) => index > 0 && ['before-call', 'before-rollback'].includes(row.kind) && row.tree !== rows[index - 1]?.tree)
      expect(broken).toEqual([])

      // 4. Nothing judged deny was ever started, and nothing outside changed.
      expect(calls.filter((one: Call) => one.decidedBy === 'policy' && one.startedAtMs !== null)).toEqual([])
      expect(readFileSync(path.join(world.base, 'outside.txt'), 'utf8')).toBe('mine\n')

      // Every turn ended exactly once, with words; the audit chain holds, against the head in the database too.
      const started = events.filter((event) => event.type === 'turn-started').length
      expect(events.filter((event) => event.type === 'turn-ended')).toHaveLength(started)
      expect(await world.host.verifyAudit()).toMatchObject({ ok: true })

      // 5. Rolled back to the opening, the folder is what it was; undone, it is what it became.
      await rollBackAndForth(world)
      for (const close of closing.splice(0).reverse()) await close()
    }),
    { numRuns: 25 },
  )
})

async function callsOf(base: string, session: SessionId): Promise<readonly Call[]> {
  const root = path.resolve(import.meta.dirname, '../../..')
  const database = await openDatabase({ dataDir: path.join(base, 'data'), migrationsDir: path.join(root, 'resources/migrations'), workerFile: path.join(root, 'out/main/sqliteWorker.js'), clock: systemClock, ids: makeIdSource(systemClock) })
  if (!database.ok) throw new Error(database.fault.code)
  const calls = await database.value.calls.list(session)
  await database.value.close()
  return calls
}

async function rollBackAndForth({ snapshots, project }: Awaited<ReturnType<typeof live>>): Promise<void> {
  const first = (await snapshots.reading.timeline()).rows[0]
  if (!first) throw new Error('no opening')
  const before = contentOf(project)
  const target = { to: first.id, keepUserEdits: false }
  const plan = await snapshots.plans.plan(target)
  if (!plan.ok) throw new Error(plan.fault.code)
  const applied = await snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.value.head, leftChanges: {}, unticked: [], resolved: {} })
  if (!applied.ok) throw new Error(applied.fault.code)
  expect({ state: applied.value.state, files: contentOf(project) }).toEqual({ state: 'applied', files: { 'a.txt': 'a\n', 'b.txt': null, 'dir/c.txt': null } })
  if (applied.value.done.length === 0) return
  const undone = await snapshots.undo(applied.value.id)
  expect({ ok: undone.ok, files: contentOf(project) }).toEqual({ ok: true, files: before })
}

function contentOf(project: string): Readonly<Record<string, string | null>> {
  const read = (name: string): string | null => (existsSync(path.join(project, name)) ? readFileSync(path.join(project, name), 'utf8') : null)
  return { 'a.txt': read('a.txt'), 'b.txt': read('b.txt'), 'dir/c.txt': read('dir/c.txt') }
}
