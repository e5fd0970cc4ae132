import type { KnownSummary } from '../../../core/ports/timelineStore'
import type { SnapshotSummary } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Statements of the table `snapshot_summary`. */
export function snapshotSummaryTable(db: Db) {
  const lazy = statementsOf(db)
  // Of a point that was let go meanwhile nothing is kept.
  const put = lazy('INSERT OR REPLACE INTO snapshot_summary (snapshot_id, summary) SELECT id, ? FROM snapshot WHERE id = ?')
  const read = lazy<{ summary: string }>('SELECT summary FROM snapshot_summary WHERE snapshot_id = ?')
  const remove = lazy('DELETE FROM snapshot_summary WHERE snapshot_id IN (SELECT value FROM json_each(?))')
  return {
    put: ({ id, summary }: KnownSummary): void => put.run(JSON.stringify(summary), id),
    get(id: string): SnapshotSummary | null {
      const found = read.get(id)
      return found === undefined ? null : (JSON.parse(found.summary) as SnapshotSummary)
    },
    remove: (ids: readonly string[]): void => remove.run(JSON.stringify(ids)),
  }
}
