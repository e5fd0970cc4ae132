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

/** Time and memory for one page. */
export interface ReaderLimits {
  readonly ms: number
  readonly heapMb: number
}

const usualLimits: ReaderLimits = { ms: 15_000, heapMb: 384 }

/** A reader over the built worker. */
export function makePageReader(workerFile: string, limits: ReaderLimits = usualLimits): PageReader {
  return {
    read(page, signal) {
      if (signal.aborted) return Promise.resolve(fail('tool.cancelled'))
      const host = new URL(page.url).host
      return new Promise((resolve) => {
        const worker = new Worker(workerFile, { workerData: page, env: {}, resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 } })
        const settle = (result: Result<PageText>): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', cancel)
          void worker.terminate()
          resolve(result)
        }
        const cancel = (): void => settle(fail('tool.cancelled'))
        const timer = setTimeout(() => settle(fail('web.page-too-hard', { host })), limits.ms)
        signal.addEventListener('abort', cancel, { once: true })
        worker.once('message', (reply: ReaderReply) => settle(reply.kind === 'read' ? succeed(reply.page) : fail('web.page-unreadable', { host, problem: reply.problem })))
        // Memory that ran out ends the thread with an error, and nothing else.
        worker.once('error', () => settle(fail('web.page-too-hard', { host })))
        worker.once('exit', () => settle(fail('web.page-too-hard', { host })))
      })
    },
  }
}
