import { lookup as resolve, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as requestHttp, STATUS_CODES, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpEnd } from '../../core/ports/mcpConnections'
import { AddressError, judgeResolved, refusalOf } from './addressRules'
import { endOf, problemOf } from './ends'

/** A fetch of its own connections. */
export interface GuardedFetch {
  readonly fetch: FetchLike
  /** Ends every connection. */
  readonly close: () => void
}

/** One answer, or one event of a stream, may be as large as this. */
export const messageLimitBytes = 64 * 1024 * 1024
/** Shorter than servers keep a connection that is not used, so that a request rarely meets one that is just being closed. */
const idleMs = 4000

/**
 * Fetch that goes where the rules of addresses let it, checks what names resolve to when it connects, follows no redirect, uses
 * no proxy, and bounds what one message may hold. The fetch of the platform can do the first only, and ends an answer that is
 * silent for five minutes.
 */
export function makeGuardedFetch(): GuardedFetch {
  const agents = { http: new HttpAgent({ keepAlive: true, timeout: idleMs }), https: new HttpsAgent({ keepAlive: true, timeout: idleMs }) }
  return {
    fetch: (url, init = {}) => send(new URL(url), init, agents),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

async function send(url: URL, init: RequestInit, agents: { readonly http: HttpAgent; readonly https: HttpsAgent }): Promise<Response> {
  const refusal = refusalOf(url)
  if (refusal !== null) throw new AddressError(refusal, 'address not allowed')
  const headers = new Headers(init.headers)
  const body = bodyOf(init.body, headers)
  const options = { method: init.method ?? 'GET', headers: Object.fromEntries(headers), lookup: judgedLookup }
  return new Promise((answer, reject) => {
    const signal = init.signal ?? null
    const request = url.protocol === 'https:' ? requestHttps(url, { ...options, agent: agents.https }) : requestHttp(url, { ...options, agent: agents.http })
    const abort = (): void => void request.destroy(new DOMException('This operation was aborted', 'AbortError'))
    request.once('close', () => signal?.removeEventListener('abort', abort))
    // Stays: a connection may also break after the answer began, which the reader of the answer is told.
    request.on('error', (error) => reject(signal?.aborted === true ? error : toAddressError(error, url)))
    request.once('response', (message) => {
      try {
        answer(responseOf(message))
      } catch (error) {
        request.destroy()
        reject(toAddressError(error, url))
      }
    })
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    request.end(body)
  })
}

function bodyOf(body: RequestInit['body'], headers: Headers): string {
  if (body === undefined || body === null) return ''
  if (!(typeof body === 'string' || body instanceof URLSearchParams)) throw new TypeError('only text is sent')
  if (body instanceof URLSearchParams && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  const text = String(body)
  headers.set('content-length', String(Buffer.byteLength(text)))
  return text
}

const withoutBody = [204, 205, 304]

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  const init = { status, statusText: STATUS_CODES[status] ?? '', headers }
  if (withoutBody.includes(status)) {
    message.resume()
    return new Response(null, init)
  }
  const bounded = bound((headers.get('content-type') ?? '').startsWith('text/event-stream'))
  message.once('error', (error) => bounded.destroy(error))
  message.once('aborted', () => bounded.destroy(new Error('the connection broke off')))
  bounded.once('close', () => {
    if (!message.complete) message.destroy()
  })
  return new Response(webStream(message.pipe(bounded)), init)
}

/** Piece by piece, as they are asked for. Node's own throws outside of everything when a piece comes after the reader left. */
function webStream(source: Transform): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Buffer> = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next()
      if (piece.done === true) controller.close()
      else controller.enqueue(piece.value)
    },
    cancel: () => void source.destroy(),
  })
}

/** Breaks off what is too large: a whole answer, or the bytes between two empty lines of an event stream. */
function bound(isStream: boolean): Transform {
  let bytes = 0
  /** The end of the last piece: an empty line may lie across two. */
  let before = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const joined = isStream ? Buffer.concat([before, chunk]) : chunk
      const gap = isStream ? Math.max(joined.lastIndexOf('\n\n'), joined.lastIndexOf('\r\n\r\n')) : -1
      bytes = gap === -1 ? bytes + chunk.length : joined.length - gap
      before = Buffer.from(joined.subarray(-3))
      if (bytes > messageLimitBytes) done(new AddressError(endOf('mcp.line-too-long', { limitBytes: messageLimitBytes }, 'mcp.line-too-long-advice'), 'message too large'))
      else done(null, chunk)
    },
  })
}

const judgedLookup: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return done(error, '', 4)
    const refusal = judgeResolved(host, found.map(({ address }) => address))
    if (refusal !== null) return done(new AddressError(refusal, 'address not allowed'), '', 4)
    if (options.all === true) return done(null, found)
    const [first] = found
    done(null, first?.address ?? '', first?.family ?? 4)
  })
}

function toAddressError(error: unknown, url: URL): AddressError {
  return error instanceof AddressError ? error : new AddressError(endOfNetwork(error, url), problemOf(error))
}

function endOfNetwork(error: unknown, { host }: URL): McpEnd {
  // Where several addresses were tried, each has its error; they seldom differ.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return endOf('mcp.name-unknown', { host }, 'mcp.name-unknown-advice')
  if (code === 'ECONNREFUSED') return endOf('mcp.nobody-listens', { host }, 'mcp.nobody-listens-advice')
  if (/CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) return endOf('mcp.bad-certificate', { host, problem: problemOf(cause) }, 'mcp.bad-certificate-advice')
  return endOf('mcp.unreachable', { host, problem: problemOf(cause) || code }, 'mcp.unreachable-advice')
}
