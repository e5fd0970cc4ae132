import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { fail, type Result } from '../../../shared/domain/result'
import type { McpEndpoint } from '../../core/ports/mcpConnections'

type HttpEndpoint = McpEndpoint & { readonly kind: 'http' }

/** What the library signs requests with; null where nobody signed in, and no refresh is to be tried. */
export function authProviderFor(_endpoint: HttpEndpoint): Promise<OAuthClientProvider | null> {
  return Promise.resolve(null)
}

/** Signing in is not wired yet. */
export function signIn(endpoint: HttpEndpoint): Promise<Result<null>> {
  return Promise.resolve(fail('mcp.sign-in-missing', { url: endpoint.url }))
}
