import type { AuditDraft, AuditHead } from '../../../shared/domain/audit'

/** The append-only record of who allowed what. */
export interface AuditSink {
  /** Redacted, chained, appended with one write and on the disk before it resolves. Rejects with a `StorageFault` when the disk is at fault. */
  append(draft: AuditDraft): Promise<AuditHead>
  head(): AuditHead | null
  /** Walks every line of every file. `firstBroken` is the number of the first entry that does not fit. */
  verify(): Promise<{ readonly ok: boolean; readonly entries: number; readonly firstBroken?: number }>
  /** Whether one of the two newest files tells of this rollback: its process may have been killed just after. */
  hasRollback(id: string): Promise<boolean>
  /** The redacted entries, oldest first, as lines that can be checked like the log; records that, and returns how many there are. */
  exportTo(file: string): Promise<number>
}
