import { SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { McpEnd, McpEndpoint } from '../../core/ports/mcpConnections'
import { refusalOf } from './addressRules'
import { endOf, failedBy } from './ends'
import { makeSsePeer, makeStreamablePeer, type HttpPeerParts } from './httpPeer'
import { signingFor } from './oauthTokens'
import { openSession, type Session, type SessionParts } from './session'

/**
 * Opens a session at an address: Streamable HTTP, and where the address answers that with 4xx, the older SSE
 * (specification 2025-11-25, transports, backwards compatibility). 401 and 403 are no sign of the older way.
 */
export async function openHttpSession(endpoint: McpEndpoint & { readonly kind: 'http' }, parts: SessionParts, signal: AbortSignal): Promise<{ readonly ok: true; readonly session: Session } | { readonly ok: false; readonly end: McpEnd }> {
  if (!URL.canParse(endpoint.url)) return failedBy(endOf('mcp.not-https', { origin: endpoint.url.slice(0, 200) }, 'mcp.not-https-advice'))
  const refusal = refusalOf(new URL(endpoint.url))
  if (refusal !== null) return failedBy(refusal)
  const peerParts: HttpPeerParts = { endpoint, signing: await signingFor(endpoint) }
  const opened = await openSession(makeStreamablePeer(peerParts), parts, signal)
  if (opened.ok || signal.aborted || !mayBeOlder(opened.error)) return opened
  const older = await openSession(makeSsePeer(peerParts), parts, signal)
  // What the newer way said is about this address; the older one only counts when it was really there.
  return older.ok || older.end.wantsSignIn || !(older.error instanceof SseError) ? older : opened
}

function mayBeOlder(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code !== undefined && error.code >= 400 && error.code < 500 && error.code !== 401 && error.code !== 403
}
