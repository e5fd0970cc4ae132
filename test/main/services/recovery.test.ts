import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type Tool } from '../../../src/main/core/tools/defineTool'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { asId, type RollbackId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { UnknownAnswer } from '../../../src/shared/ipc/recoveryViews'
import { makeRunsWorld, runsSession as id, type Left } from '../../support/runsWorld'
import { makeTurnWorld, reply } from '../../support/turnWorld'

function tool(name: string, effect: Tool['effect'], run: (text: string) => Promise<string> | string): Tool {
  return defineTool({
    name, description: '', params: z.object({ text: z.string().default('') }), effect, paths: () => [],
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.text, notes: [] }, writes: [], base: {} })),
    run: async (args) => ({ status: 'ok', say: said('turn.done'), body: await run(args.text) }),
  })
}

/** A turn that runs a read, then a command, and is killed while the command runs; what it left. */
async function killedIn(effect: Tool['effect'] = 'execute'): Promise<{ readonly left: Left; readonly ran: string[] }> {
  const ran: string[] = []
  let reached: () => void = () => undefined
  const running = new Promise<void>((resolve) => (reached = resolve))
  const tools = [tool('look', 'read', (text) => { ran.push(`look ${text}`); return 'seen' }), tool('act', effect, async (text) => { ran.push(`act ${text}`); reached(); return new Promise(() => undefined) })]
  const world = await makeRunsWorld(makeTurnWorld({ tools, replies: [reply('', { name: 'look', args: { text: 'a' } }, { name: 'act', args: { text: 'b' } }, { name: 'look', args: { text: 'c' } })] }))
  await world.runs.prompt(id, 'Go')
  await running
  // What came before it is recorded.
  for (let at = 0; at < 5; at += 1) await new Promise((resolve) => setImmediate(resolve))
  return { left: { events: [...world.events], calls: new Map(world.calls) }, ran }
}

/** The next start over what was left. */
async function next(left: Left, options: { readonly level?: 'read-only' } = {}) {
  const ran: string[] = []
  const tools = [tool('look', 'read', (text) => { ran.push(`look ${text}`); return 'seen' }), tool('act', 'execute', (text) => { ran.push(`act ${text}`); return 'acted' })]
  const asked: ApprovalRequest[] = []
  const turn = makeTurnWorld({ tools, replies: [reply('Done.'), reply('Then.')], answer: (request) => { asked.push(request); return { kind: 'allow' } }, ...options })
  const world = await makeRunsWorld(turn, { lastOutput: () => Promise.resolve({ text: 'half of it', atMs: 4711 }), recoverOutput: () => Promise.resolve('ref') }, left)
  return { ...world, ran, asked, turn, results: () => world.session.events.flatMap((event) => (event.type === 'tool-finished' ? [[event.status, event.say.code]] : [])) }
}

/** Until the person is asked. */
async function asked({ runs }: { readonly runs: { recoveries(): readonly { readonly unknown: unknown }[] } }): Promise<void> {
  for (let at = 0; at < 200 && !runs.recoveries().some(({ unknown }) => unknown !== null); at += 1) await new Promise((resolve) => setImmediate(resolve))
}

const rolledBack = { type: 'rolled-back' as const, rollbackId: asId<RollbackId>('r'), scope: 'files' as const, hidden: null, paths: ['made.txt'], failed: [] }

describe('R84 a call that was under way when the app was killed', () => {
  test('is shown with what ran, its last output and its before-snapshot, and nothing of the session runs before the person chose', async () => {
    const { left } = await killedIn()
    const world = await next(left)
    void world.runs.recover(id, 'ask')
    await asked(world)
    const [recovery] = world.runs.recoveries()
    expect(recovery).toMatchObject({ sessionId: id, stoppedAtMs: left.events.at(-1)?.atMs, unknown: { tool: 'act', args: { text: 'b' }, output: 'half of it', lastSignAtMs: 4711, beforeSnapshot: 'before' } })
    expect([world.ran, world.turn.requests.length, world.results()]).toEqual([[], 0, [['ok', 'turn.done']]])
    expect(await world.runs.prompt(id, 'Meanwhile')).toEqual(fail('turn.running'))
    const put = await world.runs.queue(id, { text: 'And then' })
    expect([put.ok, world.turn.requests.length]).toEqual([true, 0])
  })

  const told: Readonly<Record<UnknownAnswer, unknown>> = { 'done': ['ok', 'call.said-done'], 'again': ['ok', 'turn.done'], 'rolled-back': ['failed', 'call.said-rolled-back'] }
  test.each(['done', 'again', 'rolled-back'] as const)('“%s”: the agent is told which, the call has one result, and the turn goes on with what did not start', async (answer) => {
    const { left } = await killedIn()
    const world = await next(left)
    const end = world.runs.recover(id, 'ask')
    await asked(world)
    const callId = world.runs.recoveries()[0]?.unknown?.callId ?? asId<never>('')
    if (answer === 'rolled-back') {
      expect(await world.runs.settle(callId, answer)).toEqual(fail('call.not-rolled-back'))
      await world.sessions.append(id, [rolledBack])
    }
    expect(await world.runs.settle(callId, answer)).toEqual(succeed(null))
    expect((await end)?.reason).toBe('done')
    expect(world.results()).toEqual([['ok', 'turn.done'], told[answer], ['ok', 'turn.done']])
    expect([world.ran, world.asked.map(({ args }) => args['text'])]).toEqual(answer === 'again' ? [['act b', 'look c'], ['b']] : [['look c'], []])
    expect(world.turn.audit.filter(({ fact }) => fact === 'call-settled').map(({ actor, outcome }) => [actor, outcome])).toEqual([['person', answer]])
    expect(await world.runs.settle(callId, 'done')).toEqual(fail('call.settled-already'))
    expect(world.runs.recoveries()).toEqual([])
  })

  test('“run again” is asked anew: with a new number, and a no is the call’s one result', async () => {
    const { left } = await killedIn()
    const turn = makeTurnWorld({ tools: [tool('look', 'read', () => 'seen'), tool('act', 'execute', () => 'acted')], replies: [reply('Done.')], answer: () => ({ kind: 'deny', reason: 'not again' }) })
    const before = left.events.flatMap((event) => (event.type === 'approval-asked' ? [event.request.nonce] : []))
    let numbers = 0
    const world = await makeRunsWorld({ ports: { ...turn.ports, ids: { next: () => `later-${++numbers}`, nonce: () => `later-${++numbers}` } } }, {}, left)
    const end = world.runs.recover(id, 'ask')
    await asked(world)
    await world.runs.settle(world.runs.recoveries()[0]?.unknown?.callId ?? asId<never>(''), 'again')
    await end
    expect([turn.asked.length, before.includes(turn.asked[0]?.nonce ?? '')]).toEqual([1, false])
    expect(world.session.events.flatMap((event) => (event.type === 'tool-finished' ? [event.status] : []))).toEqual(['ok', 'denied', 'ok'])
  })

  test('where nobody can be asked, the model is told that it is unknown, and the turn goes on', async () => {
    const { left } = await killedIn()
    const world = await next(left)
    expect((await world.runs.recover(id, 'tell'))?.reason).toBe('done')
    expect([world.results(), world.ran]).toEqual([[['ok', 'turn.done'], ['unknown', 'call.unknown'], ['ok', 'turn.done']], ['look c']])
  })

  test('Esc while it waits: it stays unknown, what it left stays its own, what did not start is cancelled, the turn ends and does not say that no file was changed', async () => {
    const { left } = await killedIn()
    const world = await next(left)
    const end = world.runs.recover(id, 'ask')
    await asked(world)
    world.runs.cancel(id)
    const { reason, say } = (await end) ?? {}
    expect([...world.calls.values()].map(({ tool, outcome, afterSnapshot }) => [tool, outcome, afterSnapshot])).toEqual([['look', 'ok', null], ['act', 'unknown', 'end'], ['look', 'cancelled', null]])
    expect(world.turn.audit.filter(({ fact, tool }) => fact === 'finished' && tool === 'act').map(({ outcome, snapshotId }) => [outcome, snapshotId])).toEqual([['unknown', 'end']])
    expect([reason, say?.code, world.results(), world.ran]).toEqual(['cancelled', 'turn.cancelled-ran', [['ok', 'turn.done'], ['unknown', 'call.unknown'], ['cancelled', 'tool.cancelled']], []])
  })

  test('leaving the app while it waits, or a kill, leaves it for the next start', async () => {
    const { left } = await killedIn()
    const world = await next(left)
    void world.runs.recover(id, 'ask')
    await asked(world)
    await world.runs.closeAll(() => false)
    expect(world.runs.isRunning(id)).toBe(true)
    const again = await next({ events: [...world.session.events], calls: new Map(world.calls) })
    void again.runs.recover(id, 'ask')
    await asked(again)
    expect(again.runs.recoveries()[0]?.unknown?.tool).toBe('act')
  })

  test('killed after the person said “again” and before it was asked: it did not start, and is asked', async () => {
    const { left } = await killedIn()
    const world = await next(left)
    const kept: Left[] = []
    world.sessions.onEvents((events) => { if (events.some((event) => event.type === 'note-added')) kept.push({ events: [...world.session.events], calls: new Map(world.calls) }) })
    const end = world.runs.recover(id, 'ask')
    await asked(world)
    await world.runs.settle(world.runs.recoveries()[0]?.unknown?.callId ?? asId<never>(''), 'again')
    await end
    const third = await next(kept[0] ?? left)
    expect((await third.runs.recover(id, 'ask'))?.reason).toBe('done')
    expect([third.ran, third.asked.length]).toEqual([['act b', 'look c'], 1])
  })
})

test('R97 read calls that were under way are done again by themselves; finished ones never are', async () => {
  const { left } = await killedIn('read')
  const world = await next(left)
  expect((await world.runs.recover(id, 'ask'))?.reason).toBe('done')
  expect(world.ran).toEqual(['act b', 'look c'])
})

describe('R84 a question that waited when the app was killed', () => {
  /** The question of a write that waits, and what is left of it. */
  async function waiting(base: string): Promise<Left> {
    const question = questioned(base)
    const turn = makeTurnWorld({ tools: [question], replies: [reply('', { name: 'act', args: { text: 'b' } })] })
    let open: () => void = () => undefined
    const isOpen = new Promise<void>((resolve) => (open = resolve))
    const world = await makeRunsWorld({ ports: { ...turn.ports, desk: { ask: () => { open(); return new Promise(() => undefined) } } } })
    await world.runs.prompt(id, 'Go')
    await isOpen
    return { events: [...world.events], calls: new Map(world.calls) }
  }

  const questioned = (base: string): Tool => ({ ...tool('act', 'execute', () => 'acted'), forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: { 'a.txt': base } })) })

  async function askedAgain(left: Left, base: string) {
    const turn = makeTurnWorld({ tools: [questioned(base)], replies: [reply('Done.'), reply('', { name: 'act', args: { text: 'c' } }), reply('Done.')] })
    const world = await makeRunsWorld(turn, {}, left)
    await world.runs.recover(id, 'ask')
    const next = await world.runs.prompt(id, 'Once more')
    if (next.ok) await next.value.ended
    return turn.asked.map(({ askedBefore }) => askedBefore?.isSame)
  }

  test('is back in its place and says whether verdict and bytes are the same; a new question says nothing of it', async () => {
    expect(await askedAgain(await waiting('hash-1'), 'hash-1')).toEqual([true, undefined])
    expect(await askedAgain(await waiting('hash-1'), 'hash-2')).toEqual([false, undefined])
  })
})
