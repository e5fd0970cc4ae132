import { Worker } from 'node:worker_threads'
import { StorageFault } from '../../core/ports/storageFault'
import { said, succeed, type Result } from '../../../shared/domain/result'
import { threadEnd } from '../../native/threadEnd'
import type { Opened, OperationName, Operations, Request, Response, WorkerOptions } from './protocol'

/** Asks the database worker. Answers come in the order of asking. */
export interface Client {
  readonly isReadOnly: boolean
  readonly faults: Extract<Opened, { readonly kind: 'opened' }>['faults']
  /** Rejects with a `StorageFault`, or with the bug that the worker met. */
  ask<Name extends OperationName>(op: Name, args: Operations[Name]['args']): Promise<Operations[Name]['answer']>
  /** Ends the worker after everything that was asked before. */
  close(): Promise<void>
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** Starts the worker and waits until the database is open, or cannot be opened. A worker that does not even start is a fault, too. */
export async function startWorker(workerFile: string, options: WorkerOptions): Promise<Result<Client>> {
  const worker = new Worker(workerFile, { workerData: options, execArgv: [] })
  const waiting = new Map<number, Waiting>()
  const stopped = new StorageFault(said('app.database-stopped', { file: options.file }))
  let lastId = 0
  let hasEnded = false
  let bug: Error | null = null
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  void ended.then(() => {
    hasEnded = true
    for (const one of waiting.values()) one.reject(bug ?? stopped)
    waiting.clear()
  })
  const post = (request: Request) => worker.postMessage(request)

  const opened = await firstAnswer(worker, options.file)
  let isClosed: () => void = () => undefined
  const closed = new Promise<void>((resolve) => (isClosed = resolve))
  worker.on('message', (response: Response) => (response.kind === 'closed' ? isClosed() : settle(waiting, response)))
  // Whoever waits meets the bug; whoever asks later, that the database has stopped.
  worker.on('error', (error) => (bug = error instanceof Error ? error : new Error(String(error))))
  if (opened.kind === 'not-opened') {
    await ended
    return { ok: false, fault: opened.fault }
  }
  return succeed({
    isReadOnly: opened.isReadOnly,
    faults: opened.faults,
    ask: (op, args) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(stopped)
        lastId += 1
        // The answer's type belongs to the operation's name (protocol.ts).
        waiting.set(lastId, { resolve, reject })
        post({ kind: 'ask', id: lastId, op, args })
      }),
    async close() {
      post({ kind: 'close' })
      await Promise.race([closed, ended])
      await threadEnd(ended)
    },
  })
}

function firstAnswer(worker: Worker, file: string): Promise<Opened> {
  return new Promise((resolve) => {
    const notStarted = (problem: string) => resolve({ kind: 'not-opened', fault: said('app.database-module', { file, problem }) })
    worker.once('message', (response: Opened) => resolve(response))
    worker.once('error', (error) => notStarted(error instanceof Error ? error.message : String(error)))
    worker.once('exit', (code) => notStarted(`exit ${code}`))
  })
}

function settle(waiting: Map<number, Waiting>, response: Exclude<Response, { readonly kind: 'closed' }>): void {
  if (response.kind === 'opened' || response.kind === 'not-opened') return
  const one = waiting.get(response.id)
  waiting.delete(response.id)
  if (response.kind === 'answered') return one?.resolve(response.answer)
  if (response.kind === 'failed') return one?.reject(new StorageFault(response.fault))
  const bug = new Error(response.message)
  bug.stack = response.stack
  one?.reject(bug)
}
