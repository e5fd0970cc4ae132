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

/** Null where the thread was ended: by its time, its memory, or the signal. */
export function inThread(workerFile: string, start: ScaleStart, ms: number, signal: CancelSignal): Promise<ScaleReply | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => {
    const worker = new Worker(workerFile, { workerData: start, env: {}, resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 } })
    const settle = (reply: ScaleReply | null): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      void worker.terminate()
      resolve(reply)
    }
    const end = (): void => settle(null)
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    worker.once('message', (reply: ScaleReply) => settle(reply))
    worker.once('error', end)
    worker.once('exit', end)
  })
}
