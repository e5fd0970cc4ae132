import { lstat, readHeld } from '../scan/stamps'

/** A line with a path is never longer; a file that is has another purpose. */
const pointerBytes = 4096
const alternatesBytes = 64 * 1024
const alternatesRead = 8

/**
 * The folders in which the project's own repository keeps its objects: its own first, then those it borrows from, one level deep.
 * Read only to find them: no configuration is looked at, nothing is written. Empty where there is none, and for whatever is
 * unusual: a link, another owner, a place in the network. Paths are byte text.
 */
export function projectObjectFolders(root: string): readonly string[] {
  const folder = gitFolderOf(root)
  const objects = folder === null ? null : ownFolder(`${commonFolderOf(folder) ?? folder}/objects`)
  return objects === null ? [] : [objects, ...alternatesOf(objects)]
}

/** `.git` itself, or where a file of that name points: a worktree's or a submodule's. */
function gitFolderOf(root: string): string | null {
  const place = `${root}/.git`
  const folder = ownFolder(place)
  if (folder !== null) return folder
  const target = /^gitdir: ([^\0\r\n]+)\r?\n?$/.exec(smallFile(place, pointerBytes) ?? '')?.[1]
  return target === undefined ? null : ownFolder(resolved(root, target))
}

/** A worktree's objects lie with the repository it belongs to. */
function commonFolderOf(folder: string): string | null {
  const target = /^([^\0\r\n]+)\r?\n?$/.exec(smallFile(`${folder}/commondir`, pointerBytes) ?? '')?.[1]
  return target === undefined ? null : ownFolder(resolved(folder, target))
}

function alternatesOf(objects: string): string[] {
  const lines = (smallFile(`${objects}/info/alternates`, alternatesBytes) ?? '').split('\n')
  return lines
    .filter((line) => line !== '' && !/^[#"]/.test(line))
    .slice(0, alternatesRead)
    .flatMap((line) => ownFolder(resolved(objects, line)) ?? [])
}

function resolved(from: string, target: string): string {
  return /^([/\\]|[A-Za-z]:)/.test(target) ? target : `${from}/${target}`
}

/** Null unless it is a folder itself, of this user. Nothing is asked of other machines: naming a share can give away a password. */
function ownFolder(path: string): string | null {
  if (/^[/\\]{2}/.test(path)) return null
  const stats = lstat(path)
  return stats?.isDirectory() && isOwn(stats.uid) ? path : null
}

function smallFile(path: string, most: number): string | null {
  const stats = lstat(path)
  if (!stats?.isFile() || !isOwn(stats.uid) || stats.size > most) return null
  const read = readHeld(path, stats)
  return read.kind === 'read' ? Buffer.from(read.body).toString('latin1') : null
}

/** Without users (Windows) everything is one's own. */
function isOwn(uid: bigint): boolean {
  const own = process.getuid?.()
  return own === undefined || uid === BigInt(own)
}
