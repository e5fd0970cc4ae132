import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { fail, said, succeed } from '../../../../src/shared/domain/result'
import type { Verdict } from '../../../../src/shared/domain/verdict'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { defineTool } from '../../../../src/main/core/tools/defineTool'
import { askUser } from '../../../../src/main/core/tools/builtins/askUser'
import { play, tool } from '../../../support/playTurn'
import { makeTurnWorld, reply, type WorldOptions } from '../../../support/turnWorld'

const signal = (): AbortController => new AbortController()
const deny: Verdict = { kind: 'deny', reason: said('guard.needs-person') }

describe('R1 the loop', () => {
  test('asks, runs the calls, feeds the results back, and stops when the model asks for no tool', async () => {
    const { end, requests, events } = await play({ tools: [tool('look', 'read', (text) => `saw ${text}`)], replies: [reply('I look.', { name: 'look', args: { text: 'x' } }), reply('Done.')] })
    expect(end).toEqual({ reason: 'done', say: said('turn.done'), text: 'Done.', tokens: { input: 20, output: 10 } })
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'The user answered.\nsaw x' })
    expect(events.map((event) => event.type)).toEqual(['assistant-message-added', 'usage-reported', 'tool-called', 'approval-decided', 'tool-started', 'tool-finished', 'assistant-message-added', 'usage-reported', 'turn-ended'])
  })

  test('R9 the tokens are those of all calls of the turn', async () => {
    const look = { name: 'look', args: {} }
    const { end } = await play({ tools: [tool('look', 'read', () => String(Math.random()))], replies: [reply('', look), reply('', look), reply('', look), reply('end')] })
    expect(end.tokens).toEqual({ input: 40, output: 20 })
  })
})

describe('R2 ceilings', () => {
  test('a turn of 3 steps at most ends with a sentence, not silence', async () => {
    let n = 0
    const { end, requests } = await play({ tools: [tool('look', 'read', () => String(n++))], replies: Array.from({ length: 9 }, () => reply('', { name: 'look', args: {} })), maxSteps: 3 })
    expect({ reason: end.reason, say: end.say, asked: requests.length }).toEqual({ reason: 'step-limit', say: said('turn.step-limit', { steps: 3 }), asked: 3 })
  })

  test('R3 thinking that goes round in circles ends the turn with a message as text does, and what came is kept', async () => {
    const line = 'I should look at the file once more, and then decide.\n'
    const { end, events } = await play({ tools: [], replies: [[...Array.from({ length: 30 }, () => ({ kind: 'thinking-delta' as const, text: line })), { kind: 'stopped', reason: 'stop' }]] })
    expect([end.reason, end.say]).toEqual(['repeat', said('turn.repeat-text')])
    expect(events.find((event) => event.type === 'assistant-message-added')).toMatchObject({ reasoning: line.repeat(10), isComplete: false })
  })

  test('R3 two kinds of steps by turns are no loop, nor is a third equal step after the person spoke; three equal ones are', async () => {
    const one = { name: 'look', args: { text: 'a' } }
    const other = { name: 'look', args: { text: 'b' } }
    const turns = await play({ tools: [tool('look', 'read', () => 'same')], replies: [reply('', one), reply('', one), reply('', other), reply('', one), reply('', one), reply('end')] })
    expect(turns.end.reason).toBe('done')
    const spoken = await play({ tools: [tool('look', 'read', () => 'same')], replies: [reply('', one), reply('', one), reply('', one), reply('', one), reply('end')], deliver: (_turn, step) => Promise.resolve(step === 3 ? 1 : 0) })
    expect(spoken.end.reason).toBe('done')
  })

  test('R3 the same call with the same result three times ends the turn; polling whose result changes does not', async () => {
    const poll = Array.from({ length: 5 }, () => reply('', { name: 'look', args: { text: 'a' } }))
    const same = await play({ tools: [tool('look', 'read', () => 'same')], replies: poll })
    expect({ reason: same.end.reason, asked: same.requests.length }).toEqual({ reason: 'repeat', asked: 3 })
    let n = 0
    const changing = await play({ tools: [tool('look', 'read', () => String(n++))], replies: [...poll, reply('end')] })
    expect(changing.end.reason).toBe('done')
  })

  test('R3 the same line ten times in a row ends the reply and the turn', async () => {
    const line = 'the very same line of more than forty characters\n'
    const { end } = await play({ tools: [], replies: [[...Array.from({ length: 30 }, () => ({ kind: 'text-delta' as const, text: line })), { kind: 'stopped', reason: 'stop' }]] })
    expect(end.reason).toBe('repeat')
  })
})

describe('R4 R5 order of calls', () => {
  test('reads of one step overlap, 4 at most; results are recorded in the order of the calls', async () => {
    let now = 0
    let most = 0
    const slow = tool('look', 'read', async (text) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 30 - Number(text)))
      now--
      return text
    })
    const calls = Array.from({ length: 9 }, (_, index) => ({ name: 'look', args: { text: String(index * 3) }, id: `c${index}` }))
    const { finished } = await play({ tools: [slow], replies: [reply('', ...calls), reply('end')] })
    expect({ most, texts: finished.map((event) => event.text.split('\n')[1]) }).toEqual({ most: 4, texts: ['0', '3', '6', '9', '12', '15', '18', '21', '24'] })
  })

  test('writes run one by one and never beside a read', async () => {
    let now = 0
    let most = 0
    const body = async (): Promise<string> => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return 'ok'
    }
    const { finished } = await play({ tools: [tool('look', 'read', body), tool('put', 'write', body)], replies: [reply('', { name: 'put', args: {} }, { name: 'look', args: {} }, { name: 'put', args: {} }), reply('end')] })
    expect({ most, count: finished.length }).toEqual({ most: 1, count: 3 })
  })

  test('two reads of the same real path never overlap', async () => {
    let now = 0
    let most = 0
    const look = tool('look', 'read', async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return 'ok'
    })
    const same = { name: 'look', args: { text: 'path:a.txt' } }
    await play({ tools: [look], replies: [reply('', same, same, same), reply('end')] })
    expect(most).toBe(1)
  })

  test('R6 every call gets exactly one result, also failed, denied, skipped and unknown ones; a tool that throws is one too', async () => {
    const answers = [{ kind: 'deny' as const, reason: 'not now' }, { kind: 'skip' as const }, { kind: 'allow' as const }]
    const { finished, requests } = await play({
      tools: [tool('put', 'write', () => Promise.reject(new Error('disk on fire')))],
      replies: [reply('', { name: 'put', args: {} }, { name: 'put', args: { text: 'b' } }, { name: 'put', args: { text: 'c' } }, { name: 'nope', args: {} }, { name: 'put', args: '{"text": ' }), reply('end')],
      answer: () => answers.shift() ?? { kind: 'allow' },
    })
    expect(finished.map((event) => [event.status, event.text])).toEqual([
      ['denied', 'Denied by the user: not now'],
      ['skipped', 'Skipped by the user. Go on without it.'],
      ['failed', 'The tool failed: disk on fire'],
      ['failed', 'There is no tool named nope.'],
      ['failed', expect.stringContaining('not JSON')],
    ])
    expect(requests).toHaveLength(2)
  })

  test('R7 empty arguments mean {}', async () => {
    const { finished } = await play({ tools: [tool('look', 'read', (text) => `[${text}]`)], replies: [reply('', { name: 'look', args: '' }), reply('end')] })
    expect(finished[0]?.text).toBe('The user answered.\n[]')
  })
})

describe('R62 R63 the gate inside the loop', () => {
  test('journal and events are committed before what they announce: ask, decide, snapshot, start, run, snapshot, finish', async () => {
    const { order } = await play({ tools: [tool('put', 'write', () => 'written')], replies: [reply('', { name: 'put', args: {} }), reply('end')] })
    expect(order.slice(2, 14)).toEqual(['intent', 'tool-called', 'asked', 'approval-asked', 'desk', 'approved', 'approval-decided', 'before-snapshot', 'started', 'tool-started', 'after-snapshot', 'finished'])
  })

  test('a person cannot approve what policy denies: nobody is asked', async () => {
    const { asked, finished } = await play({ tools: [tool('put', 'write', () => 'never')], replies: [reply('', { name: 'put', args: { text: 'path:x' } }), reply('end')], judgePath: () => deny })
    expect({ asked: asked.length, status: finished[0]?.status, text: finished[0]?.text }).toEqual({ asked: 0, status: 'denied', text: expect.stringContaining('Denied by policy') })
  })

  test('edited arguments are judged again: an edit that policy forbids is refused after the person allowed it', async () => {
    let ran = false
    const { finished, asked } = await play({
      tools: [tool('put', 'write', () => ((ran = true), 'x'))],
      replies: [reply('', { name: 'put', args: { text: 'path:fine' } }), reply('end')],
      judgePath: (facts) => (facts.given === 'bad' ? deny : { kind: 'allowable', reason: said('guard.nothing-against') }),
      answer: () => ({ kind: 'edited', args: { text: 'path:bad' } }),
    })
    expect({ ran, asked: asked.length, status: finished[0]?.status }).toEqual({ ran: false, asked: 1, status: 'denied' })
  })

  test('what runs is what the person edited, and the journal holds proposed, approved and effective', async () => {
    const seen: string[] = []
    const { changes } = await play({ tools: [tool('put', 'write', (text) => (seen.push(text), 'x'))], replies: [reply('', { name: 'put', args: { text: 'mine' } }), reply('end')], answer: () => ({ kind: 'edited', args: { text: 'yours' } }) })
    const told = changes.flatMap((change): readonly unknown[] => (change.to === 'intent' ? [change.call.proposed] : change.to === 'approved' ? [change.approved, change.decidedBy] : change.to === 'started' ? [change.effective] : []))
    expect({ seen, told }).toEqual({ seen: ['yours'], told: ['{"text":"mine"}', { text: 'yours' }, 'person', { text: 'yours' }] })
  })

  test('the model is told that the person edited its call, and what ran', async () => {
    const text = async (effect: 'write' | 'execute', args: Readonly<Record<string, string>> | null) => {
      const { finished } = await play({ tools: [tool('act', effect, () => 'x')], replies: [reply('', { name: 'act', args: { text: 'mine' } }), reply('end')], answer: () => (args ? { kind: 'edited', args } : { kind: 'allow' }) })
      return finished[0]?.text
    }
    expect(await text('write', { text: 'yours' })).toMatch(/^The user edited your change before allowing it\./)
    expect(await text('execute', { text: 'yours' })).toMatch(/^The user changed this call before allowing it\. What ran: \{"text":"yours"\}\n/)
    expect(await text('execute', null)).toBe('The user answered.\nx')
  })

  test('R64 asking levels: all asks for reads; writes for writes and commands; commands not for writes; read-only offers only reads', async () => {
    const tools = [tool('look', 'read', () => 'a'), tool('put', 'write', () => 'b'), tool('go', 'execute', () => 'c')]
    const calls = [{ name: 'look', args: {} }, { name: 'put', args: {} }, { name: 'go', args: {} }]
    const asked: Record<string, readonly string[]> = {}
    for (const level of ['all', 'writes', 'commands', 'read-only'] as const) {
      const world = await play({ tools, replies: [reply('', ...calls), reply('end')], level })
      asked[level] = [...world.asked.map((request) => request.tool), ...(world.requests[0]?.tools.map((spec) => `offers ${spec.name}`) ?? [])]
    }
    const all = ['offers look', 'offers put', 'offers go']
    expect(asked).toEqual({ all: ['look', 'put', 'go', ...all], writes: ['put', 'go', ...all], commands: ['go', ...all], 'read-only': ['offers look'] })
  })

  test('ask_user waits for the person and hands the answer to the model', async () => {
    const { finished } = await play({ tools: [askUser], replies: [reply('', { name: 'ask_user', args: { question: 'Which?', options: ['a', 'b'] } }), reply('end')], answer: () => ({ kind: 'edited-text', text: 'b' }) })
    expect(finished[0]).toMatchObject({ status: 'ok', text: 'The user answered.\nb' })
  })
})

describe('R11 cancel', () => {
  test('during a reply: nothing more is shown, no call runs, the turn ends as cancelled', async () => {
    const controller = signal()
    let ran = false
    const { end, parts, finished } = await play({ tools: [tool('look', 'read', () => ((ran = true), 'x'))], replies: [reply('one', { name: 'look', args: {} })], onPart: (part) => part.kind === 'call-piece' && controller.abort() }, controller)
    expect({ reason: end.reason, ran, parts: parts.length, finished: finished.length }).toEqual({ reason: 'cancelled', ran: false, parts: 1, finished: 0 })
  })

  test('between calls: the rest of the step ends as cancelled, each with one result', async () => {
    const controller = signal()
    const { end, finished } = await play({ tools: [tool('put', 'write', () => (controller.abort(), 'done'))], replies: [reply('', { name: 'put', args: {} }, { name: 'put', args: { text: 'b' } })] }, controller)
    expect({ reason: end.reason, statuses: finished.map((event) => event.status) }).toEqual({ reason: 'cancelled', statuses: ['ok', 'cancelled'] })
  })

  test('the last sentence claims no number that is not known: a command does not say what it changed', async () => {
    const cancelledBy = async (effect: 'read' | 'execute') => {
      const controller = signal()
      const { events } = await play({ tools: [tool('act', effect, () => (controller.abort(), 'done'))], replies: [reply('', { name: 'act', args: {} })] }, controller)
      return events.flatMap((event) => (event.type === 'turn-ended' ? [event.say.code] : []))
    }
    expect([await cancelledBy('read'), await cancelledBy('execute')]).toEqual([['turn.cancelled-none'], ['turn.cancelled-ran']])
  })

  test('while an approval waits: it is withdrawn and the call is cancelled', async () => {
    const controller = signal()
    const { end, events, finished } = await play({ tools: [tool('put', 'write', () => 'x')], replies: [reply('', { name: 'put', args: {} })], answer: () => (controller.abort(), null) }, controller)
    expect({ reason: end.reason, withdrawn: events.some((event) => event.type === 'approval-withdrawn'), statuses: finished.map((event) => event.status) }).toEqual({ reason: 'cancelled', withdrawn: true, statuses: ['cancelled'] })
  })
})

describe('R14 R16 a call that grows', () => {
  test('is shown by its end: what is pushed grows with what came, not with its square', async () => {
    const pieces = Array.from({ length: 2000 }, (_, n) => ({ kind: 'call-piece' as const, index: 0, ...(n === 0 ? { id: 'a', name: 'put' } : {}), argumentsText: n === 0 ? '{"text":"' : 'x'.repeat(50) }))
    const { parts } = await play({ tools: [], replies: [[...pieces, { kind: 'stopped', reason: 'tool-calls' }], reply('end')] })
    const growing = parts.filter((part) => part.type === 'call-growing')
    expect(growing.at(-1)).toEqual({ type: 'call-growing', index: 0, name: 'put', tail: 'x'.repeat(200), characters: 9 + 1999 * 50 })
    expect(JSON.stringify(growing).length).toBeLessThan(2000 * 300)
  })
})

describe('R62 R75 the lane', () => {
  test('is left whatever happens in it: a record that cannot be kept holds nobody up', async () => {
    const { turn, ports, order } = makeTurnWorld({ tools: [tool('put', 'write', () => 'x')], replies: [reply('', { name: 'put', args: {} })] })
    const append: typeof ports.record.append = (drafts, changes) => (changes?.some((change) => change.to === 'started') ? Promise.reject(new Error('full')) : ports.record.append(drafts, changes))
    await expect(runTurn(turn, { ...ports, record: { ...ports.record, append } }, signal().signal)).rejects.toThrow('full')
    expect(order.slice(-2)).toEqual(['before-snapshot', 'after-snapshot'])
  })

  test.each([
    ['files that changed', (entered: boolean) => ({ text: entered ? 'other' : 'shown', verdict: 'allowable' as const })],
    ['a guard that asks by now', (entered: boolean) => ({ text: 'shown', verdict: entered ? ('ask' as const) : ('allowable' as const) })],
    ['a guard that denies by now', (entered: boolean) => ({ text: 'shown', verdict: entered ? ('deny' as const) : ('allowable' as const) })],
  ])('what was approved before a wait for it does not run on %s', async (_, now) => {
    let ran = 0
    const order: string[] = []
    const put = tool('put', 'write', () => String(++ran))
    const world = makeTurnWorld({
      tools: [{ ...put, paths: () => [{ path: 'a', use: 'write' }], forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: now(order.length > 0).text, notes: [] }, writes: [], base: {} })) }],
      replies: [reply('', { name: 'put', args: {} }), reply('end')],
      judgePath: () => ({ kind: now(order.length > 0).verdict, reason: said('guard.needs-person') }),
    })
    const enter: typeof world.ports.snapshots.enter = (call, cancel) => (order.push('entered'), world.ports.snapshots.enter(call, cancel))
    await runTurn(world.turn, { ...world.ports, snapshots: { ...world.ports.snapshots, enter } }, signal().signal)
    const finished = world.events.find((event) => event.type === 'tool-finished')
    expect({ ran, status: finished?.type === 'tool-finished' && finished.status, started: world.order.includes('started') }).toEqual({ ran: 0, status: 'failed', started: false })
  })
})

test('DATA 7 R92 a registered secret that the model repeats is in no event, and a call that holds one is not run', async () => {
  let ran = false
  const { events, finished } = await play({ tools: [tool('look', 'read', () => ((ran = true), 'x'))], replies: [reply('It is sk-registered.', { name: 'look', args: { text: 'sk-registered' } }), reply('end')] })
  expect({ ran, stored: JSON.stringify(events).includes('sk-registered'), status: finished[0]?.status, say: finished[0]?.say.code }).toEqual({ ran: false, stored: false, status: 'failed', say: 'tool.holds-secret' })
})

describe('R75 R80 no snapshot, no run', () => {
  const full = fail('snapshot.failed', { why: said('snapshot.disk-full') })
  const write = tool('write', 'write', (text) => `wrote ${text}`)
  const once = reply('', { name: 'write', args: { text: 'a' } })

  /** A world whose first snapshots fail. */
  function failing(times: number, options: Partial<WorldOptions> = {}) {
    const world = makeTurnWorld({ tools: [write], replies: [once, reply('end')], ...options })
    let failures = 0
    const enter: typeof world.ports.snapshots.enter = (call, cancel) => (failures++ < times ? Promise.resolve(full) : world.ports.snapshots.enter(call, cancel))
    return { world, ports: { ...world.ports, snapshots: { ...world.ports.snapshots, enter } } }
  }

  test('a call that was allowed and could not be run is asked again with the reason, and runs once there is room', async () => {
    const { world, ports } = failing(2)
    await runTurn(world.turn, ports, signal().signal)
    expect(world.asked.map(({ notRun }) => notRun?.code ?? null)).toEqual([null, 'snapshot.failed', 'snapshot.failed'])
    expect(new Set(world.asked.map(({ nonce }) => nonce)).size).toBe(3)
    expect(world.events.filter(({ type }) => type === 'tool-started' || type === 'tool-finished')).toMatchObject([{ type: 'tool-started' }, { type: 'tool-finished', status: 'ok' }])
    expect(world.audit.filter(({ fact }) => fact === 'asked').map((one) => one.say ?? null)).toEqual([null, 'No snapshot could be taken (disk full). Nothing was run.', 'No snapshot could be taken (disk full). Nothing was run.'])
  })

  test('skipped then, the model is told what kept it from running', async () => {
    const { world, ports } = failing(9, { answer: ({ notRun }) => (notRun === undefined ? { kind: 'allow' } : { kind: 'skip' }) })
    await runTurn(world.turn, ports, signal().signal)
    expect(world.events.filter(({ type }) => type === 'tool-started')).toEqual([])
    expect(world.events.find(({ type }) => type === 'tool-finished')).toMatchObject({ status: 'failed', say: { code: 'snapshot.failed' }, text: 'No snapshot could be taken (disk full). Nothing was run.' })
  })

  test('a standing answer does not answer again: the person is asked', async () => {
    const { world, ports } = failing(1, { level: 'all' as never, permissions: { live: () => [], remember: () => Promise.resolve(succeed(null)), hold: () => true, holds: () => true, letGo: () => undefined, used: () => Promise.resolve(true) } })
    const free = { ...world, turn: { ...world.turn, level: 'commands' as const } }
    await runTurn(free.turn, { ...ports, record: { ...ports.record, level: () => 'commands' } }, signal().signal)
    expect(world.asked.map(({ notRun }) => notRun?.code)).toEqual(['snapshot.failed'])
  })

  test('what the person edited is asked again as they edited it', async () => {
    const { world, ports } = failing(1, { answer: ({ notRun, args }) => (notRun === undefined ? { kind: 'edited', args: { ...args, text: 'mine' } } : { kind: 'allow' }) })
    await runTurn(world.turn, ports, signal().signal)
    expect(world.asked.map(({ args }) => args['text'])).toEqual(['a', 'mine'])
    expect(world.events.find(({ type }) => type === 'tool-finished')).toMatchObject({ status: 'ok' })
  })

  test('an answer that always allows does not go on for ever', async () => {
    const { world, ports } = failing(1000)
    await runTurn(world.turn, ports, signal().signal)
    expect(world.asked.length).toBeLessThan(30)
    expect(world.events.find(({ type }) => type === 'tool-finished')).toMatchObject({ status: 'failed', say: { code: 'snapshot.failed' } })
  })

  test('a turn that is cancelled while it is asked again ends as cancelled', async () => {
    const controller = signal()
    const { world, ports } = failing(9, { answer: ({ notRun }) => { if (notRun !== undefined) { controller.abort(); return null } return { kind: 'allow' } } })
    const end = await runTurn(world.turn, ports, controller.signal)
    expect([end.reason, world.events.find(({ type }) => type === 'tool-finished')]).toMatchObject(['cancelled', { status: 'cancelled' }])
  })
})

test('R80 what a command would make, and no snapshot would hold, is on its card before it is there', async () => {
  const run = defineTool({
    name: 'run', description: 'run', params: z.object({ command: z.string() }), effect: 'execute', paths: () => [], command: ({ command }) => ({ command, cwd: '.' }),
    forecast: ({ command }) => Promise.resolve(succeed({ preview: { kind: 'command', command, cwd: '.', parts: [] }, writes: [], base: {} })),
    run: () => Promise.resolve({ status: 'ok', say: said('tool.answered') }),
  })
  const part = { argv: ['npm', 'ci'], verdict: 'ask' as const, reason: said('guard.builds'), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, words: ['npm', 'ci'], fit: 'plain' as const, folder: '' }
  const world = makeTurnWorld({ tools: [run], replies: [reply('', { name: 'run', args: { command: 'npm ci' } }), reply('end')], judgeCommand: () => ({ kind: 'ask', reason: said('guard.builds'), parts: [part] }) })
  const coverageOf: typeof world.ports.snapshots.coverageOf = (paths) => Promise.resolve(paths === null ? { kind: 'full', skipped: [] } : { kind: 'none', skipped: paths.map((path) => ({ path, reason: 'ignored' })) })
  await runTurn(world.turn, { ...world.ports, snapshots: { ...world.ports.snapshots, coverageOf } }, signal().signal)
  expect(world.asked[0]?.coverage).toEqual({ kind: 'partial', skipped: [{ path: 'node_modules', reason: 'ignored' }] })
})

test('R91 a model that is chosen in the middle of a turn answers from the next request on, and its message says whose it is', async () => {
  const second = { provider: 'other', model: 'second' }
  const world = makeTurnWorld({ tools: [tool('look', 'read', async () => { await world.ports.record.append([{ type: 'model-changed', choice: second }]); return 'seen' })], replies: [reply('', { name: 'look', args: {} }), reply('end')] })
  await runTurn(world.turn, world.ports, signal().signal)
  expect(world.requests.map(({ choice }) => choice)).toEqual([world.turn.choice, second])
  expect(world.events.flatMap((event) => (event.type === 'assistant-message-added' || event.type === 'usage-reported' ? [event.choice] : []))).toEqual([world.turn.choice, world.turn.choice, second, second])
})
