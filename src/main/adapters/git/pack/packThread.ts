import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CancelSignal } from '../../../core/ports/cancelSignal'
import type { PackReport } from '../../../core/ports/snapshotStore'
import { said, succeed, type Result } from '../../../../shared/domain/result'
import type { PackReply, PackStart } from '../workerMessages'

type Progress = (done: number, total: number) => void

interface Running {
  readonly isForgetting: boolean
  readonly stop: () => void
  readonly done: Promise<Result<PackReport>>
}

/** Starts the thread that packs or forgets, one at a time for a store. */
export class PackThreads {
  readonly #workersFolder: string
  readonly #folder: string
  readonly #onChanged: (damaged: readonly string[]) => Promise<unknown>
  #running: Running | null = null
  #isClosed = false

  /** @param onChanged is told before the answer is given that things lie elsewhere now, and what could not be read. */
  constructor(workersFolder: string, folder: string, onChanged: (damaged: readonly string[]) => Promise<unknown>) {
    this.#workersFolder = workersFolder
    this.#folder = folder
    this.#onChanged = onChanged
  }

  /** Whoever asks while it packs waits for the same end. */
  async pack(signal: CancelSignal, onProgress: Progress): Promise<Result<PackReport>> {
    while (this.#running) {
      if (!this.#running.isForgetting) return this.#running.done
      await this.#running.done
    }
    return this.#start(null, signal, onProgress)
  }

  /** Packing that goes on is stopped for it: it can go on later. */
  async forget(kept: readonly string[], signal: CancelSignal): Promise<Result<PackReport>> {
    while (this.#running) {
      if (!this.#running.isForgetting) this.#running.stop()
      await this.#running.done.catch(() => null)
    }
    return this.#start(kept, signal, () => undefined)
  }

  /** Stops what goes on; nothing is lost by it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#running?.stop()
    await this.#running?.done.catch(() => null)
  }

  async #start(kept: readonly string[] | null, signal: CancelSignal, onProgress: Progress): Promise<Result<PackReport>> {
    const cancel = new SharedArrayBuffer(4)
    const stop = (): unknown => Atomics.store(new Int32Array(cancel), 0, 1)
    if (signal.aborted || this.#isClosed) return { ok: false, fault: said('snapshot.cancelled') }
    signal.addEventListener('abort', stop, { once: true })
    const done = this.#run({ folder: this.#folder, kept, cancel }, onProgress).finally(() => {
      signal.removeEventListener('abort', stop)
      this.#running = null
    })
    this.#running = { isForgetting: kept !== null, stop, done }
    return done
  }

  async #run(start: PackStart, onProgress: Progress): Promise<Result<PackReport>> {
    const end = await endOf(new Worker(join(this.#workersFolder, 'packWorker.js'), { workerData: start }), onProgress)
    if (end.kind === 'broken') throw new Error(end.message)
    if (end.kind === 'fault') return { ok: false, fault: end.fault }
    await this.#onChanged(end.report.damaged)
    return succeed(end.report)
  }
}

type End = Exclude<PackReply, { readonly kind: 'progress' }>

function endOf(worker: Worker, onProgress: Progress): Promise<End> {
  return new Promise((resolve) => {
    let end: End | null = null
    worker.on('message', (reply: PackReply) => {
      if (reply.kind === 'progress') onProgress(reply.done, reply.total)
      else end = reply
    })
    const stopped = (problem: string): unknown => resolve({ kind: 'fault', fault: said('snapshot.stopped', { problem }) })
    worker.on('error', (error: Error) => stopped(error.message))
    worker.on('exit', () => (end ? resolve(end) : stopped('the packing thread has ended')))
  })
}
