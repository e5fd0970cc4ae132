import { request, type ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, test } from 'vitest'
import { AddressError } from '../../../../src/main/adapters/mcp/addressRules'
import { makeMcpConnections } from '../../../../src/main/adapters/mcp/mcpConnections'
import { makeOAuthFetch } from '../../../../src/main/adapters/mcp/oauthFetch'
import { signIn } from '../../../../src/main/adapters/mcp/signIn'
import type { McpConnection, McpEnd, McpEndpoint, McpSignInStore } from '../../../../src/main/core/ports/mcpConnections'
import { makeBrowser, startAuthServer, type AuthServer, type AuthServerOddities } from '../../../support/authServer'
import { answerJson, bodyOf, listenAt, listenTo, never, startOf, type AddressServer, type ToldEvents } from '../../../support/mcpServers'

type HttpEndpoint = McpEndpoint & { readonly kind: 'http' }
const connections = makeMcpConnections({ version: '1.2.3' })
afterAll(() => connections.closeAll())
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})
const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  closing.push(one)
  return one
}
const serverThat = async (odd: AuthServerOddities = {}): Promise<AuthServer> => kept(await startAuthServer(odd))

function memoryStore(text: string | null = null): McpSignInStore & { text: string | null } {
  const store = {
    text,
    load: () => Promise.resolve(store.text),
    save: (next: string) => Promise.resolve(void (store.text = next)),
    clear: () => Promise.resolve(void (store.text = null)),
  }
  return store
}
const at = (url: string, session: McpSignInStore, headers: Readonly<Record<string, string>> = {}): HttpEndpoint => ({ kind: 'http', url, headers, session })
const quiet = { signal: never, onProgress: (): void => {} }

async function connected(endpoint: HttpEndpoint, events: ToldEvents = listenTo()): Promise<McpConnection> {
  const made = await connections.connect(startOf(endpoint), events, never)
  if (!made.ok) throw new Error(JSON.stringify(made.end))
  return kept(made.value)
}
async function endAt(endpoint: HttpEndpoint): Promise<McpEnd | null> {
  const made = await connections.connect(startOf(endpoint), listenTo(), never)
  if (made.ok) kept(made.value)
  return made.ok ? null : made.end
}
/** A server, and somebody signed in at it. */
async function signedIn(odd: AuthServerOddities = {}): Promise<{ readonly server: AuthServer; readonly store: ReturnType<typeof memoryStore>; readonly endpoint: HttpEndpoint; readonly browser: ReturnType<typeof makeBrowser> }> {
  const [server, store, browser] = [await serverThat(odd), memoryStore(), makeBrowser()]
  const endpoint = at(server.url, store)
  const signed = await connections.signIn(endpoint, browser.open, never)
  if (!signed.ok) throw new Error(JSON.stringify(signed.fault))
  return { server, store, endpoint, browser }
}
async function faultOf(odd: AuthServerOddities, open?: (url: string) => Promise<void>): Promise<{ readonly code: string; readonly opened: number; readonly text: string | null }> {
  const [server, store, browser] = [await serverThat(odd), memoryStore('before'), makeBrowser()]
  const signed = await connections.signIn(at(server.url, store), open ?? browser.open, never)
  return { code: signed.ok ? 'ok' : signed.fault.code, opened: browser.opened.length, text: store.text }
}

test('from the refusal to the tools: discovery, registration, PKCE, one text that is kept (R53)', async () => {
  const [server, store, browser] = [await serverThat(), memoryStore(), makeBrowser()]
  const endpoint = at(server.url, store)
  expect(await endAt(endpoint)).toMatchObject({ wantsSignIn: true, say: { code: 'mcp.sign-in-needed' } })
  expect(await connections.signIn(endpoint, browser.open, never)).toEqual({ ok: true, value: null })
  const tools = await (await connected(endpoint)).listTools()
  expect(tools.ok && tools.value.map(({ name }) => name)).toEqual(['whoami'])

  const page = new URL(browser.opened[0] ?? '')
  expect([page.searchParams.get('resource'), page.searchParams.get('code_challenge_method'), page.searchParams.get('scope')]).toEqual([server.url, 'S256', 'use'])
  const registered: unknown = JSON.parse(server.seen.find(({ path }) => path === '/register')?.body ?? '{}')
  expect(registered).toMatchObject({ client_name: 'Countersign', application_type: 'native', redirect_uris: [page.searchParams.get('redirect_uri')] })
  expect(JSON.parse(store.text ?? '')).toMatchObject({ server: server.url, issuer: server.issuer, tokens: { issuer: server.issuer }, client: { issuer: server.issuer } })
})

test('the page that comes back is plain, in both languages, and holds nothing of the sign-in (R53)', async () => {
  const { browser } = await signedIn()
  const [page] = browser.pages
  expect(page?.status).toBe(200)
  expect(page?.text).toContain('You can close this page and go back.')
  expect(page?.text).toContain('返回应用')
  expect(page?.text).not.toMatch(/<script|src=|href=/)
  for (const value of new URL(browser.returned[0] ?? '').searchParams.values()) expect(page?.text).not.toContain(value)
  expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('the listener is at 127.0.0.1, for one path and GET, under its own name, and is gone after the answer (R53)', async () => {
  const server = await serverThat()
  const browser = makeBrowser()
  const statuses: number[] = []
  const signed = await connections.signIn(at(server.url, memoryStore()), async (url) => {
    const back = new URL(url).searchParams.get('redirect_uri') ?? ''
    for (const [method, address, host] of [['GET', '/', ''], ['GET', '/callback/x', ''], ['POST', '/callback', ''], ['HEAD', '/callback', ''], ['GET', '/callback', 'evil.example'], ['GET', '/callback?code=x', `localhost:${new URL(back).port}`]] as const) statuses.push(await statusAt(new URL(address, back), method, host))
    await browser.open(url)
  }, never)
  expect([statuses, signed.ok]).toEqual([[404, 404, 405, 405, 421, 421], true])
  await expect(fetch(browser.returned[0] ?? '')).rejects.toThrow()
})

function statusAt(url: URL, method: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { method, ...(host === '' ? {} : { headers: { host } }) }, (answer) => resolve(answer.resume().statusCode ?? 0)).once('error', reject).end()
  })
}

test('without a hint in the refusal, and without metadata of the resource, the well-known addresses are asked (R53)', async () => {
  expect((await signedIn({ hasChallenge: false })).store.text).not.toBeNull()
  const { code, opened } = await faultOf({ hasResourceMetadata: false, hasChallenge: false })
  expect({ code, opened }).toEqual({ code: 'mcp.oauth-none', opened: 0 })
})

test('what the metadata may not say: nothing is opened, nothing kept (R53, CVE-2025-6514)', async () => {
  const found: unknown[] = []
  const pages = ['file:///etc/passwd', 'http://example.com/authorize', 'calculator:x', 'ms-settings:display', 'https://user:secret@example.com/']
  for (const page of pages) found.push(await faultOf({ metadata: (given) => ({ ...given, authorization_endpoint: page, issuer: given['issuer'] }) }))
  expect(found).toEqual(pages.map(() => ({ code: 'mcp.oauth-bad-page', opened: 0, text: 'before' })))
  const rows: readonly (readonly [AuthServerOddities, string])[] = [
    [{ metadata: (given) => ({ ...given, authorization_endpoint: 'javascript:alert(1)' }) }, 'mcp.oauth-bad-answer'],
    [{ metadata: (given) => ({ ...given, code_challenge_methods_supported: ['plain'] }) }, 'mcp.oauth-no-s256'],
    [{ metadata: ({ code_challenge_methods_supported: _none, ...given }) => given }, 'mcp.oauth-no-s256'],
    [{ metadata: ({ registration_endpoint: _none, ...given }) => given }, 'mcp.oauth-no-registration'],
    [{ metadata: (given) => ({ ...given, issuer: 'https://accounts.example.com', authorization_endpoint: 'https://accounts.example.com/authorize' }) }, 'mcp.oauth-other-issuer'],
    [{ metadata: (given) => ({ ...given, token_endpoint: 'http://example.com/token' }) }, 'mcp.test-advice'],
    [{ resourceMetadata: (given) => ({ ...given, resource: 'https://other.example.com/mcp' }) }, 'mcp.oauth-other-resource'],
    [{ resourceMetadata: (given) => ({ ...given, authorization_servers: ['http://example.com'] }) }, 'mcp.test-advice'],
  ]
  const codes: unknown[] = []
  for (const [odd] of rows) codes.push((await faultOf(odd)).code)
  expect(codes).toEqual(rows.map(([, code]) => code))
})

test('every way a sign-in fails has its sentence, and leaves what was kept before (R53)', async () => {
  const html = (status: number) => (_form: URLSearchParams, response: ServerResponse): boolean => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>sorry</h1>')
    return true
  }
  const tokenAnswer = (status: number, value: unknown) => (_form: URLSearchParams, response: ServerResponse): boolean => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    return true
  }
  const back = (change: (given: URLSearchParams) => void): AuthServerOddities => ({ sendBack: (redirect) => change(redirect.searchParams) })
  const rows: readonly (readonly [string, AuthServerOddities])[] = [
    ['mcp.oauth-denied', back((given) => (given.delete('code'), given.set('error', 'access_denied')))],
    ['mcp.oauth-page-error', back((given) => (given.delete('code'), given.set('error', 'server_error')))],
    ['mcp.oauth-state', back((given) => given.set('state', 'x'.repeat(43)))],
    ['mcp.oauth-state', back((given) => given.delete('state'))],
    ['mcp.oauth-state', back((given) => given.append('code', 'another'))],
    ['mcp.oauth-state', back((given) => given.delete('code'))],
    ['mcp.oauth-state', back((given) => given.set('iss', 'https://accounts.example.com'))],
    ['mcp.oauth-state', back((given) => given.delete('iss'))],
    ['mcp.oauth-trouble', { tokens: html(500) }],
    ['mcp.oauth-bad-answer', { tokens: html(200) }],
    ['mcp.oauth-refused', { tokens: tokenAnswer(401, { error: 'invalid_client' }) }],
    ['mcp.oauth-refused', { tokens: tokenAnswer(400, { error: 'invalid_grant' }) }],
    ['mcp.oauth-bad-answer', { tokens: tokenAnswer(200, { access_token: 'x', token_type: 'mac' }) }],
    ['mcp.oauth-trouble', { other: (request, response) => request.url === '/register' && Boolean(response.writeHead(503).end('down')) }],
    ['mcp.oauth-not-registered', { other: (request, response) => request.url === '/register' && Boolean(response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_client_metadata"}')) }],
  ]
  const found: unknown[] = []
  for (const [, odd] of rows) {
    const { code, text } = await faultOf(odd)
    found.push([code, text])
  }
  expect(found).toEqual(rows.map(([code]) => [code, 'before']))
})

test('what a server repeats of the code or the verifier is not in the sentence (R53)', async () => {
  let sent = new URLSearchParams()
  const server = await serverThat({
    tokens: (form, response) => {
      sent = form
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'invalid_grant', error_description: `bad ${form.get('code')} with ${form.get('code_verifier')}` }))
      return true
    },
  })
  const signed = await connections.signIn(at(server.url, memoryStore()), makeBrowser().open, never)
  expect(signed).toEqual({ ok: false, fault: { code: 'mcp.oauth-refused', values: { host: new URL(server.issuer).host, error: 'invalid_grant', problem: 'bad … with …' } } })
  expect(sent.get('code_verifier')).toMatch(/^[\w.~-]{43,}$/)
})

test('of two answers the first counts, and the second finds nobody (R53)', async () => {
  const server = await serverThat()
  const store = memoryStore()
  let second: Promise<unknown> = Promise.resolve()
  const signed = await connections.signIn(at(server.url, store), (url) => {
    second = (async () => {
      const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
      await fetch(back)
      return fetch(back).then(({ status }) => status, () => 'nobody')
    })()
    return Promise.resolve()
  }, never)
  expect([signed.ok, await second]).toEqual([true, 'nobody'])
  expect(server.seen.filter(({ path }) => path === '/token')).toHaveLength(1)
})

test('called off, given up, or without a browser: the port is closed and nothing kept (R53)', async () => {
  const server = await serverThat()
  const store = memoryStore()
  const ports: string[] = []
  const stop = new AbortController()
  const remember = (url: string): void => void ports.push(new URL(url).searchParams.get('redirect_uri') ?? '')
  const results = [
    await connections.signIn(at(server.url, store), (url) => (remember(url), stop.abort(), Promise.resolve()), stop.signal),
    await connections.signIn(at(server.url, store), () => Promise.reject(new Error('never opened')), stop.signal),
    await signIn(at(server.url, store), { open: (url) => Promise.resolve(remember(url)), cancel: never, patienceMs: 50 }),
    await connections.signIn(at(server.url, store), (url) => (remember(url), Promise.reject(new Error('no browser'))), never),
  ]
  expect(results.map((one) => (one.ok ? 'ok' : one.fault.code))).toEqual(['mcp.oauth-cancelled', 'mcp.oauth-cancelled', 'mcp.oauth-late', 'mcp.oauth-not-opened'])
  expect([ports.length, store.text]).toEqual([3, null])
  for (const port of ports) await expect(fetch(port)).rejects.toThrow()
})

test('a redirect to another host is not followed, and metadata is JSON of a bounded size (R53)', async () => {
  const asked: string[] = []
  const other = kept(await listenAt((incoming, response) => void response.end(void asked.push(incoming.url ?? ''))))
  const away = (path: string): AuthServerOddities => ({ other: (incoming, response) => incoming.url === path && Boolean(response.writeHead(307, { location: `${other.origin}${path}` }).end()) })
  const metadata = '/.well-known/oauth-authorization-server'
  const rows: readonly (readonly [AuthServerOddities, string])[] = [
    [away('/token'), 'mcp.oauth-trouble'],
    [away('/register'), 'mcp.oauth-trouble'],
    [away(metadata), 'mcp.oauth-none'],
    [{ other: (incoming, response) => incoming.url === metadata && Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<p>welcome</p>')) }, 'mcp.oauth-none'],
    [{ other: (incoming, response) => incoming.url === metadata && Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer: 'x'.repeat(2e6) }))) }, 'mcp.oauth-bad-answer'],
    [{ metadata: ({ token_endpoint: _none, ...given }) => given }, 'mcp.oauth-bad-answer'],
  ]
  const codes: unknown[] = []
  for (const [odd] of rows) codes.push((await faultOf(odd)).code)
  expect([codes, asked]).toEqual([rows.map(([, code]) => code), []])
})

test('a server elsewhere cannot make the app ask what listens on this machine, and its headers stay its own (R53)', async () => {
  const asked: unknown[] = []
  const here = kept(await listenAt((incoming, response) => void response.end(void asked.push(incoming.headers['x-key']))))
  const elsewhere = makeOAuthFetch(new URL('https://mcp.example.com/mcp'), { 'x-key': 'k' }, never)
  await expect(elsewhere.fetch(`${here.origin}/.well-known/oauth-authorization-server`)).rejects.toThrow(AddressError)
  const local = makeOAuthFetch(new URL('http://127.0.0.1:1/mcp'), { 'x-key': 'k' }, never)
  await local.fetch(here.origin, { method: 'POST', body: '' })
  const same = makeOAuthFetch(new URL(here.url), { 'x-key': 'k' }, never)
  await same.fetch(`${here.origin}/token`, { method: 'POST', body: '' })
  expect(asked).toEqual([undefined, 'k'])
  for (const one of [elsewhere, local, same]) one.close()
})

test('an account that may not is told apart from a wrong key (R53)', async () => {
  const { endpoint } = await signedIn({ isForbidden: true })
  expect(await endAt(endpoint)).toMatchObject({ say: { code: 'mcp.oauth-forbidden' }, wantsSignIn: false })
})

/** A server that only has the older way, in front of which a good one's tokens are checked. */
async function olderServer(isGood: (authorization: string) => boolean): Promise<AddressServer> {
  let stream: ServerResponse | undefined
  const tell = (message: unknown): void => void stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  return kept(await listenAt((incoming, response) => {
    void bodyOf(incoming).then(({ id, method, params }) => {
      if (incoming.method === 'POST' && incoming.url !== '/messages') return response.writeHead(405).end()
      if (!isGood(incoming.headers.authorization ?? '')) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      if (incoming.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        return stream.write('event: endpoint\ndata: /messages\n\n')
      }
      answerJson(response, 202, null)
      if (id !== undefined) tell({ jsonrpc: '2.0', id, result: method === 'initialize' ? { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo: { name: 'older', version: '1' } } : { tools: [] } })
    })
  }))
}

test('the older SSE is signed, refreshed and ended in the same way (R41, R53)', async () => {
  const { server, store } = await signedIn()
  const tokens = (): string => (JSON.parse(store.text ?? '') as { tokens: { access_token: string } }).tokens.access_token
  let good = tokens()
  const older = await olderServer((authorization) => authorization === `Bearer ${good}`)
  store.text = (store.text ?? '').replace(JSON.stringify(server.url), JSON.stringify(older.url))
  // The newest token is the good one.
  const following: McpSignInStore = { load: () => store.load(), clear: () => store.clear(), save: (text) => store.save(text).then(() => void (good = tokens())) }
  const events = listenTo()
  const connection = await connected(at(older.url, following), events)
  expect((await connection.listTools()).ok).toBe(true)
  good = 'none'
  expect([(await connection.listTools()).ok, server.refreshes()]).toEqual([true, 1])
  good = 'none'
  server.revoke()
  expect(await connection.listTools()).toMatchObject({ ok: false, fault: { code: 'mcp.sign-in-needed' } })
  await expect.poll(() => events.ends).toMatchObject([{ wantsSignIn: true }])
  expect(await endAt(at(older.url, store))).toMatchObject({ wantsSignIn: true })
})

test('a key in the form is sent instead of a sign-in, also where signing in is not possible (R53)', async () => {
  const server = await serverThat({ metadata: ({ registration_endpoint: _none, ...given }) => given })
  const endpoint = at(server.url, memoryStore(), { Authorization: 'Bearer mine' })
  const signed = await connections.signIn(endpoint, makeBrowser().open, never)
  expect(signed).toMatchObject({ fault: { code: 'mcp.oauth-own-key' } })
  expect(await endAt(endpoint)).toMatchObject({ say: { code: 'mcp.key-refused' }, wantsSignIn: false })
  expect(new Set(server.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer mine']))
})

test('the server refuses a request without the resource it is for (the stand-in is strict)', async () => {
  const { server, store, browser } = await signedIn()
  const page = new URL(browser.opened[0] ?? '')
  page.searchParams.delete('resource')
  const answer = await fetch(page, { redirect: 'manual' })
  expect(answer.headers.get('location')).toContain('error=invalid_target')
  const { tokens, client } = JSON.parse(store.text ?? '') as { tokens: { refresh_token: string }; client: { client_id: string } }
  const refused = await fetch(`${server.issuer}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client.client_id }) })
  expect(await refused.json()).toMatchObject({ error: 'invalid_target' })
})

test('a token that ended is refreshed in the middle, once for all calls, and the new refresh token is kept (R53)', async () => {
  const { server, store, endpoint } = await signedIn()
  const connection = await connected(endpoint)
  for (let round = 1; round <= 3; round++) {
    server.expire()
    const before = store.text
    const given = await Promise.all(Array.from({ length: 6 }, () => connection.call('whoami', {}, quiet)))
    expect([given.every(({ ok }) => ok), server.refreshes(), store.text === before]).toEqual([true, round, false])
  }
  const other = await connected(endpoint)
  server.expire()
  const both = await Promise.all([connection.listTools(), other.listTools()])
  expect([both.map(({ ok }) => ok), server.refreshes()]).toEqual([[true, true], 4])
})

test('a token that is known to be old is refreshed before it is sent (R53)', async () => {
  const { server, store, endpoint } = await signedIn()
  store.text = JSON.stringify({ ...(JSON.parse(store.text ?? '') as object), gotAtMs: 0 })
  const asked = server.seen.length
  await (await connected(endpoint)).listTools()
  expect([server.refreshes(), server.seen.slice(asked)[0]?.path]).toEqual([1, '/token'])
})

test('where refreshing is refused, the connection ends, the tokens are forgotten, and no browser opens (R53)', async () => {
  for (const odd of [{}, { isWithoutRefresh: true }]) {
    const { server, store, endpoint, browser } = await signedIn(odd)
    const events = listenTo()
    const connection = await connected(endpoint, events)
    server.expire()
    server.revoke()
    const given = await connection.call('whoami', {}, quiet)
    expect(given).toMatchObject({ ok: false, fault: { code: 'mcp.sign-in-needed' } })
    await expect.poll(() => events.ends).toMatchObject([{ wantsSignIn: true }])
    expect([store.text, browser.opened.length]).toEqual([null, 1])
    expect(await endAt(endpoint)).toMatchObject({ wantsSignIn: true })
  }
})

test('leaving the app while a token is refreshed waits for the new one to be kept (R53)', async () => {
  let isAsked = false
  let letGo = (): void => {}
  const { server, store, endpoint } = await signedIn()
  const mine = makeMcpConnections({ version: '1' })
  // The keychain takes its time.
  const slow: McpSignInStore = { load: () => store.load(), clear: () => store.clear(), save: (text) => new Promise<void>((resolve) => ((isAsked = true), (letGo = resolve))).then(() => store.save(text)) }
  const made = await mine.connect(startOf({ ...endpoint, session: slow }), listenTo(), never)
  server.expire()
  const before = store.text
  const listing = made.ok && made.value.listTools()
  await expect.poll(() => isAsked).toBe(true)
  setTimeout(() => letGo(), 200)
  await mine.closeAll()
  expect([store.text === before, server.refreshes()]).toEqual([false, 1])
  await listing
})

test('trouble while refreshing is not the end of the sign-in (R53)', async () => {
  let isDown = false
  const { server, store, endpoint } = await signedIn({ tokens: (_form, response) => isDown && Boolean(response.writeHead(500, { 'content-type': 'text/html' }).end('<p>down</p>')) })
  server.expire()
  isDown = true
  const before = store.text
  expect(await endAt(endpoint)).toMatchObject({ wantsSignIn: false, say: { code: 'mcp.oauth-refresh-failed' } })
  isDown = false
  expect([store.text === before, (await (await connected(endpoint)).listTools()).ok]).toEqual([true, true])
})

test('a call that wants more than was granted asks for it at the next sign-in, which only a person begins (R53)', async () => {
  const { server, endpoint, browser } = await signedIn({ callScope: 'write' })
  const connection = await connected(endpoint)
  expect(await connection.call('whoami', {}, quiet)).toMatchObject({ ok: false, fault: { code: 'mcp.sign-in-needed' } })
  expect(browser.opened).toHaveLength(1)
  expect((await connections.signIn(endpoint, browser.open, never)).ok).toBe(true)
  expect(new URL(browser.opened[1] ?? '').searchParams.get('scope')).toBe('use write')
  // The port is another one, and a server may want exactly the one that it knows.
  const registered = server.seen.filter(({ path }) => path === '/register').map(({ body }) => (JSON.parse(body) as { redirect_uris: string[] }).redirect_uris)
  expect(registered).toEqual(browser.opened.map((page) => [new URL(page).searchParams.get('redirect_uri')]))
  expect(await (await connected(endpoint)).call('whoami', {}, quiet)).toMatchObject({ ok: true, value: { parts: [{ kind: 'text', text: 'use write' }] } })
})

test('what belongs to one server is never shown to another (R53)', async () => {
  const [a, b] = [await signedIn(), await serverThat()]
  const store = memoryStore(a.store.text)
  expect(await endAt(at(b.url, store))).toMatchObject({ wantsSignIn: true })
  expect(await endAt(at(`${a.server.url}?other`, store))).toMatchObject({ wantsSignIn: true })
  const elsewhere = JSON.parse(a.store.text ?? '') as { issuer: string; tokens: { issuer: string; access_token: string; refresh_token: string } }
  const changed = memoryStore(JSON.stringify({ ...elsewhere, server: b.url, tokens: { ...elsewhere.tokens, issuer: b.issuer } }))
  expect(await endAt(at(b.url, changed))).toMatchObject({ wantsSignIn: true })
  await connections.signIn(at(b.url, store), makeBrowser().open, never)
  const toB = JSON.stringify(b.seen)
  expect([b.seen.length > 5, toB.includes(elsewhere.tokens.access_token), toB.includes(elsewhere.tokens.refresh_token)]).toEqual([true, false, false])
})

test('no log line holds a token, a code or a verifier (R53)', async () => {
  const { server, endpoint, store, browser } = await signedIn()
  const events = listenTo()
  const connection = await connected(endpoint, events)
  const texts = [store.text]
  server.expire()
  await connection.listTools()
  texts.push(store.text)
  server.expire()
  server.revoke()
  const failed = await connection.listTools()
  const told = JSON.stringify([events.lines, events.ends, failed])
  const secrets = [...texts.flatMap((text) => {
    const { tokens } = JSON.parse(text ?? '') as { tokens: { access_token: string; refresh_token: string } }
    return [tokens.access_token, tokens.refresh_token]
  }), new URL(browser.returned[0] ?? '').searchParams.get('code') ?? '', new URLSearchParams(server.seen.find(({ path }) => path === '/token')?.body).get('code_verifier') ?? '']
  expect([secrets.length, secrets.filter((secret) => secret === '' || told.includes(secret))]).toEqual([6, []])
})
