import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
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

/** From what node keeps ready: asking the system anew for each of many names costs as much as a look at the disk. */
function temporaryNameNow(): string {
  return `.countersign-${randomUUID().replaceAll('-', '').slice(0, 16)}.tmp`
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
  /** Whether it still had the name it was opened by when its names had been counted; null where the system does not tell. */
  readonly isNamed: boolean | null
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
    const isNamed = place.folder.fd === null ? null : yield* disk.together(() => calls.readlink(`/proc/self/fd/${fd}`) === join(place.folder.path, place.name))
    return succeed({ bytes, hash: yield* disk.sha256(bytes), identity: identityOf(stats), mode: Number(stats.mode & 0o7777n), stats, isNamed })
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
  return yield* putNow(yield* prepareFile(place, () => bytes, how), how.durable)
}

/** Makes a symbolic link at a name, replacing what the check saw. The target is only text. */
export function* putLink(place: Place, target: string | Buffer, how: Pick<PutHow, 'check' | 'durable'>): Steps<Result<Stats>> {
  return yield* putNow(yield* prepareLink(place, () => target, how), how.durable)
}

/** What is whole under a temporary name, waiting to take its place. Its end is `placePrepared` or `dropPrepared`, once. */
export interface Prepared {
  readonly place: Place
  readonly temporary: string
  readonly found: Found
  /** Open for flushing; null for a link. */
  readonly fd: number | null
}

/**
 * The first half of `putFile`, for many that are flushed together. The folder of `place` stays open until the end. `content`
 * is asked for only when the check lets the write go on; what it throws is thrown on.
 */
export function* prepareFile(place: Place, content: () => Uint8Array, how: Pick<PutHow, 'check' | 'mode'>): Steps<Result<Prepared>> {
  return yield* prepare(place, how.check, function* (temporary, found) {
    const bytes = content()
    const old = found.kind === 'file' ? found.stats : null
    const fd = yield* disk.open(place.folder.at(temporary), fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | noFollow, old || how.mode !== null ? 0o600 : 0o666)
    try {
      yield* disk.writeAll(fd, bytes)
      if (old) yield* keepOwner(fd, old)
      const mode = how.mode ?? (old ? Number(old.mode & 0o777n) : null)
      if (mode !== null) yield* disk.fchmod(fd, mode)
      return fd
    } catch (error) {
      yield* disk.close(fd)
      throw error
    }
  })
}

/** The first half of `putLink`. */
export function* prepareLink(place: Place, target: () => string | Buffer, how: Pick<PutHow, 'check'>): Steps<Result<Prepared>> {
  return yield* prepare(place, how.check, function* (temporary) {
    yield* disk.symlink(target(), place.folder.at(temporary))
    return null
  })
}

/** The second half: the temporary takes the name, when that is still what the check saw; otherwise it is removed. */
export function* placePrepared(prepared: Prepared): Steps<Result<Stats>> {
  const { place, temporary, found, fd } = prepared
  let isPlaced = false
  try {
    if (fd !== null) yield* disk.close(fd)
    const placed = yield* disk.together(() => placeNow(place, temporary, found))
    isPlaced = placed.ok
    return placed
  } catch (error) {
    return diskFault(error, place.path)
  } finally {
    if (!isPlaced) yield* removeQuietly(place.folder.at(temporary))
  }
}

/** Removes what shall not take its place after all. */
export function* dropPrepared({ place, temporary, fd }: Prepared): Steps<void> {
  if (fd !== null) yield* disk.close(fd)
  yield* removeQuietly(place.folder.at(temporary))
}

function* putNow(prepared: Result<Prepared>, durable: boolean): Steps<Result<Stats>> {
  if (!prepared.ok) return prepared
  const { fd, place } = prepared.value
  try {
    if (durable && fd !== null) yield* disk.fsync(fd)
  } catch (error) {
    yield* dropPrepared(prepared.value)
    return diskFault(error, place.path)
  }
  const placed = yield* placePrepared(prepared.value)
  try {
    if (placed.ok && durable) yield* syncFolder(place.folder)
    return placed
  } catch (error) {
    return diskFault(error, place.path)
  }
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

function* prepare(place: Place, check: Check, make: (temporary: string, found: Found) => Steps<number | null>): Steps<Result<Prepared>> {
  const temporary = temporaryNameNow()
  let isMade = false
  try {
    const found = yield* lookAt(place)
    if (found.kind === 'folder') return fail('path.is-folder', { path: place.path })
    if (found.kind === 'special') return fail('path.special', { path: place.path })
    const checked = yield* check(found, place)
    if (!checked.ok) return checked
    isMade = true
    const fd = yield* make(temporary, found)
    isMade = false
    return succeed({ place, temporary, found, fd })
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

/** True when two looks saw the same thing, unchanged. A file that lost another of its names meanwhile is told so by its change time alone. */
function sameStats(a: Stats, b: Stats): boolean {
  const lostAName = a.nlink < b.nlink && a.isFile()
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && (a.ctimeNs === b.ctimeNs || lostAName) && a.mode === b.mode
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
