import { randomBytes, timingSafeEqual } from 'node:crypto'
import { exchangeAuthorization, registerClient, startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js'
import { succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { McpEndpoint, McpSignInStore } from '../../core/ports/mcpConnections'
import { isLoopbackHost, refusalOf } from './addressRules'
import { problemOf } from './ends'
import { hasOwnKey } from './httpEnds'
import { listenForAnswer, type Loopback } from './loopbackAnswer'
import { findSignIn, isSameIssuer, type SignInPlace } from './oauthDiscovery'
import { makeOAuthFetch, type OAuthFetch } from './oauthFetch'
import { readKept, serverKey, writeKept, type Kept } from './oauthKept'
import { plain, SignInProblem, stepOf } from './oauthProblems'
import { inTurn } from './oauthTurns'

type HttpEndpoint = McpEndpoint & { readonly kind: 'http' }

/** What a sign-in is made with besides its address. */
export interface SignInParts {
  readonly open: (url: string) => Promise<void>
  readonly cancel: CancelSignal
  /** How long the listener waits for the browser to come back. */
  readonly patienceMs?: number
}

/** A page that nobody finished is of no use any more. */
const defaultPatienceMs = 5 * 60_000

/**
 * Signs in (R53; the specification's authorization, 2025-11-25). Everything is kept in memory until the tokens are there, and
 * then saved at once: what fails on the way leaves what was kept before. The app registers anew each time, as the port is a new
 * one each time, and an old registration that the server has forgotten would fail where nobody can tell us.
 */
export async function signIn(endpoint: HttpEndpoint, { open, cancel, patienceMs = defaultPatienceMs }: SignInParts): Promise<Result<null>> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  cancel.addEventListener('abort', abort, { once: true })
  if (cancel.aborted) abort()
  try {
    await signInNow(endpoint, { open, signal: stop.signal, patienceMs })
    return succeed(null)
  } catch (error) {
    const problem = stop.signal.aborted ? new SignInProblem('mcp.oauth-cancelled') : error
    if (problem instanceof SignInProblem) return { ok: false, fault: problem.fault }
    throw error
  } finally {
    cancel.removeEventListener('abort', abort)
  }
}

interface Running {
  readonly open: (url: string) => Promise<void>
  readonly signal: AbortSignal
  readonly patienceMs: number
}

async function signInNow(endpoint: HttpEndpoint, running: Running): Promise<void> {
  const { server, store } = checked(endpoint)
  const net = makeOAuthFetch(server, endpoint.headers, running.signal)
  try {
    running.signal.throwIfAborted()
    const before = readKept(await store.load(), endpoint.url)
    const place = await findSignIn(server, net, before?.wantedScope ?? '')
    const kept = await ask(server, place, net, running)
    running.signal.throwIfAborted()
    await inTurn(endpoint.url, () => store.save(writeKept(kept)))
  } finally {
    net.close()
  }
}

function checked({ url, headers, session }: HttpEndpoint): { readonly server: URL; readonly store: McpSignInStore } {
  const server = URL.canParse(url) ? new URL(url) : null
  if (server === null || refusalOf(server) !== null) throw new SignInProblem('mcp.not-https', { origin: url.slice(0, 200) })
  if (hasOwnKey(headers)) throw new SignInProblem('mcp.oauth-own-key', { host: server.host })
  if (session === null) throw new SignInProblem('mcp.oauth-not-kept', { host: server.host })
  return { server, store: session }
}

async function ask(server: URL, place: SignInPlace, net: OAuthFetch, running: Running): Promise<Kept> {
  const state = randomBytes(32).toString('base64url')
  const loopback = await listenForAnswer((answer) => isOurs(answer, state) && answer.has('code'))
  const { issuer, host, metadata, resource, scope } = place
  try {
    const about = { client_name: 'Countersign', application_type: 'native', redirect_uris: [loopback.redirectUrl], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' }
    const client = await stepOf({ host, refused: 'mcp.oauth-not-registered', secrets: [] }, () => registerClient(issuer, { metadata, clientMetadata: about, fetchFn: net.fetch, ...(scope !== '' && { scope }) }))
    const { authorizationUrl, codeVerifier } = await stepOf({ host, refused: 'mcp.oauth-refused', secrets: [] }, () => startAuthorization(issuer, { metadata, clientInformation: client, redirectUrl: loopback.redirectUrl, state, resource, ...(scope !== '' && { scope }) }))
    const answer = await answerFrom(pageOf(authorizationUrl, server), loopback, running)
    const code = codeOf(answer, state, place)
    const secrets = [code, codeVerifier, state, client.client_secret ?? '']
    const tokens = await stepOf({ host, refused: 'mcp.oauth-refused', secrets }, () => exchangeAuthorization(issuer, { metadata, clientInformation: client, authorizationCode: code, codeVerifier, redirectUri: loopback.redirectUrl, resource, fetchFn: net.fetch }))
    if (tokens.token_type.toLowerCase() !== 'bearer') throw new SignInProblem('mcp.oauth-bad-answer', { host })
    return { version: 1, server: serverKey(server.href), issuer, resource, metadata: whatRefreshingNeeds(place), client: { ...client, issuer }, tokens: { ...tokens, scope: tokens.scope ?? scope, issuer }, gotAtMs: Date.now(), wantedScope: '' }
  } finally {
    loopback.close()
  }
}

/**
 * The page, when it may be shown. The server chose the address, and the browser, or whatever the system opens an address with,
 * would do what it says (mcp-remote, CVE-2025-6514): only https, or this machine for a server of this machine.
 */
function pageOf(url: URL, server: URL): string {
  const isLocal = isLoopbackHost(url.hostname)
  const isAllowed = url.protocol === 'https:' ? !isLocal || isLoopbackHost(server.hostname) : url.protocol === 'http:' && isLocal && isLoopbackHost(server.hostname)
  if (!isAllowed || url.username !== '' || url.password !== '') throw new SignInProblem('mcp.oauth-bad-page', { host: server.host, page: `${url.protocol}//${url.host}` })
  url.hash = ''
  return url.href
}

async function answerFrom(page: string, loopback: Loopback, { open, signal, patienceMs }: Running): Promise<URLSearchParams> {
  let timer: NodeJS.Timeout | undefined
  let abort = (): void => {}
  const ended = new Promise<never>((_resolve, reject) => {
    abort = () => reject(new SignInProblem('mcp.oauth-cancelled'))
    timer = setTimeout(() => reject(new SignInProblem('mcp.oauth-late', { minutes: Math.round(patienceMs / 60_000) })), patienceMs)
  })
  const unopened = open(page).then(() => ended, (error: unknown) => Promise.reject(new SignInProblem('mcp.oauth-not-opened', { problem: problemOf(error) })))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([loopback.answer, unopened, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // Losing the race is no fault of theirs.
    unopened.catch(() => {})
  }
}

function isOurs(answer: URLSearchParams, state: string): boolean {
  const [given, wanted] = [Buffer.from(answer.get('state') ?? ''), Buffer.from(state)]
  const isOnce = new Set(answer.keys()).size === [...answer.keys()].length
  return isOnce && given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** The code, when the answer is to our question and comes from whom it was put to (RFC 9207). */
function codeOf(answer: URLSearchParams, state: string, { host, metadata }: SignInPlace): string {
  if (!isOurs(answer, state)) throw new SignInProblem('mcp.oauth-state', { host })
  const [iss, error, code] = [answer.get('iss'), answer.get('error'), answer.get('code')]
  const isPromised = 'authorization_response_iss_parameter_supported' in metadata && metadata.authorization_response_iss_parameter_supported === true
  if (iss === null ? isPromised : !isSameIssuer(iss, metadata.issuer)) throw new SignInProblem('mcp.oauth-state', { host })
  if (error === 'access_denied') throw new SignInProblem('mcp.oauth-denied', { host })
  if (error !== null) throw new SignInProblem('mcp.oauth-page-error', { host, error: plain(error, [state]), problem: plain(answer.get('error_description') ?? '', [state]) })
  if (code === null || code === '') throw new SignInProblem('mcp.oauth-state', { host })
  return code
}

function whatRefreshingNeeds({ metadata }: SignInPlace): Kept['metadata'] {
  const { issuer, authorization_endpoint, token_endpoint, response_types_supported, token_endpoint_auth_methods_supported } = metadata
  return { issuer, authorization_endpoint, token_endpoint, response_types_supported, token_endpoint_auth_methods_supported }
}
