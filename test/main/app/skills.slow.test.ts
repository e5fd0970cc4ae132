import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeHost } from '../../../src/main/app/compose'
import { historyFor } from '../../../src/main/core/context/history'
import { makeHandlers } from '../../../src/main/ipc/handlers'
import type { WindowAbilities } from '../../../src/main/ipc/windowAbilities'
import type { TurnId } from '../../../src/shared/domain/ids'
import { reply, startFakeModelServer, type FakeStep } from '../../support/fakeModelServer'

const skillFile = `---
name: tidy
description: Tidies things up.
allowed-tools: Read Bash(git:*)
metadata:
  version: "2.0"
  countersign:
    inputs:
      - name: what
        type: text
        description: What to tidy
        default: everything
---
Tidy up gently. BODY-MARK
`

/** A whole host with a skill of the user's; the window asks through its own handlers. Every question is allowed. */
async function world(steps: readonly FakeStep[]) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-skills-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['one', 'home', 'data/skills/tidy']) mkdirSync(path.join(base, name), { recursive: true })
  writeFileSync(path.join(base, 'data/skills/tidy/SKILL.md'), skillFile)
  const server = await startFakeModelServer({ steps })
  onTestFinished(() => server.close())
  const root = path.resolve(import.meta.dirname, '../../..')
  const host = await composeHost({
    dataFolder: path.join(base, 'data'), dataFolderSetBy: null, workersFolder: path.join(root, 'out/main'), resourcesFolder: path.join(root, 'resources'), home: path.join(base, 'home'),
    env: { PATH: process.env['PATH'], HOME: path.join(base, 'home') }, platform: process.platform, locale: () => 'en', keychain: null, openAddress: null, recordsOpening: false, indexesAtOpening: false,
    given: { baseUrl: server.baseUrl, model: 'm' }, chosenModel: null, log: () => undefined,
  })
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(path.join(base, 'one'))
  if (!opened.ok) throw new Error(opened.fault.code)
  host.desk.onChange((questions) => questions.forEach(({ callId, nonce, argsHash }) => host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } })))
  const session = await host.createSession('')
  const handlers = makeHandlers(host, {} as WindowAbilities)
  const ended = new Map<TurnId, () => void>()
  host.sessions.onEvents((events) => events.forEach((event) => { if (event.type === 'turn-ended') ended.get(event.turnId)?.() }))
  const say = async (text: string, skills?: Parameters<(typeof handlers)['session/prompt']>[0]['skills']) => {
    const started = await handlers['session/prompt']({ sessionId: session.id, text, ...(skills ? { skills } : {}) })
    if (!started.ok) return started
    const { turnId } = started.value
    await new Promise<void>((done) => { ended.set(turnId, done); void host.sessions.open(session.id).then(({ events }) => { if (events.some((event) => event.type === 'turn-ended' && event.turnId === turnId)) done() }) })
    // The session is free a moment after its last event.
    while (host.runs.isRunning(session.id)) await new Promise(setImmediate)
    return started
  }
  const bodies = (): readonly number[] => server.requests.map(({ messages }) => messages.filter(({ role }) => role !== 'system').map(({ content }) => String(content)).join('\n').split('BODY-MARK').length - 1)
  return { host, server, session, handlers, say, bodies }
}

const tidy = (inputs: Record<string, string> = {}) => [{ origin: 'user' as const, path: 'tidy/SKILL.md', inputs }]

test('R58 R59 a skill of the user, chosen in the window or loaded by the model: told once, narrowing its turn, gone with a rollback', { timeout: 60_000 }, async () => {
  const run = (command: string) => ({ name: 'run_command', args: { command } })
  const { host, session, handlers, say, bodies } = await world([
    reply({ calls: [run('git --version'), run('ls')] }), reply({ text: 'Done.' }),
    reply({ calls: [{ name: 'load_skill', args: { name: 'tidy' } }] }), reply({ text: 'Known.' }), reply({ text: 'Nothing.' }),
    reply({ calls: [{ name: 'load_skill', args: { name: 'tidy' } }] }), reply({ text: 'Back.' }),
  ])
  const first = await say('Tidy', tidy())
  await say('Again')
  const { events } = await host.sessions.open(session.id)
  expect(events.flatMap((event) => (event.type === 'tool-finished' ? [event.status] : []))).toEqual(['ok', 'denied', 'ok'])
  if (!first.ok) throw new Error(first.fault.code)
  expect(bodies()).toEqual([1, 1, 1, 1])
  const to = (await handlers['timeline/read']({})).rows.find((row) => row.kind === 'before-call')?.id
  if (to === undefined) throw new Error('the turn has no moment in the timeline')
  const target = { to, keepUserEdits: true }
  const plan = await handlers['rollback/plan']({ target })
  if (!plan.ok) throw new Error(plan.fault.code)
  const rolled = await handlers['rollback/apply']({ target, scope: 'conversation', sessionId: session.id, turnId: first.value.turnId, head: plan.value.plan.head, leftChanges: {}, unticked: [], resolved: {} })
  expect(rolled).toMatchObject({ ok: true })
  await say('What now?')
  await say('Load it')
  expect(bodies()).toEqual([1, 1, 1, 1, 0, 0, 1])
  const again = await host.sessions.open(session.id)
  expect(historyFor(again.events, '').map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'user', 'assistant'])
})

test('R59 a wrong value or a skill that is gone is said before anything is stored', async () => {
  const { host, session, say } = await world([reply({ text: 'Never.' })])
  expect([await say('Tidy', tidy({ other: 'x' })), await say('Tidy', [{ origin: 'user', path: 'gone/SKILL.md', inputs: {} }])]).toMatchObject([{ ok: false, fault: { code: 'skill.input-unknown' } }, { ok: false, fault: { code: 'skill.gone' } }])
  expect((await host.sessions.open(session.id)).events.map((event) => event.type)).toEqual(['session-opened'])
})
