import type { ModelUse } from './budget'
import type { Said } from './result'

/** What a chunk was cut by (R98): a unit of syntax, a heading or paragraph, or a fixed window. */
export type ChunkKind = 'syntax' | 'prose' | 'window'

/** A part of a file that is found as one. Lines count from 1, both ends included. */
export interface Chunk {
  readonly kind: ChunkKind
  readonly startLine: number
  readonly endLine: number
  /** The declaration or headings it belongs to, outermost first, joined by ` › `; empty when none. */
  readonly symbol: string
  readonly text: string
}

/** What is asked of the index. `path` is a glob from the root; `language` one of `languageOf`; `changedSinceMs` by modification time. */
export interface CodeQuery {
  readonly query: string
  readonly path?: string
  readonly language?: string
  readonly changedSinceMs?: number
  readonly limit: number
}

/** One place found. Text is read from the file of the moment, not from the index. */
export interface CodeHit {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly language: string
  readonly symbol: string
  readonly text: string
  /** Fused score, or the reranker's from 0 to 1 when one answered. */
  readonly score: number
  readonly by: 'keyword' | 'vector' | 'both'
}

/** The answer to a query, best first. `isPartial`: the index is still being built. `notes` say what did not take part, and why. */
export interface CodeAnswer {
  readonly hits: readonly CodeHit[]
  readonly isPartial: boolean
  readonly notes: readonly Said[]
  /** What rewriting and reranking by a model cost, a call each. */
  readonly usage: readonly ModelUse[]
}

/** How the index of the opened folder stands. */
export interface IndexState {
  readonly phase: 'off' | 'starting' | 'indexing' | 'ready' | 'failed'
  readonly files: number
  /** Files still to be read; 0 when ready. */
  readonly waiting: number
  readonly chunks: number
  /** Chunks with a vector; 0 without an embedding model. */
  readonly vectors: number
  readonly skipped: number
  readonly fault: Said | null
}
