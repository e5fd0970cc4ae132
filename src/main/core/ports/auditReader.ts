import type { AuditEntry } from '../../../shared/domain/audit'
import type { AuditAsk, AuditCheck, AuditPageView } from '../../../shared/ipc/views'

/** What is looked for; `sessions` null: in every session and outside of them. */
export type AuditQuery = Omit<AuditAsk, 'isThisProject'> & { readonly sessions: readonly string[] | null }

/** What walking the chain found, without the moment. */
export type AuditWalk = Omit<AuditCheck, 'atMs'>

/** The reading side of the record. Everything long happens off the main thread. Rejects with a `StorageFault` when the disk is at fault. */
export interface AuditReader {
  page(query: AuditQuery): Promise<AuditPageView>
  /** The entries of the row that holds this number, oldest first, as far as they can be read; empty when there is none. */
  entriesAt(entry: number): Promise<readonly AuditEntry[]>
  /** Walks every line, and holds it against the database and the snapshots. */
  verify(): Promise<AuditWalk>
  /** Writes the record as one file that appears whole or not at all, and records that; returns how many entries it holds. */
  exportTo(file: string, format: 'html' | 'jsonl'): Promise<number>
}
