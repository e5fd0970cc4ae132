import type { ModelFault } from '../../../shared/domain/model'
import { said, type Said, type Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import type { ProviderError } from './errorBody'
import { connectMs } from './network'

/** Whom a fault is about. `provider` is its host; a fault never holds the key. */
export interface FaultContext {
  readonly provider: string
  readonly model: string
  readonly key: string | null
  readonly proxy: string | null
}

/** The fault of an answer that is no 2xx. */
export function faultOfStatus(answer: { readonly status: number; readonly error: ProviderError; readonly retryAfterMs?: number; readonly location?: string }, context: FaultContext): ModelFault {
  const { status, error } = answer
  const { provider, model } = context
  const fault = (kind: ModelFault['kind'], code: SayCode, canRetry = false, values: Values = {}): ModelFault => ({
    kind,
    say: withDetail(said(code, { provider, model, status, ...values }), error.message, context),
    canRetry,
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
  })
  if (error.title !== undefined && status !== 429) return fault(status >= 500 ? 'server' : 'protocol', 'model.html-page', status >= 500, { title: error.title })
  if (isTooLong(error)) return fault('refused', 'model.too-long')
  switch (status) {
    case 401: return context.key === null ? fault('auth', 'model.key-missing') : fault('auth', 'model.key-refused')
    case 402: return fault('refused', 'model.no-credit')
    case 403: return fault('auth', 'model.forbidden')
    case 404: return fault('protocol', 'model.not-found')
    case 407: return fault('network', 'model.proxy-auth', false, { proxy: context.proxy ?? provider })
    case 408: return fault('network', 'model.reset', true, { host: provider })
    case 413: return fault('refused', 'model.too-large')
    case 429: return isQuota(error) ? fault('refused', 'model.quota') : fault('rate-limit', ...rateWords(answer.retryAfterMs))
    case 425: return fault('server', 'model.server-error', true)
    case 503:
    case 529: return fault('server', 'model.overloaded', true)
  }
  if (status >= 300 && status < 400) return fault('protocol', 'model.redirect', false, { to: answer.location ?? '?' })
  if (status >= 500) return fault('server', 'model.server-error', status !== 501 && status !== 505)
  return status >= 400 ? fault('refused', 'model.bad-request') : fault('protocol', 'model.unexpected-status')
}

function rateWords(retryAfterMs: number | undefined): [SayCode, boolean, Values] {
  return retryAfterMs === undefined ? ['model.rate-limited', true, {}] : ['model.rate-limited-for', true, { seconds: Math.ceil(retryAfterMs / 1000) }]
}

/** The fault of an error that came inside an answer of status 200. */
export function faultOfErrorBody(error: ProviderError, context: FaultContext): ModelFault {
  const status = error.status ?? statusOfWord(error.code)
  if (status !== null && status >= 400 && status < 600) return faultOfStatus({ status, error }, context)
  if (isTooLong(error)) return faultOfStatus({ status: 400, error }, context)
  return { kind: 'server', say: withDetail(said('model.provider-error', { provider: context.provider }), error.message, context), canRetry: true }
}

/** The fault of a connection that failed before an answer. */
export function faultOfError(error: Error, context: FaultContext): ModelFault {
  const host = context.provider
  const code = codeOf(error)
  const network = (word: SayCode, canRetry: boolean, values: Values = {}): ModelFault => ({ kind: 'network', say: said(word, { host, problem: code || error.message, ...values }), canRetry })
  if (context.proxy !== null && (/Proxy response/.test(error.message) || isConnecting(code))) {
    const status = /Proxy response \((\d+)\)/.exec(error.message)?.[1]
    return status === '407' ? network('model.proxy-auth', false, { proxy: context.proxy }) : network('model.proxy', true, { proxy: context.proxy, problem: status ?? code })
  }
  if (/invalid .*header|Invalid character in header/i.test(error.message)) return { kind: 'auth', say: said('model.bad-key-text', { provider: host }), canRetry: false }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NONAME') return network('model.no-dns', code === 'EAI_AGAIN')
  if (code === 'ECONNREFUSED') return network('model.refused-connection', true)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return network('model.connect-timeout', true, { seconds: connectMs / 1000 })
  if (/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EHOSTDOWN)$/.test(code)) return network('model.unreachable', true)
  if (/wrong version number|packet length too long|http request/i.test(error.message)) return network('model.tls-plain', false)
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return network('model.tls', false)
  if (error.name === 'HTTPParserError') return network('model.not-http', false, { problem: excerpt(error.message.replace('Response does not match the HTTP/1.1 protocol', 'HTTP/1.1')) })
  return network('model.reset', true)
}

/** A sentence with the provider's own words behind it, without the key, shortened. */
export function withDetail(fact: Said, detail: string, context: Pick<FaultContext, 'key'>): Said {
  const clean = excerpt(withoutKey(detail, context.key), 500)
  return clean === '' ? fact : said('model.with-detail', { fact, detail: clean })
}

/** The beginning of a text on one line. */
export function excerpt(text: string, limit = 120): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit)}…` : line
}

function withoutKey(text: string, key: string | null): string {
  return key === null || key.length < 4 ? text : text.replaceAll(key, '[redacted:key]')
}

/** Codes of a connection that was never made; through a proxy it is the proxy's. */
function isConnecting(code: string): boolean {
  return /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)
}

/** Whether the way to the server is gone, rather than that it hung up. */
export function isNetworkGone(error: Error): boolean {
  return /^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET)$/.test(codeOf(error))
}

/** The system's code, also of the first of several attempts or of what lies behind. */
function codeOf(error: Error): string {
  const { code, cause, errors } = error as Error & { code?: unknown; cause?: unknown; errors?: unknown }
  const first: unknown = Array.isArray(errors) ? errors[0] : cause
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code
  return first instanceof Error ? codeOf(first) : ''
}

function isQuota(error: ProviderError): boolean {
  return /insufficient_quota|quota_exceeded|billing|insufficient balance|余额不足|欠费/i.test(`${error.code} ${error.message}`)
}

function isTooLong(error: ProviderError): boolean {
  return /context_length_exceeded|maximum context length|context window|prompt is too long|too many tokens/i.test(`${error.code} ${error.message}`)
}

function statusOfWord(code: string): number | null {
  if (/invalid_?api_?key|authentication|unauthori[sz]ed/i.test(code)) return 401
  if (/insufficient_quota|rate_?limit|throttl/i.test(code)) return 429
  if (/overloaded|unavailable/i.test(code)) return 503
  if (/permission/i.test(code)) return 403
  if (/billing/i.test(code)) return 402
  if (/too_large/i.test(code)) return 413
  if (/timeout_error/i.test(code)) return 504
  if (/model_not_found|not_found/i.test(code)) return 404
  if (/invalid_request|invalid_?parameter/i.test(code)) return 400
  return null
}
