import type { SkippedPath, Snapshot, SnapshotRow } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { mappingOf } from './mapping'
import { skipListTable } from './skipListTable'
import { statementsOf } from './statements'

const mapping = mappingOf<SnapshotRow>(
  {
    id: 'id',
    workspaceId: 'workspace_id',
    tree: 'tree',
    side: 'side',
    commit: 'git_commit',
    parent: 'parent',
    kind: 'kind',
    author: 'author',
    others: 'others',
    sessionId: 'session_id',
    callId: 'call_id',
    atMs: 'at_ms',
    files: 'files',
  },
  ['others'],
)

/** Statements of the table `snapshot`. */
export function snapshotTable(db: Db) {
  const lazy = statementsOf(db)
  const lists = skipListTable(db)
  const insert = lazy(`INSERT INTO snapshot (${mapping.names}, skipped) VALUES (${mapping.places}, ?)`)
  const after = 'FROM snapshot WHERE workspace_id = ? AND rowid > coalesce((SELECT rowid FROM snapshot WHERE id = ?), 0) ORDER BY rowid'
  const list = lazy<Record<string, unknown> & { skipped: string }>(`SELECT ${mapping.selected}, skipped ${after}`)
  const page = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} ${after} LIMIT ?`)
  const skipped = lazy<{ skipped: string }>('SELECT skipped FROM snapshot WHERE id = ?')
  const orphan = lazy('UPDATE snapshot SET parent = NULL WHERE workspace_id = ? AND parent IN (SELECT value FROM json_each(?))')
  const remove = lazy<{ atMs: number }>('DELETE FROM snapshot WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?)) RETURNING at_ms AS atMs')
  return {
    insert: (one: Snapshot): void => insert.run(...mapping.flatten(one), lists.put(one.skipped)),
    /** In the order they were added; those after `since` when that is given. */
    list: (workspaceId: string, since: string | null): readonly Snapshot[] => list.all(workspaceId, since).map((flat) => ({ ...mapping.restore(flat), skipped: lists.get(flat.skipped) })),
    /** The same without their lists, at most so many. */
    page: (workspaceId: string, since: string | null, limit: number): readonly SnapshotRow[] => page.all(workspaceId, since, limit).map(mapping.restore),
    /** What one does not hold; null for one that is not there. */
    skipped(id: string): readonly SkippedPath[] | null {
      const found = skipped.get(id)
      return found === undefined ? null : lists.get(found.skipped)
    },
    /** Removes some, and lets those that followed begin the past; tells when each was taken. */
    remove(workspaceId: string, ids: readonly string[]): readonly number[] {
      const removed = remove.all(workspaceId, JSON.stringify(ids)).map(({ atMs }) => atMs)
      orphan.run(workspaceId, JSON.stringify(ids))
      lists.sweep()
      return removed
    },
  }
}
