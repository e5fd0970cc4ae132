import { Worker } from 'node:worker_threads'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { Encoded } from './encoded'
import type { PictureFormat } from './headerBytes'

/** What the thread is given. */
export interface ScaleStart {
  readonly bytes: Uint8Array
  readonly format: Exclude<PictureFormat, 'svg'>
  /** Of the picture as it is. */
  readonly longSide: number
  readonly side: number
  readonly mostBytes: number
  readonly mostPixels: number
}

/** What the thread says. */
export type ScaleReply = { readonly kind: 'scaled'; readonly picture: Encoded } | { readonly kind: 'failed'; readonly problem: string }

/** `late`, `died` and `cancelled`: the thread was ended by its time, by itself (its memory) or by the signal. */
export type ThreadReply = ScaleReply | { readonly kind: 'late' | 'died' | 'cancelled' }

/** One thread for picture after picture; its caller asks for one at a time. */
export interface ImageThread {
  ask(start: ScaleStart, ms: number, signal: CancelSignal): Promise<ThreadReply>
}

/** So long it is kept without work: starting one takes longer than a picture. */
const usualIdleMs = 20_000

/**
 * The thread is started when it is needed. After anything but a picture that came out it is ended, and the next picture has a
 * new one: what a broken file did to its memory no other sees.
 */
export function makeImageThread(workerFile: string, idleMs: number = usualIdleMs): ImageThread {
  let kept: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  const drop = (worker: Worker): void => {
    if (kept === worker) kept = null
    void worker.terminate()
  }
  const started = (): Worker => {
    const worker = new Worker(workerFile, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 } })
    // One that ends without work is not asked again; an error without a listener would end the app.
    worker.on('error', () => drop(worker))
    worker.on('exit', () => drop(worker))
    return worker
  }
  const rest = (worker: Worker): void => {
    worker.unref()
    idle = setTimeout(() => drop(worker), idleMs).unref()
  }

  return {
    ask(start, ms, signal) {
      if (signal.aborted) return Promise.resolve({ kind: 'cancelled' })
      clearTimeout(idle)
      const worker = (kept ??= started())
      worker.ref()
      return new Promise((resolve) => {
        const settle = (reply: ThreadReply): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          worker.off('message', settle).off('error', onDeath).off('exit', onDeath)
          if (reply.kind === 'scaled') rest(worker)
          else drop(worker)
          resolve(reply)
        }
        const onDeath = (): void => settle({ kind: 'died' })
        const onAbort = (): void => settle({ kind: 'cancelled' })
        const timer = setTimeout(() => settle({ kind: 'late' }), ms)
        signal.addEventListener('abort', onAbort, { once: true })
        worker.on('message', settle).on('error', onDeath).on('exit', onDeath)
        worker.postMessage(start)
      })
    },
  }
}
