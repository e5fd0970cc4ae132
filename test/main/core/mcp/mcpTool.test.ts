import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { makeMcpTool, type McpToolNow, type McpToolSource } from '../../../../src/main/core/mcp/mcpTool'
import { judgeCall } from '../../../../src/main/core/policy/judgeCall'
import { builtinTools } from '../../../../src/main/core/tools/builtins'
import { fateOf } from '../../../../src/main/core/agent/unfinishedTurn'
import type { ApprovalAnswer, ApprovalRequest } from '../../../../src/shared/domain/approval'
import type { Call } from '../../../../src/shared/domain/call'
import type { AgentEvent } from '../../../../src/shared/domain/event'
import { asId } from '../../../../src/shared/domain/ids'
import type { McpChange } from '../../../../src/shared/domain/mcp'
import { said, succeed } from '../../../../src/shared/domain/result'
import { makeTurnWorld, reply, type TurnWorld, type WorldOptions } from '../../../support/turnWorld'

// R47, R49, R54, R62, R71, SECURITY 5: a server's tool behind the same gate, journal and record as every other.

const origin = { server: 'Docs server', tool: 'look.up' }
const change = (hash: string): McpChange => ({ subject: 'tool', tool: 'look.up', hash, acceptedAtMs: 1, before: 'old', after: `new ${hash}`, warnings: [] })

interface Fake {
  now: McpToolNow
  readonly log: string[]
  readonly tool: ReturnType<typeof makeMcpTool>
}

function fake(more: Partial<McpToolSource> = {}, start: Partial<McpToolNow> = {}): Fake {
  const log: string[] = []
  const state: { now: McpToolNow } = { now: { description: 'as today', change: null, isOn: true, ...start } }
  const tool = makeMcpTool({
    origin, name: 'mcp__docs_server__look_up', description: 'as accepted', schema: { type: 'object', title: 'sent' }, params: z.record(z.string(), z.unknown()), effect: 'execute',
    now: () => state.now,
    ready: () => Promise.resolve(null),
    notes: () => [],
    refuses: () => null,
    call: (args) => (log.push(`call ${JSON.stringify(args)}`), Promise.resolve({ status: 'ok', say: said('mcp.call-done', { ...origin }), body: 'from the server' })),
    accept: (hash) => {
      log.push(`accept ${hash}`)
      if (state.now.change?.hash === hash) state.now = { ...state.now, change: null }
      return Promise.resolve()
    },
    ...more,
  })
  return { log, tool, get now() { return state.now }, set now(next) { state.now = next } }
}

async function play(of: Fake, options: Partial<WorldOptions> = {}): Promise<TurnWorld & { readonly finished: AgentEvent | undefined }> {
  const world = makeTurnWorld({ tools: [of.tool], replies: [reply('', { name: of.tool.name, args: { q: 'a\u200bb', n: 1 } }), reply('Done.')], ...options })
  await runTurn(world.turn, world.ports, new AbortController().signal)
  return { ...world, finished: world.events.find((event) => event.type === 'tool-finished') }
}

test('R47 R62 the card shows server, original name, the words of today, the arguments whole and untouched, and the notes', async () => {
  const note = said('mcp.gone', { server: 'other' })
  const { asked, events, requests } = await play(fake({ notes: () => [note] }))
  expect(asked.map(({ effect, preview, reason }) => ({ effect, preview, reason }))).toEqual([
    { effect: 'execute', reason: said('guard.nothing-against'), preview: { kind: 'mcp', origin, description: 'as today', text: '{\n  "q": "a\u200bb",\n  "n": 1\n}', change: null, notes: [note] } },
  ])
  expect(events.find((event) => event.type === 'tool-called')).toMatchObject({ tool: 'mcp__docs_server__look_up', effect: 'execute', mcp: origin })
  expect(requests[0]?.tools).toEqual([{ name: 'mcp__docs_server__look_up', description: 'as accepted', parameters: { type: 'object', title: 'sent' } }])
})

test('R71 the result is recorded as outside text before it is recorded, in one piece with it', async () => {
  const of = fake()
  const { events, order } = await play(of)
  expect(of.log).toEqual(['call {"q":"a\u200bb","n":1}'])
  expect(events.filter((event) => event.type === 'taint-marked' || event.type === 'tool-finished').map((event) => event.type)).toEqual(['taint-marked', 'tool-finished'])
  expect(order.slice(order.indexOf('finished'))).toEqual(['finished', 'taint-marked', 'tool-finished', 'assistant-message-added', 'usage-reported', 'turn-ended'])
})

test.each(['all', 'writes', 'commands'] as const)('R54 at the level %s a changed definition needs a person, and its annotations help nothing', async (level) => {
  const of = fake({}, { change: change('h1') })
  const world = makeTurnWorld({ tools: [], replies: [] })
  const judgement = await judgeCall(of.tool, {}, { ...world.ports.judge, level })
  expect(judgement.verdict).toEqual({ kind: 'ask', reason: said('mcp.tool-changed', { ...origin }) })
  expect((await judgeCall(fake().tool, {}, { ...world.ports.judge, level })).verdict.kind).toBe('allowable')
})

test('R54 who allows the call has seen the change, and it is accepted before the call runs', async () => {
  const of = fake({}, { change: change('h1') })
  const { asked, finished } = await play(of)
  expect(asked.map((request) => request.preview.kind === 'mcp' && request.preview.change?.hash)).toEqual(['h1'])
  expect([of.log, finished]).toMatchObject([['accept h1', 'call {"q":"a\u200bb","n":1}'], { status: 'ok' }])
})

test('R54 a denied or skipped call accepts nothing', async () => {
  for (const answer of [{ kind: 'deny', reason: 'no' }, { kind: 'skip' }] as const) {
    const of = fake({}, { change: change('h1') })
    await play(of, { answer: () => answer })
    expect([of.log, of.now.change?.hash]).toEqual([[], 'h1'])
  }
})

test('R54 a definition that changes while the question waits is asked about again, with the new difference', async () => {
  const of = fake({}, { change: change('h1') })
  const answers: ((request: ApprovalRequest) => ApprovalAnswer)[] = [() => ((of.now = { ...of.now, change: change('h2') }), { kind: 'allow' }), () => ({ kind: 'allow' })]
  const { asked } = await play(of, { answer: (request) => answers.shift()?.(request) ?? { kind: 'skip' } })
  expect(asked.map((request) => request.preview.kind === 'mcp' && request.preview.change?.after)).toEqual(['new h1', 'new h2'])
  expect(of.log).toEqual(['accept h2', 'call {"q":"a\u200bb","n":1}'])
})

test('R54 one that changes once it was allowed does not run: not while it waits for the folder, nor while the acceptance is stored', async () => {
  const waiting = fake()
  const world = makeTurnWorld({ tools: [waiting.tool], replies: [reply('', { name: waiting.tool.name, args: {} }), reply('')] })
  const enter: typeof world.ports.snapshots.enter = (...args) => ((waiting.now = { ...waiting.now, change: change('h9') }), world.ports.snapshots.enter(...args))
  await runTurn(world.turn, { ...world.ports, snapshots: { ...world.ports.snapshots, enter } }, new AbortController().signal)
  expect([waiting.log, world.events.find((event) => event.type === 'tool-finished')]).toMatchObject([[], { status: 'failed', say: { code: 'tool.changed-meanwhile' } }])

  const network = fake({ effect: 'network' })
  const sent = makeTurnWorld({ tools: [network.tool], replies: [reply('', { name: network.tool.name, args: {} }), reply('')] })
  const append: typeof sent.ports.record.append = (drafts, changes) => {
    if (drafts[0]?.type === 'tool-started') network.now = { ...network.now, change: change('h9') }
    return sent.ports.record.append(drafts, changes)
  }
  await runTurn(sent.turn, { ...sent.ports, record: { ...sent.ports.record, append } }, new AbortController().signal)
  expect([network.log, sent.events.find((event) => event.type === 'tool-finished')]).toMatchObject([[], { status: 'failed', say: { code: 'mcp.changed-meanwhile' } }])

  const storing: Fake = fake({ accept: () => ((storing.now = { ...storing.now, change: change('h2') }), Promise.resolve()) }, { change: change('h1') })
  expect([(await play(storing)).finished, storing.log]).toMatchObject([{ status: 'failed', say: { code: 'mcp.changed-meanwhile' } }, []])
})

test('R62 what a rule of the server forbids, or what is switched off, nobody is asked about', async () => {
  const forbidden = await play(fake({ refuses: () => said('mcp.gone', { server: 'x' }) }, { change: change('h1') }))
  const off = await play(fake({}, { isOn: false }))
  expect([forbidden, off].map(({ asked, finished }) => [asked.length, finished?.type === 'tool-finished' && finished.say])).toEqual([
    [0, said('tool.denied-policy', { reason: said('mcp.gone', { server: 'x' }) })],
    [0, said('tool.denied-policy', { reason: said('mcp.tool-off', { ...origin }) })],
  ])
})

test('R62 edited arguments are checked by the original schema and shown to nobody twice', async () => {
  const of = fake({ params: z.object({ q: z.string() }) })
  const { finished } = await play(of, { answer: () => ({ kind: 'edited', args: { q: 'mine' } }) })
  expect([of.log, finished]).toMatchObject([['call {"q":"mine"}'], { status: 'ok' }])
  const bad = fake({ params: z.object({ q: z.string() }) })
  expect([(await play(bad, { answer: () => ({ kind: 'edited', args: { q: 7 } }) })).finished, bad.log]).toMatchObject([{ status: 'failed', say: { code: 'tool.bad-arguments' } }, []])
})

test('R49 pictures and links of a result are in its event, their words redacted', async () => {
  const content = [{ kind: 'image', mimeType: 'image/png', ref: 'r', sizeBytes: 3, name: 'token-1' }, { kind: 'link', uri: 'https://x/?k=token-1', name: 'token-1', description: 'token-1', mimeType: null }] as const
  const { finished } = await play(fake({ call: () => Promise.resolve({ status: 'ok', say: said('tool.answered'), content }) }), { redact: (text) => text.replaceAll('token-1', '***') })
  expect(finished).toMatchObject({ content: [{ ...content[0], name: '***' }, { kind: 'link', uri: 'https://x/?k=***', name: '***', description: '***', mimeType: null }] })
})

test('R71 invariant: no result with outside text without a mark for that call before it, whatever the calls, answers and faults', async () => {
  const servers = ['a', 'b']
  const kind = fc.record({ server: fc.constantFrom(...servers), effect: fc.constantFrom('execute' as const, 'network' as const), fails: fc.constantFrom('ok' as const, 'failed' as const, 'throws' as const) })
  const step = fc.array(fc.constantFrom(0, 1, 2, 'update_plan' as const), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.tuple(kind, kind, kind), fc.array(step, { minLength: 1, maxLength: 4 }), fc.array(fc.constantFrom('allow', 'allow', 'deny', 'skip'), { minLength: 1 }), async (kinds, steps, answers) => {
      const ran = new Set<string>()
      const tools = kinds.map(({ server, effect, fails }, n) =>
        fake({ name: `mcp__${server}__${n}`, origin: { server, tool: `${n}` }, effect, call: (_args, context) => {
          if (fails === 'throws') throw new Error('bug')
          ran.add(context.callId)
          return Promise.resolve({ status: fails, say: said('tool.answered'), body: 'OUTSIDE' })
        } }).tool)
      const plan = builtinTools.filter((tool) => tool.name === 'update_plan')
      const replies = steps.map((calls) => reply('', ...calls.map((call) => (call === 'update_plan' ? { name: call, args: { steps: [{ title: 'x', status: 'done' }] } } : { name: tools[call]?.name ?? '', args: {} }))))
      let asked = 0
      const world = makeTurnWorld({ tools: [...tools, ...plan], replies: [...replies, reply('End.')], answer: () => ({ kind: answers[asked++ % answers.length] as 'allow' | 'skip', reason: '' }) as ApprovalAnswer })
      await runTurn(world.turn, world.ports, new AbortController().signal)
      world.events.forEach((event, at) => {
        if (event.type !== 'tool-finished') return
        const before = world.events.slice(0, at)
        const called = before.find((one) => one.type === 'tool-called' && one.callId === event.callId)
        const mark = before.find((one) => one.type === 'taint-marked' && one.callId === event.callId)
        const expected = ran.has(event.callId) && called?.type === 'tool-called' ? { kind: 'mcp', server: called.mcp?.server } : undefined
        expect(mark?.type === 'taint-marked' ? mark.source : undefined).toEqual(expected)
        expect(event.text.includes('OUTSIDE')).toBe(expected !== undefined)
      })
    }),
    { numRuns: 60 },
  )
})

test.each(['execute', 'network'] as const)('R84 a started call of a server (%s) whose end is not known is said to be so and never repeated', async (effect) => {
  const row = (state: Call['state']): Call => ({ callId: asId('c'), state, effect, writes: [] }) as unknown as Call
  const hashes = () => Promise.reject(new Error('not asked'))
  expect(await fateOf(row('started'), hashes)).toEqual({ kind: 'unknown', callId: 'c', status: 'unknown', say: said('call.unknown') })
  expect(await Promise.all((['intent', 'approved'] as const).map((state) => fateOf(row(state), hashes)))).toEqual([{ kind: 'again', callId: 'c' }, { kind: 'again', callId: 'c' }])
})

test('R71 a call that was called off leaves no mark: nothing of the server was read', async () => {
  const { events, finished } = await play(fake({ call: () => Promise.resolve({ status: 'cancelled', say: said('tool.cancelled') }) }))
  expect(finished).toMatchObject({ status: 'cancelled' })
  expect(events.filter((event) => event.type === 'taint-marked')).toEqual([])
})

test('R54 a forecast is no promise: it is made anew at each look', async () => {
  const of = fake()
  const look = () => of.tool.forecast({}, {} as never)
  const first = await look()
  of.now = { ...of.now, description: 'another' }
  expect([first, await look()]).toMatchObject([succeed({ preview: { description: 'as today' } }), succeed({ preview: { description: 'another' } })])
})
