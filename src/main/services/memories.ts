import type { CallId, MemoryId, SessionId, WorkspaceId } from '../../shared/domain/ids'
import type { InjectedMemory, Memory, MemoryScope, RelatedMemory } from '../../shared/domain/memory'
import type { Result } from '../../shared/domain/result'
import type { TaintSource } from '../../shared/domain/tool'
import type { Ask } from '../../shared/ipc/bridge'
import type { MemoryEdited, MemoryImported, MemoryPage, MemoryRemoved, MemorySaved } from '../../shared/ipc/views'
import type { AuditSink } from '../core/ports/auditSink'
import type { Clock } from '../core/ports/clock'
import type { IdSource } from '../core/ports/idSource'
import type { MemoryStore } from '../core/ports/memoryStore'
import type { Segmenter } from '../core/ports/segmenter'

/** What the service works with. */
export interface MemoriesPorts {
  readonly store: MemoryStore
  readonly segmenter: Segmenter
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditSink
  /** Takes registered secrets out of what is about to be stored. */
  readonly withoutKnown: (text: string) => string
}

/** Entries by scope, and what lies in the bin. */
export type MemoryCounts = MemoryPage['counts']

/**
 * Long-term memory of all projects (R33 to R40). Everything that a person does to it goes through here; what a project reads are
 * its own entries and the general ones. Whatever changes is in the audit record, by id and scope.
 */
export interface Memories {
  page(workspaceId: WorkspaceId, ask: Ask<'memory/page'>, windowTokens: number | null): Promise<MemoryPage>
  /** An entry of the person's own. One that says the same is given back instead of a second one. */
  save(workspaceId: WorkspaceId, draft: { readonly text: string; readonly scope: MemoryScope; readonly by: 'table' | 'save'; readonly sessionId: SessionId | null }): Promise<Result<MemorySaved>>
  /** A sentence of a conversation's summary that the person took. `outside` is set when the conversation held text from there. */
  acceptSummary(workspaceId: WorkspaceId, proposal: { readonly text: string; readonly sessionId: SessionId; readonly outside: TaintSource | null }): Promise<Result<MemorySaved>>
  /** What the person accepted of a proposal. `outside` is set when its words came from there. */
  accept(workspaceId: WorkspaceId, proposal: { readonly text: string; readonly scope: MemoryScope; readonly sessionId: SessionId; readonly callId: CallId; readonly outside: TaintSource | null }): Promise<Result<MemorySaved>>
  /** Entries that say the same as a text or may say the opposite. */
  related(workspaceId: WorkspaceId, text: string): Promise<readonly RelatedMemory[]>
  /** All changes or none. Editing the text of an entry from outside makes it the person's own; a pin lets it be used and leaves its source. */
  change(workspaceId: WorkspaceId, changes: Ask<'memory/change'>['changes']): Promise<Result<MemoryEdited>>
  /** Into the bin; entries of another project are left. */
  remove(workspaceId: WorkspaceId, ids: readonly MemoryId[]): Promise<Result<MemoryRemoved>>
  clear(workspaceId: WorkspaceId, scope: MemoryScope): Promise<Result<MemoryRemoved>>
  restore(workspaceId: WorkspaceId, from: Ask<'memory/restore'>['from']): Promise<Result<{ readonly count: number }>>
  /** Deletes for good what has been in the bin for 30 days, and says how many; for the start of a host. */
  emptyBin(): Promise<number>
  /** Reads an export, of either form, whole: a fault of one entry names its line and takes no other with it. `scope` is for entries that tell none. */
  importText(workspaceId: WorkspaceId, text: string, scope: MemoryScope): Promise<Result<MemoryImported>>
  exportText(workspaceId: WorkspaceId, format: 'json' | 'markdown', scope: MemoryScope | 'all'): Promise<{ readonly text: string; readonly count: number }>
  /** Ranked for a query, as the command line lists them. */
  search(workspaceId: WorkspaceId, query: string, limit: number): Promise<readonly { readonly memory: Memory; readonly score: number }[]>
  /** What goes into the prompt of a turn that begins with `draft` (R39, R40): best first, bounded, without duplicates and without what came from outside. */
  inject(workspaceId: WorkspaceId, draft: string, windowTokens: number | null): Promise<readonly InjectedMemory[]>
  /** Which of these still exist, so that a deleted one is not sent any more. The store is asked: another process may have deleted it. */
  stillThere(ids: readonly MemoryId[]): Promise<ReadonlySet<MemoryId>>
  onChange(listener: (counts: MemoryCounts) => void): () => void
}
