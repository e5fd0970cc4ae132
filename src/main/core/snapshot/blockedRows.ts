import { said } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { SkippedPath, TreeEntry } from '../../../shared/domain/snapshot'
import { folderMode } from './takeBack'

/** So many rows are looked at in one small step. */
const rowsTogether = 1000

/**
 * Turns rows that could not be carried out into `cannot`: a file or link whose place is a folder that keeps something, and
 * anything below a file that stays. In small steps.
 *
 * @param now what stands on disk at every path that the target has not in the same form.
 */
export function* blockRows(rows: readonly PlanRow[], now: ReadonlyMap<string, TreeEntry | null>, skippedNow: readonly SkippedPath[]): Generator<undefined, readonly PlanRow[]> {
  const standing = [...now].filter(([, entry]) => entry !== null && entry.mode !== folderMode).map(([path]) => path)
  let current = rows
  for (;;) {
    const stays = yield* whatStays(current, standing, skippedNow)
    const next: PlanRow[] = []
    let isSame = true
    for (const row of current) {
      const by = isWriting(row) ? blockerOf(row, stays) : undefined
      isSame &&= by === undefined
      next.push(by === undefined ? row : { ...withoutText(row), action: 'cannot', reason: said('rollback.cannot-blocked', { path: by }) })
      if (next.length % rowsTogether === 0) yield
    }
    // A row that cannot be done leaves in place what it would have removed, and that may block another.
    if (isSame) return next
    current = next
  }
}

interface Staying {
  readonly files: ReadonlySet<string>
  /** For each folder above something that stays, one of them. */
  readonly above: ReadonlyMap<string, string>
}

function* whatStays(rows: readonly PlanRow[], standing: readonly string[], skippedNow: readonly SkippedPath[]): Generator<undefined, Staying> {
  const changed = new Set(rows.filter(isWriting).map(({ path }) => path))
  const files = new Set(standing.filter((path) => !changed.has(path)))
  yield
  const above = new Map<string, string>()
  let seen = 0
  for (const path of [...files, ...skippedNow.map((one) => one.path)]) {
    for (const folder of foldersAbove(path)) above.set(folder, path)
    if (++seen % rowsTogether === 0) yield
  }
  return { files, above }
}

function blockerOf(row: PlanRow, { files, above }: Staying): string | undefined {
  const isFolder = row.to?.mode === folderMode
  if (row.to !== null && !isFolder && above.has(row.path)) return above.get(row.path)
  return row.to === null ? undefined : foldersAbove(row.path).find((folder) => files.has(folder))
}

/** Whether carrying a row out changes the disk. */
export function isWriting({ action }: Pick<PlanRow, 'action'>): boolean {
  return action === 'revert' || action === 'recreate' || action === 'delete' || action === 'merge'
}

/** The row without the text of a merge, for what is not written. */
export function withoutText(row: PlanRow): PlanRow {
  const { merged: _, ...rest } = row
  return rest
}

function foldersAbove(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}
