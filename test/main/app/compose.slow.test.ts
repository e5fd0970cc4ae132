import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { composeHost, type Host } from '../../../src/main/app/compose'
import { asId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { reply, startFakeModelServer, type FakeStep } from '../../support/fakeModelServer'

/** A whole host over real folders; only the model is scripted. */
async function makeHost(steps: readonly FakeStep[]) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-compose-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['one', 'two', 'home']) mkdirSync(path.join(base, name))
  const server = await startFakeModelServer({ steps })
  onTestFinished(() => server.close())
  const root = path.resolve(import.meta.dirname, '../../..')
  const open = () => composeHost({
    dataFolder: path.join(base, 'data'), dataFolderSetBy: null, workersFolder: path.join(root, 'out/main'), resourcesFolder: path.join(root, 'resources'), home: path.join(base, 'home'),
    env: { PATH: process.env['PATH'], HOME: path.join(base, 'home') }, platform: process.platform, locale: () => 'en', keychain: null, openAddress: null, recordsOpening: false, indexesAtOpening: false,
    given: { baseUrl: server.baseUrl, model: 'm' }, chosenModel: null, log: () => undefined,
  })
  const host = await open()
  onTestFinished(() => host.close())
  return { base, host, open, one: path.join(base, 'one'), two: path.join(base, 'two') }
}

/** Answers the next question after `before` has happened. */
function answerAfter(host: Host, before: () => Promise<void>): void {
  const stop = host.desk.onChange(([question]) => {
    if (!question) return
    stop()
    const { callId, nonce, argsHash } = question
    void before().then(() => host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } }))
  })
}

test('R62 no other folder is opened under a turn that runs, and a conversation goes on in its own folder only', async () => {
  const { host, one, two } = await makeHost([reply({ calls: [{ name: 'run_command', args: { command: 'echo 1 > made' } }] }), reply({ text: 'Done.' }), reply({ text: 'Never.' })])
  expect((await host.openWorkspace(one)).ok).toBe(true)
  const session = await host.createSession('')
  const seen: unknown[] = []
  answerAfter(host, async () => {
    seen.push(await host.openWorkspace(two), await host.openPractice(), (await host.openWorkspace(one)).ok, (await host.settings.read()).settings.activeProvider)
  })
  const started = await host.runs.prompt(session.id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  const end = await started.value.ended
  const busy = { ok: false, fault: { code: 'session.folder-busy', values: { root: one } } }
  expect({ seen, reason: end.reason, made: readFileSync(path.join(one, 'made'), 'utf8') }).toEqual({ seen: [busy, busy, true, null], reason: 'done', made: '1\n' })

  expect((await host.openWorkspace(two)).ok).toBe(true)
  expect(await host.runs.prompt(session.id, 'Go on')).toEqual({ ok: false, fault: { code: 'session.other-folder', values: { root: two } } })
  expect(readdirSync(two)).toEqual([])
})

test('R75 R84 where the store of snapshots is lost in a turn, no call runs without one: each is told as not run, once, and the turn goes on', async () => {
  const run = (command: string) => reply({ calls: [{ name: 'run_command', args: { command } }, { name: 'run_command', args: { command } }] })
  const { base, host, one } = await makeHost([run('echo 1 > made'), run('echo 2 > later'), reply({ text: 'Sorry.' })])
  expect((await host.openWorkspace(one)).ok).toBe(true)
  const session = await host.createSession('')
  let answered = 0
  host.desk.onChange((questions) => {
    for (const { callId, nonce, argsHash } of questions) {
      if (++answered === 3) rmSync(path.join(base, 'data/snapshots'), { recursive: true })
      host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } })
    }
  })
  const started = await host.runs.prompt(session.id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  const end = await started.value.ended
  const { events } = await host.sessions.open(session.id)
  const idsOf = (type: 'tool-called' | 'tool-finished') => events.flatMap((event) => (event.type === type ? [event.callId] : []))
  const statuses = events.flatMap((event) => (event.type === 'tool-finished' ? [event.status] : []))
  expect({ reason: end.reason, results: idsOf('tool-finished'), statuses, made: existsSync(path.join(one, 'later')), running: host.runs.isBusy() }).toEqual({
    reason: 'done', results: idsOf('tool-called'), statuses: ['ok', 'ok', 'failed', 'failed'], made: false, running: false,
  })
})

test('R84 a message over a turn that an exit left open takes that turn up: its question is asked again and not lost', async () => {
  const { host, open, one } = await makeHost([reply({ calls: [{ name: 'write_file', args: { path: 'made', content: 'x' } }] }), reply({ text: 'Done.' }), reply({ text: 'Next.' })])
  expect((await host.openWorkspace(one)).ok).toBe(true)
  const session = await host.createSession('')
  const asked = new Promise<void>((resolve) => host.desk.onChange(() => resolve()))
  const started = await host.runs.prompt(session.id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  started.value.ended.catch(() => undefined)
  await asked
  await host.close()

  const again = await open()
  onTestFinished(() => again.close())
  expect((await again.openWorkspace(one)).ok).toBe(true)
  const ended = new Promise<void>((resolve) => again.sessions.onEvents((events) => events.some((event) => event.type === 'turn-ended') && resolve()))
  answerAfter(again, () => Promise.resolve())
  expect(await again.runs.prompt(session.id, 'Next')).toEqual({ ok: false, fault: { code: 'turn.resumed', values: {} } })
  await ended
  expect(readFileSync(path.join(one, 'made'), 'utf8')).toBe('x')
  await vi.waitFor(async () => expect((await again.runs.prompt(session.id, 'Next')).ok).toBe(true))
  await vi.waitFor(() => expect(again.runs.isBusy()).toBe(false))
})

test('R65 a command that was approved does not run in another folder put in the place of the opened one', async () => {
  const { host, one, two } = await makeHost([reply({ calls: [{ name: 'run_command', args: { command: 'echo 1 > made' } }] }), reply({ text: 'Done.' })])
  expect((await host.openWorkspace(one)).ok).toBe(true)
  const session = await host.createSession('')
  answerAfter(host, () => {
    renameSync(one, `${one}-away`)
    renameSync(two, one)
    return Promise.resolve()
  })
  const started = await host.runs.prompt(session.id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  await started.value.ended
  const { events } = await host.sessions.open(session.id)
  expect({ files: readdirSync(one), statuses: events.flatMap((event) => (event.type === 'tool-finished' ? [event.status] : [])), started: events.some((event) => event.type === 'tool-started') }).toEqual({ files: [], statuses: ['denied'], started: false })
})

test('R23 R31 what the next request would cost is told by its parts, for a conversation and for a new one, without waiting for a server', async () => {
  const { host, one, base } = await makeHost([reply({ text: 'Done. '.repeat(200) })])
  writeFileSync(path.join(base, 'data', 'mcp.json'), JSON.stringify({ mcpServers: { hung: { command: process.execPath, args: ['-e', 'setInterval(() => undefined, 1000)'] } } }))
  expect((await host.openWorkspace(one)).ok).toBe(true)
  const saved = await host.memories.save(host.current()?.workspace.id ?? asId<WorkspaceId>(''), { text: 'Release notes go to CHANGELOG.md', scope: 'project', by: 'table', sessionId: null })
  expect(saved.ok).toBe(true)
  const before = await host.promptCost(null, 'Where do release notes go?')
  const of = (cost: typeof before, part: string) => cost.parts.find((each) => each.part === part)
  expect(before.parts.map(({ part }) => part)).toEqual(['base', 'mode', 'safety', 'tools', 'session', 'project', 'skills', 'memory', 'history', 'draft'])
  expect(of(before, 'draft')?.tokens).toBeGreaterThan(3)
  expect([of(before, 'memory')?.count, of(before, 'history'), before.windowTokens]).toEqual([1, { part: 'history', tokens: 0, count: 0 }, null])
  expect((await host.mcp.page()).servers.map(({ state }) => state.kind)).toEqual(['idle'])
  expect(of(await host.promptCost(null, ''), 'memory')?.count).toBe(0)
  const session = await host.createSession('')
  const started = await host.runs.prompt(session.id, 'Go')
  if (started.ok) await started.value.ended
  const after = await host.promptCost(session.id, '')
  expect([of(after, 'history')?.count, (of(after, 'history')?.tokens ?? 0) > 250, of(after, 'base')]).toEqual([2, true, of(before, 'base')])
})
