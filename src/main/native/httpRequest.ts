import { request, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { said, type Said } from '../../shared/domain/result'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { isForwarded, openSocket, proxyAuthorization, ProxyRefused, type SocketTarget } from './httpSocket'

/** One request on a connection of its own. */
export interface HttpAsk extends SocketTarget {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Time to open the connection, and for everything. */
  readonly connectMs: number
  readonly totalMs: number
  readonly signal: CancelSignal
}

/** Why there is no answer, in a sentence. `isPassing`: the same request may succeed in a moment. */
export class HttpProblem extends Error {
  readonly say: Said
  readonly isCancelled: boolean
  readonly isPassing: boolean

  constructor(say: Said, { isCancelled = false, isPassing = false } = {}) {
    super(say.code)
    this.say = say
    this.isCancelled = isCancelled
    this.isPassing = isPassing
  }
}

/**
 * Sends one request and lets `read` have the answer; then the connection is closed, whatever happened. HTTP/1.1, no cookies,
 * no redirects, at most 32 KB of headers. Throws a `HttpProblem`; what `read` throws of its own comes through where the
 * connection was not ended first.
 */
export async function withAnswer<Value>(ask: HttpAsk, read: (message: IncomingMessage) => Promise<Value>): Promise<Value> {
  const ends = new AbortController()
  let why: HttpProblem | null = null
  const end = (problem: HttpProblem): void => {
    why ??= problem
    ends.abort()
  }
  const host = ask.url.host
  const cancel = (): void => end(new HttpProblem(said('tool.cancelled'), { isCancelled: true }))
  const total = setTimeout(() => end(new HttpProblem(said('web.too-slow', { host, seconds: ask.totalMs / 1000 }), { isPassing: true })), ask.totalMs)
  const connecting = setTimeout(() => end(new HttpProblem(said('web.connect-slow', { host, seconds: ask.connectMs / 1000 }), { isPassing: true })), ask.connectMs)
  ask.signal.addEventListener('abort', cancel, { once: true })
  if (ask.signal.aborted) cancel()
  try {
    const socket = await openSocket(ask, ends.signal)
    clearTimeout(connecting)
    return await read(await answered(ask, socket, ends.signal))
  } catch (error) {
    throw why ?? problemOf(error, ask)
  } finally {
    clearTimeout(total)
    clearTimeout(connecting)
    ask.signal.removeEventListener('abort', cancel)
    ends.abort()
  }
}

function answered(ask: HttpAsk, socket: Duplex, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, body } = ask
  const path = `${url.pathname}${url.search}`
  const forwarded = isForwarded(ask)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method,
      path: forwarded ? `${url.origin}${path}` : path,
      headers: { host: url.host, ...ask.headers, ...length, ...(forwarded ? proxyAuthorization(ask.proxy) : {}), connection: 'close' },
      maxHeaderSize: 32_768,
    })
    const end = (): void => {
      asked.destroy()
      socket.destroy()
      reject(new Error('ended'))
    }
    signal.addEventListener('abort', end, { once: true })
    // Stays: the connection may break also after the answer began, which its reader is told.
    asked.on('error', reject)
    asked.once('response', resolve)
    // Nobody asked for another protocol; without a listener the request would neither be answered nor fail.
    asked.once('upgrade', () => {
      reject(new HttpProblem(said('web.not-http', { host: url.host, problem: '101 Switching Protocols' })))
      end()
    })
    asked.once('close', () => reject(new Error('closed')))
    asked.end(body)
    if (signal.aborted) end()
  })
}

function problemOf(error: unknown, { url: { host }, proxy }: HttpAsk): unknown {
  if (error instanceof HttpProblem) return error
  if (error instanceof ProxyRefused) return new HttpProblem(said('web.proxy-refused', { host, proxy: error.proxy, status: error.status }))
  // Where several addresses were tried, each has its error; they seldom differ.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const problem = cause instanceof Error ? cause.message : String(cause)
  const place = proxy?.host ?? host
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new HttpProblem(said('web.name-unknown', { host: place }), { isPassing: code === 'EAI_AGAIN' })
  if (code === 'ECONNREFUSED') return new HttpProblem(said('web.nobody-listens', { host: place }))
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpProblem(said('web.headers-too-large', { host }))
  if (code.startsWith('HPE_')) return new HttpProblem(said('web.not-http', { host, problem }))
  if (/CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) return new HttpProblem(said('web.bad-certificate', { host, problem }))
  if (code === '' && !(cause instanceof Error && /hang up|aborted|closed|ended/.test(problem))) return error
  return new HttpProblem(said('web.broken-off', { host, problem }), { isPassing: true })
}
