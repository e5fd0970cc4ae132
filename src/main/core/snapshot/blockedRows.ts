import { said } from '../../../shared/domain/result'
import type { PlanRow } from '../../../shared/domain/rollback'
import type { SkippedPath, TreeEntry } from '../../../shared/domain/snapshot'

/**
 * Turns rows that could not be carried out into `cannot`: a file or link whose place is a folder that keeps something, and
 * anything below a file that stays.
 *
 * @param now what stands on disk at every path that the target has not in the same form.
 */
export function blockRows(rows: readonly PlanRow[], now: ReadonlyMap<string, TreeEntry | null>, skippedNow: readonly SkippedPath[]): readonly PlanRow[] {
  const standing = [...now].filter(([, entry]) => entry !== null && entry.mode !== '40000').map(([path]) => path)
  let current = rows
  for (;;) {
    const stays = whatStays(current, standing, skippedNow)
    const next = current.map((row) => {
      const by = writes(row) ? blockerOf(row, stays) : undefined
      return by === undefined ? row : ({ ...withoutText(row), action: 'cannot', reason: said('rollback.cannot-blocked', { path: by }) } as const)
    })
    // A row that cannot be done leaves in place what it would have removed, and that may block another.
    if (next.every((row, index) => row.action === current[index]?.action)) return next
    current = next
  }
}

interface Staying {
  readonly files: ReadonlySet<string>
  /** For each folder above something that stays, one of them. */
  readonly above: ReadonlyMap<string, string>
}

function whatStays(rows: readonly PlanRow[], standing: readonly string[], skippedNow: readonly SkippedPath[]): Staying {
  const changed = new Set(rows.filter(writes).map(({ path }) => path))
  const files = new Set(standing.filter((path) => !changed.has(path)))
  const above = new Map<string, string>()
  for (const path of [...files, ...skippedNow.map((one) => one.path)]) for (const folder of foldersAbove(path)) above.set(folder, path)
  return { files, above }
}

function blockerOf(row: PlanRow, { files, above }: Staying): string | undefined {
  const isFolder = row.to?.mode === '40000'
  if (row.to !== null && !isFolder && above.has(row.path)) return above.get(row.path)
  return row.to === null ? undefined : foldersAbove(row.path).find((folder) => files.has(folder))
}

function writes({ action }: PlanRow): boolean {
  return action === 'revert' || action === 'recreate' || action === 'delete' || action === 'merge'
}

function withoutText(row: PlanRow): PlanRow {
  const { merged: _, ...rest } = row
  return rest
}

function foldersAbove(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}
