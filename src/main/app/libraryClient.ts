import { Worker } from 'node:worker_threads'
import { said } from '../../shared/domain/result'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { Segmenter } from '../core/ports/segmenter'
import { StorageFault } from '../core/ports/storageFault'
import { threadEnd } from '../native/threadEnd'
import type { LibraryMessage, LibraryOperationName, LibraryOperations, LibraryPushes, LibraryPushName, LibraryRequest } from './libraryProtocol'

/** The library thread, as the main thread sees it. It starts with the first question, and never a second time. */
export interface LibraryThread {
  /**
   * Asks by name. Aborting the signal tells the operation, which settles as it can.
   *
   * Rejects with a `StorageFault` that the operation met, or `retrieval.thread-stopped` when the thread has ended or never
   * started; with the bug otherwise.
   */
  ask<Name extends LibraryOperationName>(op: Name, args: LibraryOperations[Name]['args'], signal?: CancelSignal): Promise<LibraryOperations[Name]['answer']>
  /** Hears what the thread says unasked. Returns what ends that. */
  on<Name extends LibraryPushName>(name: Name, listener: (value: LibraryPushes[Name]) => void): () => void
  /** Ends the thread; what still runs is cancelled, and what is asked later rejects. */
  close(): Promise<void>
}

interface Waiting {
  settle(message: Exclude<LibraryMessage, { readonly kind: 'pushed' | 'closed' }>): void
  reject(error: Error): void
}

/** Makes the thread from the built worker (out/main/libraryWorker.js). Nothing is started yet. */
export function makeLibraryThread(workerFile: string): LibraryThread {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<LibraryPushName, Set<(value: never) => void>>()
  let started: { readonly worker: Worker; readonly closed: Promise<void>; readonly ended: Promise<void> } | null = null
  let stopped: StorageFault | null = null
  let lastId = 0

  function stop(problem: string): void {
    stopped ??= stoppedBy(problem)
    for (const one of waiting.values()) one.reject(stopped)
    waiting.clear()
  }

  function start() {
    const worker = new Worker(workerFile, { execArgv: [] })
    let isClosed: () => void = () => undefined
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    worker.on('message', (message: LibraryMessage) => {
      if (message.kind === 'pushed') for (const listener of listeners.get(message.name) ?? []) listener(message.value as never)
      else if (message.kind === 'closed') isClosed()
      else waiting.get(message.id)?.settle(message)
    })
    worker.on('error', (error) => stop(error instanceof Error ? error.message : String(error)))
    const ended = new Promise<void>((resolve) => worker.once('exit', (code) => {
      stop(`exit ${code}`)
      resolve()
    }))
    return { worker, closed, ended }
  }

  const post = (request: LibraryRequest) => (started ??= start()).worker.postMessage(request)

  return {
    ask: (op, args, signal) =>
      new Promise((resolve, reject) => {
        if (stopped !== null) return reject(stopped)
        const id = (lastId += 1)
        const cancel = () => post({ kind: 'cancel', id })
        const done = () => {
          waiting.delete(id)
          signal?.removeEventListener('abort', cancel)
        }
        waiting.set(id, {
          settle(message) {
            done()
            // The answer's type belongs to the operation's name (libraryProtocol.ts).
            if (message.kind === 'answered') resolve(message.answer as LibraryOperations[typeof op]['answer'])
            else reject(errorOf(message))
          },
          reject(error) {
            done()
            reject(error)
          },
        })
        post({ kind: 'ask', id, op, args })
        if (signal?.aborted === true) cancel()
        else signal?.addEventListener('abort', cancel, { once: true })
      }),
    on(name, listener) {
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return () => void all.delete(listener)
    },
    async close() {
      stopped ??= stoppedBy('closed')
      if (started === null) return
      post({ kind: 'close' })
      await Promise.race([started.closed, started.ended])
      await threadEnd(started.ended)
    },
  }
}

/** The segmenter of the thread. */
export function segmenterOver(thread: LibraryThread): Segmenter {
  const cut = (op: 'terms' | 'queryTerms') => (texts: readonly string[]) => (texts.length === 0 ? Promise.resolve([]) : thread.ask(op, texts))
  return { terms: cut('terms'), queryTerms: cut('queryTerms') }
}

function stoppedBy(problem: string): StorageFault {
  return new StorageFault(said('retrieval.thread-stopped', { problem }))
}

function errorOf(message: Extract<LibraryMessage, { readonly kind: 'failed' | 'bug' }>): Error {
  if (message.kind === 'failed') return new StorageFault(message.fault)
  const bug = new Error(message.message)
  bug.stack = message.stack
  return bug
}
