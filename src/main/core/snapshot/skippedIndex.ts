import type { SkippedPath } from '../../../shared/domain/snapshot'

/** Finds the line of a list of skipped paths that speaks of a path (`isSkippedBy`), the nearest one, however long the list. */
export function skippedIndex(lines: readonly SkippedPath[]): (path: string) => SkippedPath | undefined {
  const byPath = new Map(lines.map((line) => [line.path, line]))
  return (path) => {
    if (byPath.size === 0) return undefined
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    // A star with no folder before it speaks of nothing: `isSkippedBy` wants a slash.
    let found = byPath.get(path) ?? (folder === '' ? undefined : byPath.get(`${folder}/*`))
    for (let above = folder; found === undefined && above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) found = byPath.get(above)
    return found
  }
}
