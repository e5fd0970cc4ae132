import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelFault } from '../../../shared/domain/model'
import type { CancelSignal } from '../../core/ports/cancelSignal'

/** How often a request that showed nothing yet is sent again, and how long to wait before (R89). */
export interface RetryPolicy {
  readonly times: number
  /** Wait before the first retry; it doubles each time. */
  readonly baseMs: number
  /** A provider that asks for a longer wait than this is not waited for. */
  readonly longestMs: number
}

export const usualRetries: RetryPolicy = { times: 3, baseMs: 500, longestMs: 60_000 }

/** How long to wait before the n-th retry (from 1); null when it must not be sent again. `random` is 0 to 1. */
export function waitBefore(retry: number, fault: ModelFault, policy: RetryPolicy, random: number): number | null {
  // Each silence has taken minutes already.
  const times = fault.kind === 'stalled' ? Math.min(1, policy.times) : policy.times
  // An answer of nothing at all comes from a broken gateway or login: the person is offered the retry.
  if (!fault.canRetry || fault.kind === 'empty' || retry > times) return null
  if (fault.retryAfterMs !== undefined) return fault.retryAfterMs <= policy.longestMs ? fault.retryAfterMs : null
  // Up to a quarter more, so that many clients do not come back at once.
  return Math.round(Math.min(policy.longestMs, policy.baseMs * 2 ** (retry - 1)) * (1 + random / 4))
}

/** Waits; ends early, without a fault, when the signal is aborted. */
export async function pause(ms: number, signal: CancelSignal): Promise<void> {
  const cancel = new AbortController()
  const onAbort = (): void => cancel.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) cancel.abort()
  await sleep(ms, undefined, { signal: cancel.signal }).catch(() => undefined)
  signal.removeEventListener('abort', onAbort)
}

/** What `Retry-After` asks for: seconds, or a date. Undefined when it says nothing usable. */
export function retryAfterMs(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const exact = Number(header('retry-after-ms'))
  if (Number.isFinite(exact) && exact > 0) return exact
  const text = header('retry-after')
  if (text === undefined || text.trim() === '') return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
