import { Worker } from 'node:worker_threads'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'

/** A body to make text of. */
export interface PageBytes {
  readonly bytes: Uint8Array
  readonly mimeType: string
  /** As the header says; empty: it does not. */
  readonly charset: string
  readonly url: string
  readonly isCut: boolean
}

/** What the thread is given. `isPlain`: a page's tags are only taken out. */
export type ReaderStart = PageBytes & { readonly isPlain: boolean }

/** The text of a body. */
export interface PageText {
  readonly title: string
  readonly text: string
  readonly mimeType: string
  readonly isText: boolean
}

/** Makes text of bodies, each in a thread of its own that is ended afterwards: what one page does to it, the next does not see. */
export interface PageReader {
  read(page: PageBytes, signal: CancelSignal): Promise<Result<PageText>>
}

/** What the thread says. */
export type ReaderReply = { readonly kind: 'read'; readonly page: PageText } | { readonly kind: 'failed'; readonly problem: string }

/** Time and memory for one page, and time for the second, plain look at one that took too much. */
export interface ReaderLimits {
  readonly ms: number
  readonly plainMs: number
  readonly heapMb: number
}

const usualLimits: ReaderLimits = { ms: 10_000, plainMs: 5000, heapMb: 384 }

/** A reader over the built worker. */
export function makePageReader(workerFile: string, limits: ReaderLimits = usualLimits): PageReader {
  return {
    async read(page, signal) {
      const host = new URL(page.url).host
      const reply = (await inThread(workerFile, { ...page, isPlain: false }, limits.ms, limits, signal)) ?? (await inThread(workerFile, { ...page, isPlain: true }, limits.plainMs, limits, signal))
      if (signal.aborted) return fail('tool.cancelled')
      if (reply === null) return fail('web.page-too-hard', { host })
      return reply.kind === 'read' ? succeed(reply.page) : fail('web.page-unreadable', { host, problem: reply.problem })
    },
  }
}

/** Null where the thread was ended: by the time, its memory, or the signal. */
function inThread(workerFile: string, start: ReaderStart, ms: number, { heapMb }: ReaderLimits, signal: CancelSignal): Promise<ReaderReply | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => {
    const worker = new Worker(workerFile, { workerData: start, env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 } })
    const settle = (reply: ReaderReply | null): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      void worker.terminate()
      resolve(reply)
    }
    const end = (): void => settle(null)
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    worker.once('message', (reply: ReaderReply) => settle(reply))
    // Memory that ran out ends the thread with an error, and nothing else.
    worker.once('error', end)
    worker.once('exit', end)
  })
}
