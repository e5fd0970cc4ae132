import { lstatSync } from 'node:fs'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const worker = `
const { parentPort, workerData } = require('node:worker_threads')
const { lstatSync } = require('node:fs')
parentPort.on('message', () => {
  for (const path of workerData) lstatSync(path, { bigint: true })
  parentPort.postMessage(null)
})
`

/** What any scan has to pay: the stamp of every file of a known list. */
export class StatFloor {
  readonly #paths: readonly string[]
  readonly #threads: readonly Worker[]

  constructor(paths: readonly string[]) {
    this.#paths = paths
    this.#threads = [0, 1].map((half) => new Worker(worker, { eval: true, workerData: paths.filter((_, i) => i % 2 === half) }))
  }

  inOneThread(): number {
    const startedAt = performance.now()
    for (const path of this.#paths) lstatSync(path, { bigint: true })
    return performance.now() - startedAt
  }

  async inTwoThreads(): Promise<number> {
    const startedAt = performance.now()
    await Promise.all(this.#threads.map((thread) => {
      const answer = once(thread, 'message')
      thread.postMessage(null)
      return answer
    }))
    return performance.now() - startedAt
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }
}
