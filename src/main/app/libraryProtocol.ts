import type { AuditEntry } from '../../shared/domain/audit'
import type { IndexState } from '../../shared/domain/retrieval'
import type { Said } from '../../shared/domain/result'
import type { AuditPageView } from '../../shared/ipc/views'
import type { AuditFile } from '../adapters/audit/auditFiles'
import type { PageParts } from '../adapters/audit/exportPage'
import type { AuditVerdict, KnownFacts } from '../adapters/audit/verifyFiles'
import type { AuditPart, AuditQuery, ExportVerdict } from '../core/ports/auditReader'
import type { EmbeddingEndpoint, IndexedFolder, IndexLookup, RankedList } from '../core/ports/codeIndex'
import type { ProxyVariables } from '../native/proxy'

/** What the thread must know to index: where it keeps what can be made again, what it never reads, and its way to the network. */
export interface IndexOptions {
  readonly cacheFile: string
  readonly home: string
  readonly appData: string
  readonly proxy: ProxyVariables
}

/** A part of the log in `dir`; null: the whole. */
export interface PartOf {
  readonly dir: string
  readonly part: AuditPart | null
}

/** What can be asked of the library thread: name → arguments and answer. Plain data, so that it can be cloned between threads. */
export interface LibraryOperations {
  terms: { args: readonly string[]; answer: readonly (readonly string[])[] }
  queryTerms: { args: readonly string[]; answer: readonly (readonly string[])[] }
  /** Comes before everything else that is asked of the index. */
  'index-start': { args: IndexOptions; answer: null }
  'index-open': { args: IndexedFolder | null; answer: null }
  'index-embedding': { args: EmbeddingEndpoint | null; answer: null }
  'index-lookup': { args: IndexLookup; answer: { readonly lists: readonly RankedList[]; readonly vectorFault: Said | null } }
  'index-rebuild': { args: null; answer: null }
  /** `dir` is the folder of the log. */
  'audit-page': { args: { readonly dir: string; readonly query: AuditQuery }; answer: AuditPageView }
  'audit-entries': { args: { readonly dir: string; readonly entry: number }; answer: readonly AuditEntry[] }
  'audit-verify': { args: { readonly files: readonly AuditFile[] } & KnownFacts; answer: AuditVerdict }
  'audit-export': { args: { readonly files: readonly AuditFile[]; readonly to: string; readonly page: PageParts | null } & PartOf; answer: number }
  'audit-excerpt': { args: { readonly files: readonly AuditFile[] } & PartOf; answer: readonly string[] }
  'audit-verify-export': { args: { readonly file: string }; answer: ExportVerdict | null }
}
export type LibraryOperationName = keyof LibraryOperations

/** What the thread says unasked: name → what it says. */
export interface LibraryPushes {
  'index-state': IndexState
}
export type LibraryPushName = keyof LibraryPushes

/** A request of the main thread. `cancel` aborts the signal of an operation that runs; `close` is answered by `closed`, and the thread ends. */
export type LibraryRequest =
  | { readonly kind: 'ask'; readonly id: number; readonly op: LibraryOperationName; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' }

/** The thread's messages. `failed` is the disk's, the file's or the network's fault, `bug` the program's. */
export type LibraryMessage =
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Said }
  | { readonly kind: 'bug'; readonly id: number; readonly message: string; readonly stack: string }
  | { readonly kind: 'pushed'; readonly name: LibraryPushName; readonly value: unknown }
  | { readonly kind: 'closed' }
