import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'
import type { EmbeddingEndpoint } from './codeIndex'

/** Makes vectors of texts (R100). */
export interface Embedder {
  /** One vector a text, in order, all of one length, of unit length; in batches the endpoint takes. A fault says what to do. */
  embed(endpoint: EmbeddingEndpoint, texts: readonly string[], signal: CancelSignal): Promise<Result<readonly Float32Array[]>>
}

/** Scores texts against a query at a rerank endpoint (R99). */
export interface Reranker {
  /** A relevance from 0 to 1 for each text, in order. */
  rerank(endpoint: { readonly url: string; readonly model: string; readonly key: string | null }, query: string, texts: readonly string[], signal: CancelSignal): Promise<Result<readonly number[]>>
}
