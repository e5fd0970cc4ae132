import type { Snapshot } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { mappingOf } from './mapping'
import { statementsOf } from './statements'

const mapping = mappingOf<Snapshot>(
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
    skipped: 'skipped',
  },
  ['others', 'skipped'],
)

/** Statements of the table `snapshot`. */
export function snapshotTable(db: Db) {
  const lazy = statementsOf(db)
  const insert = lazy(`INSERT INTO snapshot (${mapping.names}) VALUES (${mapping.places})`)
  const list = lazy<Record<string, unknown>>(`SELECT ${mapping.selected} FROM snapshot WHERE workspace_id = ?
    AND rowid > coalesce((SELECT rowid FROM snapshot WHERE id = ?), 0) ORDER BY rowid`)
  return {
    insert: (one: Snapshot): void => insert.run(...mapping.flatten(one)),
    /** In the order they were added; those after `since` when that is given. */
    list: (workspaceId: string, since: string | null): readonly Snapshot[] => list.all(workspaceId, since).map(mapping.restore),
  }
}
