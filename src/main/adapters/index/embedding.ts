import type { Said } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { EmbeddingEndpoint } from '../../core/ports/codeIndex'
import type { Root } from '../../native/safeFolder'
import type { CacheDb } from './cacheFile'
import { embeddedText, makePlaceFinder } from './fileEntry'
import type { IndexStore } from './indexStore'
import type { IndexTools } from './tools'
import { Vectors } from './vectors'

/** Chunks that are sent together. */
const batchChunks = 32
const firstDelayMs = 2000
const longestDelayMs = 5 * 60 * 1000

/** What embedding works with. */
export interface EmbeddingWorld {
  readonly db: CacheDb
  readonly store: IndexStore
  readonly root: Root
  readonly tools: IndexTools
  readonly endpoint: EmbeddingEndpoint
}

/**
 * Gives the chunks of a folder their vectors, in batches. After a fault it pauses, longer each time; keyword search goes on.
 * What is sent has its secrets taken out.
 */
export class Embedding {
  readonly #world: EmbeddingWorld
  readonly vectors: Vectors
  /** Why nothing is embedded at the moment. */
  fault: Said | null = null
  #after = 0
  #isDone = false
  #delayMs = firstDelayMs
  #retryAtMs = 0

  constructor(world: EmbeddingWorld) {
    this.#world = world
    const { kind, url, model } = world.endpoint.settings
    this.vectors = new Vectors(world.db, `${kind} ${url} ${model}`)
  }

  /** Takes up vectors that are stored already for chunks of the folder. */
  async load(hashes: Iterable<string>, breathe: () => Promise<void>): Promise<void> {
    await this.vectors.load(hashes, breathe)
  }

  /** Chunks were stored, from this id on. */
  noteChunks(first: number): void {
    this.#after = Math.min(this.#after, first - 1)
    this.#isDone = false
  }

  /** Milliseconds until there is something to do; null: nothing. */
  dueInMs(nowMs: number): number | null {
    return this.#isDone ? null : Math.max(0, this.#retryAtMs - nowMs)
  }

  /** Embeds one batch. */
  async step(signal: CancelSignal): Promise<void> {
    const { store, root, tools, endpoint } = this.#world
    const chunks = store.withoutVector(this.vectors.model, this.#after, batchChunks)
    const last = chunks[chunks.length - 1]
    if (!last) {
      this.#isDone = true
      return
    }
    const find = makePlaceFinder(root, tools)
    const texts = new Map<string, string>()
    for (const chunk of chunks) {
      const file = store.fileOf(chunk.file)
      const place = file && !texts.has(chunk.hash) ? await find(file, chunk) : null
      // One that is not found was changed meanwhile; its file will be read again.
      if (place) texts.set(chunk.hash, tools.redact(embeddedText(chunk.symbol, place.text)))
    }
    const made = texts.size === 0 ? null : await tools.embedder.embed(endpoint, [...texts.values()], signal)
    if (signal.aborted) return
    if (made && !made.ok) return this.#pause(made.fault)
    this.#after = last.id
    this.fault = null
    this.#delayMs = firstDelayMs
    const hashes = [...texts.keys()]
    if (made) this.vectors.add(made.value.flatMap((vector, at) => [{ hash: hashes[at] ?? '', vector }]), Date.now())
  }

  /** The vectors of questions, or why there are none. */
  async ask(queries: readonly string[], signal: CancelSignal) {
    return this.#world.tools.embedder.embed(this.#world.endpoint, queries.map((query) => this.#world.tools.redact(query)), signal)
  }

  #pause(fault: Said): void {
    this.fault = fault
    this.#retryAtMs = Date.now() + this.#delayMs
    this.#delayMs = Math.min(2 * this.#delayMs, longestDelayMs)
  }
}
