import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Host } from '../../../src/main/app/compose'
import { changesSince } from '../../../src/main/services/unknownChanges'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { succeed } from '../../../src/shared/domain/result'
import type { Recovery } from '../../../src/shared/ipc/recoveryViews'
import { childOf } from '../../support/childProcess'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

const repository = path.resolve(import.meta.dirname, '../../..')
const child = childOf('runChild', { besidePackages: true })

/** A command that is killed half-way with its whole app, and the next start over what it left. */
async function killedHalfWay() {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-unknown-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data']) mkdirSync(path.join(base, name))
  const project = path.join(base, 'project')
  writeFileSync(path.join(project, 'kept.txt'), 'as it was\n')
  const command = 'echo half > made.txt; echo changed > kept.txt; echo printed; sleep 60'
  const server = await startFakeModelServer({ steps: (request) => (request.messages.some(({ role }) => role === 'tool') ? reply({ text: 'I go on.' }) : reply({ calls: [{ name: 'run_command', args: { command } }] })) })
  onTestFinished(() => server.close())
  const running = child({ base, baseUrl: server.baseUrl, repository, queued: [] })
  const until = async (isSo: () => boolean): Promise<void> => { while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20)) }
  await until(() => existsSync(path.join(project, 'kept.txt')) && readFileSync(path.join(project, 'kept.txt'), 'utf8') === 'changed\n')
  running.process.kill('SIGKILL')
  await running.ended
  const id = asId<SessionId>(running.lines.find((line) => line.startsWith('session '))?.slice('session '.length) ?? '')
  // The person goes on working before the app is started again.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  writeFileSync(path.join(project, 'own.txt'), 'mine\n')

  const host = await guardHost(base, server.baseUrl, repository)
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const asked = new Promise<Recovery>((resolve) => host.runs.onRecoveries((open) => open.forEach((one) => { if (one.unknown) resolve(one) })))
  const end = host.runs.recover(id, 'ask')
  return { host, project, id, end, recovery: await asked, server }
}

async function statuses(host: Host, id: SessionId): Promise<readonly unknown[]> {
  return (await host.sessions.open(id)).events.flatMap((event) => (event.type === 'tool-finished' ? [[event.status, event.say.code]] : []))
}

test('R84 R79 the files that a killed command left are shown with their authors, go back by a plan, and the agent is told so', async () => {
  const { host, project, id, end, recovery, server } = await killedHalfWay()
  const { unknown } = recovery
  const snapshots = host.current()?.snapshots
  if (!unknown?.beforeSnapshot || !snapshots) throw new Error('nothing to go back to')
  const found = await changesSince(recovery, unknown, snapshots.reading)
  expect(found.ok && found.value.map(({ path: file, change, author, lines }) => [file, change, author, lines])).toEqual([['kept.txt', 'modified', 'command', { added: 1, removed: 1 }], ['made.txt', 'added', 'command', { added: 1, removed: 0 }], ['own.txt', 'added', 'you', { added: 1, removed: 0 }]])
  expect(server.requests).toHaveLength(1)
  const own = found.ok ? found.value.filter(({ author }) => author === 'command').map(({ path: file }) => file) : []
  const target = { to: unknown.beforeSnapshot, ofCall: unknown.callId, paths: own, keepUserEdits: false }
  const plan = await snapshots.plans.preview(target)
  if (!plan.ok) throw new Error(plan.fault.code)
  const done = await snapshots.apply({ target, scope: 'files', sessionId: id, turnId: null, head: plan.value.plan.head, unticked: [], leftChanges: {}, resolved: {} })
  expect(done.ok && done.value.failed).toEqual([])
  expect(await host.runs.settle(unknown.callId, 'rolled-back')).toEqual(succeed(null))
  expect((await end)?.text).toBe('I go on.')
  expect([existsSync(path.join(project, 'made.txt')), readFileSync(path.join(project, 'kept.txt'), 'utf8'), readFileSync(path.join(project, 'own.txt'), 'utf8')]).toEqual([false, 'as it was\n', 'mine\n'])
  expect(await statuses(host, id)).toEqual([['failed', 'call.said-rolled-back']])
  const told = server.requests[1]?.messages.find(({ role }) => role === 'tool')
  expect(JSON.stringify(told)).toContain('The person took its changes of files back')
}, 90_000)

test('R84 R11 Stop while the question is open: the call keeps its row, what it changed is told and goes back with it', async () => {
  const { host, project, id, end, recovery } = await killedHalfWay()
  const snapshots = host.current()?.snapshots
  const callId = recovery.unknown?.callId
  if (!snapshots || !callId) throw new Error('nothing is asked')
  host.runs.cancel(id)
  expect((await end)?.say.code).toBe('turn.cancelled-ran')
  expect(await statuses(host, id)).toEqual([['unknown', 'call.unknown']])
  const { rows } = await snapshots.reading.timeline()
  const [from, until] = rows.filter((row) => row.callId === callId)
  expect([until?.kind, until?.sessionId, until?.author, until?.changed.map((one) => one.path)]).toEqual(['after-call', id, 'unknown', ['kept.txt', 'made.txt', 'own.txt']])
  if (!from || !until) throw new Error('no row of it')
  const target = { to: from.id, only: { from: from.id, until: until.id }, paths: ['kept.txt', 'made.txt'], keepUserEdits: true }
  const plan = await snapshots.plans.preview(target)
  if (!plan.ok) throw new Error(plan.fault.code)
  const done = await snapshots.apply({ target, scope: 'files', sessionId: id, turnId: null, head: plan.value.plan.head, unticked: [], leftChanges: {}, resolved: {} })
  expect(done.ok && done.value.failed).toEqual([])
  expect([existsSync(path.join(project, 'made.txt')), readFileSync(path.join(project, 'kept.txt'), 'utf8'), readFileSync(path.join(project, 'own.txt'), 'utf8')]).toEqual([false, 'as it was\n', 'mine\n'])
}, 90_000)
