import { z } from 'zod'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { McpCallOptions } from '../../core/ports/mcpConnections'
import { cutTo, mostOf } from './bounds'
import { isObject, type Json } from './messages'
import { noLimitMs, type Session } from './session'
import { afterWork, type WorkClock } from './workClock'

/** How long one request may take; `silenceMs` counts anew with each progress. Time in which a person is asked does not count. */
export interface Limits {
  readonly silenceMs: number
  readonly ceilingMs: number
}

/** Code of our own for an answer that cannot come any more; the library's own code is one that servers use. */
export const answerLost = -32_097

/** What became of a request. */
export type Asked =
  | { readonly kind: 'answer'; readonly result: Json }
  | { readonly kind: 'cancelled' | 'silent' | 'ceiling' }
  | { readonly kind: 'error'; readonly error: unknown }

type Progress = Parameters<McpCallOptions['onProgress']>[0]

/** Answers are read by our own rules, so that none is lost for a detail. */
const anyResult = z.looseObject({})

/**
 * Sends one request and waits. When it is stopped the server is told (`notifications/cancelled`), and what it answers afterwards
 * is dropped by the library, which knows the request no more. Never rejects.
 */
export async function ask(session: Session, method: string, params: Json, limits: Limits, options: Partial<McpCallOptions> = {}): Promise<Asked> {
  const stop = makeStop(session.clock, limits, options.signal)
  const progress = makeProgress(options.onProgress)
  try {
    if (stop.reason() === null) {
      const request = session.client.request({ method, params }, anyResult, {
        signal: stop.signal,
        timeout: noLimitMs,
        // Always sent: a server that gets no token reports no progress, and its call would seem silent.
        onprogress: (given) => {
          stop.heard()
          progress.take({ done: given.progress, total: given.total ?? null, message: cutTo(given.message ?? '', mostOf.name) })
        },
      })
      return { kind: 'answer', result: toJson(await request) }
    }
    return { kind: stop.reason() ?? 'cancelled' }
  } catch (error) {
    const reason = stop.reason()
    return reason === null ? { kind: 'error', error } : { kind: reason }
  } finally {
    stop.done()
    progress.flush()
  }
}

function toJson(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** The first reason counts. The library gives all of them one code, so they are told apart here. */
function makeStop(clock: WorkClock, { silenceMs, ceilingMs }: Limits, cancel: CancelSignal | undefined): { readonly signal: AbortSignal; heard(): void; reason(): 'cancelled' | 'silent' | 'ceiling' | null; done(): void } {
  const controller = new AbortController()
  let reason: 'cancelled' | 'silent' | 'ceiling' | null = null
  const stop = (by: 'cancelled' | 'silent' | 'ceiling'): void => {
    reason ??= by
    controller.abort(by)
  }
  const onCancel = (): void => stop('cancelled')
  const endCeiling = afterWork(clock, ceilingMs, () => stop('ceiling'))
  const listen = (): (() => void) => afterWork(clock, silenceMs, () => stop('silent'))
  let endSilence = listen()
  cancel?.addEventListener('abort', onCancel, { once: true })
  if (cancel?.aborted === true) onCancel()
  return {
    signal: controller.signal,
    heard() {
      if (reason !== null) return
      endSilence()
      endSilence = listen()
    },
    reason: () => reason,
    done() {
      endCeiling()
      endSilence()
      cancel?.removeEventListener('abort', onCancel)
    },
  }
}

/** The latest progress of a burst, off the reader; the last one always before the answer. */
function makeProgress(tell: McpCallOptions['onProgress'] | undefined): { take(progress: Progress): void; flush(): void } {
  let latest: Progress | null = null
  let soon: NodeJS.Immediate | undefined
  const flush = (): void => {
    clearImmediate(soon)
    soon = undefined
    if (latest !== null) tell?.(latest)
    latest = null
  }
  return {
    take(progress) {
      latest = progress
      soon ??= setImmediate(flush)
    },
    flush,
  }
}
