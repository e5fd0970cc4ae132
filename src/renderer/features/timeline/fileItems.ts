import { Copy, FileText, History, RotateCcw } from 'lucide-react'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import type { ChangedPath } from '../../../shared/ipc/timelineViews'
import type { MenuItem } from '../../ui/Menu'
import type { Speaker } from '../../ui/words'
import { openHistory, openPath } from './pathStore'
import { useTimeline, type Look } from './timelineStore'
import { fileWish, type OnWish } from './timelineWishes'
import { whenText } from './whenText'

/** A version of a file that is kept: its moment, and what it was. */
export interface KeptVersion {
  readonly at: SnapshotId
  readonly entry: TreeEntry
}

/** The two kept versions of a changed file; null where it was not there, or where there is only the disk. */
export function versionsOf(look: Pick<Look, 'a' | 'b'>, change: ChangedPath): { readonly before: KeptVersion | null; readonly after: KeptVersion | null } {
  return {
    before: change.before && look.a !== null ? { at: look.a, entry: change.before } : null,
    after: change.after && look.b !== null ? { at: look.b, entry: change.after } : null,
  }
}

/** The plan that brings a file back to what it was at a moment. */
export function restoreFile(path: string, at: SnapshotId, say: Speaker, onWish: OnWish): void {
  const row = useTimeline.getState().timeline.rows.find((one) => one.id === at)
  onWish(fileWish(path, at, row ? whenText(row.atMs, say) : ''))
}

/** What can be done with a file of a comparison. A folder can only be brought back. */
export function fileItems(look: Look, change: ChangedPath, say: Speaker, onWish: OnWish): readonly MenuItem[] {
  const { path } = change
  const { before, after } = versionsOf(look, change)
  const main = after ?? before
  const earlier = after ? before : null
  const isFile = (version: KeptVersion | null): version is KeptVersion => version !== null && version.entry.mode !== '40000'
  return [
    ...(isFile(main) ? [{ key: 'open', icon: FileText, label: say('timeline.open-as'), onChoose: () => void openPath({ path, entry: main.entry }, main.at) }] : []),
    ...(isFile(earlier) ? [{ key: 'before', icon: FileText, label: say('timeline.open-before'), onChoose: () => void openPath({ path, entry: earlier.entry }, earlier.at) }] : []),
    ...(main ? [{ key: 'restore', icon: RotateCcw, label: say('timeline.restore-file'), onChoose: () => restoreFile(path, main.at, say, onWish) }] : []),
    ...(earlier ? [{ key: 'restore-before', icon: RotateCcw, label: say('timeline.restore-before'), onChoose: () => restoreFile(path, earlier.at, say, onWish) }] : []),
    { key: 'history', icon: History, label: say('timeline.history'), onChoose: () => void openHistory(path) },
    { key: 'copy', icon: Copy, label: say('timeline.copy-path'), onChoose: () => void navigator.clipboard.writeText(path) },
  ]
}
