import { discoverOAuthServerInfo, extractWWWAuthenticateParams, type OAuthServerInfo } from '@modelcontextprotocol/sdk/client/auth.js'
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import type { OAuthFetch } from './oauthFetch'
import { joinScopes, serverKey } from './oauthKept'
import { SignInProblem, stepOf } from './oauthProblems'

/** Where and for what somebody signs in. */
export interface SignInPlace {
  /** The address that was asked, which everything that is kept is bound to. */
  readonly issuer: string
  readonly host: string
  readonly metadata: AuthorizationServerMetadata
  /** The resource indicator (RFC 8707). */
  readonly resource: string
  /** Empty: the server's own choice. */
  readonly scope: string
}

/**
 * Finds it from the server's refusal and the well-known addresses (RFC 9728, RFC 8414, OpenID Connect). Refused are a place
 * without PKCE S256, one that names another server as what the token is for, and one that cannot register this app.
 */
export async function findSignIn(server: URL, net: OAuthFetch, wantedScope: string): Promise<SignInPlace> {
  return stepOf({ host: server.host, refused: 'mcp.oauth-refused', secrets: [] }, async () => {
    const challenge = await challengeOf(net)
    let found = await discoverOAuthServerInfo(server, { fetchFn: net.fetch, ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }) })
    if (found.resourceMetadata === undefined && challenge.resourceMetadataUrl) found = await discoverOAuthServerInfo(server, { fetchFn: net.fetch })
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = found
    if (metadata === undefined) throw new SignInProblem('mcp.oauth-none', { host: server.host })
    const { host } = new URL(issuer)
    if (metadata.code_challenge_methods_supported?.includes('S256') !== true) throw new SignInProblem('mcp.oauth-no-s256', { host })
    if (!speaksForItself(issuer, metadata)) throw new SignInProblem('mcp.oauth-other-issuer', { host, issuer: metadata.issuer })
    if (metadata.registration_endpoint === undefined) throw new SignInProblem('mcp.oauth-no-registration', { host })
    const resource = resourceOf(server, found)
    const scope = joinScopes(challenge.scope ?? found.resourceMetadata?.scopes_supported?.join(' ') ?? '', wantedScope)
    // Many give no refresh token without it. Alone it would take the place of the server's own choice.
    const isOffered = metadata.scopes_supported?.includes('offline_access') === true
    return { issuer, host, metadata, resource, scope: scope !== '' && isOffered ? joinScopes(scope, 'offline_access') : scope }
  })
}

/** The refusal of a request without a token. The older way over SSE refuses only its stream. */
async function challengeOf(net: OAuthFetch): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'countersign', version: '0' } } })
  const posted = await net.knock({ method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body })
  if (posted.status === 401) return extractWWWAuthenticateParams(posted)
  const got = await net.knock({ method: 'GET', headers: { accept: 'text/event-stream' } })
  return got.status === 401 ? extractWWWAuthenticateParams(got) : {}
}

/**
 * Whoever gives the metadata may claim to be somebody else, whose page the person then trusts, and have the code sent to its own
 * address (mix-up). So the issuer it names is the address it was found at (RFC 8414 3.3), or at least its page is there:
 * some services name another of their hosts as issuer.
 */
function speaksForItself(issuer: string, metadata: AuthorizationServerMetadata): boolean {
  return isSameIssuer(issuer, metadata.issuer) || new URL(metadata.authorization_endpoint).origin === new URL(issuer).origin
}

/** Issuers are compared as written, but for a slash at the end. */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '')
}

/** What the server calls itself is sent as it stands; another server's name would get a token for that one. */
function resourceOf(server: URL, { resourceMetadata }: OAuthServerInfo): string {
  if (resourceMetadata === undefined) return server.pathname === '/' && server.search === '' ? server.origin : serverKey(server.href)
  const { resource } = resourceMetadata
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: resource })) throw new SignInProblem('mcp.oauth-other-resource', { host: server.host, resource })
  return resource
}
