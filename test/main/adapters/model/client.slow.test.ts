import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../../../src/shared/domain/model'
import { htmlPage, httpAnswer, rateLimited, rawStream, reply, startFakeModelServer, type FakeModelOptions, type FakeModelServer } from '../../../support/fakeModelServer'
import { clientOf, partsOf, request, told } from './world'

// R18–R20, R89, R14: requests, retries, stalls, cancels and faults in words, over real sockets.

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

async function serve(steps: FakeModelOptions['steps']): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ ...(steps ? { steps } : {}) })
  toClose.push(() => server.close())
  return server
}

function open(baseUrl: string, parts: Parameters<typeof clientOf>[1] = {}) {
  const world = clientOf(baseUrl, parts)
  toClose.push(world.close)
  return world.client
}

const joined = (lines: readonly string[]): string => lines.filter((line) => line.startsWith('text ')).map((line) => line.slice(5)).join('')

describe('what is sent', () => {
  test('R51 the most tokens of an answer are told to the provider where somebody set them, and only there', async () => {
    const server = await serve([reply({ text: 'a' }), reply({ text: 'b' })])
    const client = open(server.baseUrl)
    await partsOf(client, { ...request, maxOutputTokens: 40 })
    await partsOf(client, request)
    expect(server.requests.map((one) => one.body['max_tokens'])).toEqual([40, undefined])
  })

  test('messages in order in the protocol form, tools, the key, and the wish for usage', async () => {
    const server = await serve([reply({ text: 'ok' })])
    const ask: ModelRequest = {
      choice: request.choice,
      messages: [
        { role: 'system', text: 'You are.' },
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: '', reasoning: 'hm', calls: [{ providerCallId: 'a', name: 'read_file', argumentsText: '{"path":"x"}' }] },
        { role: 'tool', providerCallId: 'a', name: 'read_file', text: 'content 文' },
        { role: 'assistant', text: 'Done.', calls: [] },
        { role: 'user', text: 'more' },
      ],
      tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
    }
    await partsOf(open(`${server.baseUrl}/`, { key: ' secret-key \n' }), ask)
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer secret-key')
    expect(server.requests[0]?.path).toBe('/v1/chat/completions')
    expect(server.requests[0]?.body).toEqual({
      model: 'fake-model',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'You are.' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'content 文' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'more' },
      ],
      tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } } }],
    })
  })

  test('no tools, no key: neither is in the request', async () => {
    const server = await serve([reply({ text: 'ok' })])
    await partsOf(open(server.baseUrl))
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('the whole address of the call works as the base address', async () => {
    const server = await serve([reply({ text: 'ok' })])
    expect(told(await partsOf(open(`${server.baseUrl}/chat/completions`)))).toEqual(['text ok', 'stopped stop'])
  })

  test('a server that refuses the wish for usage is asked without it, once and for all', async () => {
    const server = await serve((asked) => ('stream_options' in asked.body ? httpAnswer(400, { error: { message: 'Unknown field: stream_options' } }) : reply({ text: 'ok' })))
    const client = open(server.baseUrl)
    expect(told(await partsOf(client))).toEqual(['text ok', 'stopped stop'])
    expect(told(await partsOf(client))).toEqual(['text ok', 'stopped stop'])
    expect(server.requests.map((asked) => 'stream_options' in asked.body)).toEqual([true, false, false])
  })

  test('the connection is used again for the next step', async () => {
    const server = await serve([reply({ text: 'one' }), reply({ text: 'two' })])
    const client = open(server.baseUrl)
    await partsOf(client)
    // The tail of an answer is read after its parts were given.
    await delay(100)
    await partsOf(client)
    expect(server.openSockets()).toBe(1)
  })
})

describe('R89: retries', () => {
  test('a fault before anything was shown is retried, and said to be', async () => {
    const server = await serve([httpAnswer(503, { error: { message: 'busy' } }), rateLimited(0), { ...reply({ text: 'x' }), dropAfter: 0 }, reply({ text: 'ok' })])
    expect(told(await partsOf(open(server.baseUrl)))).toEqual(['retrying 1 server', 'retrying 2 rate-limit', 'retrying 3 network', 'text ok', 'stopped stop'])
  })

  test('retries are bounded; the last fault is told', async () => {
    const server = await serve(() => httpAnswer(500, { error: { message: 'boom' } }))
    const lines = told(await partsOf(open(server.baseUrl)))
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['retrying', 'retrying', 'retrying', 'failed'])
    expect(lines.at(-1)).toContain('has a fault of its own (500). Wait a moment, then send again. The provider said: boom')
    expect(server.requests).toHaveLength(4)
  })

  test('Retry-After is kept to, and a wait that is too long is told instead', async () => {
    const server = await serve([rateLimited(1), rateLimited(3600)])
    const parts = await partsOf(open(server.baseUrl))
    expect(parts[0]).toMatchObject({ kind: 'retrying', waitMs: 1000, fault: { retryAfterMs: 1000 } })
    expect(told(parts)[1]).toContain('come back in 3,600 seconds')
  })

  test('nothing is sent again once something was shown', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer' }), dropAfter: 450 }, reply({ text: 'never' })])
    const lines = told(await partsOf(open(server.baseUrl)))
    expect(lines.at(-1)).toMatch(/^failed cut true: The connection ended/)
    expect(server.requests).toHaveLength(1)
  })

  test('what cannot get better is not sent again', async () => {
    const server = await serve(() => httpAnswer(401, { error: { message: 'Incorrect API key provided: sk-1234567890' } }))
    const lines = told(await partsOf(open(server.baseUrl, { key: 'sk-1234567890' })))
    expect(lines).toEqual([expect.stringMatching(/^failed auth false: The provider refused the key \(401\)\. Nothing was changed\. .*The provider said: Incorrect API key provided: \[redacted:key\]$/)])
    expect(server.requests).toHaveLength(1)
  })
})

describe('R89: each fault in words with what to do', () => {
  test.each([
    ['a key that is missing', httpAnswer(401, { error: { message: 'no key' } }), /auth false: .* asks for a key and none is set \(401\)\. Add one in Models\./],
    ['no credit', httpAnswer(402, { error: { message: 'Insufficient Balance' } }), /refused false: .* no credit left \(402\)/],
    ['no access', httpAnswer(403, { error: { message: 'no access' } }), /auth false: .* does not allow this key to use fake-model \(403\)/],
    ['a wrong model or address', httpAnswer(404, 'Not Found'), /protocol false: .* knows neither the model fake-model nor this address \(404\).*\/v1\. The provider said: Not Found/],
    ['a request that is too large', httpAnswer(413, ''), /refused false: The request is too large/],
    ['a conversation that is too long', httpAnswer(400, { error: { message: "This model's maximum context length is 8192 tokens", code: 'context_length_exceeded' } }), /refused false: The conversation is longer than fake-model can take/],
    ['a request it does not accept', httpAnswer(422, { detail: [{ msg: 'field required' }] }), /refused false: .* did not accept the request \(422\)\. The provider said: .*field required/],
    ['a quota that is used up', httpAnswer(429, { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }), /refused false: .* quota is used up \(429\)/],
    ['a redirect', httpAnswer(301, '', { location: 'https://elsewhere.example/v1' }), /protocol false: .* redirect to https:\/\/elsewhere\.example\/v1\. Nothing was sent there/],
    ['a web page', htmlPage(404), /protocol false: .* web page instead of a model \(404, Bad gateway\)/],
    ['a strange status', httpAnswer(304, ''), /protocol false: .* redirect/],
  ])('%s', async (_, step, words) => {
    const server = await serve([step])
    expect(told(await partsOf(open(server.baseUrl))).join('\n')).toMatch(words)
    expect(server.requests).toHaveLength(1)
  })

  const once = { retries: { times: 0, baseMs: 0, longestMs: 0 } }

  test('a web page of a gateway that is down may be tried again', async () => {
    const server = await serve([htmlPage(502)])
    expect(told(await partsOf(open(server.baseUrl, once)))[0]).toMatch(/^failed server true: .* web page/)
  })

  test('nothing answers at the address', async () => {
    const server = await serve([])
    const { baseUrl } = server
    await server.close()
    expect(told(await partsOf(open(baseUrl, once)))[0]).toMatch(/^failed network true: Nothing answers at 127\.0\.0\.1:\d+\. Start the server/)
  })

  test('https to a server that speaks plain HTTP', async () => {
    const server = await serve([reply({ text: 'x' })])
    expect(told(await partsOf(open(server.baseUrl.replace('http:', 'https:'), once)))[0]).toMatch(/^failed network false: .* does not speak https on this port/)
  })

  test('a server that speaks no HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.write('220 mail ready\r\n')))
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    toClose.push(() => new Promise((resolve) => tcp.close(resolve)))
    expect(told(await partsOf(open(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/v1`, once)))[0]).toMatch(/^failed network false: .* does not speak HTTP on this port/)
  })

  test.each(['not an address', 'ftp://host/v1', ''])('an address that is none: %j', async (address) => {
    expect(told(await partsOf(open(address)))[0]).toMatch(/^failed protocol false: The address .* is not a web address/)
  })

  test('a key with characters that no header takes', async () => {
    const server = await serve([reply({ text: 'x' })])
    expect(told(await partsOf(open(server.baseUrl, { ...once, key: 'bad\nkey' })))[0]).toMatch(/^failed auth false: The key for .* holds characters that no key has/)
  })

  test('a provider that is not set up', async () => {
    expect(told(await partsOf(open('x', { endpoint: () => Promise.resolve(null) })))).toEqual(['failed protocol false: The provider p is not set up. Choose another one, or add it in Models.'])
  })
})

describe('R20: silence', () => {
  test('comments keep a stream alive for as long as they come', async () => {
    const comments = rawStream(`${': thinking\n\n'.repeat(12)}${'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n'}`)
    const server = await serve([{ ...comments, cuts: Array.from({ length: 12 }, (_, at) => at * 12), pieceDelayMs: 40 }])
    expect(told(await partsOf(open(server.baseUrl, { stall: 200 })))).toEqual(['text ok', 'stopped stop'])
  })

  test('a stream that falls silent ends as stalled and keeps what was shown', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer that stalls' }), stallAfter: 600 }])
    const lines = told(await partsOf(open(server.baseUrl, { stall: 100 })))
    expect(joined(lines)).toMatch(/^half/)
    expect(lines.at(-1)).toMatch(/^failed stalled true: .* sent nothing for 0 seconds/)
    expect(await server.requests[0]?.closed).toBe(true)
  })

  test('a server that never answers is retried, then told', async () => {
    const server = await serve(() => ({ ...reply({ text: 'x' }), delayMs: 400 }))
    const lines = told(await partsOf(open(server.baseUrl, { stall: 50, retries: { times: 1, baseMs: 1, longestMs: 10 } })))
    expect(lines).toEqual(['retrying 1 stalled', expect.stringMatching(/^failed stalled/)])
  })

  test('a connection left open after the finish reason does not hold the answer', async () => {
    const body = 'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n'
    const server = await serve([{ ...rawStream(body), stallAfter: body.length }])
    expect(told(await partsOf(open(server.baseUrl)))).toEqual(['text ok', 'stopped stop'])
  })
})

describe('R11, R14: cancel', () => {
  test('the socket is closed and no further part comes', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer that goes on' }), stallAfter: 600 }])
    const cancel = new AbortController()
    const parts: string[] = []
    for await (const part of open(server.baseUrl).stream(request, cancel.signal)) {
      parts.push(part.kind)
      cancel.abort()
    }
    expect(parts).toEqual(['text-delta'])
    expect(await server.requests[0]?.closed).toBe(true)
  })

  test('before the first byte of the answer', async () => {
    const server = await serve([{ ...reply({ text: 'x' }), stallAfter: 0 }])
    const cancel = new AbortController()
    const running = partsOf(open(server.baseUrl), request, cancel.signal)
    const asked = await server.waitForRequest(1)
    cancel.abort()
    expect(await running).toEqual([])
    expect(await asked.closed).toBe(true)
  })

  test('during the wait before a retry', async () => {
    const server = await serve(() => httpAnswer(503, ''))
    const cancel = new AbortController()
    const kinds: string[] = []
    for await (const part of open(server.baseUrl, { retries: { times: 3, baseMs: 60_000, longestMs: 60_000 } }).stream(request, cancel.signal)) {
      kinds.push(part.kind)
      cancel.abort()
    }
    expect(kinds).toEqual(['retrying'])
  })

  test('a signal that is aborted already sends nothing', async () => {
    const server = await serve([reply({ text: 'x' })])
    expect(await partsOf(open(server.baseUrl), request, AbortSignal.abort())).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  test('a reader that leaves early closes the socket too', async () => {
    const server = await serve([{ ...reply({ text: 'half of an answer that goes on' }), stallAfter: 600 }])
    for await (const part of open(server.baseUrl).stream(request, new AbortController().signal)) if (part.kind === 'text-delta') break
    expect(await server.requests[0]?.closed).toBe(true)
  })
})

describe('R89: proxies', () => {
  function startProxy(answer: (url: string) => { readonly status: number; readonly body: string }): Promise<{ readonly address: string; readonly asked: string[] }> {
    const asked: string[] = []
    const proxy: Server = createServer((incoming, outgoing) => {
      asked.push(incoming.url ?? '')
      const { status, body } = answer(incoming.url ?? '')
      outgoing.writeHead(status, { 'content-type': 'text/event-stream' }).end(body)
    })
    proxy.on('connect', (incoming, socket) => {
      asked.push(`CONNECT ${incoming.url}`)
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
    toClose.push(() => new Promise((resolve) => { proxy.closeAllConnections(); proxy.close(resolve) }))
    return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve({ address: `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked })))
  }
  const okBody = 'data: {"choices":[{"delta":{"content":"through"},"finish_reason":"stop"}]}\n\n'

  test('requests go through the proxy of the environment, but never those to this machine', async () => {
    const proxy = await startProxy(() => ({ status: 200, body: okBody }))
    const server = await serve([reply({ text: 'direct' })])
    expect(told(await partsOf(open('http://provider.example/v1', { env: { HTTP_PROXY: proxy.address } })))).toEqual(['text through', 'stopped stop'])
    expect(told(await partsOf(open(server.baseUrl, { env: { HTTP_PROXY: proxy.address } })))).toEqual(['text direct', 'stopped stop'])
    expect(proxy.asked).toEqual(['http://provider.example/v1/chat/completions'])
  })

  test('a proxy that wants a password, or is not there, is named without its own', async () => {
    const proxy = await startProxy(() => ({ status: 407, body: '' }))
    const [line = ''] = told(await partsOf(open('https://provider.example/v1', { env: { https_proxy: proxy.address }, retries: { times: 0, baseMs: 0, longestMs: 0 } })))
    expect(line).toMatch(/^failed network false: The proxy 127\.0\.0\.1:\d+ asks for a user name and password \(407\)/)
    const [gone = ''] = told(await partsOf(open('https://provider.example/v1', { env: { https_proxy: 'http://127.0.0.1:9' }, retries: { times: 0, baseMs: 0, longestMs: 0 } })))
    expect(gone).toMatch(/^failed network true: The proxy 127\.0\.0\.1:9 could not be used \(ECONNREFUSED\)/)
  })

  test('a proxy variable that is no address is said to be', async () => {
    expect(told(await partsOf(open('http://provider.example/v1', { env: { http_proxy: ':::' } })))[0]).toMatch(/^failed network false: The proxy/)
  })
})
