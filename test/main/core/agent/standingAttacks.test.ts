import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApprovalAnswer } from '../../../../src/shared/domain/approval'
import { asId, type SnapshotId } from '../../../../src/shared/domain/ids'
import { said, succeed } from '../../../../src/shared/domain/result'
import type { Rule } from '../../../../src/shared/domain/rule'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import type { LivePermission } from '../../../../src/main/core/policy/permissions'
import type { CommandEnd } from '../../../../src/main/core/ports/commandRunner'
import type { OpenTrial } from '../../../../src/main/core/ports/trialDesk'
import { runCommand } from '../../../../src/main/core/tools/builtins/runCommand'
import { defineTool } from '../../../../src/main/core/tools/defineTool'
import { makeTurnWorld, reply, type Reply, type TurnWorld, type WorldOptions } from '../../../support/turnWorld'

const where = { cwd: '/project', root: '/project', home: '/home/ann', appData: '/home/ann/.countersign' }
const ended: CommandEnd = { exitCode: 0, endSignal: null, isTimedOut: false, isCancelled: false, text: 'ran', totalBytes: 3, outputRef: null, leftRunning: [], confined: 'sandbox', hints: [] }

const buildRule: Rule = {
  id: '7', effect: 'allow', shape: { kind: 'command', words: [{ kind: 'exact', text: 'make' }, { kind: 'exact', text: 'build' }], isOpen: false },
  workspaceId: null, expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0,
}
const rule = (more: Partial<Rule> = {}): LivePermission => ({ by: 'rule', rule: { ...buildRule, ...more } })

/** A file tool over one text that the test changes. */
const note = (state: { base: string }) =>
  defineTool({
    name: 'note', description: '', params: z.object({ text: z.string() }), effect: 'write', paths: () => [],
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: { a: state.base } })),
    run: ({ text }) => Promise.resolve({ status: 'ok', say: said('tool.answered'), body: text }),
  })
const look = defineTool({ name: 'look', description: '', params: z.object({}), effect: 'read', paths: () => [], forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })), run: () => Promise.resolve({ status: 'ok', say: said('tool.answered') }) })

const call = (args: object): Reply => reply('', { name: 'run_command', args })
const inTurn = (...answers: readonly ApprovalAnswer[]) => {
  const left = [...answers]
  return (): ApprovalAnswer => left.shift() ?? { kind: 'deny', reason: '' }
}

function makeWorld(change: Partial<WorldOptions>) {
  const started: string[] = []
  const world = makeTurnWorld({ tools: [runCommand, look], replies: [], judgeCommand: (command) => judgeCommand(command, where), ...change })
  const commands = { ...world.ports.commands, start: (start: { readonly command: string }) => (started.push(start.command), Promise.resolve(succeed({ pid: 7, write: () => undefined, resize: () => undefined, leave: () => undefined, ended: Promise.resolve(ended) }))) }
  const play = (more: Partial<TurnWorld['ports']> = {}) => runTurn(world.turn, { ...world.ports, commands, ...more }, new AbortController().signal)
  return { ...world, started, play }
}

const decisions = ({ events }: TurnWorld) => events.flatMap((event) => (event.type === 'approval-decided' ? [[event.by, event.decision]] : []))
const results = ({ events }: TurnWorld) => events.flatMap((event) => (event.type === 'tool-finished' ? [event.say.code] : []))

test('R73 E19 an answer that is no word on the call never runs it, whatever hands it over: it is asked again', async () => {
  for (const kind of ['try', 'keep', 'discard'] as const) {
    const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')], answer: inTurn({ kind }, { kind: 'deny', reason: '' }) })
    await world.play()
    expect({ kind, asked: world.asked.length, started: world.started, decided: decisions(world) }).toEqual({ kind, asked: 2, started: [], decided: [['person', 'deny']] })
  }
})

/** A trial that changed one file; what was done with it can be read off. */
function trialWorld(path = 'a.txt') {
  const done: string[] = []
  const file = { path, change: 'changed', kind: 'file', beforeHash: 'old', afterHash: 'new', beforeBytes: 3, afterBytes: 3, isBinary: false } as const
  const trial: OpenTrial = {
    id: 'trial', takenAtMs: 5, end: { ...ended, text: 'tried' }, refused: [], files: [{ ...file, mode: 0o644 }], rows: [{ ...file, added: 1, removed: 1 }],
    read: () => Promise.reject(new Error('not read here')), after: () => Promise.reject(new Error('not read here')),
    changedSince: () => Promise.resolve([]),
    keep: () => (done.push('kept'), Promise.resolve(succeed(null))),
    discard: () => (done.push('discarded'), Promise.resolve()),
  }
  return { done, trials: { canTry: () => true, run: () => (done.push('tried'), Promise.resolve(succeed(trial))) } }
}

test('R73 on the card of a trial nothing but keeping writes, and nothing runs the command', async () => {
  for (const answer of [{ kind: 'try' }, { kind: 'allow' }, { kind: 'edited', args: { command: 'make other' } }] as const) {
    const { trials, done } = trialWorld()
    const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')], trials, answer: inTurn({ kind: 'try' }, answer, { kind: 'deny', reason: '' }) })
    await world.play()
    expect({ answer, done, started: world.started, asked: world.asked.length }).toEqual({ answer, done: ['tried', 'discarded'], started: [], asked: 3 })
  }
})

test('R68 R73 a trial is in the record before it begins, and what would run outside is not offered one', async () => {
  const { trials } = trialWorld()
  const before: string[] = []
  const world = makeWorld({
    replies: [call({ command: 'make' }), call({ command: 'make', outside: true }), reply('done')], answer: inTurn({ kind: 'try' }, { kind: 'keep' }),
    trials: { ...trials, run: () => (before.push(...world.audit.map(({ fact }) => fact)), trials.run()) },
  })
  await world.play()
  expect(before).toEqual(['asked', 'trial-begun'])
  expect(world.audit.map(({ fact }) => fact).slice(0, 6)).toEqual(['asked', 'trial-begun', 'tried', 'asked', 'trial-kept', 'decided'])
  expect(world.asked.map(({ canTry }) => canTry)).toEqual([true, false, false])
})

test('R73 what failed without network is not offered a trial without network', async () => {
  const { trials } = trialWorld()
  const world = makeWorld({ replies: [call({ command: 'make', network: true }), reply('done')], trials })
  await world.play({ hintLog: new Map([['make', 'network']]) })
  expect(world.asked.map(({ canTry }) => canTry)).toEqual([false])
})

test('R73 R80 the card of a trial says of its very paths whether they could be taken back, also of those that were not there before', async () => {
  const { trials } = trialWorld('node_modules/new.js')
  const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')], trials, answer: inTurn({ kind: 'try' }) })
  await world.play({ snapshots: { ...world.ports.snapshots, coverageOf: (paths) => Promise.resolve(paths === null ? { kind: 'full', skipped: [] } : { kind: 'none', skipped: paths.map((path) => ({ path, reason: 'ignored' as const })) }) } })
  expect(world.asked.map(({ coverage }) => coverage.skipped.map(({ path }) => path))).toEqual([[], ['node_modules/new.js']])
})

test('R73 what is tried must be what was shown: a command that is judged otherwise by now is asked again', async () => {
  const { trials, done } = trialWorld()
  let judged = 0
  const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')], trials, answer: inTurn({ kind: 'try' }), judgePath: () => (judged++ === 0 ? { kind: 'allowable', reason: said('guard.nothing-against') } : { kind: 'ask', reason: said('guard.needs-person') }) })
  await world.play()
  expect({ done, reasons: world.asked.map(({ reason }) => reason.code) }).toEqual({ done: [], reasons: ['guard.builds', 'guard.needs-person'] })
})

test('R67 R73 a trial with a path that policy denies is not kept, and the card stays; what git writes for a commit is its record', async () => {
  for (const [path, isKept] of [['.git/hooks/pre-commit', false], ['.git/config', false], ['.git/objects/info/alternates', false], ['.git/refs/heads/main', true], ['.git/index', true], ['sub/.git/index', false]] as const) {
    const { trials, done } = trialWorld(path)
    const world = makeWorld({
      replies: [call({ command: 'make' }), reply('done')], trials, answer: inTurn({ kind: 'try' }, { kind: 'keep' }, { kind: 'discard' }, { kind: 'skip' }),
      judgePath: ({ given }) => (given.includes('.git') ? { kind: 'deny', reason: said('path.git', { path: given }) } : { kind: 'allowable', reason: said('guard.nothing-against') }),
    })
    await world.play()
    expect([path, done, world.asked.map(({ preview }) => preview.kind)]).toEqual([path, isKept ? ['tried', 'kept', 'discarded'] : ['tried', 'discarded'], isKept ? ['command', 'trial'] : ['command', 'trial', 'trial', 'command']])
    expect(world.events.flatMap((event) => (event.type === 'note-added' ? [event.say.code] : []))).toEqual(isKept ? [] : ['trial.cannot-keep'])
  }
})

test('R64 a stricter level holds at once, and a looser one from the next turn on', async () => {
  const setLevel = (level: 'all' | 'commands' | 'read-only'): Reply => (_request) => {
    void world.ports.record.append([{ type: 'level-changed', level }])
    return reply('', { name: 'look', args: {} }, { name: 'run_command', args: { command: 'make' } })
  }
  const world = makeWorld({ replies: [setLevel('commands'), setLevel('all'), setLevel('read-only'), setLevel('commands'), reply('done')], answer: () => ({ kind: 'skip' }) })
  await world.ports.record.append([{ type: 'turn-started', turnId: world.turn.turnId, choice: world.turn.choice, level: 'writes' }])
  await world.play()
  expect(world.asked.map(({ tool }) => tool)).toEqual(['run_command', 'look', 'run_command'])
  expect(results(world).slice(4)).toEqual(['tool.answered', 'tool.denied-policy', 'tool.answered', 'tool.denied-policy'])
  expect(world.requests.map(({ tools }) => tools.length)).toEqual([2, 2, 2, 1, 1])
})

/** A build that waits for the lane while something happens. */
async function waiting(permission: LivePermission, meanwhile: (world: ReturnType<typeof makeWorld>, live: LivePermission[]) => void) {
  const live = [permission]
  const world = makeWorld({ replies: [call({ command: 'make build' }), reply('done')], permissions: { live: () => live, remember: () => Promise.resolve(succeed(null)), hold: () => true, holds: () => live.length > 0, letGo: () => undefined, used: () => Promise.resolve(true) } })
  await world.ports.record.append([{ type: 'turn-started', turnId: world.turn.turnId, choice: world.turn.choice, level: 'writes' }])
  const enter = () => (meanwhile(world, live), Promise.resolve(succeed({ before: asId<SnapshotId>('before'), leave: () => Promise.resolve(asId<SnapshotId>('after')) })))
  await world.play({ snapshots: { ...world.ports.snapshots, enter } })
  return { started: world.started, results: results(world) }
}

test('R69 R71 a rule that was revoked, ran out, or was silenced by a mark while its call waited for the lane lets nothing run', async () => {
  const nothing = { started: [], results: ['tool.no-longer-allowed'] }
  const ran = { started: ['make build'], results: ['command.exit'] }
  expect(await waiting(rule(), () => undefined)).toEqual(ran)
  expect(await waiting(rule({ usesLeft: 1 }), () => undefined)).toEqual(ran)
  expect(await waiting(rule(), (_world, live) => void live.pop())).toEqual(nothing)
  expect(await waiting(rule({ expiresAtMs: 1100 }), (world) => { while (world.ports.clock.nowMs() < 1100) continue })).toEqual(nothing)
  expect(await waiting(rule(), ({ ports, turn }) => void ports.record.append([{ type: 'taint-marked', turnId: turn.turnId, step: 1, callId: null, source: { kind: 'mcp', server: 's' } }]))).toEqual(nothing)
  expect(await waiting(rule(), ({ ports }) => void ports.record.append([{ type: 'level-changed', level: 'read-only' }]))).toEqual({ started: [], results: ['tool.denied-policy'] })
})

test('R63 R68 a call that was edited and asked again stays an edited one: the model and the record are told', async () => {
  const state = { base: 'one' }
  const answers = [{ kind: 'edited', args: { text: 'mine' } }, { kind: 'allow' }] as const
  let at = 0
  const world = makeWorld({ tools: [note(state)], replies: [reply('', { name: 'note', args: { text: 'yours' } }), reply('done')], answer: () => ((state.base = 'two'), answers[at++] ?? null) })
  await world.play()
  expect(world.asked.map(({ args }) => args)).toEqual([{ text: 'yours' }, { text: 'mine' }])
  expect(world.events.find(({ type }) => type === 'approval-decided')).toMatchObject({ decision: 'edited', args: { text: 'mine' } })
  expect(world.events.find(({ type }) => type === 'tool-finished')).toMatchObject({ text: expect.stringContaining('The user edited your change') })
  expect(world.audit.find(({ fact }) => fact === 'decided')).toMatchObject({ outcome: 'edited', args: { text: 'mine' } })
})

test('R72 a command whose card said that a sandbox holds it does not start when none does after the wait', async () => {
  let state: 'on' | 'none' = 'on'
  const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')] })
  const enter = () => ((state = 'none'), Promise.resolve(succeed({ before: asId<SnapshotId>('before'), leave: () => Promise.resolve(asId<SnapshotId>('after')) })))
  await world.play({ sandbox: () => state, snapshots: { ...world.ports.snapshots, enter } })
  expect({ started: world.started, results: results(world) }).toEqual({ started: [], results: ['tool.changed-meanwhile'] })
})

test('R72 a command that is asked for while the sandbox is still tested shows what the test found, not that there is none', async () => {
  let state: 'on' | 'none' = 'none'
  const world = makeWorld({ replies: [call({ command: 'make' }), reply('done')] })
  await world.play({ sandbox: () => state, sandboxTested: async () => { await Promise.resolve(); state = 'on' } })
  expect(world.asked.map(({ sandbox }) => sandbox)).toEqual(['on'])
})

test('R71 a command that was given the network or the way outside marks the turn, whatever its words say; one that was held does not', async () => {
  const marks = async (args: object) => {
    const world = makeWorld({ replies: [call(args), reply('done')] })
    await world.play()
    return world.events.flatMap((event) => (event.type === 'taint-marked' ? [event.source] : []))
  }
  expect(await marks({ command: 'make  fetch' })).toEqual([])
  expect(await marks({ command: 'make  fetch', network: true })).toEqual([{ kind: 'web', host: 'make', url: 'make' }])
  expect(await marks({ command: 'node show.js', outside: true })).toEqual([{ kind: 'web', host: 'node', url: 'node' }])
  expect(await marks({ command: 'curl https://a.example', network: true })).toEqual([{ kind: 'web', host: 'a.example', url: 'a.example' }])
  expect(await marks({ command: 'git -C ../other log' })).toEqual([{ kind: 'file', path: '/other' }])
  expect(await marks({ command: 'head ../notes', network: true })).toEqual([{ kind: 'file', path: '/notes' }])
})
