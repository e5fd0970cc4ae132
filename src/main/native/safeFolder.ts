import { constants, existsSync, fstatSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { diskName } from './byteText'
import { disk, errorCode, type DiskPath, type Stats, type Steps } from './diskSteps'
import { diskFault } from './diskFault'

/** The folder that everything is bound to: its real path and its identity at the time it was opened. */
export interface Root {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
  readonly acting: Acting
  /** Folders that stay open between acts; without, each act walks from the root. */
  readonly kept?: KeptFolders
}

/** Gives a folder below the root as `openFolder` does, but keeps it open: it is not the caller's to close. */
export interface KeptFolders {
  open(root: Root, names: readonly string[], make: MakeFolders): Steps<Result<OpenFolder>>
}

/**
 * How acts are bound to the judged place. `descriptor` (Linux with /proc): every folder from the root down is opened without
 * following links, and names are used below the open descriptor, so a folder swapped in between changes nothing. `path`
 * (macOS, Windows): names are used by path and the parent's identity is checked just before and after the act; there a
 * window of a few microseconds remains in which another program of the same user could swap a folder.
 */
export type Acting = 'descriptor' | 'path'

/** The safest way this system has. */
export function actingHere(): Acting {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptor' : 'path'
}

/** A folder held open while something in it is read or changed. */
export interface OpenFolder {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
  /** The path to use for a name in this folder; never follow the name itself. */
  at(name: string): DiskPath
  /** The path to read this folder by. */
  readonly self: string
  readonly fd: number | null
}

// Not in node's list: a descriptor for naming only, which needs no right to read the folder.
const O_PATH = 0o10000000
const openForNaming = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** What opening a folder may make on the way. */
export interface MakeFolders {
  readonly make: boolean
  /** Sync each folder that got a new one. */
  readonly durable: boolean
}

/**
 * Opens the folder `names` below the root, component by component, following no link. Missing ones are made when asked.
 * A link, or a file, where a folder was judged is `path.moved`. The caller closes the folder.
 */
export function* openFolder(root: Root, names: readonly string[], make: MakeFolders = { make: false, durable: false }): Steps<Result<OpenFolder>> {
  const folder = yield* openRootFolder(root)
  return folder.ok ? yield* descend(folder.value, names, make) : folder
}

/** Goes on from an open folder, which is closed on the way unless there is nothing to enter. */
export function* descend(from: OpenFolder, names: readonly string[], make: MakeFolders): Steps<Result<OpenFolder>> {
  let folder = from
  for (const name of names) {
    const above = folder
    try {
      const entered = yield* enter(above, name, make)
      if (!entered.ok) return entered
      folder = entered.value
    } finally {
      yield* closeFolder(above)
    }
  }
  return succeed(folder)
}

/** Opens a folder inside an open one without following a link. The parent stays open. */
export function* enter(parent: OpenFolder, name: string, make: MakeFolders = { make: false, durable: false }): Steps<Result<OpenFolder>> {
  const path = join(parent.path, name)
  try {
    return yield* openNamed(parent, name)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || !make.make) return diskFault(error, path)
  }
  try {
    yield* disk.mkdir(parent.at(name), 0o777)
    if (make.durable) yield* syncFolder(parent)
    return yield* openNamed(parent, name)
  } catch (error) {
    // Somebody else made it in between: then it counts as found.
    return errorCode(error) === 'EEXIST' ? yield* enter(parent, name) : diskFault(error, path)
  }
}

export function* closeFolder(folder: OpenFolder): Steps<void> {
  if (folder.fd !== null) yield* disk.close(folder.fd)
}

/** Makes the folder's names durable. Where a system cannot sync a folder, nothing is done. */
export function* syncFolder(folder: OpenFolder): Steps<void> {
  let fd: number
  try {
    fd = yield* disk.open(folder.self, constants.O_RDONLY)
  } catch (error) {
    // A folder that may be written but not read, and Windows: there is no way to sync it.
    if (['EACCES', 'EPERM', 'EISDIR'].includes(errorCode(error))) return
    throw error
  }
  try {
    yield* disk.fsync(fd)
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'ENOTSUP', 'EBADF'].includes(errorCode(error))) throw error
  } finally {
    yield* disk.close(fd)
  }
}

/** True while the open folder is still what stands at its path. Short calls only, for use inside `together`. */
export function isStillThere(folder: OpenFolder, calls: { readlink(path: string): string; lstat(path: DiskPath): Stats }): boolean {
  try {
    if (folder.fd !== null) return calls.readlink(`/proc/self/fd/${folder.fd}`) === folder.path
    const now = calls.lstat(diskName(folder.path))
    return now.isDirectory() && now.dev === folder.dev && now.ino === folder.ino
  } catch {
    return false
  }
}

/** The root itself, when it is still the folder that was opened. The caller closes it. */
export function* openRootFolder(root: Root): Steps<Result<OpenFolder>> {
  try {
    const folder = yield* hold(root.path, root.path, root.acting)
    if (folder.dev === root.dev && folder.ino === root.ino) return succeed(folder)
    yield* closeFolder(folder)
    return fail('path.moved', { path: root.path })
  } catch (error) {
    return diskFault(error, root.path)
  }
}

function* openNamed(parent: OpenFolder, name: string): Steps<Result<OpenFolder>> {
  return succeed(yield* hold(parent.at(name), join(parent.path, name), parent.fd === null ? 'path' : 'descriptor'))
}

/** Throws what the disk says; ENOTDIR for a link or a file. */
function* hold(by: DiskPath, path: string, acting: Acting): Steps<OpenFolder> {
  if (acting === 'path') {
    const stats = yield* disk.lstat(by)
    if (!stats.isDirectory()) throw Object.assign(new Error(`not a folder: ${path}`), { code: 'ENOTDIR' })
    return { path, dev: stats.dev, ino: stats.ino, at: (name) => diskName(join(path, name)), self: path, fd: null }
  }
  return new HeldFolder(path, yield* disk.open(by, openForNaming))
}

/** Its identity is asked for only where it is wanted: of an open folder the system knows it without the disk. */
class HeldFolder implements OpenFolder {
  readonly path: string
  readonly fd: number
  #stats: BigIntStats | null = null

  constructor(path: string, fd: number) {
    this.path = path
    this.fd = fd
  }

  get dev(): bigint {
    return this.#identity().dev
  }

  get ino(): bigint {
    return this.#identity().ino
  }

  get self(): string {
    return `/proc/self/fd/${this.fd}/.`
  }

  at(name: string): DiskPath {
    return diskName(`/proc/self/fd/${this.fd}/${name}`)
  }

  #identity(): BigIntStats {
    return (this.#stats ??= fstatSync(this.fd, { bigint: true }))
  }
}
