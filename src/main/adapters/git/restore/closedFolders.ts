import { toBytes } from '../../../native/byteText'
import type { Root } from '../../../native/safeFolder'
import { chmodNow, lookNow } from '../../../native/safePath'
import type { FolderModel, FolderNode } from '../scan/folderModel'
import type { Shape } from '../store/heldDiff'
import { isClosed } from './restoreJobs'

/** A folder that was given the right to write, and the bits it had. */
interface Opened {
  readonly path: string
  readonly bits: number
}

interface Place {
  readonly root: Root
  /** The moment that is gone back to. */
  readonly shape: Shape
  /** What the last scan saw. */
  readonly model: FolderModel | null
}

/**
 * Folders in which their owner may not write: nothing in them could be changed. They are opened for the time of a restore, from
 * the top down; `closeAgain` gives them their bits back. One that was closed since, and is to stay so, is left closed; and one that
 * cannot be opened is somebody else's: what is in them fails by itself, and is told.
 */
export function openClosed(paths: readonly string[], { root, shape, model }: Place): readonly Opened[] {
  // Nothing is closed to the superuser.
  if (!model || process.geteuid?.() === 0) return []
  const opened: Opened[] = []
  const looked = new Set<string>()
  for (const path of paths) {
    const names = path.split('/').slice(0, -1)
    let node: FolderNode | undefined = model.root
    for (let depth = 1; node && depth <= names.length; depth++) {
      const folder = names.slice(0, depth).join('/')
      node = node.folders.get(toBytes(names[depth - 1] ?? ''))
      if (!node || looked.has(folder)) continue
      looked.add(folder)
      if (!isClosed(node.stamp.mode)) continue
      const found = lookNow(root, folder)
      if (!found.ok || found.value.kind !== 'folder') continue
      const bits = Number(found.value.stats.mode & 0o7777n)
      const then = shape.isFolder(toBytes(folder)) ? shape.bitsOf(toBytes(folder)) : bits
      if (then === bits && isClosed(bits) && chmodNow(root, folder, bits | 0o700).ok) opened.push({ path: folder, bits })
    }
  }
  return opened
}

/** Deepest first: the bits of a folder can be changed only where one may enter. Those that the moment does not have are gone, or stay as they were. */
export function closeAgain(opened: readonly Opened[], { root }: Pick<Place, 'root'>): void {
  for (const { path, bits } of [...opened].reverse()) {
    const found = lookNow(root, path)
    if (found.ok && found.value.kind === 'folder') chmodNow(root, path, bits)
  }
}
