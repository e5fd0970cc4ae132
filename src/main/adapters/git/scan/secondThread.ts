import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { SecondOperation, SecondOperations, SecondReply } from './scanMessages'

/** The second thread has ended, or never began. What it was to do is to be done without it. */
export class SecondThreadLost extends Error {}

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * A second thread for one store: it looks at half of the known files, reads half of the new ones, and rewrites half of many
 * that are restored. It belongs to the thread that starts it and ends with it.
 */
export class SecondThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  #lastId = 0
  #isAlive = true

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (reply: SecondReply) => this.#take(reply))
    worker.on('error', () => this.#stop())
    worker.on('exit', () => this.#stop())
  }

  /** Null where there can be none. */
  static start(file: string): SecondThread | null {
    if (!existsSync(file)) return null
    try {
      // It keeps little: room for much that is young would only be held.
      return new SecondThread(new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: 16 } }))
    } catch {
      return null
    }
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Answers come in the order of the questions. Rejects with `SecondThreadLost` when the thread ends before. */
  ask<Name extends SecondOperation>(name: Name, input: SecondOperations[Name]['in'], transfer: ArrayBuffer[] = []): Promise<SecondOperations[Name]['out']> {
    if (!this.#isAlive) return Promise.reject(new SecondThreadLost())
    const id = ++this.#lastId
    const answer = new Promise<SecondOperations[Name]['out']>((resolve, reject) => {
      this.#asked.set(id, { resolve: (value) => resolve(value as SecondOperations[Name]['out']), reject })
      this.#worker.postMessage({ id, name, input }, transfer)
    })
    // Whoever does not wait for it learns of an end at the next question.
    answer.catch(() => undefined)
    return answer
  }

  async end(): Promise<void> {
    this.#stop()
    await this.#worker.terminate()
  }

  #take(reply: SecondReply): void {
    const asked = this.#asked.get(reply.id)
    this.#asked.delete(reply.id)
    if (reply.kind === 'done') asked?.resolve(reply.value)
    else asked?.reject(Object.assign(new Error(reply.message), { code: reply.code, ...(reply.path === null ? {} : { path: reply.path }) }))
  }

  #stop(): void {
    this.#isAlive = false
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { reject } of asked) reject(new SecondThreadLost())
  }
}
