import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import { askJson, type JsonAnswer } from '../../native/httpBody'
import { HttpProblem } from '../../native/httpRequest'
import { proxyOf, type ProxyVariables } from '../../native/proxy'

/** How endpoints are asked; fields that are left out are as usual. */
export interface PostOptions {
  readonly env: ProxyVariables
  readonly totalMs?: number
  /** Waits before the second, third and further tries. */
  readonly waitsMs?: readonly number[]
}

/** Asks an endpoint, again where it is busy. Any status that is left is an answer. */
export type Post = (url: URL, key: string | null, body: unknown, signal: CancelSignal) => Promise<Result<JsonAnswer>>

const usualWaitsMs = [500, 1500, 4000]
/** A server that asks for more is told of. */
const longestWaitMs = 20_000
const answerBytes = 64 * 1024 * 1024

/** Posts JSON. The key goes in the header of the one address, and no redirect is followed. */
export function makePost({ env, totalMs = 60_000, waitsMs = usualWaitsMs }: PostOptions): Post {
  const once = async (url: URL, key: string | null, body: string, signal: CancelSignal): Promise<JsonAnswer | HttpProblem> => {
    try {
      return await askJson({ url, method: 'POST', headers: key === null ? {} : { authorization: `Bearer ${key}` }, body, proxy: proxyOf(url, env), connectMs: 10_000, totalMs, signal }, answerBytes)
    } catch (error) {
      if (error instanceof HttpProblem) return error
      throw error
    }
  }
  return async (url, key, body, signal) => {
    const text = JSON.stringify(body)
    for (let attempt = 0; ; attempt += 1) {
      const answer = await once(url, key, text, signal)
      const wait = waitsMs[attempt]
      const isBusy = answer instanceof HttpProblem ? answer.isPassing : answer.status === 429 || answer.status >= 500
      if (isBusy && wait !== undefined && !signal.aborted) {
        const asked = answer instanceof HttpProblem ? 0 : retryAfterMs(answer)
        if (asked <= longestWaitMs) {
          await pause(Math.max(wait * (0.75 + Math.random() / 2), asked), signal)
          continue
        }
      }
      if (signal.aborted) return fail('tool.cancelled')
      return answer instanceof HttpProblem ? { ok: false, fault: answer.say } : succeed(answer)
    }
  }
}

function retryAfterMs({ headers }: JsonAnswer): number {
  const seconds = Number(headers['retry-after'] ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}

function pause(ms: number, signal: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** The fault of an answer that is none of what was asked for; null for one that can be read on. */
export function faultOfStatus({ status, json, text }: JsonAnswer, url: URL, model: string): Result<never> | null {
  if (status === 200) return null
  const { host } = url
  const problem = problemIn(json, text)
  if (status === 401 || status === 403) return fail('web.endpoint-bad-key', { host, status })
  if (status === 429) return fail('web.endpoint-busy', { host })
  if (/model/i.test(problem) && /not found|does not exist|unknown|pull/i.test(problem)) return fail('web.endpoint-no-model', { host, model })
  return fail('web.endpoint-failed', { host, status, problem })
}

/** What the server says went wrong, in one short line. */
function problemIn(json: unknown, text: string): string {
  const error = field(json, 'error') ?? field(json, 'detail') ?? field(json, 'message')
  const words = typeof error === 'string' ? error : typeof field(error, 'message') === 'string' ? String(field(error, 'message')) : text
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** A field of an object; undefined where there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** The address of a path below a base that may hold the version, or the path itself, already. */
export function endpointAt(base: string, path: string, version: string): URL | null {
  if (!URL.canParse(base)) return null
  const url = new URL(base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const given = url.pathname.replace(/\/+$/, '')
  url.hash = ''
  if (given.endsWith(path)) return url
  url.pathname = /\/v\d+(?:beta\d*)?$/.test(given) ? `${given}${path}` : `${given}${version}${path}`
  return url
}
