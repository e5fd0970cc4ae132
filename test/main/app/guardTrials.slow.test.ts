import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/shared/domain/approval'
import { reply, startFakeModelServer, type FakeStep } from '../../support/fakeModelServer'
import { guardHost } from '../../support/guardHost'

type Answers = (question: ApprovalRequest, at: number) => ApprovalAnswer | null

/** A whole host whose questions are answered as they come; null where nothing can be tried here. */
async function world(steps: readonly FakeStep[], answer: Answers) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-trials-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['project', 'home', 'data', 'outside']) mkdirSync(path.join(base, name))
  const project = path.join(base, 'project')
  writeFileSync(path.join(project, 'a.txt'), 'one\n')
  const server = await startFakeModelServer({ steps })
  onTestFinished(() => server.close())
  const host = await guardHost(base, server.baseUrl, path.resolve(import.meta.dirname, '../../..'))
  onTestFinished(() => host.close())
  const opened = await host.openWorkspace(project)
  if (!opened.ok) throw new Error(opened.fault.code)
  const facts = await host.testSandbox()
  if (facts.kind !== 'on' || !facts.canTry) {
    console.log('skipped: no copy to try on here')
    return null
  }
  const asked: ApprovalRequest[] = []
  host.desk.onChange((open) => open.forEach((question) => {
    if (asked.some(({ nonce }) => nonce === question.nonce)) return
    asked.push(question)
    const given = answer(question, asked.length)
    const { callId, nonce, argsHash } = question
    if (given) setImmediate(() => host.desk.decide({ callId, nonce, argsHash, answer: given }))
  }))
  const say = async (text = 'go') => {
    const session = await host.createSession('')
    const started = await host.runs.prompt(session.id, text)
    if (!started.ok) throw new Error(started.fault.code)
    return { session, ended: started.value.ended, results: () => session.events.flatMap((event) => (event.type === 'tool-finished' ? [[event.status, event.say.code]] : [])) }
  }
  const copies = () => readdirSync(path.join(base, 'data/trials'))
  return { base, project, host, asked, say, copies, facts: () => readFileSync(path.join(base, 'data/audit', readdirSync(path.join(base, 'data/audit')).find((name) => name.endsWith('.jsonl')) ?? ''), 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { fact: string }).fact) }
}

const command = (text: string): FakeStep => reply({ calls: [{ name: 'run_command', args: { command: text } }] })
const done = reply({ text: 'Done.' })
const once = (first: Answers, then: Answers): Answers => (question, at) => (question.preview.kind === 'trial' ? then(question, at) : first(question, at))

test('R11 R73 cancelled while it is tried: the turn ends, nothing lives on, nothing is in the project, no copy is left', async () => {
  const mark = `sleep 4${process.pid}`
  const there = await world([command(`echo x > made; ${mark}`), done], () => ({ kind: 'try' }))
  if (there === null) return
  const turn = await there.say()
  while (!there.copies().some((name) => existsSync(path.join(there.base, 'data/trials', name, 'upper/made')))) await new Promise((resolve) => setTimeout(resolve, 10))
  there.host.runs.cancel(turn.session.id)
  expect((await turn.ended).reason).toBe('cancelled')
  expect([turn.results(), there.copies(), readdirSync(there.project), spawnSync('pgrep', ['-f', mark]).status]).toEqual([[['cancelled', 'tool.cancelled']], [], ['a.txt'], 1])
})

test('R73 the project was replaced while a trial waited: nothing is kept in what stands there now', async () => {
  const there = await world([command('echo two > a.txt; echo x > new.txt'), done], once((_question, at) => (at === 1 ? { kind: 'try' } : { kind: 'skip' }), (question, at) => {
    if (at > 2) return { kind: 'discard' }
    const stands = path.dirname(question.preview.kind === 'trial' ? `${question.preview.cwd}/.` : '')
    renameSync(stands, `${stands}-gone`)
    mkdirSync(stands)
    writeFileSync(path.join(stands, 'a.txt'), 'one\n')
    return { kind: 'keep' }
  }))
  if (there === null) return
  const turn = await there.say()
  await turn.ended
  expect([readdirSync(there.project), readFileSync(path.join(there.project, 'a.txt'), 'utf8'), readFileSync(path.join(`${there.project}-gone`, 'a.txt'), 'utf8'), there.copies()]).toEqual([['a.txt'], 'one\n', 'one\n', []])
  expect(turn.results().map(([status]) => status)).not.toContain('ok')
})

test('R73 two trials of one file at once: the second cannot be kept over the first', async () => {
  const kept: string[] = []
  const there = await world([command('echo mine >> a.txt'), command('echo mine >> a.txt'), done, done], once(() => ({ kind: 'try' }), () => null))
  if (there === null) return
  const turns = [await there.say('first'), await there.say('second')]
  const trials = () => there.host.desk.list().filter(({ preview }) => preview.kind === 'trial')
  while (trials().length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const { callId, nonce, argsHash } of trials()) kept.push(String(there.host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'keep' } }).ok))
  while (trials().length < 1 || !there.host.desk.list().some(({ preview }) => preview.kind === 'trial' && preview.changedSince.length > 0)) {
    if (turns.every((turn) => turn.results().length > 0)) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const { callId, nonce, argsHash } of there.host.desk.list()) there.host.desk.decide({ callId, nonce, argsHash, answer: { kind: 'skip' } })
  await Promise.all(turns.map(({ ended }) => ended))
  const ok = turns.flatMap((turn) => turn.results()).filter(([status]) => status === 'ok')
  expect([ok.length, readFileSync(path.join(there.project, 'a.txt'), 'utf8'), there.copies()]).toEqual([1, 'one\nmine\n', []])
})

test('R68 a trial that was thrown away leaves its facts in the record in order', async () => {
  const there = await world([command('echo two > a.txt'), done], once((_question, at) => (at === 1 ? { kind: 'try' } : { kind: 'deny', reason: 'no' }), () => ({ kind: 'discard' })))
  if (there === null) return
  await (await there.say()).ended
  const facts = (there.facts()).filter((fact) => /^(?:asked|decided|started|tri|finished)/u.test(fact))
  expect(facts).toEqual(['asked', 'trial-begun', 'tried', 'asked', 'trial-discarded', 'asked', 'decided', 'finished'])
  expect((await there.host.verifyAudit()).ok).toBe(true)
})

test('R67 R73 a commit that was tried is a commit when it is kept; a hook or a repository made anew is not kept, and the card stays', async () => {
  const there = await world([command('git add -A && git -c user.name=a -c user.email=a@example.invalid commit -qm two'), command('mkdir sub && cd sub && git init -q .'), done], once((_question, at) => (at === 1 || at === 3 ? { kind: 'try' } : { kind: 'skip' }), (_question, at) => (at === 5 ? { kind: 'discard' } : { kind: 'keep' })))
  if (there === null) return
  spawnSync('bash', ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@example.invalid commit -qm one && echo more >> a.txt'], { cwd: there.project })
  const turn = await there.say()
  await turn.ended
  expect([turn.results(), there.asked.map(({ preview }) => preview.kind)]).toEqual([[['ok', 'command.trial-kept'], ['skipped', 'tool.skipped']], ['command', 'trial', 'command', 'trial', 'trial', 'command']])
  const git = (...args: string[]) => spawnSync('git', args, { cwd: there.project, encoding: 'utf8' })
  expect([git('log', '--format=%s').stdout, git('status', '--porcelain').stdout, git('fsck').status, existsSync(path.join(there.project, 'sub'))]).toEqual(['two\none\n', '', 0, false])
})
