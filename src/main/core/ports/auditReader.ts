import type { AuditEntry } from '../../../shared/domain/audit'
import type { AuditAsk, AuditCheck, AuditPageView } from '../../../shared/ipc/views'

/** What is looked for; `sessions` null: in every session and outside of them. */
export type AuditQuery = Omit<AuditAsk, 'isThisProject'> & { readonly sessions: readonly string[] | null }

/** What an excerpt holds: the rows of a query, wherever they stand; `untilMs` is the first moment that is not in it. */
export type AuditPart = Omit<AuditQuery, 'before' | 'limit'> & { readonly untilMs?: number }

/** What a check of an exported file found. A `part` vouches for itself alone: of what stands before and behind it, it says nothing. */
export interface ExportVerdict {
  readonly ok: boolean
  readonly entries: number
  readonly firstBroken?: number
  readonly part?: {
    readonly from: number
    readonly to: number
    /** Entries between them whose hash takes their place. */
    readonly leftOut: number
    /** Those of them whose chain value is only stated: a change of what stands before them in the file would not show. */
    readonly stated: number
  }
}

/** What walking the chain found, without the moment. */
export type AuditWalk = Omit<AuditCheck, 'atMs'>

/** The reading side of the record. Everything long happens off the main thread. Rejects with a `StorageFault` when the disk is at fault. */
export interface AuditReader {
  page(query: AuditQuery): Promise<AuditPageView>
  /** The entries of the row that holds this number, oldest first, as far as they can be read; empty when there is none. */
  entriesAt(entry: number): Promise<readonly AuditEntry[]>
  /** Walks every line, and holds it against the database and the snapshots. */
  verify(): Promise<AuditWalk>
  /** Writes the record, or a part of it, as one file that appears whole or not at all, and records that; returns how many entries it holds. */
  exportTo(file: string, format: 'html' | 'jsonl', part?: AuditPart): Promise<number>
  /** The same part as lines that are checked together, to stand in another file. */
  excerpt(part: AuditPart): Promise<readonly string[]>
  /** Checks a file that was exported, with nothing but the file; null when it holds nothing of a record. Rejects with a `StorageFault` when it cannot be read. */
  verifyExport(file: string): Promise<ExportVerdict | null>
}
