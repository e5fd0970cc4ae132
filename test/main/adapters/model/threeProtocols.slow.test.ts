import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { makeHistory } from '../../../../src/main/core/context/history'
import { makeAssembler } from '../../../../src/main/core/stream/assemble'
import { protocols, type Protocol } from '../../../../src/shared/domain/catalogue'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type MessageId, type SessionId, type TurnId } from '../../../../src/shared/domain/ids'
import { unknownFacts, type AssembledReply, type ModelChoice } from '../../../../src/shared/domain/model'
import { said } from '../../../../src/shared/domain/result'
import { httpAnswer, reply, startFakeModelServer, type FakeModelOptions, type FakeModelServer } from '../../../support/fakeModelServer'
import { clientOf, partsOf, request, told } from './world'

// R14, R20, R86, R88, R89, R91: the one HTTP layer under each protocol, over real sockets.

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

async function serve(steps: FakeModelOptions['steps']): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ ...(steps ? { steps } : {}) })
  toClose.push(() => server.close())
  return server
}

function open(server: FakeModelServer, protocol: Protocol, parts: Parameters<typeof clientOf>[1] = {}) {
  const world = clientOf(protocol === 'openai' ? server.baseUrl : server.origin, { ...parts, at: { protocol, ...parts?.at } })
  toClose.push(world.close)
  return world.client
}

const shown = (parts: Parameters<typeof told>[0]): readonly string[] => told(parts).filter((line) => line !== 'usage')

async function noneOpen(server: FakeModelServer): Promise<number> {
  for (let tries = 0; tries < 100 && server.openSockets() > 0; tries++) await delay(5)
  return server.openSockets()
}

describe.each(protocols)('%s', (protocol) => {
  test('R90 a message of one picture and no words is taken whole: what it is stands beside it', async () => {
    const server = await serve([reply({ text: 'A dot.' })])
    const history = makeHistory()
    history.add({ type: 'user-message-added', v: 1, sessionId: asId<SessionId>('s'), seq: 1, atMs: 1, turnId: asId<TurnId>('t'), messageId: asId<MessageId>('m'), text: '', files: [{ path: null, name: 'dot.png', text: '', outputRef: null, content: [{ kind: 'image', mimeType: 'image/png', ref: 'r', sizeBytes: 3, name: 'dot.png' }] }] })
    const client = open(server, protocol, { pictures: { readBlob: () => Promise.resolve(Uint8Array.from([1, 2, 3])) }, facts: () => Promise.resolve({ ...unknownFacts, seesImages: true }) })
    expect(shown(await partsOf(client, { ...request, messages: history.messages('') }))).toEqual(['text A dot.', 'stopped stop'])
    const words = 'The user attached the picture "dot.png".'
    const bodies: Readonly<Record<Protocol, unknown>> = {
      openai: { role: 'user', content: [{ type: 'text', text: words }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }] },
      anthropic: { role: 'user', content: [{ type: 'text', text: words }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } }] },
      ollama: { role: 'user', content: words, images: ['AQID'] },
    }
    expect(server.requests[0]?.messages.at(-1)).toMatchObject(bodies[protocol] as object)
  })

  test('R14 a cancel closes the socket, and no further part comes', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer that goes on and on' }), stallAfter: 700 }])
    const cancel = new AbortController()
    const kinds: string[] = []
    for await (const part of open(server, protocol).stream(request, cancel.signal)) {
      kinds.push(part.kind)
      cancel.abort()
    }
    expect([kinds, await server.requests[0]?.closed, await noneOpen(server)]).toEqual([['text-delta'], true, 0])
  })

  test('R20 silence ends a stream and keeps what was shown', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer that stalls in the middle' }), stallAfter: 700 }])
    const lines = told(await partsOf(open(server, protocol, { stall: 100 })))
    expect([lines[0]?.startsWith('text half'), lines.at(-1)]).toEqual([true, expect.stringMatching(/^failed stalled true/)])
    expect(await noneOpen(server)).toBe(0)
  })

  test.each([
    [{ 'retry-after': '1' }, 1000],
    [{ 'retry-after-ms': '30' }, 30],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
  ] as const)('R89 a wait that is asked for by %j', async (headers, waitMs) => {
    const server = await serve([httpAnswer(529, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, headers), reply({ text: 'ok' })])
    const parts = await partsOf(open(server, protocol))
    expect([parts[0], shown(parts).slice(1)]).toEqual([expect.objectContaining({ kind: 'retrying', waitMs }), ['text ok', 'stopped stop']])
  })

  test('the connection is used again, the key and the form of the answer are in the headers', async () => {
    const server = await serve([reply({ text: 'one' }), reply({ text: 'two' })])
    const client = open(server, protocol, { key: 'k1' })
    await partsOf(client)
    await delay(100)
    await partsOf(client)
    expect(server.openSockets()).toBe(1)
    const headers: Readonly<Record<string, unknown>> = server.requests[0]?.headers ?? {}
    expect([headers['x-api-key'] ?? headers['authorization'], headers['accept']]).toEqual([protocol === 'anthropic' ? 'k1' : 'Bearer k1', protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'])
  })

  test.each(['', '/', 'whole'])('the address may end in %j', async (end) => {
    const server = await serve([reply({ text: 'ok' })])
    const paths = { openai: '/v1/chat/completions', anthropic: '/v1/messages', ollama: '/api/chat' }
    const base = protocol === 'openai' ? server.baseUrl : server.origin
    const { client, close } = clientOf(end === 'whole' ? `${server.origin}${paths[protocol]}` : base + end, { at: { protocol } })
    toClose.push(close)
    expect(shown(await partsOf(client))).toEqual(['text ok', 'stopped stop'])
    expect(server.requests[0]?.path).toBe(paths[protocol])
  })
})

const at = { v: 1, sessionId: asId<SessionId>('s'), atMs: 0 }
const turnId = asId<TurnId>('t')

/** A session that is talked through client and history, as a turn does it. */
function talker(clients: Readonly<Record<string, ReturnType<typeof open>>>, preset: Readonly<Record<string, string>> = {}) {
  const history = makeHistory()
  let seq = 0
  const add = (draft: EventDraft): void => {
    const event: AgentEvent = { ...draft, ...at, seq: ++seq }
    history.add(event)
  }
  const say = (text: string): void => add({ type: 'user-message-added', turnId, messageId: asId<MessageId>(`u${seq}`), text })
  const ask = async (choice: ModelChoice): Promise<AssembledReply> => {
    const assembler = makeAssembler(`call_${seq}`)
    const messages = history.messages('You are.')
    const client = clients[choice.provider]
    if (!client) throw new Error(`no client ${preset[choice.provider] ?? choice.provider}`)
    for (const part of await partsOf(client, { choice, messages, tools: [{ name: 'f', description: '', parameters: { type: 'object' } }] })) assembler.feed(part)
    const made = assembler.result()
    const calls = made.calls.map((call, n) => ({ ...call, callId: asId<CallId>(`c${seq}_${n}`) }))
    add({ type: 'assistant-message-added', turnId, step: 1, messageId: asId<MessageId>(`a${seq}`), text: made.text, reasoning: made.reasoning, ...(made.thinking.length > 0 ? { thinking: made.thinking } : {}), choice, calls, stop: made.stop, isComplete: made.status === 'complete' })
    for (const call of calls) add({ type: 'tool-finished', turnId, step: 1, callId: call.callId, status: 'ok', say: said('turn.done'), text: 'result', changed: [], exitCode: null, outputRef: null, durationMs: 1 })
    return made
  }
  return { say, ask }
}

const thoughtful = (text: string) => reply({ reasoning: `thought of ${text}`, text, calls: [{ name: 'f', args: {} }] })

test.each(protocols)('R88 thinking that came in the protocol %s goes back to its model as it came, and to no other', async (protocol) => {
  const own = await serve(() => thoughtful(protocol))
  const others = protocols.filter((one) => one !== protocol)
  const servers = await Promise.all(others.map(() => serve(() => thoughtful('other'))))
  const at2 = protocol === 'openai' ? { preset: 'deepseek' } : {}
  const clients = { [protocol]: open(own, protocol, { at: at2 }), ...Object.fromEntries(others.map((one, n) => [one, open(servers[n] ?? own, one)])) }
  const { say, ask } = talker(clients)
  const choice = { provider: protocol, model: 'm' }
  say('go')
  expect((await ask(choice)).status).toBe('complete')
  await ask(choice)
  for (const other of others) expect((await ask({ provider: other, model: 'm' })).status).toBe('complete')
  await ask({ ...choice, model: 'another' })
  await ask(choice)
  const bodies = own.requests.map((one) => one.bodyText)
  expect(bodies.map((text) => text.includes(`thought of ${protocol}`))).toEqual([false, true, false, true])
  expect(bodies.some((text) => text.includes('thought of other'))).toBe(false)
  expect(servers.map((server) => server.requests.some((one) => one.bodyText.includes(`thought of ${protocol}`)))).toEqual([false, false])
})

test('R88 the very form in which thinking goes back: a field, a signed block, a field of Ollama', async () => {
  const servers = await Promise.all(protocols.map(() => serve(() => thoughtful('x'))))
  const [openai, anthropic, ollama] = servers as [FakeModelServer, FakeModelServer, FakeModelServer]
  const { say, ask } = talker({ openai: open(openai, 'openai', { at: { preset: 'moonshot' } }), anthropic: open(anthropic, 'anthropic'), ollama: open(ollama, 'ollama') })
  say('go')
  for (const provider of protocols) await ask({ provider, model: 'm' })
  for (const provider of protocols) await ask({ provider, model: 'm' })
  const assistants = (server: FakeModelServer) => server.requests[1]?.messages.filter((message) => message.role === 'assistant') ?? []
  expect(assistants(openai).map((message) => message['reasoning_content'])).toEqual(['thought of x', '', ''])
  expect(assistants(anthropic).map((message) => (message.content as readonly { readonly type: string }[])[0])).toEqual([
    expect.objectContaining({ type: 'text' }),
    { type: 'thinking', thinking: 'thought of x', signature: 'sig-0' },
    expect.objectContaining({ type: 'text' }),
    expect.objectContaining({ type: 'text' }),
  ])
  expect(assistants(ollama).map((message) => message['thinking'])).toEqual([undefined, undefined, 'thought of x', undefined, undefined])
})

test('R86 what a server refuses by name is left out or named otherwise, once and for all', async () => {
  const server = await serve((asked) => {
    if ('stream_options' in asked.body) return httpAnswer(400, { error: { message: 'Unknown field: stream_options' } })
    if ('max_tokens' in asked.body) return httpAnswer(400, { error: { message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead." } })
    return asked.messages.some((message) => message.role === 'developer') ? httpAnswer(422, { error: { message: 'unknown variant `developer`' } }) : reply({ text: 'ok' })
  })
  const client = open(server, 'openai', { at: { quirks: { systemRole: 'developer' } } })
  const ask = { ...request, messages: [{ role: 'system' as const, text: 'You are.' }, ...request.messages], maxOutputTokens: 9 }
  expect(told(await partsOf(client, ask))).toEqual(['text ok', 'stopped stop'])
  expect(told(await partsOf(client, ask))).toEqual(['text ok', 'stopped stop'])
  expect(server.requests).toHaveLength(5)
  expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 9, messages: [{ role: 'system' }, { role: 'user' }] })
})

test('R86 a server that refuses for another reason is not asked again and again', async () => {
  const server = await serve(() => httpAnswer(400, { error: { message: 'stream_options and max_completion_tokens and developer: none of your business' } }))
  expect(told(await partsOf(open(server, 'openai'))).at(-1)).toMatch(/^failed refused false/)
  expect(server.requests.length).toBeLessThanOrEqual(4)
})

test('R88 R16 entries of a list of thinking come in pieces, are shown as text and go back whole', async () => {
  const pieces = [{ type: 'reasoning.text', index: 0, text: 'Let ', format: 'a' }, { type: 'reasoning.text', index: 0, text: 'me.' }, { type: 'reasoning.text', index: 0, signature: 'S' }, { type: 'reasoning.encrypted', index: 1, data: 'D' }]
  const extra = pieces.map((piece) => `data: ${JSON.stringify({ choices: [{ delta: { reasoning_details: [piece] } }] })}`)
  const server = await serve([reply({ extra, calls: [{ name: 'f', args: {} }] }), reply({ text: 'ok' })])
  const { say, ask } = talker({ o: open(server, 'openai', { at: { preset: 'openrouter' } }) })
  say('go')
  expect((await ask({ provider: 'o', model: 'm' })).reasoning).toBe('Let me.')
  await ask({ provider: 'o', model: 'm' })
  expect(server.requests[1]?.messages[2]?.['reasoning_details']).toEqual([{ type: 'reasoning.text', index: 0, text: 'Let me.', format: 'a', signature: 'S' }, { type: 'reasoning.encrypted', index: 1, data: 'D' }])
})

test('a provider that is slow to tell of its models holds up no request that says nothing of them', async () => {
  const server = await serve([reply({ text: 'ok' })])
  const never = () => new Promise<never>(() => undefined)
  expect(shown(await partsOf(open(server, 'openai', { facts: never })))).toEqual(['text ok', 'stopped stop'])
})

test('R90 Ollama is told the window that the app counts with', async () => {
  const server = await serve([reply({ text: 'ok' })])
  await partsOf(open(server, 'ollama', { facts: () => Promise.resolve({ ...unknownFacts, windowTokens: 8192 }) }))
  expect(server.requests[0]?.body['options']).toEqual({ num_ctx: 8192 })
})
