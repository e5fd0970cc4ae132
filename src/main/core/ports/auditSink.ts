import type { AuditDraft, AuditHead } from '../../../shared/domain/audit'

/** The append-only record of who allowed what (SECURITY.md 6). */
export interface AuditSink {
  /** Redacted, chained, appended with one write and fdatasync'd before it resolves. */
  append(draft: AuditDraft): Promise<AuditHead>
  head(): AuditHead | null
  /** Walks every line of every file. `firstBroken` is the number of the first entry that does not fit. */
  verify(): Promise<{ readonly ok: boolean; readonly entries: number; readonly firstBroken?: number }>
  /** The redacted entries of the newest files, oldest first. */
  exportTo(file: string): Promise<number>
}
