import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/shared/domain/approval'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { childOf } from '../../support/childProcess'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

const repository = path.resolve(import.meta.dirname, '../../..')
const child = childOf('guardChild', { besidePackages: true })

/** A host in a process of its own that runs one command, is killed as soon as `isReached`, and what the next start makes of it. */
async function killed(command: string, answers: readonly ApprovalAnswer[], isReached: (project: string, data: string, lines: readonly string[]) => boolean, then: (question: ApprovalRequest) => ApprovalAnswer = () => ({ kind: 'skip' }), more: object = {}) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-crash-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data']) mkdirSync(path.join(base, name))
  const [project, data] = [path.join(base, 'project'), path.join(base, 'data')]
  const server = await startFakeModelServer({ steps: [reply({ calls: [{ name: 'run_command', args: { command, ...more } }] }), reply({ text: 'Done.' })] })
  onTestFinished(() => server.close())
  const first = child({ base, baseUrl: server.baseUrl, repository, answers })
  let isOver = false
  void first.ended.then(() => (isOver = true))
  while (!isReached(project, data, first.lines) && !isOver && !first.lines.includes('cannot try')) await new Promise((resolve) => setTimeout(resolve, 5))
  first.process.kill('SIGKILL')
  await first.ended
  if (first.lines.includes('cannot try')) return null
  const told = (word: string) => first.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

  const host = await guardHost(base, server.baseUrl, repository)
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const asked: ApprovalRequest[] = []
  const late: unknown[] = []
  host.desk.onChange((open) => open.forEach((question) => {
    if (asked.some(({ nonce }) => nonce === question.nonce)) return
    asked.push(question)
    const { callId, argsHash } = question
    // The window of before still has its card.
    for (const nonce of told('number')) late.push(host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'allow' } }).ok)
    setImmediate(() => host.desk.decide({ callId, nonce: question.nonce, argsHash, answer: then(question) }))
  }))
  const before = readdirSync(project)
  await host.testSandbox()
  const id = asId<SessionId>(told('session')[0] ?? '')
  const end = await host.runs.recover(id, 'tell')
  const { events } = await host.sessions.open(id)
  const results = events.flatMap((event) => (event.type === 'tool-finished' ? [[event.status, event.say.code]] : []))
  return { project, data, events, before, asked, late, end, results, lines: first.lines, trials: readdirSync(path.join(data, 'trials')), verified: await host.verifyAudit(), after: readdirSync(project) }
}

const tryIt = { kind: 'try' } as const

test('R84 E19 killed at an open question: it is asked again with a new number, and the old card answers nothing', async () => {
  const crash = await killed('echo x > made', [], (_project, _data, lines) => lines.includes('asked command'))
  if (crash === null) return console.log('skipped: no sandbox here')
  expect([crash.asked.map(({ preview }) => preview.kind), crash.late, crash.results, crash.after, crash.verified.ok]).toEqual([['command'], [false], [['skipped', 'tool.skipped']], [], true])
})

test('R73 R84 killed during a trial: nothing of it is in the project, none of it lives on, no copy is left, and it is asked again', async () => {
  const mark = `sleep 3${process.pid}`
  const copy = (data: string): boolean => existsSync(path.join(data, 'trials')) && readdirSync(path.join(data, 'trials')).some((name) => existsSync(path.join(data, 'trials', name, 'upper/made')))
  const crash = await killed(`echo x > made; ${mark}`, [tryIt], (_project, data) => copy(data))
  if (crash === null) return console.log('skipped: no copy to try on here')
  expect([crash.asked.map(({ preview }) => preview.kind), crash.late, crash.results, crash.after, crash.trials, crash.verified.ok]).toEqual([['command'], [false], [['skipped', 'tool.skipped']], [], [], true])
  expect(spawnSync('pgrep', ['-f', mark]).status).toBe(1)
})

test('R73 R84 killed while a trial waits to be kept: it is asked about the command again, and the copy is gone', async () => {
  const crash = await killed('echo x > made', [tryIt], (_project, _data, lines) => lines.includes('asked trial'))
  if (crash === null) return console.log('skipped: no copy to try on here')
  expect([crash.asked.map(({ preview }) => preview.kind), crash.late, crash.results, crash.after, crash.trials]).toEqual([['command'], [false, false], [['skipped', 'tool.skipped']], [], []])
})

test('R73 R84 killed while a trial is being kept: said to be unknown, not kept on, not run again, and the copy is gone', async () => {
  const crash = await killed('for i in {1..400}; do echo x > f$i; done', [tryIt, { kind: 'keep' }], (project) => readdirSync(project).some((name) => name.startsWith('f')), () => ({ kind: 'allow' }))
  if (crash === null) return console.log('skipped: no copy to try on here')
  expect(crash.lines).not.toContain('ended')
  expect([crash.asked, crash.results, crash.trials, crash.after, crash.end?.reason, crash.verified.ok]).toEqual([[], [['unknown', 'call.unknown']], [], crash.before, 'done', true])
  expect(crash.after.length).toBeLessThan(400)
})

test('R71 R84 killed while a command ran outside: what is left of its output counts as text from outside', async () => {
  const crash = await killed('seq 300000; sleep 1; touch begun; sleep 30', [{ kind: 'allow' }], (project) => existsSync(path.join(project, 'begun')), undefined, { outside: true })
  if (crash === null) return console.log('skipped: no sandbox here')
  const told = crash.events.filter(({ type }) => type === 'taint-marked' || type === 'tool-finished')
  expect([crash.results, told]).toMatchObject([[['unknown', 'call.unknown']], [{ type: 'taint-marked', source: { kind: 'web', host: 'seq' } }, { type: 'tool-finished', outputRef: expect.any(String) as unknown }]])
})
