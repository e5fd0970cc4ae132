import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerJson, listenAt, type AddressServer } from './mcpServers'

type Json = Readonly<Record<string, unknown>>

/** What it does differently from a good server. */
export interface AuthServerOddities {
  /** How long access tokens hold; they also end with `expire()`. */
  readonly tokenSeconds?: number
  /** Changes what the metadata of the authorization server says. */
  readonly metadata?: (given: Json, at: { readonly authorization: string; readonly resource: string }) => Json
  readonly resourceMetadata?: (given: Json) => Json
  /** False: the well-known address of the resource answers 404. */
  readonly hasResourceMetadata?: boolean
  /** False: the refusal does not say where the metadata is. */
  readonly hasChallenge?: boolean
  /** Changes the address that the browser is sent back to. */
  readonly sendBack?: (redirect: URL) => void
  /** Answers a request for tokens in its own way; true when it did. */
  readonly tokens?: (form: URLSearchParams, response: ServerResponse) => boolean
  /** The same for any other request to either server. */
  readonly other?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Gives no refresh token. */
  readonly isWithoutRefresh?: boolean
  /** What `tools/call` needs besides `use`. */
  readonly callScope?: string
  /** The account may do nothing. */
  readonly isForbidden?: boolean
}

/** A request as it came to one of the two. */
export interface SeenRequest {
  readonly to: 'authorization' | 'resource'
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An authorization server, and a protected MCP server on another port. */
export interface AuthServer {
  /** The address of the MCP server. */
  readonly url: string
  readonly issuer: string
  readonly seen: readonly SeenRequest[]
  /** Every access token so far ends now. */
  expire(): void
  /** Every refresh token so far, too. */
  revoke(): void
  /** How often tokens were refreshed. */
  refreshes(): number
  close(): Promise<void>
}

interface Grant {
  readonly client: string
  readonly scope: string
  readonly family: string
}
interface Code extends Grant {
  readonly redirect: string
  readonly challenge: string
}
interface State {
  readonly clients: Map<string, readonly string[]>
  readonly codes: Map<string, Code>
  readonly access: Map<string, Grant & { readonly untilMs: number }>
  readonly refresh: Map<string, Grant>
  readonly usedRefresh: Map<string, string>
  refreshes: number
}

const secret = (): string => randomBytes(16).toString('base64url')
const error = (response: ServerResponse, status: number, code: string, text = code): void => answerJson(response, status, { error: code, error_description: text })

/**
 * Checks what a client has to do: PKCE S256, the exact address to send back to, state, resource indicator in both requests, the
 * client that registered. A refresh token that comes twice takes the whole sign-in back (RFC 9700 4.14).
 */
export async function startAuthServer(odd: AuthServerOddities = {}): Promise<AuthServer> {
  const state: State = { clients: new Map(), codes: new Map(), access: new Map(), refresh: new Map(), usedRefresh: new Map(), refreshes: 0 }
  const seen: SeenRequest[] = []
  const listen = (to: SeenRequest['to'], answer: (seen: SeenRequest, response: ServerResponse) => void): Promise<AddressServer> =>
    listenAt((request, response) => {
      void textOf(request).then((body) => {
        const one: SeenRequest = { to, method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
        seen.push(one)
        if (odd.other?.(request, response) !== true) answer(one, response)
      })
    })
  const authorization: AddressServer = await listen('authorization', (one, response) => {
    const at = new URL(one.path, authorization.origin)
    switch (`${one.method} ${at.pathname}`) {
      case 'GET /.well-known/oauth-authorization-server': return answerJson(response, 200, metadataOf(authorization.origin, resource.url, odd))
      case 'POST /register': return register(one, response, state)
      case 'GET /authorize': return authorize(at.searchParams, response, { state, odd, resource: resource.url, issuer: authorization.origin })
      case 'POST /token': return odd.tokens?.(new URLSearchParams(one.body), response) === true ? undefined : tokens(new URLSearchParams(one.body), response, { state, odd, resource: resource.url })
      default: return void response.writeHead(404).end()
    }
  })
  const resource: AddressServer = await listen('resource', (one, response) => {
    if (one.path === '/.well-known/oauth-protected-resource/mcp' && odd.hasResourceMetadata !== false) {
      const given = { resource: resource.url, authorization_servers: [authorization.origin], scopes_supported: ['use'] }
      return answerJson(response, 200, odd.resourceMetadata?.(given) ?? given)
    }
    if (one.path.split('?')[0] !== '/mcp') return void response.writeHead(404).end()
    return protectedAnswer(one, response, state, odd, resource.origin)
  })
  return {
    url: resource.url, issuer: authorization.origin, seen,
    expire: () => state.access.clear(),
    revoke: () => state.refresh.clear(),
    refreshes: () => state.refreshes,
    close: async () => void (await Promise.all([authorization.close(), resource.close()])),
  }
}

function metadataOf(issuer: string, resource: string, odd: AuthServerOddities): Json {
  const given = {
    issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'], grant_types_supported: ['authorization_code', 'refresh_token'], code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'], authorization_response_iss_parameter_supported: true,
  }
  return odd.metadata?.(given, { authorization: issuer, resource }) ?? given
}

function register({ body }: SeenRequest, response: ServerResponse, { clients }: State): void {
  const about = JSON.parse(body) as { redirect_uris?: readonly string[]; client_name?: string; application_type?: string }
  const uris = about.redirect_uris ?? []
  if (uris.length !== 1 || !uris.every((uri) => /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(uri)) || about.application_type !== 'native') return error(response, 400, 'invalid_redirect_uri')
  const client = `client-${secret()}`
  clients.set(client, uris)
  answerJson(response, 201, { ...about, client_id: client })
}

interface Place {
  readonly state: State
  readonly odd: AuthServerOddities
  readonly resource: string
}

function authorize(asked: URLSearchParams, response: ServerResponse, { state, odd, resource, issuer }: Place & { readonly issuer: string }): void {
  const given = (name: string): string => asked.get(name) ?? ''
  const redirect = given('redirect_uri')
  if (state.clients.get(given('client_id'))?.includes(redirect) !== true) return void response.writeHead(400).end('unknown client or address')
  const back = new URL(redirect)
  const fault = given('response_type') !== 'code' ? 'unsupported_response_type'
    : given('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(given('code_challenge')) ? 'invalid_request'
    : given('state').length < 32 ? 'invalid_request'
    : given('resource') !== resource ? 'invalid_target' : null
  back.searchParams.set('state', given('state'))
  back.searchParams.set('iss', issuer)
  if (fault === null) {
    const code = secret()
    state.codes.set(code, { client: given('client_id'), scope: given('scope'), family: secret(), redirect, challenge: given('code_challenge') })
    back.searchParams.set('code', code)
  } else back.searchParams.set('error', fault)
  odd.sendBack?.(back)
  response.writeHead(302, { location: back.href }).end()
}

function tokens(form: URLSearchParams, response: ServerResponse, { state, odd, resource }: Place): void {
  const given = (name: string): string => form.get(name) ?? ''
  if (given('resource') !== resource) return error(response, 400, 'invalid_target')
  if (!state.clients.has(given('client_id'))) return error(response, 401, 'invalid_client')
  const [code, refresh] = [state.codes.get(given('code')), state.refresh.get(given('refresh_token'))]
  if (given('grant_type') === 'authorization_code') {
    state.codes.delete(given('code'))
    const challenge = createHash('sha256').update(given('code_verifier')).digest('base64url')
    if (!code || code.client !== given('client_id') || code.redirect !== given('redirect_uri') || code.challenge !== challenge) return error(response, 400, 'invalid_grant')
    return grant(code, response, state, odd)
  }
  if (given('grant_type') !== 'refresh_token') return error(response, 400, 'unsupported_grant_type')
  const family = state.usedRefresh.get(given('refresh_token'))
  if (family !== undefined) for (const [token, one] of state.refresh) if (one.family === family) state.refresh.delete(token)
  if (!refresh || refresh.client !== given('client_id')) return error(response, 400, 'invalid_grant')
  state.refresh.delete(given('refresh_token'))
  state.usedRefresh.set(given('refresh_token'), refresh.family)
  state.refreshes++
  grant(refresh, response, state, odd)
}

function grant({ client, scope, family }: Grant, response: ServerResponse, state: State, { tokenSeconds = 3600, isWithoutRefresh = false }: AuthServerOddities): void {
  const [access, refresh] = [`access-${secret()}`, `refresh-${secret()}`]
  state.access.set(access, { client, scope, family, untilMs: Date.now() + tokenSeconds * 1000 })
  if (!isWithoutRefresh) state.refresh.set(refresh, { client, scope, family })
  answerJson(response, 200, { access_token: access, token_type: 'Bearer', expires_in: tokenSeconds, scope, ...(isWithoutRefresh ? {} : { refresh_token: refresh }) }, { 'cache-control': 'no-store' })
}

function protectedAnswer({ method, headers, body }: SeenRequest, response: ServerResponse, { access }: State, odd: AuthServerOddities, origin: string): void {
  const grant = access.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
  const challenge = odd.hasChallenge === false ? 'Bearer' : `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  if (!grant || grant.untilMs < Date.now()) return void response.writeHead(401, { 'www-authenticate': challenge }).end()
  if (odd.isForbidden === true) return void response.writeHead(403).end()
  if (method !== 'POST') return void response.writeHead(method === 'DELETE' ? 200 : 405).end()
  const message = JSON.parse(body) as { readonly id?: number; readonly method?: string; readonly params?: Json }
  if (message.id === undefined) return void response.writeHead(202).end()
  if (message.method === 'tools/call' && odd.callScope !== undefined && !grant.scope.split(' ').includes(odd.callScope))
    return void response.writeHead(403, { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${odd.callScope}"` }).end()
  const results: Readonly<Record<string, unknown>> = {
    initialize: { protocolVersion: message.params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo: { name: 'protected', version: '1' } },
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: grant.scope }] },
  }
  answerJson(response, 200, { jsonrpc: '2.0', id: message.id, result: results[message.method ?? ''] ?? {} })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of request) text += String(bytes)
  return text
}

/** Plays the browser of somebody who says yes at once: follows the page to where it leads. */
export function makeBrowser(): { readonly open: (url: string) => Promise<void>; readonly opened: string[]; readonly pages: { readonly status: number; readonly text: string; readonly headers: Headers }[]; readonly returned: string[] } {
  const opened: string[] = []
  const returned: string[] = []
  const pages: { readonly status: number; readonly text: string; readonly headers: Headers }[] = []
  return {
    opened, pages, returned,
    async open(url) {
      opened.push(url)
      const page = await fetch(url, { redirect: 'manual' })
      const back = page.headers.get('location')
      await page.body?.cancel()
      if (back === null) return
      returned.push(back)
      const answer = await fetch(back)
      pages.push({ status: answer.status, text: await answer.text(), headers: answer.headers })
    },
  }
}
