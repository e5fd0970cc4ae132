import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { AddressError, isLoopbackHost } from './addressRules'
import { endOf } from './ends'
import { makeGuardedFetch } from './guardedFetch'
import { isObject } from './messages'

/** Requests of one sign-in or one refresh, on connections of their own. */
export interface OAuthFetch {
  readonly fetch: FetchLike
  /** Asks the server itself without a token, and reads nothing but status and headers. */
  knock(init: RequestInit): Promise<Response>
  close(): void
}

/** Answers of OAuth are small, and come soon. */
const answerLimitBytes = 1024 * 1024
const answerMs = 30_000
const withoutBody = [204, 205, 304]

/**
 * The guarded fetch with bounds in time and size. An address of this machine is asked only for a server that is on this machine
 * itself: a server far away may name any address, and is not to reach what listens here. The form's headers go to the server's
 * own origin only. What a page of metadata says is JSON, or nothing: many servers answer every path with their start page.
 */
export function makeOAuthFetch(server: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): OAuthFetch {
  const guarded = makeGuardedFetch()
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    if (isLoopbackHost(url.hostname) && !isLoopbackHost(server.hostname)) throw new AddressError(endOf('mcp.oauth-local-address', { host: server.host, address: url.host }), 'address not allowed')
    const sent = new Headers(init.headers)
    for (const [name, value] of url.origin === server.origin ? Object.entries(headers) : []) if (!sent.has(name)) sent.set(name, value)
    return guarded.fetch(url, { ...init, headers: sent })
  }
  const inTime = async <T>(url: URL, run: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(answerMs)
    try {
      return await run(AbortSignal.any([signal, late]))
    } catch (error) {
      if (late.aborted && !signal.aborted) throw new AddressError(endOf('mcp.oauth-slow', { host: url.host, seconds: answerMs / 1000 }), 'too slow')
      throw error
    }
  }
  return {
    fetch(input, init = {}) {
      const url = new URL(input)
      return inTime(url, async (stop) => {
        const response = await send(url, { ...init, signal: stop })
        const text = await textWithin(response, url)
        const isPage = response.ok && (init.method ?? 'GET') === 'GET' && !isJsonObject(text)
        const status = isPage ? 404 : response.status
        return new Response(withoutBody.includes(status) ? null : text, { status, headers: response.headers })
      })
    },
    knock: (init) =>
      inTime(server, async (stop) => {
        const response = await send(server, { ...init, signal: stop })
        await response.body?.cancel()
        return response
      }),
    close: guarded.close,
  }
}

async function textWithin(response: Response, url: URL): Promise<string> {
  if (response.body === null) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(pieces).toString('utf8')
    bytes += value.length
    pieces.push(value)
    if (bytes <= answerLimitBytes) continue
    await reader.cancel()
    throw new AddressError(endOf('mcp.oauth-bad-answer', { host: url.host }), 'answer too large')
  }
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
