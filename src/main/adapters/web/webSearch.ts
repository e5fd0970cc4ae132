import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { WebHit, WebSearch, WebSearchEndpoint } from '../../core/ports/web'
import { askJson, type JsonAnswer } from '../../native/httpBody'
import { HttpProblem, type HttpAsk } from '../../native/httpRequest'
import { proxyOf, type ProxyVariables } from '../../native/proxy'
import { webAddress } from './addresses'

/** How long a search may take. */
interface SearchLimits {
  readonly totalMs: number
  readonly bytes: number
}

const usualLimits: SearchLimits = { totalMs: 30_000, bytes: 4 * 1024 * 1024 }

/** Searches by SearXNG (its JSON form), Brave and Tavily. The person chose the address, so it may lie in a private network; redirects are not followed: the key would go with them. */
export function makeWebSearch(env: ProxyVariables, limits: SearchLimits = usualLimits): WebSearch {
  return {
    async search(endpoint, query, limit, signal) {
      const url = webAddress(endpoint.url)
      if (url === null) return fail('web.no-address', { url: endpoint.url })
      try {
        const ask = { ...requestOf(endpoint, url, query, limit), proxy: proxyOf(url, env), connectMs: 10_000, totalMs: limits.totalMs, signal }
        return hitsOf(await askJson(ask, limits.bytes), endpoint, url.host, limit)
      } catch (error) {
        return searchFault(error, url.host, signal)
      }
    },
  }
}

function searchFault(error: unknown, host: string, signal: CancelSignal): Result<never> {
  if (signal.aborted) return fail('tool.cancelled')
  if (error instanceof HttpProblem) return { ok: false, fault: error.say }
  if (error instanceof TypeError) return fail('web.bad-proxy', { host })
  throw error
}

type Request = Pick<HttpAsk, 'url' | 'method' | 'headers' | 'body'>

function requestOf({ kind, key }: WebSearchEndpoint, base: URL, query: string, limit: number): Request {
  switch (kind) {
    case 'searxng': {
      const url = at(base, '/search')
      url.searchParams.set('q', query)
      url.searchParams.set('format', 'json')
      return { url, method: 'GET', headers: key === null ? {} : { authorization: `Bearer ${key}` } }
    }
    case 'brave': {
      const url = at(base, '/res/v1/web/search')
      url.searchParams.set('q', query.slice(0, 400))
      url.searchParams.set('count', String(Math.min(limit, 20)))
      url.searchParams.set('text_decorations', 'false')
      return { url, method: 'GET', headers: key === null ? {} : { 'x-subscription-token': key } }
    }
    case 'tavily':
      return { url: at(base, '/search'), method: 'POST', headers: key === null ? {} : { authorization: `Bearer ${key}` }, body: JSON.stringify({ query, max_results: Math.min(limit, 20), include_answer: false, include_raw_content: false }) }
  }
}

/** The service's own path below its base; an address that ends with it already is taken as it is. */
function at(base: URL, path: string): URL {
  const url = new URL(base.href)
  const given = url.pathname.replace(/\/+$/, '')
  url.hash = ''
  if (!given.endsWith(path)) url.pathname = `${given}${path}`
  return url
}

function hitsOf({ status, json, headers }: JsonAnswer, { kind, key }: WebSearchEndpoint, host: string, limit: number): Result<readonly WebHit[]> {
  if (status === 401 || (status === 403 && kind !== 'searxng') || (status === 422 && kind === 'brave' && key === null)) return fail(key === null ? 'web.search-needs-key' : 'web.search-bad-key', { host, status })
  if (status === 403 && kind === 'searxng') return fail('web.searxng-no-json', { host })
  if (status === 429 || status === 432 || status === 433) return fail('web.search-too-many', { host })
  if (status >= 300 && status < 400) return fail('web.search-moved', { host, to: String(headers.location ?? '').slice(0, 300) })
  if (status !== 200) return fail('web.search-failed', { host, status })
  if (json === undefined) return fail(kind === 'searxng' ? 'web.searxng-no-json' : 'web.search-not-json', { host })
  const rows = kind === 'brave' ? field(field(json, 'web'), 'results') : field(json, 'results')
  // Brave leaves the list out where nothing was found.
  if (kind === 'brave' && rows === undefined && isObject(json)) return succeed([])
  if (!Array.isArray(rows)) return fail('web.search-not-json', { host })
  return succeed(rows.flatMap((row) => hitOf(row, kind)).slice(0, limit))
}

function hitOf(row: unknown, kind: WebSearchEndpoint['kind']): readonly WebHit[] {
  const url = webAddress(text(field(row, 'url')))
  if (url === null) return []
  const snippet = text(field(row, kind === 'brave' ? 'description' : 'content'))
  return [{ url: url.href, title: plain(text(field(row, 'title'))), snippet: plain(snippet) }]
}

/** Services mark the words that were found. */
function plain(snippet: string): string {
  return snippet.replace(/<\/?(?:strong|b|em)>/gi, '').replace(/\s+/g, ' ').trim()
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
