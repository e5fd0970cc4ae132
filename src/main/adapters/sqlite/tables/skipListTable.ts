import { createHash } from 'node:crypto'
import { StorageFault } from '../../../core/ports/storageFault'
import { said } from '../../../../shared/domain/result'
import type { SkippedPath } from '../../../../shared/domain/snapshot'
import type { Db } from '../driver'
import { statementsOf } from './statements'

/** Shorter ones stand in the point's own row. */
const ownCharacters = 200

/** Statements of the table `skip_list`, which holds each long list of paths once. */
export function skipListTable(db: Db) {
  const lazy = statementsOf(db)
  const add = lazy('INSERT INTO skip_list (hash, lines) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING')
  const find = lazy<{ id: number }>('SELECT id FROM skip_list WHERE hash = ?')
  const read = lazy<{ lines: string }>('SELECT lines FROM skip_list WHERE id = ?')
  const sweep = lazy(`DELETE FROM skip_list WHERE id NOT IN (SELECT json_extract(skipped, '$.list') FROM snapshot WHERE substr(skipped, 1, 1) = '{')`)
  return {
    /** What a point's row holds for a list. */
    put(list: readonly SkippedPath[]): string {
      const lines = JSON.stringify(list)
      if (lines.length <= ownCharacters) return lines
      const hash = createHash('sha256').update(lines).digest('hex')
      add.run(hash, lines)
      return JSON.stringify({ list: find.get(hash)?.id })
    },
    /** A list that a damaged file has lost is a fault: nothing at all skipped would be a lie that a rollback acts on. */
    get(held: string): readonly SkippedPath[] {
      const value = JSON.parse(held) as readonly SkippedPath[] | { readonly list: number }
      if (!('list' in value)) return value
      const found = read.get(value.list)
      if (found === undefined) throw new StorageFault(said('snapshot.list-lost'))
      return JSON.parse(found.lines) as readonly SkippedPath[]
    },
    /** Removes lists that no point has any more. */
    sweep: (): void => sweep.run(),
  }
}
