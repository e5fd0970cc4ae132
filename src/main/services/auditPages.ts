import type { Result } from '../../shared/domain/result'
import type { AuditAsk, AuditCheck, AuditPageView, AuditRecord } from '../../shared/ipc/views'

/** The record for people (R68): rows, one whole record, the check of the chain, and what can be given away. */
export interface AuditPages {
  page(ask: AuditAsk): Promise<AuditPageView>
  record(entry: number): Promise<Result<AuditRecord>>
  check(): Promise<AuditCheck>
  /** `html`: one file that checks itself, without network. Returns how many entries it holds; the file appears whole or not at all. */
  exportTo(file: string, format: 'html' | 'jsonl'): Promise<Result<{ readonly entries: number }>>
}
