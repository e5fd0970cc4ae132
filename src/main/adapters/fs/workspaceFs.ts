import { constants } from 'node:fs'
import { join, sep } from 'node:path'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { FileContent, FolderEntry, PathFacts, PathUse, WorkspaceFs } from '../../core/ports/workspaceFs'
import { diskFault, type Fault } from '../../native/diskFault'
import { answer, disk, runLater, type Steps } from '../../native/diskSteps'
import { identityOf, putFile, readPlace, type Check, type Found, type Place } from '../../native/safeFile'
import { closeFolder, descend, enter, openFolder, type MakeFolders, type OpenFolder, type Root } from '../../native/safeFolder'
import { locate } from '../../native/safePathWalk'
import { listFolder, movePlace, removeFile, removeFolder } from '../../native/safeTree'

/** Largest file whose content is compared with an approved hash. */
const comparableBytes = 256 * 1024 * 1024

/** What the file system of a workspace needs to know besides its root. */
export interface WorkspaceFsOptions {
  /** Folders recognised by identity wherever they are mounted: the app's data folder. */
  readonly guarded: readonly string[]
}

/**
 * The files of one opened root for the tools of an agent. Every act is bound to the facts that were judged: the parent folder
 * is opened component by component and must be the judged one, the file must be the judged one, and the content the approved
 * one. Outside the root and in guarded folders nothing is ever touched, whatever was judged.
 */
export function openWorkspaceFs(root: Root, options: WorkspaceFsOptions): WorkspaceFs {
  const run = async <T>(places: readonly PathFacts[], steps: () => Steps<Result<T>>): Promise<Result<T>> => {
    const kept = places.find((facts) => touchesGuarded(facts, options.guarded))
    return kept === undefined ? runLater(steps()) : fail('path.app-data', { path: kept.given })
  }
  return {
    locate: (path: string, use: PathUse) => runLater(locate(root, path, use, options.guarded)),
    read: (facts, limitBytes) => run([facts], () => read(root, facts, limitBytes)),
    list: (facts) => run([facts], () => list(root, facts)),
    write: (facts, bytes, base) => run([facts], () => write(root, facts, bytes, base)),
    makeFolder: (facts) => run([facts], () => makeFolder(root, facts)),
    remove: (facts, base) => run([facts], () => remove(root, facts, base)),
    move: (from, to) => run([from, to], () => move(root, from, to)),
  }
}

/** In a guarded folder; or, for a folder to be deleted or moved, above one. */
function touchesGuarded(facts: PathFacts, guarded: readonly string[]): boolean {
  const holdsOrIs = (outer: string, inner: string): boolean => `${inner}${sep}`.startsWith(`${outer}${sep}`)
  return guarded.some((folder) => holdsOrIs(folder, facts.realPath) || (facts.holds !== undefined && holdsOrIs(facts.realPath, folder)))
}

const nullDevice = '/dev/null'
const durable: MakeFolders = { make: true, durable: true }
const keep: MakeFolders = { make: false, durable: false }

function* read(root: Root, facts: PathFacts, limitBytes: number): Steps<Result<FileContent>> {
  if (facts.problem === null && facts.realPath === nullDevice) return succeed(yield* emptyContent())
  return yield* atJudgedPlace(root, facts, keep, function* (place) {
    const content = yield* readPlace(place, limitBytes)
    if (!content.ok) return content
    const { identity } = facts
    const isJudged = identity !== null && identity.dev === content.value.identity.dev && identity.ino === content.value.identity.ino
    // A second name that appeared after judging may lead to a file outside.
    if (!isJudged || (content.value.stats.nlink > 1n && facts.linkCount <= 1)) return fail('path.moved', { path: facts.given })
    // One that lost its name here before its names were counted may have had one outside alone.
    if (facts.linkCount <= 1 && content.value.isNamed === false) return fail('path.moved', { path: facts.given })
    return succeed({ bytes: content.value.bytes, hash: content.value.hash, identity: content.value.identity, mode: content.value.mode })
  })
}

function* emptyContent(): Steps<FileContent> {
  const bytes = new Uint8Array()
  return { bytes, hash: yield* disk.sha256(bytes), identity: { dev: '0', ino: '0', size: 0, mtimeNs: '0', ctimeNs: '0' }, mode: 0o666 }
}

function* list(root: Root, facts: PathFacts): Steps<Result<readonly FolderEntry[]>> {
  return yield* inJudgedFolder(root, facts, listFolder)
}

function* write(root: Root, facts: PathFacts, bytes: Uint8Array, base: string | null): Steps<Result<{ readonly hash: string }>> {
  const written = yield* atJudgedPlace(root, facts, durable, (place) => putFile(place, bytes, { check: isApproved(facts, base), mode: null, durable: true }))
  return written.ok ? succeed({ hash: yield* disk.sha256(bytes) }) : written
}

function* makeFolder(root: Root, facts: PathFacts): Steps<Result<null>> {
  if (facts.kind === 'folder') return yield* inJudgedFolder(root, facts, () => answer(succeed(null)))
  return yield* atJudgedPlace(root, facts, durable, function* (place) {
    const made = yield* enter(place.folder, place.name, durable)
    if (!made.ok) return made.fault.code === 'path.moved' && facts.kind === 'file' ? fail('path.exists', { path: facts.given }) : made
    yield* closeFolder(made.value)
    return succeed(null)
  })
}

function* remove(root: Root, facts: PathFacts, base: string | null): Steps<Result<null>> {
  return yield* atJudgedPlace(root, facts, keep, (place) =>
    facts.kind === 'folder'
      ? removeFolder(place, { check: isSame(facts), durable: true })
      : removeFile(place, { check: base === null ? isSame(facts) : isApproved(facts, base), durable: true }),
  )
}

function* move(root: Root, from: PathFacts, to: PathFacts): Steps<Result<null>> {
  if (to.kind !== 'missing') return fail('path.exists', { path: to.given })
  if (from.relative !== null && to.relative !== null && `${to.relative}/`.startsWith(`${from.relative}/`)) return fail('path.into-itself', { from: from.given, to: to.given })
  return yield* atJudgedPlace(root, from, keep, (source) =>
    atJudgedPlace(root, to, durable, (target) => movePlace(source, target, { check: isSame(from), durable: true })),
  )
}

/** The judged thing must be there unchanged: same inode and kind, and for files same size and times. */
function isSame(facts: PathFacts): Check {
  return (found) => answer(isJudged(found, facts) ? succeed(null) : changed(found, facts))
}

function isJudged(found: Found, facts: PathFacts): boolean {
  if (found.kind === 'missing' || facts.identity === null) return found.kind === facts.kind
  const now = identityOf(found.stats)
  const was = facts.identity
  if (found.kind !== facts.kind || now.dev !== was.dev || now.ino !== was.ino) return false
  return found.kind === 'folder' || (now.size === was.size && now.mtimeNs === was.mtimeNs && now.ctimeNs === was.ctimeNs)
}

/** Another kind of thing, or a link, is a place that moved; a file with other content is stale. */
function changed(found: Found, facts: PathFacts): Fault {
  if (found.kind === 'missing') return fail('path.missing', { path: facts.given })
  return fail(found.kind === facts.kind ? 'path.stale' : 'path.moved', { path: facts.given })
}

/** A file with the approved content, or nothing at all when nothing was approved to be there. */
function isApproved(facts: PathFacts, base: string | null): Check {
  return function* (found, place) {
    if (base === null && found.kind === 'missing') return succeed(null)
    if (found.kind !== 'file') return base !== null && found.kind === 'missing' ? fail('path.stale', { path: facts.given }) : fail('path.moved', { path: facts.given })
    if (base === null) return fail(facts.kind === 'missing' ? 'path.stale' : 'path.exists', { path: facts.given })
    if (!(yield* mayWrite(place))) return fail('path.read-only', { path: facts.given })
    const content = yield* readPlace(place, comparableBytes)
    if (!content.ok) return content
    const isWhatWasLookedAt = content.value.stats.ino === found.stats.ino && content.value.stats.dev === found.stats.dev
    return isWhatWasLookedAt && content.value.hash === base ? succeed(null) : fail('path.stale', { path: facts.given })
  }
}

/** Replacing would work on a file that is marked read-only, too; that mark is meant. */
function* mayWrite(place: Place): Steps<boolean> {
  try {
    yield* disk.access(place.folder.at(place.name), constants.W_OK)
    return true
  } catch (error) {
    const fault = diskFault(error, place.path)
    return fault.fault.code !== 'path.not-permitted'
  }
}

/** Opens the judged parent of a place below the root, acts, closes. */
function* atJudgedPlace<T>(root: Root, facts: PathFacts, make: MakeFolders, act: (place: Place) => Steps<Result<T>>): Steps<Result<T>> {
  const names = namesBelow(facts)
  if (names === null || facts.parent === null) return fail('path.outside', { path: facts.given })
  const name = names[names.length - 1]
  if (name === undefined) return fail('path.root', { path: facts.given })
  const folder = yield* openJudgedFolder(root, facts.parent, names.slice(0, -1), make)
  if (!folder.ok) return shown(folder, facts)
  try {
    const done = yield* act({ folder: folder.value, name, path: facts.realPath })
    return done.ok ? done : shown(done, facts)
  } finally {
    yield* closeFolder(folder.value)
  }
}

/** Opens the judged folder itself. */
function* inJudgedFolder<T>(root: Root, facts: PathFacts, act: (folder: OpenFolder) => Steps<Result<T>>): Steps<Result<T>> {
  const names = namesBelow(facts)
  if (names === null) return fail('path.outside', { path: facts.given })
  if (facts.kind !== 'folder' || facts.identity === null) return fail(facts.kind === 'missing' ? 'path.missing' : 'path.not-folder', { path: facts.given })
  const folder = yield* openFolder(root, names)
  if (!folder.ok) return shown(folder, facts)
  try {
    const isJudgedFolder = String(folder.value.dev) === facts.identity.dev && String(folder.value.ino) === facts.identity.ino
    return isJudgedFolder ? yield* act(folder.value) : fail('path.moved', { path: facts.given })
  } finally {
    yield* closeFolder(folder.value)
  }
}

/** The judged folder by descriptor and identity, then what was missing below it. */
function* openJudgedFolder(root: Root, parent: NonNullable<PathFacts['parent']>, names: readonly string[], make: MakeFolders): Steps<Result<OpenFolder>> {
  const depth = depthOf(root, parent.realPath)
  if (depth === null || depth > names.length) return fail('path.outside', { path: parent.realPath })
  const folder = yield* openFolder(root, names.slice(0, depth))
  if (!folder.ok) return folder
  if (String(folder.value.dev) === parent.dev && String(folder.value.ino) === parent.ino) return yield* descend(folder.value, names.slice(depth), make)
  yield* closeFolder(folder.value)
  return fail('path.moved', { path: parent.realPath })
}

/** How many components below the root a folder lies; null outside. */
function depthOf(root: Root, realPath: string): number | null {
  if (realPath === root.path) return 0
  const fence = join(root.path, '/')
  return realPath.startsWith(fence) ? realPath.slice(fence.length).split(/[\\/]/u).length : null
}

function namesBelow(facts: PathFacts): readonly string[] | null {
  if (facts.problem !== null || facts.relative === null) return null
  return facts.relative === '' ? [] : facts.relative.split('/')
}

/** Faults name the path as it was given. */
function shown(failed: Fault, facts: PathFacts): Fault {
  return 'path' in failed.fault.values ? fail(failed.fault.code, { ...failed.fault.values, path: facts.given }) : failed
}
