import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { judgeResolved, refusalOf } from '../../../../src/main/adapters/mcp/addressRules'
import { makeMcpConnections } from '../../../../src/main/adapters/mcp/mcpConnections'
import type { McpConnection, McpConnections, McpEnd, McpEndpoint, McpStart } from '../../../../src/main/core/ports/mcpConnections'
import { answerJson, bodyOf, everythingAt, listenAt, listenTo, never, startOf, type AddressServer, type ToldEvents } from '../../../support/mcpServers'

let connections: McpConnections
beforeAll(() => {
  connections = makeMcpConnections({ version: '1.2.3' })
})
afterAll(() => connections.closeAll())
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})
function kept<T extends { close(): Promise<void> }>(one: T): T {
  closing.push(one)
  return one
}

const at = (url: string, headers: Readonly<Record<string, string>> = {}): McpEndpoint => ({ kind: 'http', url, headers, session: null })

async function connected(url: string, rest: Partial<McpStart> = {}, events: ToldEvents = listenTo(), headers: Readonly<Record<string, string>> = {}): Promise<McpConnection> {
  const made = await connections.connect(startOf(at(url, headers), rest), events, never)
  if (!made.ok) throw new Error(JSON.stringify({ end: made.end, lines: events.lines }))
  return kept(made.value)
}

async function endAt(url: string, rest: Partial<McpStart> = {}, headers: Readonly<Record<string, string>> = {}): Promise<McpEnd | null> {
  const made = await connections.connect(startOf(at(url, headers), rest), listenTo(), never)
  if (made.ok) kept(made.value)
  return made.ok ? null : made.end
}

const quiet = { signal: never, onProgress: (): void => {} }
async function textOf(connection: McpConnection, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const given = await connection.call(tool, args, quiet)
  if (!given.ok) throw new Error(JSON.stringify(given.fault))
  return given.value.parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`)).join('')
}

/** What a stub was asked, and how it keeps its session; `answer` does the rest. */
interface Stub extends AddressServer {
  readonly asked: { readonly method: string; readonly session: string; readonly authorization: string }[]
  session: string
}
type StubAnswer = (message: Awaited<ReturnType<typeof bodyOf>>, response: Parameters<Parameters<typeof listenAt>[0]>[1]) => boolean

async function stub(answer: StubAnswer = () => false): Promise<Stub> {
  const asked: { method: string; session: string; authorization: string }[] = []
  const state = { session: 's1' }
  const server = await listenAt((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
      const message = await bodyOf(request)
      const session = String(request.headers['mcp-session-id'] ?? '')
      asked.push({ method: message.method ?? 'answer', session, authorization: String(request.headers.authorization ?? '') })
      if (message.method !== 'initialize' && session !== state.session) return answerJson(response, 404, { jsonrpc: '2.0', id: message.id, error: { code: -32001, message: 'Session not found' } })
      if (answer(message, response)) return
      if (message.method === 'initialize') {
        const result = { protocolVersion: message.params?.['protocolVersion'], capabilities: { tools: {}, resources: { subscribe: true } }, serverInfo: { name: 'stub', version: '1' } }
        return answerJson(response, 200, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': state.session })
      }
      if (message.id === undefined) return response.writeHead(202).end()
      return answerJson(response, 200, { jsonrpc: '2.0', id: message.id, result: message.method === 'tools/call' ? { content: [{ type: 'text', text: state.session }] } : {} })
    })()
  })
  return kept(Object.defineProperty({ ...server, asked, session: '' }, 'session', { get: () => state.session, set: (value: string) => { state.session = value } }))
}

describe('the reference server over Streamable HTTP (R41)', () => {
  let server: AddressServer
  beforeAll(async () => {
    server = await everythingAt('streamableHttp')
  })
  afterAll(() => server.close())

  test('tools, progress, resources, prompts and questions', async () => {
    const events = listenTo(() => ({ kind: 'text', text: 'a verse', model: 'm', isCut: false }))
    const connection = await connected(server.url, { offersSampling: true, root: '/tmp' }, events)
    const seen: number[] = []
    expect(connection.server).toMatchObject({ name: 'mcp-servers/everything', protocol: '2025-11-25' })
    const tools = await connection.listTools()
    expect(tools.ok && tools.value.some(({ name }) => name === 'trigger-sampling-request')).toBe(true)
    expect(await textOf(connection, 'echo', { message: '你好' })).toBe('Echo: 你好')
    const long = await connection.call('trigger-long-running-operation', { duration: 1, steps: 4 }, { signal: never, onProgress: ({ done }) => seen.push(done) })
    expect([long.ok, seen.at(-1)]).toEqual([true, 4])
    expect(await textOf(connection, 'trigger-sampling-request', { prompt: 'write', maxTokens: 5 })).toContain('a verse')
    await vi.waitFor(async () => expect(await textOf(connection, 'get-roots-list')).toContain('file:///tmp'), 5000)
    const prompt = await connection.prompt('simple-prompt', {})
    expect(prompt.ok && prompt.value.length).toBe(1)
  })

  test('a stopped call', async () => {
    const connection = await connected(server.url)
    const stop = new AbortController()
    const given = await connection.call('trigger-long-running-operation', { duration: 20, steps: 40 }, { signal: stop.signal, onProgress: () => stop.abort() })
    expect([given.ok ? null : given.fault.code, await textOf(connection, 'echo', { message: 'on' })]).toEqual(['mcp.cancelled', 'Echo: on'])
  })
})

test('a server that is killed ends the connection, also when nobody calls it (R46)', async () => {
  const server = kept(await everythingAt('streamableHttp'))
  const events = listenTo()
  const connection = await connected(server.url, { root: '/tmp' }, events)
  // It asks for the roots on the stream that is open for what it says by itself.
  await vi.waitFor(async () => expect(await textOf(connection, 'get-roots-list')).toContain('file:///tmp'), 5000)
  await server.close()
  await vi.waitFor(() => expect(events.ends.map(({ say }) => say.code)).toEqual(['mcp.nobody-listens']), 12_000)
})

test('a server that only has the older SSE is spoken with that way (R41)', async () => {
  const server = kept(await everythingAt('sse'))
  const events = listenTo()
  const connection = await connected(server.url, {}, events)
  expect(await textOf(connection, 'echo', { message: 'old' })).toBe('Echo: old')
  await server.close()
  await vi.waitFor(() => expect(events.ends).toHaveLength(1), 5000)
  const after = await connection.call('echo', { message: 'x' }, quiet)
  expect(after.ok ? null : after.fault.code).toBe('mcp.gone')
})

describe('sessions (R46)', () => {
  test('a forgotten session is made anew once, the call is carried out, and the lists are told as changed', async () => {
    const server = await stub()
    const events = listenTo()
    const connection = await connected(server.url, {}, events)
    expect(await textOf(connection, 'x')).toBe('s1')
    await connection.subscribe('a://1')
    server.session = 's2'
    expect(await Promise.all([textOf(connection, 'x'), textOf(connection, 'x'), textOf(connection, 'x')])).toEqual(['s2', 's2', 's2'])
    await vi.waitFor(() => expect(events.told).toEqual(['tools', 'resources', 'prompts']))
    await vi.waitFor(() => expect(server.asked.filter(({ method }) => method === 'resources/subscribe').map(({ session }) => session)).toEqual(['s1', 's2']))
    expect(server.asked.filter(({ method }) => method === 'initialize')).toHaveLength(2)
    expect(events.ends).toEqual([])
  })

  test('a server that forgets every session is not asked for ever', async () => {
    let count = 0
    const server = await stub((message, response) => {
      if (message.method !== 'tools/call') return false
      answerJson(response, 404, null)
      count++
      return true
    })
    const connection = await connected(server.url)
    const given = await connection.call('x', {}, quiet)
    expect([given.ok, count]).toEqual([false, 2])
  })

  test('a stream that breaks off before the answer ends the call and is not tried again', async () => {
    let count = 0
    const server = await stub((message, response) => {
      if (message.method !== 'tools/call') return false
      count++
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"busy"}}\n\n')
      setTimeout(() => response.destroy(), 50)
      return true
    })
    const events = listenTo()
    const connection = await connected(server.url, {}, events)
    const given = await connection.call('x', {}, quiet)
    expect([given.ok ? null : given.fault.code, count, events.ends]).toEqual(['mcp.answer-lost', 1, []])
    expect(events.lines.map(({ text }) => text)).toEqual(['info busy'])
  })

  test('a server that is gone ends the connection', async () => {
    const server = await stub()
    const events = listenTo()
    const connection = await connected(server.url, {}, events)
    await server.close()
    const given = await connection.call('x', {}, quiet)
    await vi.waitFor(() => expect(events.ends.map(({ say }) => say.code)).toEqual(['mcp.nobody-listens']))
    expect(given.ok).toBe(false)
  })

  test('closing ends the session at the other side', async () => {
    const methods: string[] = []
    const server = kept(await listenAt((request, response) => {
      methods.push(request.method ?? '')
      void bodyOf(request).then(({ id, method }) => (method === 'initialize' ? answerJson(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } } }, { 'mcp-session-id': 'x' }) : response.writeHead(request.method === 'GET' ? 405 : 202).end()))
    }))
    const connection = await connected(server.url)
    await connection.close()
    expect(methods.at(-1)).toBe('DELETE')
  })
})

describe('what an address answers instead (R42, R53)', () => {
  const answering = async (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<AddressServer> => kept(await listenAt((request, response) => void bodyOf(request).then(() => response.writeHead(status, headers).end(body))))

  test('401 wants to sign in; with a key of one\'s own the key is wrong; other statuses have their sentence', async () => {
    const found: unknown[] = []
    for (const [status, headers] of [[401, {}], [401, { authorization: 'Bearer x' }], [403, {}], [404, {}], [500, {}]] as const) {
      const server = await answering(status)
      const end = await endAt(server.url, {}, headers)
      found.push([end?.say.code, end?.wantsSignIn])
    }
    expect(found).toEqual([['mcp.sign-in-needed', true], ['mcp.key-refused', false], ['mcp.key-refused', false], ['mcp.http-status', false], ['mcp.http-status', false]])
  })

  test('a page of the web is no MCP server', async () => {
    const server = await answering(200, { 'content-type': 'text/html' }, '<p>hello</p>')
    expect((await endAt(server.url))?.say.code).toBe('mcp.not-mcp')
  })

  test('redirects: within the origin they are followed, to others nothing is sent', async () => {
    const other = await stub()
    const away = await answering(307, { location: other.url })
    const home = await stub()
    const within = kept(await listenAt((request, response) => void response.writeHead(307, { location: home.url.replace('127.0.0.1', '127.0.0.2') }).end(request.url)))
    const ends = [await endAt(away.url, {}, { 'x-key': 'secret' }), await endAt(within.url)]
    expect(ends.map((end) => end?.say)).toEqual([
      { code: 'mcp.redirected', values: { host: new URL(away.url).host, target: other.url } },
      { code: 'mcp.redirected', values: { host: new URL(within.url).host, target: home.url.replace('127.0.0.1', '127.0.0.2') } },
    ])
    expect(other.asked).toEqual([])
    let moved = ''
    const same = kept(await listenAt((request, response) => {
      if (request.url === '/mcp') return void response.writeHead(308, { location: '/there' }).end()
      moved = request.url ?? ''
      void bodyOf(request).then(({ id, method }) => (method === 'initialize' ? answerJson(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } } }) : response.writeHead(request.method === 'GET' ? 405 : 202).end()))
    }))
    await connected(same.url)
    expect(moved).toBe('/there')
  })

  test('headers of the form are sent with every request', async () => {
    const server = await stub()
    await textOf(await connected(server.url, {}, listenTo(), { Authorization: 'Bearer k' }), 'x')
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer k']))
    expect(server.asked.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/call'])
  })

  test('nobody there, an unknown name, an address that hangs', async () => {
    const server = await answering(200)
    await server.close()
    const silent = kept(await listenAt(() => {}))
    expect([
      (await endAt(server.url))?.say,
      (await endAt('https://nowhere.invalid/mcp'))?.say.code,
      (await endAt(silent.url, { handshakeMs: 300 }))?.say,
    ]).toEqual([{ code: 'mcp.nobody-listens', values: { host: new URL(server.url).host } }, 'mcp.name-unknown', { code: 'mcp.handshake-timeout', values: { seconds: 0.3 } }])
  })
})

describe('where nothing is sent (DNS rebinding, plain http)', () => {
  test('only https, or this machine', async () => {
    const rows = ['http://example.com/mcp', 'http://192.168.1.5/mcp', 'file:///etc/passwd', 'ftp://localhost/', 'https://169.254.169.254/latest', 'https://0.0.0.0/', 'not an address']
    const codes = await Promise.all(rows.map(async (url) => (await endAt(url))?.say.code))
    expect(codes).toEqual(['mcp.not-https', 'mcp.not-https', 'mcp.not-https', 'mcp.not-https', 'mcp.local-address', 'mcp.local-address', 'mcp.not-https'])
    expect(['http://localhost:1/', 'http://a.localhost/', 'http://127.9.9.9/', 'http://[::1]:8/', 'https://example.com/', 'https://10.0.0.1/'].map((url) => refusalOf(new URL(url)))).toEqual(Array(6).fill(null))
  })

  test('a name of the network never leads to this machine or its link, a name of this machine nowhere else', () => {
    const judged = (host: string, ...addresses: string[]): boolean => judgeResolved(host, addresses) === null
    expect([
      judged('example.com', '93.184.216.34'), judged('intranet.example', '10.1.2.3'), judged('localhost', '127.0.0.1', '::1'),
      judged('example.com', '127.0.0.1'), judged('example.com', '93.184.216.34', '127.0.0.1'), judged('example.com', '::1'), judged('example.com', '::ffff:127.0.0.1'),
      judged('example.com', '169.254.169.254'), judged('example.com', '0.0.0.0'), judged('example.com', 'fe80::1'), judged('localhost', '10.0.0.1'), judged('a.localhost', '93.184.216.34'),
    ]).toEqual([true, true, true, ...Array<boolean>(9).fill(false)])
  })
})

test('20 MB arrive in one event of a stream, and no message is without bound (F05)', async () => {
  const server = await stub((message, response) => {
    if (message.method !== 'tools/call') return false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (message.params?.['name'] === 'big') response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'x'.repeat(2e7) }] } })}\n\n`)
    else {
      const piece = 'x'.repeat(4e6)
      response.write('data: ')
      const more = (): void => void (response.destroyed || response.write(piece, () => setImmediate(more)))
      more()
    }
    return true
  })
  const connection = await connected(server.url)
  expect((await textOf(connection, 'big')).length).toBe(2e7)
  const endless = await connection.call('endless', {}, quiet)
  expect(endless.ok ? null : endless.fault.code).toBe('mcp.answer-lost')
  expect((await textOf(connection, 'big')).length).toBe(2e7)
})

test('a stream of many events is not taken for one, also where each empty line comes in two pieces (F05)', async () => {
  const server = await stub((message, response) => {
    if (message.method !== 'tools/call') return false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
    const pour = async (): Promise<void> => {
      for (let n = 0; n < 18; n++) {
        await new Promise((resolve) => response.write(`: ${'x'.repeat(4e6)}\n`, resolve))
        await pause()
        await new Promise((resolve) => response.write('\n', resolve))
        await pause()
      }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'after 72 MB' }] } })}\n\n`)
    }
    void pour()
    return true
  })
  const connection = await connected(server.url)
  expect(await textOf(connection, 'many')).toBe('after 72 MB')
})
