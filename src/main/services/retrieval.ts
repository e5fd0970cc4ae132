import type { IndexState } from '../../shared/domain/retrieval'
import type { WorkspaceId } from '../../shared/domain/ids'
import type { CodeSearch } from '../core/ports/codeSearch'

/** Search over the opened project (R98 to R101): the index in its own thread, rewriting and reranking as the settings say. */
export interface Retrieval extends CodeSearch {
  /** The opened folder; null: none. Indexing goes on in the background. */
  useFolder(folder: { readonly workspaceId: WorkspaceId; readonly root: string } | null): Promise<void>
  /** Takes the settings and keys of the moment, after they changed. */
  settingsChanged(): Promise<void>
  state(): IndexState
  rebuild(): Promise<void>
  onChange(listener: (state: IndexState) => void): () => void
  close(): Promise<void>
}
