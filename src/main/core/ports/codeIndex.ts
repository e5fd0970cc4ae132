import type { WorkspaceId } from '../../../shared/domain/ids'
import type { CodeHit, IndexState } from '../../../shared/domain/retrieval'
import type { Said } from '../../../shared/domain/result'
import type { RetrievalSettings } from '../../../shared/domain/settings'
import type { CancelSignal } from './cancelSignal'

/** The folder to index, by its real path. What was opened is what is read: another folder in its place later is not. */
export interface IndexedFolder {
  readonly workspaceId: WorkspaceId
  readonly root: string
}

/** Where embeddings come from; the key is only sent there. */
export interface EmbeddingEndpoint {
  readonly settings: NonNullable<RetrievalSettings['embedding']>
  readonly key: string | null
}

/** One list of one query, best first. */
export interface RankedList {
  readonly by: 'keyword' | 'vector'
  readonly hits: readonly Omit<CodeHit, 'score' | 'by'>[]
}

/** The filters of a query, and how long its lists may be. */
export interface IndexLookup {
  readonly queries: readonly string[]
  readonly path?: string
  readonly language?: string
  readonly changedSinceMs?: number
  readonly perList: number
}

/**
 * The index of the opened project (R98), built and kept up in a thread of its own. Protected and ignored files, links and
 * binaries are not in it. Keyword search works as soon as the first files are in; vectors follow when an endpoint is given.
 */
export interface CodeIndex {
  /** Starts indexing in the background and ends the earlier folder's; null closes. Resolves at once. */
  open(folder: IndexedFolder | null): Promise<void>
  /** Takes an endpoint for vectors; null: none. What was embedded by another model is not used. */
  useEmbedding(endpoint: EmbeddingEndpoint | null): Promise<void>
  /** A keyword list for each query, and a vector list where there are vectors. `vectorFault` says why there is none although an endpoint is set. Rejects with a `StorageFault` for a bad glob, or when the index cannot be read. */
  lookup(lookup: IndexLookup, signal: CancelSignal): Promise<{ readonly lists: readonly RankedList[]; readonly vectorFault: Said | null }>
  state(): IndexState
  onState(listener: (state: IndexState) => void): () => void
  /** Throws the folder's index away and builds it anew; nothing happens while another process keeps it up. */
  rebuild(): Promise<void>
  close(): Promise<void>
}
