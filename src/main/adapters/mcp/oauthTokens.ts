import { extractWWWAuthenticateParams, refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthError, ServerError, TemporarilyUnavailableError, TooManyRequestsError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpEndpoint, McpSignInStore } from '../../core/ports/mcpConnections'
import { AddressError } from './addressRules'
import { endOf } from './ends'
import { hasOwnKey } from './httpEnds'
import { makeOAuthFetch } from './oauthFetch'
import { isStale, joinScopes, readKept, writeKept, type Kept } from './oauthKept'
import { inTurn } from './oauthTurns'

type HttpEndpoint = McpEndpoint & { readonly kind: 'http' }

/** Makes a fetch send the tokens that are kept for the server. */
export type Signing = (fetch: FetchLike) => FetchLike

/** Another connection may have refreshed in between; it is not raced without end. */
const mostTries = 3

/** How requests to the server are signed: not at all where nobody signed in, or where the form gives a key of its own. */
export async function signingFor(endpoint: HttpEndpoint): Promise<Signing> {
  const kept = endpoint.session === null || hasOwnKey(endpoint.headers) ? null : readKept(await endpoint.session.load(), endpoint.url)
  return kept === null || endpoint.session === null ? (fetch) => fetch : makeSigning(endpoint, endpoint.session, kept)
}

/**
 * Signs, refreshes a token that is old or was refused, and asks once more. Where that does not help, the tokens are forgotten and
 * the refusal stands, so that the connection ends and the person is asked to sign in: no browser is opened from here.
 *
 * The library can do it by itself, but refreshes once for each call that is refused: of several at a time, all but the first
 * would show a refresh token that is used up, and servers then take everything back (RFC 9700 4.14).
 */
function makeSigning(endpoint: HttpEndpoint, store: McpSignInStore, first: Kept): Signing {
  const { origin, host } = new URL(endpoint.url)
  let kept: Kept | null = first
  const renew = async (used: Kept): Promise<Kept | null> => (kept = await renewed(endpoint, store, used))
  return (fetch) => async (url, init = {}) => {
    if (new URL(url).origin !== origin) return fetch(url, init)
    const isGoodbye = init.method === 'DELETE'
    // It still may be taken; if not, that is told below.
    if (kept !== null && isStale(kept, Date.now()) && !isGoodbye) await renew(kept).catch((error: unknown) => ignoreAddress(error))
    for (let tries = 1; ; tries++) {
      const used: Kept | null = kept
      const response = await fetch(url, used === null ? init : signed(init, used))
      if (used !== null && (await wantsMore(response, endpoint.url, store))) return refusal(response, init, host)
      if (response.status === 403 && used !== null && init.method === 'POST') throw await forbidden(response, host)
      if (response.status !== 401 || isGoodbye) return response
      if (used === null) return refusal(response, init, host)
      if (tries === mostTries) {
        kept = await inTurn(endpoint.url, () => forget(store, used, endpoint.url))
        return refusal(response, init, host)
      }
      if ((await renew(used)) === null) return refusal(response, init, host)
      await response.body?.cancel()
    }
  }
}

function ignoreAddress(error: unknown): void {
  if (!(error instanceof AddressError)) throw error
}

function signed(init: RequestInit, { tokens }: Kept): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${tokens.access_token}`)
  return { ...init, headers }
}

/** The server wants a scope that was not granted; remembered for the next sign-in, which only the person begins. */
async function wantsMore(response: Response, url: string, store: McpSignInStore): Promise<boolean> {
  if (response.status !== 403) return false
  const { error, scope } = extractWWWAuthenticateParams(response)
  if (error !== 'insufficient_scope') return false
  await inTurn(url, async () => {
    const now = readKept(await store.load(), url)
    if (now !== null) await store.save(writeKept({ ...now, wantedScope: joinScopes(now.tokens.scope ?? '', scope ?? '') }))
  })
  return true
}

/** The form's headers are not to blame, nor is the sign-in: its account may not do this. */
async function forbidden(response: Response, host: string): Promise<AddressError> {
  await response.body?.cancel()
  return new AddressError(endOf('mcp.oauth-forbidden', { host }, 'mcp.oauth-forbidden-advice'), 'HTTP 403')
}

/** The older way over SSE does not tell the status of what it could not send, so a request fails with the reason. */
async function refusal(response: Response, init: RequestInit, host: string): Promise<Response> {
  await response.body?.cancel()
  if (init.method === 'POST') throw new AddressError(endOf('mcp.sign-in-needed', { host }, 'mcp.sign-in-needed-advice', { wantsSignIn: true }), 'sign in')
  return new Response(null, { status: 401 })
}

/** Tokens in place of those that were used: newer ones that are kept already, or refreshed. */
function renewed(endpoint: HttpEndpoint, store: McpSignInStore, used: Kept): Promise<Kept | null> {
  return inTurn(endpoint.url, () => renew(endpoint, store, used))
}

async function renew(endpoint: HttpEndpoint, store: McpSignInStore, used: Kept): Promise<Kept | null> {
  const now = readKept(await store.load(), endpoint.url)
  if (now === null || now.tokens.access_token !== used.tokens.access_token) return now
  const { issuer, metadata, client, resource, tokens } = now
  if (tokens.refresh_token === undefined) return forget(store, now, endpoint.url)
  // On connections of its own: were it cut off with the connection that needs it, the new refresh token would be lost.
  const net = makeOAuthFetch(new URL(endpoint.url), endpoint.headers, new AbortController().signal)
  try {
    const given = await refreshAuthorization(issuer, { metadata, clientInformation: client, refreshToken: tokens.refresh_token, resource, fetchFn: net.fetch })
    // Signed out meanwhile: it stays so.
    if (readKept(await store.load(), endpoint.url) === null) return null
    const next: Kept = { ...now, tokens: { ...given, scope: given.scope ?? tokens.scope, issuer }, gotAtMs: Date.now() }
    await store.save(writeKept(next))
    return next
  } catch (error) {
    if (isFinal(error)) return await forget(store, now, endpoint.url)
    if (error instanceof AddressError) throw error
    throw new AddressError(endOf('mcp.oauth-refresh-failed', { host: new URL(metadata.token_endpoint).host }, 'mcp.oauth-refresh-failed-advice'), 'refreshing failed')
  } finally {
    net.close()
  }
}

/** The server's word that this is over. Trouble of the network or of the server is not. */
function isFinal(error: unknown): boolean {
  return error instanceof OAuthError && !(error instanceof ServerError || error instanceof TemporarilyUnavailableError || error instanceof TooManyRequestsError)
}

/** Forgets these tokens, unless others have taken their place. */
async function forget(store: McpSignInStore, gone: Kept, url: string): Promise<Kept | null> {
  const now = readKept(await store.load(), url)
  if (now !== null && now.tokens.access_token !== gone.tokens.access_token) return now
  await store.clear()
  return null
}
