import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { WebFetch, WebPage, WebRedirect } from '../../core/ports/web'
import { acceptedEncodings, readBounded } from '../../native/httpBody'
import { HttpProblem, withAnswer } from '../../native/httpRequest'
import { portOf, proxyOf, type ProxyVariables } from '../../native/proxy'
import { isAllowedHost, isPublicAddress, saysPrivate, webAddress } from './addresses'
import { formOf, mimeTypeOf } from './mediaTypes'
import type { PageReader } from './pageReader'

/** What the adapter is made of. `resolve` is the system's name lookup where none is given. */
export interface WebFetchOptions {
  readonly env: ProxyVariables
  readonly reader: PageReader
  readonly resolve?: (host: string) => Promise<readonly string[]>
  readonly limits?: Partial<WebLimits>
}

/** How much a page may cost. */
export interface WebLimits {
  readonly bytes: number
  readonly totalMs: number
  readonly connectMs: number
  readonly redirects: number
}

const usualLimits: WebLimits = { bytes: 5 * 1024 * 1024, totalMs: 30_000, connectMs: 10_000, redirects: 5 }

const headers = { 'user-agent': 'Countersign', accept: 'text/html,application/xhtml+xml,application/json,text/*;q=0.9,*/*;q=0.5', 'accept-encoding': acceptedEncodings }

/**
 * Fetches pages (R102). Each address is looked up once, judged, and connected to as it was judged. With a proxy in the
 * environment, the proxy is asked for a tunnel to that very address, for http too: told a name it would look it up again.
 */
export function makeWebFetch({ env, reader, resolve = systemLookup, limits }: WebFetchOptions): WebFetch {
  const bounds = { ...usualLimits, ...limits }
  return {
    locate(text) {
      const read = readAddress(text)
      return read.ok ? succeed({ url: read.value.href, host: read.value.host, saysPrivate: saysPrivate(read.value) }) : read
    },
    isAllowed(text, privateHosts) {
      const url = webAddress(text)
      return url !== null && isAllowedHost(url, privateHosts)
    },
    async fetch(text, privateHosts, signal) {
      const clock = deadline(signal, bounds.totalMs)
      const endedEarly = () => (signal.aborted ? fail('tool.cancelled') : fail('web.too-slow', { host: webAddress(text)?.host ?? '', seconds: bounds.totalMs / 1000 }))
      try {
        const found = await follow(text, { env, reader, resolve, bounds, privateHosts, signal: clock.signal, endsAtMs: Date.now() + bounds.totalMs })
        return found.ok || !clock.signal.aborted ? found : endedEarly()
      } catch (error) {
        if (clock.signal.aborted) return endedEarly()
        if (error instanceof HttpProblem) return { ok: false, fault: error.say }
        throw error
      } finally {
        clock.stop()
      }
    },
  }
}

/** Where a request goes: looked up for it, and connected to nothing else. */
interface Located {
  readonly url: URL
  readonly host: string
  readonly isPrivate: boolean
  readonly addresses: readonly string[]
}

type Resolve = NonNullable<WebFetchOptions['resolve']>

function readAddress(text: string): Result<URL> {
  const url = webAddress(text)
  if (url === null) return fail('web.no-address', { url: text.slice(0, 2048) })
  if (url.username !== '' || url.password !== '') return fail('web.holds-password', { host: url.host })
  url.hash = ''
  return succeed(url)
}

async function locate(text: string, resolve: Resolve, signal: CancelSignal): Promise<Result<Located>> {
  const read = readAddress(text)
  if (!read.ok) return read
  const url = read.value
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) !== 0 ? [literal] : await lookedUp(url.hostname, resolve, signal)
  if (addresses.length === 0) return fail('web.name-unknown', { host: url.host })
  return succeed({ url, host: url.host, isPrivate: !addresses.every(isPublicAddress), addresses })
}

/** Empty for a name that nobody knows. */
async function lookedUp(host: string, resolve: Resolve, signal: CancelSignal): Promise<readonly string[]> {
  const found = resolve(host).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return []
    throw error
  })
  return Promise.race([found, aborted(signal)])
}

async function systemLookup(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Rejects once the signal is aborted. */
function aborted(signal: CancelSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('aborted'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

interface Following {
  readonly env: ProxyVariables
  readonly reader: PageReader
  readonly resolve: Resolve
  readonly bounds: WebLimits
  readonly privateHosts: readonly string[]
  readonly signal: CancelSignal
  readonly endsAtMs: number
}

async function follow(first: string, ways: Following): Promise<Result<WebPage | WebRedirect>> {
  let text = first
  for (let redirects = 0; redirects <= ways.bounds.redirects; redirects += 1) {
    const place = await locate(text, ways.resolve, ways.signal)
    if (!place.ok) return place
    const { url, host, isPrivate } = place.value
    if (isPrivate && !isAllowedHost(url, ways.privateHosts)) return fail('web.private-address', { host })
    const step = await request(place.value, ways)
    if (!('to' in step)) return 'ok' in step ? step : readPage(step, ways)
    const to = webAddress(step.to)
    if (to === null) return fail('web.bad-redirect', { host })
    if (!isSamePlace(url, to)) return succeed({ to: to.href })
    text = to.href
  }
  return fail('web.too-many-redirects', { count: ways.bounds.redirects, host: webAddress(first)?.host ?? '' })
}

interface Answer {
  readonly url: URL
  readonly status: number
  readonly mimeType: string
  readonly charset: string
  readonly bytes: Buffer
  readonly isCut: boolean
}

async function request({ url, host, addresses }: Located, { env, bounds, signal, endsAtMs }: Following): Promise<Answer | WebRedirect | Result<WebPage>> {
  const proxy = proxyFor(url, env)
  if (proxy === undefined) return fail('web.bad-proxy', { host })
  // A proxy is asked for the first address alone; more ways lead out over IPv4.
  const ordered = [...addresses].sort((left, right) => isIP(left) - isIP(right))
  return withAnswer({ url, addresses: ordered, proxy, method: 'GET', headers, connectMs: bounds.connectMs, totalMs: Math.max(1, endsAtMs - Date.now()), signal }, async (message) => {
    const status = message.statusCode ?? 0
    const location = message.headers.location
    if (status >= 300 && status < 400 && location !== undefined) return { to: URL.canParse(location, url.href) ? new URL(location, url.href).href : '' }
    const type = message.headers['content-type'] ?? ''
    const form = formOf(mimeTypeOf(type))
    if (form === 'other') return succeed(unread(url, status, mimeTypeOf(type), message))
    const { bytes, isCut } = await readBounded(message, bounds.bytes, url.host)
    return { url, status, mimeType: mimeTypeOf(type), charset: /charset\s*=\s*["']?([\w.:-]+)/i.exec(type)?.[1] ?? '', bytes, isCut }
  })
}

/** Undefined: the environment names one that cannot be understood. */
function proxyFor(url: URL, env: ProxyVariables): URL | null | undefined {
  try {
    return proxyOf(url, env)
  } catch {
    return undefined
  }
}

function unread(url: URL, status: number, mimeType: string, message: IncomingMessage): WebPage {
  const length = Number(message.headers['content-length'] ?? 0)
  return { url: url.href, host: url.host, status, mimeType, title: '', text: '', sizeBytes: Number.isSafeInteger(length) && length > 0 ? length : 0, isText: false, isCut: false }
}

async function readPage({ url, status, mimeType, charset, bytes, isCut }: Answer, { reader, signal }: Following): Promise<Result<WebPage>> {
  const sizeBytes = bytes.length
  const read = await reader.read({ bytes, mimeType, charset, url: url.href, isCut }, signal)
  if (!read.ok) return read
  return succeed({ url: url.href, host: url.host, status, title: read.value.title, text: read.value.text, mimeType: read.value.mimeType, sizeBytes, isText: read.value.isText, isCut })
}

/** The same host and port, or the step from http to https at the ports of the two. */
function isSamePlace(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  if (from.protocol === to.protocol) return portOf(from) === portOf(to)
  return from.protocol === 'http:' && from.port === '' && to.port === ''
}

/** A signal that ends by itself too. */
function deadline(signal: CancelSignal, ms: number): { readonly signal: AbortSignal; stop(): void } {
  const ends = new AbortController()
  const end = (): void => ends.abort()
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return {
    signal: ends.signal,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
