import type { RestoreStep } from '../../../core/ports/snapshotStore'
import { fail, succeed, type Result } from '../../../../shared/domain/result'
import type { TreeEntry } from '../../../../shared/domain/snapshot'
import { folderMode, hexOf, idOf, rawOf } from '../store/gitObjects'
import { readBlob } from '../store/heldDiff'
import type { ObjectStore } from '../store/objectStore'

/** What can stand at a path. */
export type Kind = 'none' | 'file' | 'link' | 'folder'

/** A step with the content it would write. */
export interface Job {
  readonly path: string
  readonly from: TreeEntry | null
  readonly to: TreeEntry | null
  readonly content: () => Buffer
}

export function jobOf({ path, from, to, merged }: RestoreStep, objects: ObjectStore): Job {
  if (merged === undefined || to === null) return { path, from, to, content: () => (to === null ? Buffer.alloc(0) : readBlob(objects, rawOf(to.oid))) }
  const bytes = Buffer.from(merged, 'utf8')
  return { path, from, to: { ...to, oid: hexOf(idOf('blob', bytes)) }, content: () => bytes }
}

export function kindOf(entry: TreeEntry | null): Kind {
  if (entry === null) return 'none'
  if (entry.mode === folderMode) return 'folder'
  return entry.mode === '120000' ? 'link' : 'file'
}

/** A folder in the place of a file, or the other way round, is removed before the write. */
export function isRemovedFirst({ from, to }: Job): boolean {
  return from !== null && to !== null && (kindOf(from) === 'folder') !== (kindOf(to) === 'folder')
}

export function sameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null) return a === b
  return a.oid === b.oid && a.mode === b.mode && (a.bits === b.bits || a.bits === undefined || b.bits === undefined)
}

export function modeOf(to: TreeEntry): number {
  return to.bits ?? (to.mode === '100755' ? 0o755 : 0o644)
}

/** A place that is not what the plan saw, in the words of a rollback. */
export function meanwhile(outcome: Result<unknown>, path: string): Result<null> {
  if (outcome.ok) return succeed(null)
  return ['path.stale', 'path.is-folder', 'path.exists'].includes(outcome.fault.code) ? fail('rollback.changed-meanwhile', { path }) : outcome
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Without the owner's right to write in it or to enter it. */
export function isClosed(bits: number): boolean {
  return (bits & 0o300) !== 0o300
}
