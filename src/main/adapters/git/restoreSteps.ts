import { constants, readdirSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { RestoreStep } from '../../core/ports/snapshotStore'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import { isTemporaryName, type Found } from '../../native/safeFile'
import type { Root } from '../../native/safeFolder'
import { chmodNow, lookNow, makeFolderNow, readFileNow, readLinkNow, removeEmptyFolderNow, removeFileNow, writeFileNow, writeLinkNow, type FoundReader } from '../../native/safePath'
import { diskName, toBytes } from '../../native/byteText'
import { fileAt, type FolderModel } from './folderModel'
import { emptyTree, folderMode, hexOf, idOf, rawOf } from './gitObjects'
import { ObjectMissing, readBlob, type Shape } from './heldDiff'
import type { ObjectStore } from './objectStore'
import { gitMode, isUnmoved } from './stamps'

/** What a restore works on. */
export interface RestoreWorld {
  readonly root: Root
  readonly objects: ObjectStore
  /** What the last scan knew, so that a file it has seen unmoved need not be read again. */
  readonly model: FolderModel | null
  /** The moment that says how folders are to be. */
  readonly shape: Shape
  readonly onStep: (path: string, fault: Result<null>) => void
}

type Kind = 'none' | 'file' | 'link' | 'folder'

interface Job {
  readonly path: string
  readonly from: TreeEntry | null
  readonly to: TreeEntry | null
  readonly content: () => Buffer
}

/** Paths made durable at a time. */
const settledTogether = 256

/** Above this a file on disk is not read to see whether it is what it should be. */
const compareBytesMax = 256 * 1024 * 1024

/**
 * Makes each path equal to its step: what must go goes first, deepest first, so that a file can take a folder's place and the
 * other way round; then what must come, in path order. A folder is synced after its writes, many side by side; only then is a
 * path reported. The writes block; for a worker thread.
 */
export async function restoreSteps(steps: readonly RestoreStep[], world: RestoreWorld): Promise<void> {
  const jobs = steps.map((step) => jobOf(step, world)).sort((a, b) => (toBytes(a.path) < toBytes(b.path) ? -1 : 1))
  await new Restore(world).run(jobs)
}

class Restore {
  readonly #world: RestoreWorld
  readonly #failed = new Set<string>()
  readonly #touched = new Set<string>()
  readonly #standing = new Set<string>([''])
  readonly #made: string[] = []
  #waiting: { readonly path: string; readonly outcome: Result<null> }[] = []

  constructor(world: RestoreWorld) {
    this.#world = world
  }

  async run(jobs: readonly Job[]): Promise<void> {
    const folders = new Set(jobs.map(({ path }) => parentOf(path)))
    for (const folder of folders) this.#removeTemporary(folder)
    for (const job of jobs) if (kindOf(job.from) === 'folder' && kindOf(job.to) === 'folder') this.#loosen(job)
    for (const job of [...jobs].reverse()) this.#remove(job)
    await this.#settle()
    for (const job of jobs) {
      if (this.#waiting.length >= settledTogether) await this.#settle()
      if (job.to !== null && kindOf(job.to) !== 'folder') this.#attempt(job, () => this.#write(job, job.to))
      else if (job.to !== null && kindOf(job.from) !== 'folder') this.#attempt(job, () => this.#makeFolder(job.path), false)
    }
    await this.#settle()
    this.#finishFolders(jobs)
    await this.#settle()
  }

  /** What a killed restore left half written. Nothing else writes here now. */
  #removeTemporary(folder: string): void {
    let names: string[]
    try {
      names = readdirSync(diskName(join(this.#world.root.path, folder))).filter(isTemporaryName)
    } catch {
      return // no such folder yet, or none that can be read: then nothing was written there
    }
    for (const name of names) removeFileNow(this.#world.root, folder === '' ? name : `${folder}/${name}`, { durable: false })
  }

  /** A folder that will be writable again must be so before its files are written. A failure shows when it gets its bits. */
  #loosen({ path, to }: Job): void {
    if (to?.bits !== undefined) chmodNow(this.#world.root, path, to.bits | 0o700)
  }

  #remove(job: Job): void {
    const { path, from, to } = job
    const [before, after] = [kindOf(from), kindOf(to)]
    const isReplaced = after === 'file' || after === 'link' ? before !== 'folder' : before === after
    if (before === 'none' || isReplaced) return
    const now = this.#standsNow(path)
    // Gone already, or replaced already, as after a restart in the middle.
    const isDone = now === 'none' || (after !== 'none' && now === after)
    const outcome = isDone ? succeed(null) : before === 'folder' ? this.#removeFolder(path) : this.#removeFile(job)
    if (!outcome.ok || after === 'none') this.#report(path, outcome)
    if (outcome.ok) this.#removeEmptyParents(path)
  }

  /** A place below something that is no folder is no place: nothing stands there. */
  #standsNow(path: string): Kind | 'special' {
    const looked = lookNow(this.#world.root, path)
    return !looked.ok || looked.value.kind === 'missing' ? 'none' : looked.value.kind
  }

  #removeFile({ path, from }: Job): Result<null> {
    let isGone = false
    const expect = (found: Found, read: FoundReader): boolean => {
      isGone = found.kind === 'missing'
      return !isGone && sameEntry(this.#entryOf(path, found, read), from)
    }
    const removed = removeFileNow(this.#world.root, path, { expect, durable: false })
    this.#touched.add(parentOf(path))
    if (removed.ok || isGone || removed.fault.code === 'path.missing') return succeed(null)
    return removed.fault.code === 'path.stale' ? fail('rollback.changed-meanwhile', { path }) : removed
  }

  #removeFolder(path: string): Result<null> {
    const removed = removeEmptyFolderNow(this.#world.root, path, { durable: false })
    this.#touched.add(parentOf(path))
    if (!removed.ok) return removed.fault.code === 'path.missing' ? succeed(null) : removed
    return removed.value ? succeed(null) : fail('rollback.folder-not-empty', { path })
  }

  /** A folder that the moment does not have goes with the last thing in it. */
  #removeEmptyParents(path: string): void {
    for (let folder = parentOf(path); folder !== '' && !this.#world.shape.isFolder(toBytes(folder)); folder = parentOf(folder)) {
      const removed = removeEmptyFolderNow(this.#world.root, folder, { durable: false })
      if (!removed.ok || !removed.value) return
      this.#touched.delete(folder)
      this.#touched.add(parentOf(folder))
    }
  }

  #write(job: Job, to: TreeEntry | null): Result<null> {
    if (to === null) return succeed(null)
    const parents = this.#makeParents(job.path)
    if (!parents.ok) return parents
    const looked = lookNow(this.#world.root, job.path)
    if (!looked.ok) return looked
    const now = this.#entryOf(job.path, looked.value, this.#readerOf(job.path))
    if (sameEntry(now, to)) return succeed(null)
    this.#touched.add(parentOf(job.path))
    const isSameFile = now !== null && now.oid === to.oid && kindOf(now) === 'file' && kindOf(to) === 'file'
    if (isSameFile && sameEntry(now, job.from)) return chmodNow(this.#world.root, job.path, modeOf(to))
    const expect = (found: Found, read: FoundReader): boolean => sameEntry(this.#entryOf(job.path, found, read), isRemovedFirst(job) ? null : job.from)
    const written =
      kindOf(to) === 'link'
        ? writeLinkNow(this.#world.root, job.path, job.content(), { expect, durable: false })
        : writeFileNow(this.#world.root, job.path, job.content(), { expect, durable: false, mode: modeOf(to) })
    if (written.ok) return succeed(null)
    return ['path.stale', 'path.is-folder', 'path.exists'].includes(written.fault.code) ? fail('rollback.changed-meanwhile', { path: job.path }) : written
  }

  #makeFolder(path: string): Result<null> {
    const parents = this.#makeParents(path)
    if (!parents.ok) return parents
    this.#touched.add(parentOf(path))
    return makeFolderNow(this.#world.root, path, { mode: 0o700, durable: false })
  }

  #makeParents(path: string): Result<null> {
    const names = path.split('/').slice(0, -1)
    for (let depth = 1; depth <= names.length; depth++) {
      const folder = names.slice(0, depth).join('/')
      if (this.#standing.has(folder)) continue
      const looked = lookNow(this.#world.root, folder)
      if (!looked.ok) return looked
      if (looked.value.kind === 'missing') {
        const made = makeFolderNow(this.#world.root, folder, { mode: 0o700, durable: false })
        if (!made.ok) return made
        this.#made.push(folder)
        this.#touched.add(parentOf(folder))
      } else if (looked.value.kind !== 'folder') return fail('rollback.changed-meanwhile', { path: folder })
      this.#standing.add(folder)
    }
    return succeed(null)
  }

  /** Folders get their bits when everything in them is done: they may be without the right to write. Deepest first. */
  #finishFolders(jobs: readonly Job[]): void {
    const wanted = new Map(this.#made.map((path) => [path, this.#world.shape.bitsOf(toBytes(path))]))
    const own = jobs.filter(({ to }) => kindOf(to) === 'folder')
    for (const { path, to } of own) wanted.set(path, to?.bits)
    const isOwn = new Set(own.map(({ path }) => path))
    for (const [path, bits] of [...wanted].sort(([a], [b]) => (toBytes(a) < toBytes(b) ? 1 : -1))) {
      if (this.#failed.has(path)) continue
      const outcome = bits === undefined ? succeed(null) : chmodNow(this.#world.root, path, bits)
      if (isOwn.has(path)) this.#report(path, outcome)
    }
  }

  /** @param isLast whether this is all there is to do for the path. */
  #attempt({ path }: Job, act: () => Result<null>, isLast = true): void {
    if (this.#failed.has(path)) return
    let outcome: Result<null>
    try {
      outcome = act()
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
      outcome = fail('snapshot.object-missing', { object: error.id })
    }
    if (isLast || !outcome.ok) this.#report(path, outcome)
  }

  #report(path: string, outcome: Result<null>): void {
    if (!outcome.ok) this.#failed.add(path)
    this.#waiting.push({ path, outcome })
  }

  /** Makes names durable, then says which paths are done. Side by side, so that the disk can join the flushes. */
  async #settle(): Promise<void> {
    const folders = [...this.#touched]
    this.#touched.clear()
    for (let from = 0; from < folders.length; from += 64) await Promise.all(folders.slice(from, from + 64).map((folder) => syncFolder(join(this.#world.root.path, folder))))
    for (const { path, outcome } of this.#waiting) this.#world.onStep(path, outcome)
    this.#waiting = []
  }

  #readerOf(path: string): FoundReader {
    return {
      content: (limitBytes) => readFileNow(this.#world.root, path, limitBytes),
      target: () => {
        const target = readLinkNow(this.#world.root, path)
        return target.ok ? target.value : Buffer.alloc(0)
      },
    }
  }

  /** What stands there, as git would name it. Files are read only when the last scan does not know them. */
  #entryOf(path: string, found: Found, read: FoundReader): TreeEntry | null {
    if (found.kind === 'missing') return null
    const bits = Number(found.stats.mode & 0o7777n)
    if (found.kind === 'folder') return { oid: hexOf(emptyTree), mode: folderMode, bits }
    if (found.kind === 'special') return { oid: '', mode: 'special' }
    const node = this.#world.model && fileAt(this.#world.model.root, toBytes(path))
    const known = node && !node.isRacy && isUnmoved(node.stamp, found.stats) ? node.id : null
    const mode = gitMode(Number(found.stats.mode))
    const id = known ?? readId(found, read)
    const oid = id === null ? '' : hexOf(id)
    return mode === '120000' ? { oid, mode } : { oid, mode, bits }
  }
}

/** Only flushes; a folder that is gone, or that may not be read, has nothing that could be flushed by us. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle
  try {
    folder = await open(diskName(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch {
    return
  }
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function readId(found: Found, read: FoundReader): string | null {
  if (found.kind === 'link') return idOf('blob', read.target())
  const content = read.content(compareBytesMax)
  return content.ok ? idOf('blob', content.value.bytes) : null
}

function jobOf({ path, from, to, merged }: RestoreStep, { objects }: RestoreWorld): Job {
  if (merged === undefined || to === null) return { path, from, to, content: () => (to === null ? Buffer.alloc(0) : readBlob(objects, rawOf(to.oid))) }
  const bytes = Buffer.from(merged, 'utf8')
  return { path, from, to: { ...to, oid: hexOf(idOf('blob', bytes)) }, content: () => bytes }
}

function kindOf(entry: TreeEntry | null): Kind {
  if (entry === null) return 'none'
  if (entry.mode === folderMode) return 'folder'
  return entry.mode === '120000' ? 'link' : 'file'
}

/** A folder in the place of a file, or the other way round, is removed before the write. */
function isRemovedFirst({ from, to }: Job): boolean {
  return from !== null && to !== null && (kindOf(from) === 'folder') !== (kindOf(to) === 'folder')
}

function sameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null) return a === b
  return a.oid === b.oid && a.mode === b.mode && (a.bits === b.bits || a.bits === undefined || b.bits === undefined)
}

function modeOf(to: TreeEntry): number {
  return to.bits ?? (to.mode === '100755' ? 0o755 : 0o644)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
