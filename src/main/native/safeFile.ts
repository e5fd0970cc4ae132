import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { FileContent, FileIdentity } from '../core/ports/workspaceFs'
import { toText } from './byteText'
import { disk, errorCode, type DiskPath, type Stats, type Steps } from './diskSteps'
import { diskFault } from './diskFault'
import { isStillThere, syncFolder, type OpenFolder } from './safeFolder'

/** What stands at a name, never what a link there points to. */
export type Found =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file' | 'link' | 'folder' | 'special'; readonly stats: Stats }

/** A name in a folder held open. */
export interface Place {
  readonly folder: OpenFolder
  readonly name: string
  readonly path: string
}

/** Decides, from what is there, whether an act may go on. Called before the act; the act is bound to what it saw. */
export type Check = (found: Found, place: Place) => Steps<Result<null>>

const noFollow = (fs.constants.O_NOFOLLOW as number | undefined) ?? 0
const noBlock = (fs.constants.O_NONBLOCK as number | undefined) ?? 0
const temporaryName = /^\.countersign-[0-9a-f]{16}\.tmp$/u

/** True for the name of a file that a write was making when the app was killed; safe to delete once nothing writes. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name)
}

/** The identity that acts are bound to, in the form that crosses ports. */
export function identityOf(stats: Stats): FileIdentity {
  return { dev: String(stats.dev), ino: String(stats.ino), size: Number(stats.size), mtimeNs: String(stats.mtimeNs), ctimeNs: String(stats.ctimeNs) }
}

/** The kind of what `stats` describes. */
export function kindOf(stats: Stats): 'file' | 'folder' | 'link' | 'special' {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'special'
}

/** Looks at a name without following it. */
export function* lookAt(place: Place): Steps<Found> {
  try {
    const stats = yield* disk.lstat(place.folder.at(place.name))
    return { kind: kindOf(stats), stats }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'missing' }
    throw error
  }
}

/** Content with the stats it had when it was opened. */
export interface ReadFile extends FileContent {
  readonly stats: Stats
}

/** Reads a regular file up to `limitBytes`. Follows no link, waits on no pipe. */
export function* readPlace(place: Place, limitBytes: number): Steps<Result<ReadFile>> {
  let fd: number
  try {
    fd = yield* disk.open(place.folder.at(place.name), fs.constants.O_RDONLY | noFollow | noBlock)
  } catch (error) {
    return diskFault(error, place.path)
  }
  try {
    const stats = yield* disk.fstat(fd)
    if (stats.isDirectory()) return fail('path.is-folder', { path: place.path })
    if (!stats.isFile()) return fail('path.special', { path: place.path })
    if (stats.size > BigInt(limitBytes)) return tooLarge(place, Number(stats.size), limitBytes)
    const bytes = yield* disk.readAll(fd, Number(stats.size), limitBytes + 1)
    if (bytes.length > limitBytes) return tooLarge(place, bytes.length, limitBytes)
    if (!(yield* disk.together(() => isStillThere(place.folder, calls)))) return fail('path.moved', { path: place.path })
    return succeed({ bytes, hash: yield* disk.sha256(bytes), identity: identityOf(stats), mode: Number(stats.mode & 0o7777n), stats })
  } catch (error) {
    return diskFault(error, place.path)
  } finally {
    yield* disk.close(fd)
  }
}

/** How a file is put in place. */
export interface PutHow {
  readonly check: Check
  /** Permission bits; null keeps those of the file replaced, and for a new one takes what the system gives. */
  readonly mode: number | null
  /** Sync file and folder before saying that it is done; otherwise the caller syncs the folder later. */
  readonly durable: boolean
}

/**
 * Makes `bytes` the content of a name, whole or not at all: a temporary file in the same folder, renamed over the name when
 * that is still what the check saw. A link at the name is replaced, never followed; other names of a replaced file keep the
 * old content, and its extended attributes and access lists are not carried over. Nothing is left behind when it fails.
 */
export function* putFile(place: Place, bytes: Uint8Array, how: PutHow): Steps<Result<Stats>> {
  return yield* put(place, how, function* (temporary, found) {
    const old = found.kind === 'file' ? found.stats : null
    const fd = yield* disk.open(place.folder.at(temporary), fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | noFollow, old || how.mode !== null ? 0o600 : 0o666)
    try {
      yield* disk.writeAll(fd, bytes)
      if (old) yield* keepOwner(fd, old)
      const mode = how.mode ?? (old ? Number(old.mode & 0o777n) : null)
      if (mode !== null) yield* disk.fchmod(fd, mode)
      if (how.durable) yield* disk.fsync(fd)
    } finally {
      yield* disk.close(fd)
    }
  })
}

/** Makes a symbolic link at a name, replacing what the check saw. The target is only text. */
export function* putLink(place: Place, target: string | Buffer, how: Pick<PutHow, 'check' | 'durable'>): Steps<Result<Stats>> {
  return yield* put(place, how, (temporary) => disk.symlink(target, place.folder.at(temporary)))
}

/** A file that another user owns stays theirs where we may do that; where not, it becomes ours, as with any editor that saves by replacing. */
function* keepOwner(fd: number, old: Stats): Steps<void> {
  const now = yield* disk.fstat(fd)
  if (now.uid === old.uid && now.gid === old.gid) return
  try {
    yield* disk.fchown(fd, Number(old.uid), Number(old.gid))
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
  }
}

function* put(place: Place, how: Pick<PutHow, 'check' | 'durable'>, make: (temporary: string, found: Found) => Steps<void>): Steps<Result<Stats>> {
  const temporary = `.countersign-${randomBytes(8).toString('hex')}.tmp`
  let isMade = false
  try {
    const found = yield* lookAt(place)
    if (found.kind === 'folder') return fail('path.is-folder', { path: place.path })
    if (found.kind === 'special') return fail('path.special', { path: place.path })
    const checked = yield* how.check(found, place)
    if (!checked.ok) return checked
    isMade = true
    yield* make(temporary, found)
    const placed = yield* disk.together(() => placeNow(place, temporary, found))
    if (!placed.ok) return placed
    isMade = false
    if (how.durable) yield* syncFolder(place.folder)
    return placed
  } catch (error) {
    return diskFault(error, place.path)
  } finally {
    if (isMade) yield* removeQuietly(place.folder.at(temporary))
  }
}

const calls = { readlink: (path: string): string => toText(fs.readlinkSync(path, { encoding: 'latin1' })), lstat: (path: DiskPath): Stats => fs.lstatSync(path, { bigint: true }) }

/** The last look and the rename, with nothing between them but the system. A new name is linked, which never replaces. */
function placeNow(place: Place, temporary: string, found: Found): Result<Stats> {
  const from = place.folder.at(temporary)
  const to = place.folder.at(place.name)
  if (!isStillThere(place.folder, calls)) return fail('path.moved', { path: place.path })
  if (found.kind === 'missing') linkOrRename(from, to)
  else if (isUnchanged(to, found.stats)) fs.renameSync(from, to)
  else return fail('path.stale', { path: place.path })
  const stats = fs.lstatSync(to, { bigint: true })
  // Without descriptors the folder may have been swapped between the look and the rename: then it is said.
  return isStillThere(place.folder, calls) ? succeed(stats) : fail('path.moved', { path: place.path })
}

/** Moves `from` to a name that must be free. Disks without hard links get a look and a rename instead. */
export function linkOrRename(from: DiskPath, to: DiskPath): void {
  try {
    // A symbolic link cannot be hard-linked everywhere; its text is all there is to it.
    if (fs.lstatSync(from).isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, { encoding: 'buffer' }), to)
    else fs.linkSync(from, to)
    fs.unlinkSync(from)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EOPNOTSUPP'].includes(errorCode(error))) throw error
    if (fs.lstatSync(to, { throwIfNoEntry: false })) throw Object.assign(new Error(`exists: ${to.toString()}`), { code: 'EEXIST' })
    fs.renameSync(from, to)
  }
}

/** True while a path still has the very stats it had: same inode, size, times and mode. Short call, for use inside `together`. */
export function isUnchanged(path: DiskPath, stats: Stats): boolean {
  const now = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return now !== undefined && sameStats(now, stats)
}

/** True when two looks saw the same thing, unchanged. */
function sameStats(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.mode === b.mode
}

function* removeQuietly(path: DiskPath): Steps<void> {
  try {
    yield* disk.unlink(path)
  } catch (error) {
    // It may never have been made; the fault that matters is already on its way to the caller.
    if (errorCode(error) === '') throw error
  }
}

function tooLarge(place: Place, sizeBytes: number, limitBytes: number): Result<never> {
  return fail('path.too-large', { path: place.path, sizeBytes, limitBytes })
}
