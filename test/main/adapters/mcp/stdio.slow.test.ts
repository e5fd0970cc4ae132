import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeMcpConnections } from '../../../../src/main/adapters/mcp/mcpConnections'
import type { McpConnection, McpConnections, McpEndpoint, McpStart } from '../../../../src/main/core/ports/mcpConnections'
import { casesF, everythingServer, fakeServer, filesystemServer, listenTo, never, nodeServer, startOf, type ToldEvents } from '../../../support/mcpServers'
import { processesWith } from '../../../support/processes'

let folder = ''
let connections: McpConnections
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'countersign-mcp-')))
  connections = makeMcpConnections({ version: '1.2.3' })
})
afterAll(async () => {
  await connections.closeAll()
  await rm(folder, { recursive: true, force: true })
})
const open: McpConnection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

async function connected(endpoint: McpEndpoint, rest: Partial<McpStart> = {}, events: ToldEvents = listenTo()): Promise<McpConnection> {
  const made = await connections.connect(startOf(endpoint, rest), events, never)
  if (!made.ok) throw new Error(JSON.stringify({ end: made.end, lines: events.lines }))
  open.push(made.value)
  return made.value
}

const quiet = { signal: never, onProgress: (): void => {} }
async function textOf(connection: McpConnection, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const given = await connection.call(tool, args, quiet)
  if (!given.ok) throw new Error(JSON.stringify(given.fault))
  return given.value.parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`)).join('')
}

describe('how a program is started (R41, R45)', () => {
  test('arguments reach it item by item, and from a folder with blanks and letters of other languages (F02, R41)', async () => {
    const odd = path.join(folder, 'my server (1)', 'ünï')
    await mkdir(odd, { recursive: true })
    await cp(path.join(casesF, 'f02.mjs'), path.join(odd, 'f02.mjs'))
    const args = ['--dir', '/a b/c', '"q"', '', "a'b", '$HOME', '*', '\n', '-n', '你好']
    const connection = await connected(nodeServer([path.join(odd, 'f02.mjs'), ...args], odd))
    expect(JSON.parse(await textOf(connection, 'argv'))).toEqual(args)
  })

  test('the environment is the one given and nothing else (R45)', async () => {
    const connection = await connected({ ...fakeServer(`on('tools/call', (m) => ok(m.id, text(JSON.stringify(process.env))))`), env: { PATH: '/usr/bin:/bin', GIVEN: 'a b', 'odd.name/x': '1' } }, {})
    const env = JSON.parse(await textOf(connection, 'env')) as Record<string, string>
    expect(env).toEqual({ PATH: '/usr/bin:/bin', GIVEN: 'a b', 'odd.name/x': '1' })
  })

  test('a program inherits no open file of the app', async () => {
    const server = fakeServer(`
      import { readdirSync, readlinkSync } from 'node:fs'
      const files = readdirSync('/proc/self/fd').flatMap((fd) => { try { return [readlinkSync('/proc/self/fd/' + fd)] } catch { return [] } })
      on('tools/call', (m) => ok(m.id, text(JSON.stringify(files))))`)
    const pty = await import('node-pty')
    const terminal = pty.spawn('/bin/sh', ['-c', 'sleep 30'], {})
    try {
      const files = JSON.parse(await textOf(await connected(server), 'files')) as string[]
      expect(files.filter((file) => file.includes('ptmx') || file.includes('/pts/'))).toEqual([])
    } finally {
      terminal.kill('SIGKILL')
    }
  })

  test('what cannot be started says why and what to do (R42, R46)', async () => {
    await writeFile(path.join(folder, 'plain'), 'x')
    const ends: unknown[] = []
    for (const endpoint of [
      { ...nodeServer([]), command: 'no-such-command-of-anybody' },
      { ...nodeServer([]), command: './none' },
      { ...nodeServer([]), command: `${process.execPath} -e 1` },
      { ...nodeServer([], folder), command: './plain' },
      { ...nodeServer([]), cwd: path.join(folder, 'nowhere') },
      { ...nodeServer(['a\0b']) },
    ]) {
      const made = await connections.connect(startOf(endpoint), listenTo(), never)
      ends.push(made.ok ? 'ok' : [made.end.say.code, made.end.advice?.code, made.end.exitCode])
    }
    expect(ends).toEqual([
      ['mcp.not-on-path', 'mcp.not-on-path-advice', null],
      ['mcp.no-program', 'mcp.no-program-advice', null],
      ['mcp.line-as-command', 'mcp.line-as-command-advice', null],
      ['mcp.not-executable', 'mcp.not-executable-advice', null],
      ['mcp.no-folder', 'mcp.no-folder-advice', null],
      ['mcp.not-started', 'mcp.not-started-advice', null],
    ])
  })
})

describe('the handshake (R42)', () => {
  test('steps, names, version and abilities of the reference server', async () => {
    const steps: string[] = []
    const made = await connections.connect(startOf(everythingServer()), listenTo(), never, (step) => steps.push(step))
    if (!made.ok) throw new Error(made.end.say.code)
    open.push(made.value)
    const { server, can } = made.value
    expect(steps).toEqual(['start', 'handshake'])
    expect({ ...server, instructions: server.instructions.length > 0 }).toEqual({ name: 'mcp-servers/everything', version: '2.0.0', protocol: '2025-11-25', instructions: true })
    expect(can).toEqual({ tools: true, resources: true, subscribe: true, prompts: true, complete: true })
  })

  test('an older version is agreed on, an unknown one is refused with its number', async () => {
    const speaking = (version: string): McpEndpoint => fakeServer(`on('initialize', (m) => ok(m.id, { protocolVersion: '${version}', capabilities: {}, serverInfo: { name: 'old', version: '0' } }))`)
    const older = await connected(speaking('2024-11-05'))
    const unknown = await connections.connect(startOf(speaking('1999-01-01')), listenTo(), never)
    expect([older.server.protocol, unknown.ok ? null : unknown.end.say]).toMatchObject(['2024-11-05', { code: 'mcp.protocol-unknown', values: { version: '1999-01-01' } }])
  })

  test('a program that ends at once tells its exit code, and its last words are in the log (F09, R46)', async () => {
    const events = listenTo()
    const made = await connections.connect(startOf(nodeServer(['-e', 'console.error("first"); process.stderr.write("no key given"); process.exit(3)'])), events, never)
    expect(made.ok ? null : made.end).toEqual({ say: { code: 'mcp.exited', values: { exitCode: 3 } }, advice: { code: 'mcp.exited-advice', values: {} }, exitCode: 3, wantsSignIn: false })
    expect(events.lines.map(({ from, text }) => [from, text])).toEqual([['stderr', 'first'], ['stderr', 'no key given']])
    expect(events.ends).toEqual([])
  })

  test('an answer that is none of the handshake is refused', async () => {
    const made = await connections.connect(startOf(fakeServer(`on('initialize', (m) => ok(m.id, { hello: 1 }))`)), listenTo(), never)
    expect(made.ok ? null : made.end.say.code).toBe('mcp.handshake-failed')
  })

  test('a server that hangs at its handshake is given up after the time for it, and nothing of it is left (F09, R46)', async () => {
    const endpoint = nodeServer([path.join(casesF, 'f09.mjs'), 'hangs-in-handshake'])
    const made = await connections.connect(startOf(endpoint, { handshakeMs: 700 }), listenTo(), never)
    expect(made.ok ? null : made.end.say).toEqual({ code: 'mcp.handshake-timeout', values: { seconds: 0.7 } })
    expect(processesWith('hangs-in-handshake')).toEqual([])
  })

  test('a start that is called off leaves nothing running', async () => {
    const stop = new AbortController()
    const connecting = connections.connect(startOf(nodeServer([path.join(casesF, 'f09.mjs'), 'called-off'])), listenTo(), stop.signal)
    await vi.waitFor(() => expect(processesWith('called-off')).not.toEqual([]), 5000)
    stop.abort()
    const made = await connecting
    expect(made.ok ? null : made.end.say.code).toBe('mcp.start-cancelled')
    expect(processesWith('called-off')).toEqual([])
  })
})

describe('what a server prints (R46)', () => {
  const noisy = `
    process.stdout.write('\\uFEFFstarting up\\r\\n{ not json }\\n[1,2]\\n"text"\\n\\n{"jsonrpc":"1.0"}\\n')
    on('tools/call', (m) => { console.log('calling'); process.stdout.write('\\uFEFF' + JSON.stringify({ jsonrpc: '2.0', id: m.id, result: text('fine'), extra: 1 }) + '\\r\\n') })`

  test('lines outside the protocol go to the log and harm nothing; byte order mark and CRLF neither', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(noisy), {}, events)
    expect(await textOf(connection, 'x')).toBe('fine')
    await vi.waitFor(() => expect(events.lines.filter(({ from }) => from === 'stdout').map(({ text }) => text)).toEqual(['starting up', '{ not json }', '[1,2]', '"text"', '{"jsonrpc":"1.0"}', 'calling']))
  })

  test('a flood on both outputs neither fills the log nor delays an answer', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`
      const line = 'flood '.repeat(1000) + '\\n'
      const pour = (stream) => { while (stream.write(line)) {} ; stream.once('drain', () => setImmediate(pour, stream)) }
      on('tools/call', (m) => {
        if (m.params.name === 'long') process.stderr.write('x'.repeat(5e6) + '\\n')
        if (m.params.name === 'pour') { pour(process.stderr); process.stderr.write('x'.repeat(5e6)); for (let i = 0; i < 20000; i++) process.stdout.write(line) }
        ok(m.id, text('done'))
      })`), {}, events)
    const lengths = (): readonly number[] => events.lines.map(({ text }) => text.length)
    // Alone: in the flood it depends on the moment whether this line is counted or shown.
    expect(await textOf(connection, 'long')).toBe('done')
    await vi.waitFor(() => expect(lengths()).toContain(8001), 10_000)
    expect([await textOf(connection, 'pour'), await textOf(connection, 'more')]).toEqual(['done', 'done'])
    await connection.close()
    expect(Math.max(...lengths())).toBe(8001)
    expect(events.lines.length).toBeLessThan(5000)
    expect(events.lines.some(({ from, text }) => from === 'app' && /^\[… [\d,]+ lines …\]$/.test(text))).toBe(true)
  })

  test('20 MB in one line arrive whole, and as an image too (F05)', async () => {
    const connection = await connected(nodeServer([path.join(casesF, 'f05.mjs')]))
    const [big, image] = [await connection.call('big', {}, quiet), await connection.call('bigimg', {}, quiet)]
    const sizes = [big, image].map((one) => (one.ok ? one.value.parts.map((part) => (part.kind === 'text' ? part.text.length : part.kind === 'image' ? part.bytes.length : -1)) : one.fault))
    expect(sizes).toEqual([[20_000_000], [6_000_000]])
  })

  test('a message without end ends the connection', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`on('tools/call', () => { const piece = 'x'.repeat(1e6); process.stdout.write('{'); const more = () => process.stdout.write(piece, more); more() })`), {}, events)
    const given = await connection.call('endless', {}, quiet)
    expect(given.ok ? null : given.fault.code).toBe('mcp.gone')
    await vi.waitFor(() => expect(events.ends.map(({ say }) => say.code)).toEqual(['mcp.line-too-long']))
  })
})

describe('calls (R49)', () => {
  test('results of every kind, also of one that nobody knows yet (F04)', async () => {
    const connection = await connected(nodeServer([path.join(casesF, 'f04.mjs')]))
    const results: Record<string, unknown> = {}
    for (const name of ['struct', 'both', 'res', 'link', 'none', 'err', 'audio', 'odd', 'bad']) {
      const given = await connection.call(name, {}, quiet)
      results[name] = given.ok ? given.value : given.fault
    }
    const plain = { isError: false, structured: null }
    expect(results).toEqual({
      struct: { isError: false, parts: [], structured: { tables: [{ id: 1 }, { id: 2 }] } },
      both: { isError: false, parts: [{ kind: 'text', text: '2 item(s)' }], structured: { items: ['alpha', 'beta'] } },
      res: { ...plain, parts: [{ kind: 'resource', uri: 'note://1', mimeType: 'text/plain', text: 'inner text', bytes: null }] },
      link: { ...plain, parts: [{ kind: 'link', uri: 'https://example.invalid/x', name: 'x', title: '', description: '', mimeType: null }] },
      none: { ...plain, parts: [] },
      err: { ...plain, isError: true, parts: [{ kind: 'text', text: 'it broke' }] },
      audio: { ...plain, parts: [{ kind: 'audio', mimeType: 'audio/wav', bytes: new Uint8Array([0, 0, 0]) }] },
      odd: { ...plain, parts: [{ kind: 'unknown', type: 'future-kind' }] },
      bad: { ...plain, parts: [] },
    })
    const picture = await connection.call('img', {}, quiet)
    expect(picture.ok && picture.value.parts[0]?.kind === 'image' ? Buffer.from(picture.value.parts[0].bytes).subarray(1, 4).toString() : '').toBe('PNG')
  })

  test('an answer that does not fit its output schema is given all the same', async () => {
    const connection = await connected(fakeServer(`
      on('tools/list', (m) => ok(m.id, { tools: [tool('x', { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } })] }))
      on('tools/call', (m) => ok(m.id, { content: [{ type: 'text', text: 'words' }], structuredContent: { n: 'seven' } }))`))
    await connection.listTools()
    const given = await connection.call('x', {}, quiet)
    expect(given).toEqual({ ok: true, value: { isError: false, parts: [{ kind: 'text', text: 'words' }], structured: { n: 'seven' } } })
  })

  test('several are in flight and each gets its own answer', async () => {
    const connection = await connected(fakeServer(`on('tools/call', (m) => setTimeout(() => ok(m.id, text(m.params.name)), m.params.arguments.ms))`))
    const order: string[] = []
    const call = (name: string, ms: number): Promise<string> => textOf(connection, name, { ms }).then((text) => (order.push(text), text))
    expect(await Promise.all([call('slow', 300), call('middle', 150), call('fast', 0)])).toEqual(['slow', 'middle', 'fast'])
    expect(order).toEqual(['fast', 'middle', 'slow'])
  })

  const working = `
    import { appendFileSync } from 'node:fs'
    let live
    on('notifications/cancelled', (m) => { send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'cancelled ' + (m.params.requestId === live.id) } }); clearInterval(live.timer); ok(live.id, text('too late')) })
    on('tools/call', (m) => {
      const { every, total } = m.params.arguments
      let done = 0
      if (m.params.name === 'quick') return ok(m.id, text('quick'))
      live = { id: m.id, timer: setInterval(() => {
        if (every) send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: m.params._meta.progressToken, progress: ++done, total, message: 'at ' + done } })
        if (done === total) { clearInterval(live.timer); ok(m.id, text('done')) }
      }, every || 1000) }
    })`

  test('progress keeps a call alive beyond the time of silence, and the last of it comes before the answer (F10)', async () => {
    const connection = await connected(fakeServer(working), { callMs: 1000 })
    const seen: unknown[] = []
    const given = await connection.call('long', { every: 200, total: 8 }, { signal: never, onProgress: (progress) => seen.push(progress) })
    seen.push(given.ok)
    expect(seen).toEqual([...[1, 2, 3, 4, 5, 6, 7, 8].map((done) => ({ done, total: 8, message: `at ${done}` })), true])
  })

  test('silence, the ceiling and a stop are three different endings; each time the server is told, and a late answer does no harm (F10)', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(working), { callMs: 600, ceilingMs: 1500 }, events)
    const stop = new AbortController()
    const silent = await connection.call('silent', { every: 0, total: 1 }, quiet)
    const endless = await connection.call('endless', { every: 100, total: 1e9 }, quiet)
    const stopped = await connection.call('long', { every: 100, total: 50 }, { signal: stop.signal, onProgress: () => stop.abort() })
    expect([silent, endless, stopped].map((one) => (one.ok ? null : one.fault))).toEqual([
      { code: 'mcp.silent', values: { server: 'one', seconds: 0.6 } },
      { code: 'mcp.ceiling', values: { server: 'one', seconds: 1.5 } },
      { code: 'mcp.cancelled', values: { server: 'one' } },
    ])
    expect(await textOf(connection, 'quick')).toBe('quick')
    await vi.waitFor(() => expect(events.lines.filter(({ from }) => from === 'server').map(({ text }) => text)).toEqual(Array(3).fill('info cancelled true')))
    expect(events.ends).toEqual([])
  })

  test('a stop before the call sends nothing', async () => {
    const connection = await connected(fakeServer(`let calls = 0; on('tools/call', (m) => ok(m.id, text(String(++calls))))`))
    const given = await connection.call('x', {}, { ...quiet, signal: AbortSignal.abort() })
    expect([given.ok ? null : given.fault.code, await textOf(connection, 'x')]).toEqual(['mcp.cancelled', '1'])
  })

  test('a server that dies in mid-call: the call fails, the end is told once, and everything after it is gone', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`on('tools/call', () => { console.error('out of luck'); process.exit(9) })`), {}, events)
    const given = await connection.call('x', {}, quiet)
    await vi.waitFor(() => expect(events.ends).toHaveLength(1))
    const after = [await connection.listTools(), await connection.read('a://b', never)]
    expect([given, ...after].map((one) => (one.ok ? null : one.fault))).toEqual(Array(3).fill({ code: 'mcp.gone', values: { server: 'one' } }))
    expect(events.ends).toEqual([{ say: { code: 'mcp.exited', values: { exitCode: 9 } }, advice: { code: 'mcp.exited-advice', values: {} }, exitCode: 9, wantsSignIn: false }])
    expect(events.lines.map(({ text }) => text)).toEqual(['out of luck'])
    await connection.close()
    expect(events.ends).toHaveLength(1)
  })

  test("a server's own error is told with its number and words", async () => {
    const connection = await connected(fakeServer(''))
    const given = await connection.call('x', {}, quiet)
    expect(given.ok ? null : given.fault).toEqual({ code: 'mcp.server-error', values: { server: 'one', number: '-32601', problem: 'no' } })
  })
})

test("a server's own error of the code that the library has for a lost connection is told as the server's (R49)", async () => {
  const connection = await connected(fakeServer(`on('tools/call', (m) => send({ jsonrpc: '2.0', id: m.id, error: { code: -32000, message: 'no such account' } }))`))
  const given = await connection.call('x', {}, quiet)
  expect(given.ok ? null : given.fault).toEqual({ code: 'mcp.server-error', values: { server: 'one', number: '-32000', problem: 'no such account' } })
})

describe('lists (R42, R48)', () => {
  test('all pages are read; odd tools are kept as far as they can be used, the rest is left out with a line in the log', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`
      const pages = { '': [tool('a'), { name: 'bare' }, { name: 7 }, null], two: [{ name: 'odd', description: 5, inputSchema: [], outputSchema: 'x', annotations: { readOnlyHint: true }, title: 'Odd' }, tool('a')] }
      on('tools/list', (m) => ok(m.id, { tools: pages[m.params?.cursor ?? ''], ...(m.params?.cursor ? {} : { nextCursor: 'two' }) }))`), {}, events)
    const empty = { type: 'object', properties: {} }
    expect(await connection.listTools()).toEqual({ ok: true, value: [
      { name: 'a', description: 'a', inputSchema: empty },
      { name: 'bare', description: '', inputSchema: empty },
      { name: 'odd', title: 'Odd', description: '', inputSchema: empty, annotations: { readOnlyHint: true } },
    ] })
    await vi.waitFor(() => expect(events.lines.map(({ from, text }) => [from, text])).toEqual([['app', 'tools/list: 2 × ?'], ['app', 'tools/list: 1 × 2']]))
  })

  test('a list without end is cut: cursors in a circle, and pages for ever', async () => {
    const circle = await connected(fakeServer(`on('tools/list', (m) => ok(m.id, { tools: [tool('t' + (m.params?.cursor ?? ''))], nextCursor: m.params?.cursor === '1' ? '2' : '1' }))`))
    const endless = await connected(fakeServer(`let n = 0; on('tools/list', (m) => ok(m.id, { tools: Array.from({ length: 150 }, (_, i) => tool(n + '-' + i)), nextCursor: String(++n) }))`))
    const [small, large] = [await circle.listTools(), await endless.listTools()]
    expect([small.ok && small.value.map(({ name }) => name), large.ok && large.value.length]).toEqual([['t', 't1', 't2'], 1_000])
  })

  test('of a definition that is too large, too deep or too long only a part is used, and it says so; the tools beside it are whole (SECURITY 5)', async () => {
    const connection = await connected(fakeServer(`
      const deep = '{"type":"object","properties":{"a":'.repeat(100000) + '{}' + '}}'.repeat(100000)
      const wide = { type: 'object', properties: Object.fromEntries(Array.from({ length: 50000 }, (_, i) => ['p' + i, { type: 'string' }])) }
      on('tools/list', (m) => process.stdout.write('{"jsonrpc":"2.0","id":' + m.id + ',"result":{"tools":[{"name":"deep","description":"d","inputSchema":' + deep + '},' + [tool('wide', { inputSchema: wide, annotations: { readOnlyHint: true } }), tool('words', { description: 'w'.repeat(5000000) }), tool('fine')].map((one) => JSON.stringify(one)).join() + ']}}\\n'))`))
    const tools = await connection.listTools()
    const unjudged = { type: 'object', properties: {} }
    expect(tools.ok && tools.value.map((one) => ({ ...one, description: one.description.slice(0, 3), characters: one.description.length }))).toEqual([
      { name: 'deep', description: 'd', inputSchema: unjudged, isCut: true, characters: 1 },
      { name: 'wide', description: 'wid', inputSchema: unjudged, isCut: true, characters: 4 },
      { name: 'words', description: 'www', inputSchema: unjudged, isCut: true, characters: 20_007 },
      { name: 'fine', description: 'fin', inputSchema: unjudged, characters: 4 },
    ])
  })

  test('a list ends where it is too large as a whole, and what a server says of itself is cut (SECURITY 5)', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`
      on('initialize', (m) => ok(m.id, { protocolVersion: m.params.protocolVersion, capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'n'.repeat(1e6), version: 'v'.repeat(1e6) }, instructions: 'i'.repeat(1e6) }))
      on('tools/list', (m) => ok(m.id, { tools: Array.from({ length: 900 }, (_, i) => tool('t' + i, { description: 'd'.repeat(19000) })) }))
      on('resources/list', (m) => ok(m.id, { resources: [{ uri: 'x://' + 'u'.repeat(10000), name: 'long' }, { uri: 'x://1', name: 'n'.repeat(1e6), description: 'd'.repeat(1e6) }] }))
      on('prompts/list', (m) => ok(m.id, { prompts: [{ name: 'many', arguments: Array.from({ length: 5000 }, (_, i) => ({ name: 'a' + i })) }, { name: 'one', description: 'd'.repeat(1e6) }] }))`), {}, events)
    const { name, version, instructions } = connection.server
    expect([name.length, version.length, instructions.length]).toEqual([1_007, 1_007, 20_007])
    const [tools, resources, prompts] = [await connection.listTools(), await connection.listResources(), await connection.listPrompts()]
    expect(tools.ok && tools.value.length).toBe(209)
    expect(resources.ok && resources.value.map((one) => [one.uri, one.name.length, one.description.length])).toEqual([['x://1', 1_007, 1_007]])
    expect(prompts.ok && prompts.value.map((one) => [one.name, one.description.length])).toEqual([['one', 1_007]])
    await vi.waitFor(() => expect(events.lines.map(({ text }) => text)).toEqual(['tools/list: 209 …', 'resources/list: 1 × ?', 'prompts/list: 1 × ?']))
  })

  test('a burst of notices is told once, and a listener that asks the server does not lock up (F12)', async () => {
    let lists = 0
    const events = listenTo()
    const connection = await connected(fakeServer(`
      on('tools/list', (m) => ok(m.id, { tools: [tool('x')] }))
      on('tools/call', (m) => { for (let i = 0; i < 10; i++) { send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }); send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://' + (i % 2) } }) } ok(m.id, text('sent')) })`), {}, {
      ...events,
      toolsChanged() {
        events.told.push('tools')
        void connection.listTools().then((given) => (lists += given.ok ? 1 : 0))
      },
    })
    await textOf(connection, 'x')
    await vi.waitFor(() => expect(lists).toBeGreaterThan(0))
    // On a busy machine the burst may come in pieces far apart.
    expect(events.told.length).toBeLessThan(20)
    expect(new Set(events.told)).toEqual(new Set(['tools', 'a://0', 'a://1']))
  })
})

describe('the reference servers over stdio', () => {
  test('everything: resources, templates, subscriptions, prompts and completion (R50, R51)', async () => {
    const connection = await connected(everythingServer())
    const tools = await connection.listTools()
    const resources = await connection.listResources()
    const templates = await connection.listTemplates()
    const prompts = await connection.listPrompts()
    expect([tools, resources, templates, prompts].map((one) => one.ok && one.value.length > 1)).toEqual([true, true, true, true])
    const template = templates.ok ? (templates.value.find(({ uri }) => uri.includes('text'))?.uri ?? '') : ''
    const uri = template.replace('{resourceId}', '1')
    const read = await connection.read(uri, never)
    expect(read.ok && read.value[0]).toMatchObject({ kind: 'resource', uri, mimeType: 'text/plain' })
    expect([await connection.subscribe(uri), await connection.unsubscribe(uri)]).toEqual([{ ok: true, value: null }, { ok: true, value: null }])
    const given = await connection.prompt('args-prompt', { city: 'Delft' })
    expect(given.ok && given.value).toMatchObject([{ role: 'user', part: { kind: 'text', text: "What's weather in Delft?" } }])
    expect(await connection.complete({ prompt: 'completable-prompt' }, 'department', 'E', {})).toEqual(['Engineering'])
    expect(await connection.complete({ prompt: 'nobody' }, 'x', '', {})).toEqual([])
  })

  test('everything: roots, sampling, and a form answered by the person (R51)', async () => {
    const events = listenTo((question) => {
      if (question.kind === 'sampling') return { kind: 'text', text: 'a verse', model: 'some-model', isCut: true }
      return { kind: 'values', values: { name: 'Ada', check: true, integer: 7, titledMultipleSelectEnum: ['fish-2'], unasked: 'x' } }
    })
    const connection = await connected(everythingServer(), { root: folder, offersSampling: true, offersElicitation: true }, events)
    await vi.waitFor(async () => expect(await textOf(connection, 'get-roots-list')).toContain(`file://${folder}`), 5000)
    const sampled = await textOf(connection, 'trigger-sampling-request', { prompt: 'write', maxTokens: 50 })
    const filled = await textOf(connection, 'trigger-elicitation-request')
    expect(sampled).toContain('a verse')
    expect(sampled).toContain('maxTokens')
    expect(JSON.parse(filled.slice(filled.indexOf('Raw result: ') + 12))).toEqual({ action: 'accept', content: { name: 'Ada', check: true, integer: 7, titledMultipleSelectEnum: ['fish-2'] } })
    const [sampling, form] = events.questions
    expect(sampling).toMatchObject({ kind: 'sampling', maxTokens: 50, attached: 0, messages: [{ role: 'user' }] })
    expect(form?.kind === 'elicitation' ? form.fields.map(({ name, kind, format, minimum, maximum, initial, isRequired, options }) => [name, kind, format, minimum, maximum, initial, isRequired, options.length]) : null).toEqual([
      ['name', 'text', null, null, null, null, true, 0],
      ['check', 'boolean', null, null, null, null, false, 0],
      ['firstLine', 'text', null, null, null, 'It was a dark and stormy night.', false, 0],
      ['email', 'text', 'email', null, null, null, false, 0],
      ['homepage', 'text', 'uri', null, null, null, false, 0],
      ['birthdate', 'text', 'date', null, null, null, false, 0],
      ['integer', 'integer', null, 1, 100, 42, false, 0],
      ['number', 'number', null, 0, 1000, 3.14, false, 0],
      ['untitledSingleSelectEnum', 'choice', null, null, null, 'Monica', false, 6],
      ['untitledMultipleSelectEnum', 'choices', null, 1, 3, ['Guitar'], false, 5],
      ['titledSingleSelectEnum', 'choice', null, null, null, 'hero-1', false, 3],
      ['titledMultipleSelectEnum', 'choices', null, 1, 3, ['fish-1'], false, 3],
      ['legacyTitledEnum', 'choice', null, null, null, 'pet-1', false, 5],
    ])
  })

  test('everything: an address to open, by request and by error (R51)', async () => {
    const events = listenTo(() => ({ kind: 'opened' }))
    const connection = await connected(everythingServer(), { offersElicitation: true }, events)
    const first = await textOf(connection, 'trigger-url-elicitation', { url: 'https://example.com/a', message: 'please', elicitationId: 'e1' })
    const unsafe = await textOf(connection, 'trigger-url-elicitation', { url: 'file:///etc/passwd', message: 'please', elicitationId: 'e2' })
    const needed = await connection.call('trigger-url-elicitation', { url: 'https://example.com/b', errorPath: true, elicitationId: 'e3' }, quiet)
    expect(first).toContain('completed')
    expect(unsafe.toLowerCase()).toContain('declin')
    expect(needed.ok ? null : needed.fault).toEqual({ code: 'mcp.address-opened', values: { server: 'one' } })
    expect(events.questions.map((one) => (one.kind === 'open-address' ? one.url : one.kind))).toEqual(['https://example.com/a', 'https://modelcontextprotocol.io/'])
  })

  test('the time in which a person thinks counts for no limit of the call (R51)', async () => {
    const events = listenTo(() => new Promise((resolve) => setTimeout(resolve, 1500, { kind: 'refused' })))
    const connection = await connected(fakeServer(`on('tools/call', async (m) => { const { result } = await ask('elicitation/create', { message: '?', requestedSchema: { type: 'object', properties: {} } }); if (m.params.name === 'x') ok(m.id, text(result.action)) })`), { callMs: 500, ceilingMs: 900, offersElicitation: true }, events)
    expect(await textOf(connection, 'x')).toBe('decline')
    const silent = await connection.call('silent', {}, quiet)
    expect(silent.ok ? null : silent.fault.code).toBe('mcp.silent')
  })

  test('what was not offered is not asked, and the server is told so', async () => {
    const events = listenTo()
    const connection = await connected(fakeServer(`on('tools/call', async (m) => { const a = await ask(m.params.name, m.params.arguments); ok(m.id, text(JSON.stringify(a.error ?? a.result))) })`), {}, events)
    const answers = [await textOf(connection, 'sampling/createMessage', { messages: [], maxTokens: 1 }), await textOf(connection, 'elicitation/create', { message: '' }), await textOf(connection, 'roots/list')]
    expect(answers.map((one) => (JSON.parse(one) as { code: number }).code)).toEqual([-32601, -32601, -32601])
    expect(events.questions).toEqual([])
  })

  test('filesystem: reads below its folder and nowhere else', async () => {
    await writeFile(path.join(folder, 'note.txt'), '你好')
    const connection = await connected(filesystemServer(folder))
    const inside = await textOf(connection, 'read_text_file', { path: path.join(folder, 'note.txt') })
    const outside = await connection.call('read_text_file', { path: '/etc/hostname' }, quiet)
    expect([inside, outside.ok && outside.value.isError]).toEqual(['你好', true])
  })
})

describe('the end (R46)', () => {
  test('closing ends a server that ignores everything, with what it started, and says nothing of an end', async () => {
    const events = listenTo()
    const stubborn = fakeServer(`
      import { spawn } from 'node:child_process'
      process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
      spawn('/bin/sh', ['-c', 'trap "" TERM HUP; exec sleep 86' + '101'], { detached: true, stdio: 'ignore' })
      on('tools/call', (m) => { if (m.params.name === 'x') ok(m.id, text('up')) })`)
    const connection = await connected(stubborn, {}, events)
    await textOf(connection, 'x')
    await vi.waitFor(() => expect(processesWith('sleep 86101')).toHaveLength(1))
    const pending = connection.call('never', {}, quiet).then((given) => (given.ok ? null : given.fault.code))
    await connection.close()
    expect(processesWith('sleep 86101')).toEqual([])
    expect([await pending, events.ends]).toEqual(['mcp.gone', []])
  })

  test('leaving ends all at once, also one that is just starting', async () => {
    const own = makeMcpConnections({ version: '1' })
    const ends: string[] = []
    const starts = [fakeServer('setInterval(() => {}, 1e6) // goes-with-all'), fakeServer('// goes-with-all'), nodeServer([path.join(casesF, 'f09.mjs'), 'goes-with-all'])]
    const made = starts.map((endpoint) => own.connect(startOf(endpoint), listenTo(), never))
    await Promise.all(made.slice(0, 2))
    await own.closeAll()
    for (const one of await Promise.all(made)) ends.push(one.ok ? 'made' : one.end.say.code)
    expect(ends).toEqual(['made', 'made', 'mcp.start-cancelled'])
    expect(processesWith('goes-with-all')).toEqual([])
    const late = await own.connect(startOf(fakeServer('')), listenTo(), never)
    expect(late.ok ? null : late.end.say.code).toBe('mcp.start-cancelled')
  })

  test('without a namespace closing finds what a server started, also in a session of its own', async () => {
    const own = makeMcpConnections({ version: '1', isolation: { kind: 'mark' } })
    const made = await own.connect(startOf(fakeServer(`
      import { spawn } from 'node:child_process'
      spawn('/bin/sh', ['-c', 'exec sleep 86' + '102'], { detached: true, stdio: 'ignore' })
      setInterval(() => {}, 1000)`)), listenTo(), never)
    await vi.waitFor(() => expect(processesWith('sleep 86102')).toHaveLength(1))
    await own.closeAll()
    expect([made.ok, processesWith('sleep 86102')]).toEqual([true, []])
  })
})
