import * as fs from 'node:fs'
import { join } from 'node:path'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { FolderEntry } from '../core/ports/workspaceFs'
import { toText } from './byteText'
import { answer, disk, errorCode, type DiskPath, type Stats, type Steps } from './diskSteps'
import { diskFault } from './diskFault'
import { isPlaceholder } from './placeholder'
import { isUnchanged, kindOf, linkOrRename, lookAt, putFile, readPlace, type Check, type Place } from './safeFile'
import { closeFolder, enter, isStillThere, syncFolder, type OpenFolder } from './safeFolder'

const calls = { readlink: (path: string): string => toText(fs.readlinkSync(path, { encoding: 'latin1' })), lstat: (path: DiskPath): Stats => fs.lstatSync(path, { bigint: true }) }

/** Deletes a file or a link itself, when it is still what the check saw. A folder or special file is refused. */
export function* removeFile(place: Place, how: { readonly check: Check; readonly durable: boolean }): Steps<Result<null>> {
  try {
    const found = yield* lookAt(place)
    const checked = yield* how.check(found, place)
    if (!checked.ok) return checked
    if (found.kind === 'missing') return fail('path.missing', { path: place.path })
    if (found.kind === 'folder') return fail('path.is-folder', { path: place.path })
    if (found.kind === 'special') return fail('path.special', { path: place.path })
    const gone = yield* disk.together(() => {
      if (!isStillThere(place.folder, calls)) return fail('path.moved', { path: place.path })
      if (!isUnchanged(place.folder.at(place.name), found.stats)) return fail('path.stale', { path: place.path })
      fs.unlinkSync(place.folder.at(place.name))
      return succeed(null)
    })
    if (gone.ok && how.durable) yield* syncFolder(place.folder)
    return gone
  } catch (error) {
    return diskFault(error, place.path)
  }
}

/** Deletes a folder when it is empty; false when it is not. */
export function* removeEmptyFolder(place: Place, durable: boolean): Steps<Result<boolean>> {
  try {
    yield* disk.rmdir(place.folder.at(place.name))
    if (durable) yield* syncFolder(place.folder)
    return succeed(true)
  } catch (error) {
    return ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error)) ? succeed(false) : diskFault(error, place.path)
  }
}

/**
 * Deletes a folder with all it holds, entering each folder by descriptor: a link inside is deleted, never followed; with
 * another disk or folder mounted inside, nothing is deleted. What was deleted before a fault stays deleted.
 */
export function* removeFolder(place: Place, how: { readonly check: Check; readonly durable: boolean }): Steps<Result<null>> {
  try {
    const found = yield* lookAt(place)
    const checked = yield* how.check(found, place)
    if (!checked.ok) return checked
    if (hasMountBelow(place.path)) return fail('path.other-disk', { path: place.path })
    const gone = yield* removeBelow(place)
    if (gone.ok && how.durable) yield* syncFolder(place.folder)
    return gone
  } catch (error) {
    return diskFault(error, place.path)
  }
}

/** A folder bound in from elsewhere has the same device as its neighbours; only the list of mounts tells. */
function hasMountBelow(path: string): boolean {
  if (process.platform !== 'linux' || !fs.existsSync('/proc/self/mountinfo')) return false
  const points = fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n').map((line) => (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))))
  return points.some((point) => point === path || point.startsWith(`${path}/`))
}

function* removeBelow(place: Place): Steps<Result<null>> {
  const folder = yield* enter(place.folder, place.name)
  if (!folder.ok) return folder
  try {
    if (folder.value.dev !== place.folder.dev) return fail('path.other-disk', { path: place.path })
    for (const entry of yield* disk.readdir(folder.value.self)) {
      const inside: Place = { folder: folder.value, name: entry.name, path: join(place.path, entry.name) }
      const gone = entry.isDirectory() ? yield* removeBelow(inside) : yield* unlinkPlace(inside)
      if (!gone.ok) return gone
    }
  } finally {
    yield* closeFolder(folder.value)
  }
  yield* disk.rmdir(place.folder.at(place.name))
  return succeed(null)
}

function* unlinkPlace(place: Place): Steps<Result<null>> {
  try {
    yield* disk.unlink(place.folder.at(place.name))
    return succeed(null)
  } catch (error) {
    return diskFault(error, place.path)
  }
}

/** Moves a file, a link itself or a folder to a free name. Never replaces anything but, where the system gives no other way, a folder just made and empty. */
export function* movePlace(from: Place, to: Place, how: { readonly check: Check; readonly durable: boolean }): Steps<Result<null>> {
  try {
    const found = yield* lookAt(from)
    const checked = yield* how.check(found, from)
    if (!checked.ok) return checked
    if (found.kind === 'missing') return fail('path.missing', { path: from.path })
    if (found.kind === 'special') return fail('path.special', { path: from.path })
    const stats = found.stats
    const moved = yield* disk.together(() => moveNow(from, to, stats))
    if (moved.ok && how.durable) {
      yield* syncFolder(to.folder)
      yield* syncFolder(from.folder)
    }
    return moved
  } catch (error) {
    if (errorCode(error) === 'EINVAL') return fail('path.into-itself', { from: from.path, to: to.path })
    return diskFault(error, to.path)
  }
}

function moveNow(from: Place, to: Place, stats: Stats): Result<null> {
  const source = from.folder.at(from.name)
  const target = to.folder.at(to.name)
  if (!isStillThere(from.folder, calls)) return fail('path.moved', { path: from.path })
  if (!isStillThere(to.folder, calls)) return fail('path.moved', { path: to.path })
  if (!isUnchanged(source, stats)) return fail('path.stale', { path: from.path })
  if (fs.lstatSync(target, { throwIfNoEntry: false })) return fail('path.exists', { path: to.path })
  if (stats.isDirectory()) fs.renameSync(source, target)
  else linkOrRename(source, target)
  return succeed(null)
}

/** Sets permission bits of a file or folder, never of what a link points to. A file of several names parts from the others, which keep theirs. */
export function* setMode(place: Place, mode: number): Steps<Result<null>> {
  try {
    if (place.folder.fd === null) {
      const stats = yield* disk.lstat(place.folder.at(place.name))
      if (stats.isSymbolicLink()) return fail('path.moved', { path: place.path })
      if (stats.isFile() && stats.nlink > 1n) return yield* part(place, mode)
      yield* disk.chmod(place.folder.at(place.name), mode)
      return succeed(null)
    }
    const fd = yield* disk.open(place.folder.at(place.name), 0o10000000 | fs.constants.O_NOFOLLOW)
    try {
      const stats = yield* disk.fstat(fd)
      if (stats.isSymbolicLink()) return fail('path.moved', { path: place.path })
      if (stats.isFile() && stats.nlink > 1n) return yield* part(place, mode)
      yield* disk.chmod(`/proc/self/fd/${fd}`, mode)
      return succeed(null)
    } finally {
      yield* disk.close(fd)
    }
  } catch (error) {
    return diskFault(error, place.path)
  }
}

/** Largest file that is copied to part it from its other names. */
const partedBytes = 256 * 1024 * 1024

/** The bits belong to the file, not to the name: its other names may lie outside. */
function* part(place: Place, mode: number): Steps<Result<null>> {
  const content = yield* readPlace(place, partedBytes)
  if (!content.ok) return content
  const { stats, bytes } = content.value
  const isSame: Check = (found) => answer(found.kind === 'file' && found.stats.dev === stats.dev && found.stats.ino === stats.ino ? succeed(null) : fail('path.stale', { path: place.path }))
  const parted = yield* putFile(place, bytes, { check: isSame, mode, durable: true })
  return parted.ok ? succeed(null) : parted
}

/** What a folder holds, by name. Links are named, not followed; what vanishes meanwhile, and what a sandbox put there, is left out. */
export function* listFolder(folder: OpenFolder): Steps<Result<readonly FolderEntry[]>> {
  try {
    const entries: FolderEntry[] = []
    for (const { name } of yield* disk.readdir(folder.self)) {
      const found = yield* lookAt({ folder, name, path: join(folder.path, name) })
      if (found.kind !== 'missing' && !isPlaceholder(found.stats)) entries.push({ name, kind: kindOf(found.stats), sizeBytes: found.kind === 'file' ? Number(found.stats.size) : 0 })
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    return succeed(entries)
  } catch (error) {
    return diskFault(error, folder.path)
  }
}
