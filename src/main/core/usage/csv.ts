import { amountOf } from '../../../shared/domain/budget'
import type { UsageRow } from '../ports/usageStore'

const columns = ['at', 'project', 'session', 'turn', 'step', 'provider', 'model', 'purpose', 'input_tokens', 'cached_tokens', 'output_tokens', 'estimated', 'duration_ms', 'currency', 'cost'] as const

/** The first line of an export. */
export const csvHead = `${columns.join(',')}\r\n`

/** One line a call (RFC 4180); times in UTC. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(row: UsageRow): string {
  const cells = [
    new Date(row.atMs).toISOString(), row.project, row.title, row.turnId, String(row.step), row.provider, row.model, row.purpose,
    String(row.inputTokens), String(row.cachedTokens), String(row.outputTokens), row.isEstimated ? 'yes' : 'no', row.durationMs === null ? '' : String(row.durationMs), row.currency ?? '', row.currency === null ? '' : amountOf(row.micros).toFixed(6),
  ]
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
