import type { SkippedPath } from '../../../../shared/domain/snapshot'
import { toText } from '../../../native/byteText'
import { everyFolder, type FolderModel, type FolderNode } from './folderModel'
import { encodeTree, folderMode, type RawId, type TreeLine } from '../store/gitObjects'
import type { ObjectStore } from '../store/objectStore'
import { gitMode } from './stamps'

/** Writes the tree objects of the folders that changed, and those above them. Gives the id of the whole. */
export function writeTrees(model: FolderModel, objects: ObjectStore): RawId {
  return treeOf(model.root, objects) ?? objects.put('tree', Buffer.alloc(0))
}

function treeOf(folder: FolderNode, objects: ObjectStore): RawId | null {
  if (!folder.isStale) return folder.tree
  const lines: TreeLine[] = []
  for (const [name, { id, stamp }] of folder.files) lines.push({ name, mode: gitMode(stamp.mode), id })
  for (const [name, child] of folder.folders) {
    const id = treeOf(child, objects)
    if (id !== null) lines.push({ name, mode: folderMode, id })
  }
  const tree = lines.length === 0 ? null : objects.put('tree', encodeTree(lines))
  if (tree !== folder.tree) folder.isUnsaved = true
  folder.tree = tree
  folder.isStale = false
  return tree
}

/** How many ignored files of one folder are named one by one. */
const namedIgnored = 100

/** What is not held, in path order. More than a hundred ignored files of one folder are one line, `folder/*`. */
export function skippedIn(model: FolderModel): SkippedPath[] {
  const lines: { readonly path: string; readonly reason: SkippedPath['reason'] }[] = []
  everyFolder(model.root, ({ skipped }, path) => {
    const ignored = skipped.filter(({ reason }) => reason === 'ignored').length
    if (ignored > namedIgnored) lines.push({ path: `${path}*`, reason: 'ignored' })
    for (const { name, reason } of skipped) if (reason !== 'ignored' || ignored <= namedIgnored) lines.push({ path: path + name, reason })
  })
  lines.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return lines.map(({ path, reason }) => ({ path: toText(path), reason }))
}

