import { lstatSync, realpathSync, type BigIntStats } from 'node:fs'
import { join, resolve } from 'node:path'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Fence } from '../core/policy/protectedPaths'
import { answer, disk, errorCode, runNow, type Steps } from './diskSteps'
import { diskFault } from './diskFault'
import { lookAt, putFile, putLink, readPlace, type Check, type Found, type Place, type ReadFile } from './safeFile'
import { actingHere, closeFolder, openFolder, syncFolder, type Acting, type MakeFolders, type OpenFolder, type Root } from './safeFolder'
import { platformHere } from './safePathLexical'
import { removeEmptyFolder, removeFile, setMode } from './safeTree'

/**
 * The one module through which the app touches files of a workspace: file tools, restore and viewer alike. Paths here are
 * relative to an opened root, with `/`, and name exactly one place: no component is followed when it is a link, `.` and `..`
 * are refused. Functions ending in `Now` block and are for worker threads.
 */

/** Opens a root by its real path. `acting` is chosen by the system unless a test says otherwise. */
export function openRoot(path: string, acting: Acting = actingHere()): Result<Root> {
  try {
    const real = realpathSync.native(path)
    const stats = lstatSync(real, { bigint: true })
    if (!stats.isDirectory()) return fail('path.not-folder', { path })
    return succeed({ path: real, dev: stats.dev, ino: stats.ino, acting })
  } catch (error) {
    return diskFault(error, path)
  }
}

/** The fence of an opened root, by real paths, so that a home or data folder reached through a link is still itself. */
export function fenceOf(root: Root, home: string, appData: string): Fence {
  return { root: root.path, home: realOrSame(home), appData: realOrSame(appData), platform: platformHere() }
}

/** A path with every link on it followed; where nothing is, only made absolute. */
export function realOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return resolve(path)
  }
}

/** What may be there for an act to go on: a function over what was found. Nothing given: whatever is there but a folder or special file. */
export type Expect = (found: Found, read: FoundReader) => boolean

/** Reads what a look found, for an `Expect` that goes by content. */
export interface FoundReader {
  /** Whole content of a regular file; a fault when it cannot be read or is over the limit. */
  content(limitBytes: number): Result<ReadFile>
  /** Raw target of a link. */
  target(): Buffer
}

/** How a restore writes. `durable: false` leaves the syncing of the folder to `syncFolderNow`. */
export interface WriteOptions {
  readonly expect?: Expect
  readonly durable: boolean
}

/** Makes a file's content and permission bits, atomically; missing folders are made. Returns the stats of the new file. */
export function writeFileNow(root: Root, relative: string, bytes: Uint8Array, options: WriteOptions & { readonly mode: number | null }): Result<BigIntStats> {
  const how = { check: checkOf(options.expect), mode: options.mode, durable: options.durable }
  return runNow(atPlace(root, relative, { make: true, durable: options.durable }, (place) => putFile(place, bytes, how)))
}

/** Makes a symbolic link, replacing a file or link atomically; missing folders are made. The target is only text. */
export function writeLinkNow(root: Root, relative: string, target: string | Buffer, options: WriteOptions): Result<BigIntStats> {
  return runNow(atPlace(root, relative, { make: true, durable: options.durable }, (place) => putLink(place, target, { check: checkOf(options.expect), durable: options.durable })))
}

/** Deletes a file or a link itself. */
export function removeFileNow(root: Root, relative: string, options: WriteOptions): Result<null> {
  return runNow(atPlace(root, relative, keep, (place) => removeFile(place, { check: checkOf(options.expect), durable: options.durable })))
}

/** Deletes a folder when it is empty; false when it is not. */
export function removeEmptyFolderNow(root: Root, relative: string, options: { readonly durable: boolean }): Result<boolean> {
  return runNow(atPlace(root, relative, keep, (place) => removeEmptyFolder(place, options.durable)))
}

/** Makes a folder and those above it; one that is there already is fine. `mode` is set only when given. */
export function makeFolderNow(root: Root, relative: string, options: { readonly mode: number | null; readonly durable: boolean }): Result<null> {
  const names = namesOf(relative)
  if (!names.ok) return names
  const made = runNow(withFolder(root, names.value, { make: true, durable: options.durable }, () => answer(succeed(null))))
  return made.ok && options.mode !== null ? chmodNow(root, relative, options.mode) : made
}

/** Sets permission bits of a file or folder. */
export function chmodNow(root: Root, relative: string, mode: number): Result<null> {
  return runNow(atPlace(root, relative, keep, (place) => setMode(place, mode)))
}

/** Looks at a place without following a link there. A missing parent is a missing place. */
export function lookNow(root: Root, relative: string): Result<Found> {
  const looked = runNow(atPlace(root, relative, keep, function* (place) {
    return succeed(yield* lookAt(place))
  }))
  return !looked.ok && looked.fault.code === 'path.missing' ? succeed({ kind: 'missing' }) : looked
}

/** Reads a regular file up to a limit. */
export function readFileNow(root: Root, relative: string, limitBytes: number): Result<ReadFile> {
  return runNow(atPlace(root, relative, keep, (place) => readPlace(place, limitBytes)))
}

/** The raw target of a link. */
export function readLinkNow(root: Root, relative: string): Result<Buffer> {
  return runNow(atPlace(root, relative, keep, function* (place) {
    return succeed(yield* disk.readlink(place.folder.at(place.name)))
  }))
}

/** Makes the names in a folder durable; '' is the root. Once a folder, after many writes without `durable`. */
export function syncFolderNow(root: Root, relative: string): Result<null> {
  const names = relative === '' ? succeed<readonly string[]>([]) : namesOf(relative)
  if (!names.ok) return names
  return runNow(withFolder(root, names.value, keep, function* (folder) {
    yield* syncFolder(folder)
    return succeed(null)
  }))
}

const keep: MakeFolders = { make: false, durable: false }

/** An expectation as the acts take it. */
export function checkOf(expect: Expect | undefined): Check {
  return (found, place) => {
    const reader: FoundReader = {
      content: (limitBytes) => runNow(readPlace(place, limitBytes)),
      target: () => runNow(disk.readlink(place.folder.at(place.name))),
    }
    return answer(expect === undefined || expect(found, reader) ? succeed(null) : fail('path.stale', { path: place.path }))
  }
}

/** Acts at one place below the root, whose folder is open meanwhile; see `runLater` and `runNow`. */
export function* atPlace<T>(root: Root, relative: string, make: MakeFolders, act: (place: Place) => Steps<Result<T>>): Steps<Result<T>> {
  const names = namesOf(relative)
  if (!names.ok) return names
  const name = names.value[names.value.length - 1] ?? ''
  return yield* withFolder(root, names.value.slice(0, -1), make, (folder) => act({ folder, name, path: join(folder.path, name) }))
}

function* withFolder<T>(root: Root, names: readonly string[], make: MakeFolders, act: (folder: OpenFolder) => Steps<Result<T>>): Steps<Result<T>> {
  const folder = yield* root.kept ? root.kept.open(root, names, make) : openFolder(root, names, make)
  if (!folder.ok) return folder
  try {
    return yield* act(folder.value)
  } catch (error) {
    return diskFault(error, folder.value.path)
  } finally {
    if (!root.kept) yield* closeFolder(folder.value)
  }
}

/** The components of a relative path that names one place below the root. */
function namesOf(relative: string): Result<readonly string[]> {
  const names = relative.split('/')
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'))
  return isPlain ? succeed(names) : fail('path.outside', { path: relative })
}
