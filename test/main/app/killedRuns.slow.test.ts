import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { queueOf } from '../../../src/shared/domain/messageQueue'
import { childOf, type Child } from '../../support/childProcess'
import { reply, startFakeModelServer, type FakeScript } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

const repository = path.resolve(import.meta.dirname, '../../..')
const child = childOf('runChild', { besidePackages: true })

const line = (n: number) => ({ name: 'run_command', args: { command: `echo ${n} >> done.txt` } })
const read = (name: string) => ({ name: 'read_file', args: { path: name } })
const results = (request: { readonly messages: readonly { readonly role?: unknown }[] }): number => request.messages.filter(({ role }) => role === 'tool').length

/** A turn of five calls in three steps: two commands, three reads at once; then the answer. */
const script: FakeScript = (request) => {
  const done = results(request)
  if (done === 0) return reply({ calls: [line(1), line(2)] })
  if (done === 2) return reply({ calls: [read('a.txt'), read('b.txt'), read('c.txt')] })
  return reply({ text: 'Finished. '.repeat(40) })
}

interface Kill {
  readonly at?: string
  /** Killed from outside, at this moment. */
  readonly when?: (running: Child) => Promise<unknown>
}

/** A run in a process of its own that is killed, and what the next start makes of it. */
async function killed({ at, when }: Kill) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-killed-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data']) mkdirSync(path.join(base, name))
  const project = path.join(base, 'project')
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(project, `${name}.txt`), `${name}\n`)
  const server = await startFakeModelServer({ steps: script })
  onTestFinished(() => server.close())
  const running = child({ base, baseUrl: server.baseUrl, repository, queued: ['first', 'second'] }, at === undefined ? {} : { COUNTERSIGN_TEST: '1', COUNTERSIGN_CRASH_AT: at })
  if (when) {
    await when(running)
    running.process.kill('SIGKILL')
  }
  const { signal } = await running.ended
  const told = (word: string) => running.lines.filter((one) => one.startsWith(`${word} `)).map((one) => one.slice(word.length + 1))
  const id = asId<SessionId>(told('session')[0] ?? '')

  const host = await guardHost(base, server.baseUrl, repository)
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  host.desk.onChange((open) => open.forEach(({ callId, nonce, argsHash }) => setImmediate(() => host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } }))))
  const before = [...(await host.sessions.open(id)).events]
  await host.runs.recover(id, 'tell')
  const { events } = await host.sessions.open(id)
  const file = path.join(project, 'done.txt')
  const done = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return { signal, before, events, done, acknowledged: Math.max(0, ...told('acknowledged').map(Number)), faults: host.faults, verified: (await host.verifyAudit()).ok }
}

function check({ signal, before, events, done, acknowledged, faults, verified }: Awaited<ReturnType<typeof killed>>): void {
  expect([signal, faults, verified]).toEqual(['SIGKILL', [], true])
  // No acknowledged event is lost, and none has a gap before it.
  expect(before.length).toBeGreaterThanOrEqual(acknowledged)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  // Each effect once, and each call one result, in the order of the calls.
  expect(done).toEqual([...new Set(done)])
  const calls = events.flatMap((event) => (event.type === 'assistant-message-added' ? event.calls.map(({ callId }) => callId) : []))
  const finished = events.flatMap((event) => (event.type === 'tool-finished' ? [event.callId] : []))
  expect(finished).toEqual(calls)
  for (const [at, status] of statusesOf(events).entries()) if (status === 'ok' && at < 2) expect(done).toContain(String(at + 1))
  // Each message that was put in line is delivered once, in its order, or still waits.
  const texts = [...events.flatMap((event) => (event.type === 'user-message-added' && event.text !== 'go' ? [event.text] : [])), ...queueOf(events).map(({ text }) => text)]
  expect(texts).toEqual(['first', 'second'].slice(0, texts.length))
  expect(events.at(-1)).toMatchObject({ type: 'turn-ended', reason: 'done' })
}

function statusesOf(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'tool-finished' ? [event.status] : []))
}

test.each([
  'message-queued', 'before:user-message-added#2', 'user-message-added#2', 'user-message-added#3', 'tool-started#4', 'before:tool-finished#4', 'before:assistant-message-added#2', 'before:turn-ended',
])('R84 R97 R10 killed %s: a queue, two commands and three parallel reads go on; every effect once, every message once', async (at) => {
  check(await killed({ at }))
}, 60_000)

test('R84 R97 killed from outside in the middle of a stream: what was shown and not stored is asked for again', async () => {
  const outcome = await killed({ when: (running) => running.line('part') })
  check(outcome)
  expect(outcome.before.some(({ type }) => type === 'turn-ended')).toBe(false)
}, 60_000)
