import type { SkipReason } from '../../../../shared/domain/snapshot'
import type { RawId } from '../store/gitObjects'
import type { Rules } from './ignoreRules'

/** What the disk said about an entry: any change of content moves at least one of these. Times in nanoseconds. */
export interface Stamp {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly ino: bigint
  readonly mode: number
}

/** A held file or link as the last scan saw it. */
export interface FileNode {
  stamp: Stamp
  id: RawId
  /** Read so soon after its last change that a further one could carry the same times: read again next time. */
  isRacy: boolean
}

/** A folder as the last scan saw it. Names are byte text. */
export interface FolderNode {
  readonly parent: FolderNode | null
  readonly name: string
  stamp: Stamp
  /** False when its list of names must be read again whatever its times say. */
  isSettled: boolean
  /** The folder's own ignore file; null when it has none. */
  ignore: { readonly stamp: Stamp; readonly text: string; readonly rules: Rules; readonly isRacy: boolean } | null
  files: Map<string, FileNode>
  folders: Map<string, FolderNode>
  /** Names that are not held, and why. */
  skipped: readonly { readonly name: string; readonly reason: SkipReason }[]
  /** Nothing at all is in it. */
  isEmpty: boolean
  /** Id of its tree object; null when it holds nothing, or before the first. Wrong while `isStale`. */
  tree: RawId | null
  isStale: boolean
  /** Differs from its row in the stat cache. */
  isUnsaved: boolean
  /** Where the lookout keeps what it asks of this folder; empty when the folder is to be gone through at each scan. */
  looks: readonly number[]
  /** The lookout asks for what was, not for what is. */
  isLookStale: boolean
}

/** Everything known about a project's files. */
export interface FolderModel {
  readonly root: FolderNode
  /** The list beside the tree; wrong while `isSideStale`. */
  side: RawId | null
  isSideStale: boolean
  /** Some folder's `skipped` may be another than at the last time it was listed. */
  isSkippedStale: boolean
  /** Some folder is `isLookStale`, or gone. */
  isLookStale: boolean
  /** Folders dropped since the last save, by path with a slash at the end. */
  gone: string[]
}

/** A model that knows nothing. */
export function newModel(): FolderModel {
  return { root: newFolder(null, ''), side: null, isSideStale: true, isSkippedStale: true, isLookStale: true, gone: [] }
}

const noStamp: Stamp = { size: -1n, mtimeNs: -1n, ctimeNs: -1n, ino: -1n, mode: 0 }

/** A folder of which nothing is known yet. */
export function newFolder(parent: FolderNode | null, name: string): FolderNode {
  return {
    parent,
    name,
    stamp: noStamp,
    isSettled: false,
    ignore: null,
    files: new Map(),
    folders: new Map(),
    skipped: [],
    isEmpty: false,
    tree: null,
    isStale: true,
    isUnsaved: true,
    looks: [],
    isLookStale: true,
  }
}

/** What is known of the folder, or of something directly in it, is another now. */
export function markMoved(model: FolderModel, folder: FolderNode): void {
  folder.isUnsaved = true
  folder.isLookStale = true
  model.isLookStale = true
}

/** The tree objects of this folder and those above it must be made again. A stale folder's parents are stale. */
export function markStale(folder: FolderNode): void {
  for (let node: FolderNode | null = folder; node && !node.isStale; node = node.parent) node.isStale = true
}

/** The folder's path in byte text, with a slash at the end; '' for the root. */
export function pathOf(folder: FolderNode): string {
  return folder.parent ? `${pathOf(folder.parent)}${folder.name}/` : ''
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino && a.mode === b.mode
}

/** The node at a path without a slash at its end; null where nothing is held. */
export function fileAt(root: FolderNode, path: string): FileNode | null {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let folder: FolderNode | undefined = root
  for (const name of names) folder = folder?.folders.get(name)
  return folder?.files.get(last) ?? null
}

/** Every folder with its path (a slash at the end), parents first, in name order. */
export function everyFolder(folder: FolderNode, visit: (folder: FolderNode, path: string) => void, path = ''): void {
  visit(folder, path)
  for (const [name, child] of folder.folders) everyFolder(child, visit, `${path}${name}/`)
}
