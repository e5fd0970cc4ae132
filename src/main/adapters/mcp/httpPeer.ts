import { AsyncLocalStorage } from 'node:async_hooks'
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { McpEnd, McpEndpoint } from '../../core/ports/mcpConnections'
import { AddressError } from './addressRules'
import { makeDelivery } from './delivery'
import { endOf } from './ends'
import { endOfStatus } from './httpEnds'
import { makeGuardedFetch } from './guardedFetch'
import type { Signing } from './oauthTokens'
import type { Peer } from './peer'
import { answerLost } from './requests'

/** What both ways over an address have. */
export interface HttpPeerParts {
  readonly endpoint: McpEndpoint & { readonly kind: 'http' }
  /** Sends what a sign-in left. The library's own way is not used; oauthTokens says why. */
  readonly signing: Signing
}

/** Ending the session at the other side is a courtesy, and takes no longer. */
const goodbyeMs = 2000
/** The last message of a stream is read a moment after the stream has ended. */
const readMs = 100

/** Streamable HTTP. */
export function makeStreamablePeer({ endpoint, signing }: HttpPeerParts): Peer {
  const guarded = makeGuardedFetch()
  const sending = new AsyncLocalStorage<Sent>()
  const waiting = new Map<string | number, Sent>()
  const inner = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    fetch: followed(signing(guarded.fetch), sending, (sent) => setTimeout(() => lose(sent), readMs)),
    requestInit: { headers: { ...endpoint.headers } },
    redirectPolicy: 'same-origin',
  })
  const peer = makePeer(guarded.close, async () => {
    await Promise.race([inner.terminateSession().catch(() => {}), new Promise((resolve) => setTimeout(resolve, goodbyeMs))])
    await inner.close()
  })
  const lose = (sent: Sent): void => {
    if (sent.canResume || !waiting.delete(sent.id)) return
    peer.deliver({ jsonrpc: '2.0', id: sent.id, error: { code: answerLost, message: 'the connection broke off' } })
  }
  inner.onmessage = (message) => {
    if ('id' in message && !('method' in message) && message.id !== undefined) waiting.delete(message.id)
    peer.deliver(message)
  }
  const self: Peer = {
    ...peer.peer,
    hasForgotten: (error) => error instanceof StreamableHTTPError && error.code === 404 && inner.sessionId !== undefined,
    explain: (error) => explain(error, endpoint),
  }
  inner.onerror = (error) => {
    // The library has given up listening; nobody else would notice.
    if (error.message.startsWith('Maximum reconnection attempts')) self.onTrouble()
  }
  Object.assign(self.transport, {
    start: () => inner.start(),
    setProtocolVersion: (version: string) => inner.setProtocolVersion(version),
    async send(message: JSONRPCMessage) {
      if (!isJSONRPCRequest(message)) return inner.send(message)
      const sent: Sent = { id: message.id, canResume: false }
      waiting.set(message.id, sent)
      try {
        await sending.run(sent, () => inner.send(message, { onresumptiontoken: () => (sent.canResume = true) }))
      } catch (error) {
        waiting.delete(message.id)
        throw error
      }
    },
  })
  return self
}

/** A request on its way; `canResume`: the library can fetch the rest of its stream when it breaks. */
interface Sent {
  readonly id: string | number
  canResume: boolean
}

/** Tells when the stream that answers a request has come to its end. The library only waits on. */
function followed(fetch: FetchLike, sending: AsyncLocalStorage<Sent>, onEnd: (sent: Sent) => void): FetchLike {
  return async (url, init) => {
    const sent = sending.getStore()
    const response = await fetch(url, init)
    if (sent === undefined || init?.method !== 'POST' || !response.ok || response.body === null) return response
    const end = (): void => onEnd(sent)
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  }
}

/** The older way: an event stream, and an address for what is sent. */
export function makeSsePeer({ endpoint, signing }: HttpPeerParts): Peer {
  const guarded = makeGuardedFetch()
  const inner = new SSEClientTransport(new URL(endpoint.url), {
    fetch: signing(guarded.fetch),
    requestInit: { headers: { ...endpoint.headers } },
    redirectPolicy: 'same-origin',
  })
  const peer = makePeer(guarded.close, () => inner.close())
  let isOpen = false
  inner.onmessage = (message) => peer.deliver(message)
  inner.onerror = (error) => {
    // It would connect again by itself, to a session that nobody shook hands with.
    if (isOpen && error instanceof SseError) peer.end(explain(error, endpoint) ?? endOf('mcp.no-answer', {}, 'mcp.no-answer-advice'))
  }
  Object.assign(peer.peer.transport, {
    async start() {
      await inner.start()
      isOpen = true
    },
    setProtocolVersion: (version: string) => inner.setProtocolVersion(version),
    send: (message: JSONRPCMessage) => inner.send(message),
  })
  return { ...peer.peer, explain: (error) => explain(error, endpoint) }
}

function makePeer(release: () => void, leave: () => Promise<void>): { readonly peer: Peer; deliver(message: JSONRPCMessage): void; end(end: McpEnd): void } {
  let closing: Promise<void> | undefined
  let end = (_end: McpEnd): void => {}
  const over = new Promise<McpEnd>((resolve) => {
    end = resolve
  })
  const close = (): Promise<void> => {
    closing ??= leave().finally(() => {
      delivery.stop()
      release()
      transport.onclose?.()
    })
    return closing
  }
  const transport: Transport = { start: () => Promise.resolve(), send: () => Promise.resolve(), close }
  // A stream cannot be held from here; the library reads it piece by piece.
  const delivery = makeDelivery((message) => transport.onmessage?.(message), { hold: () => {}, letGo: () => {} })
  return {
    peer: { transport, over, onTrouble: () => {}, hasForgotten: () => false, explain: () => null, close },
    deliver: (message) => delivery.push([message]),
    end(reason) {
      if (closing === undefined) end(reason)
    },
  }
}

function explain(error: unknown, { url, headers }: HttpPeerParts['endpoint']): McpEnd | null {
  if (error instanceof AddressError) return error.end
  if (error instanceof StreamableHTTPError || error instanceof SseError) return endOfStatus(error.code ?? 0, error.message, url, headers)
  return null
}
