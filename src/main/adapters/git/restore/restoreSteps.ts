import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RestoreStep } from '../../../core/ports/snapshotStore'
import type { SettledPath } from '../../../core/ports/timelineStore'
import { fail, succeed, type Result } from '../../../../shared/domain/result'
import type { TreeEntry } from '../../../../shared/domain/snapshot'
import { compareBytes, diskName, toBytes } from '../../../native/byteText'
import { closeKeptNow, keepFolders, type KeptRoot } from '../../../native/keptFolders'
import { dropPreparedNow, flushPrepared, placePreparedNow, prepareFileNow, prepareLinkNow, type Prepared } from '../../../native/preparedFiles'
import { isTemporaryName, type Found } from '../../../native/safeFile'
import type { Root } from '../../../native/safeFolder'
import { chmodNow, lookNow, makeFolderNow, removeEmptyFolderNow, removeFileNow, type FoundReader } from '../../../native/safePath'
import { closeAgain, openClosed } from './closedFolders'
import { flushPlaces } from './flushPlaces'
import type { FileNode, FolderModel } from '../scan/folderModel'
import { emptyTree, folderMode, hexOf, idOf } from '../store/gitObjects'
import { ObjectMissing, type Shape } from '../store/heldDiff'
import type { ObjectStore } from '../store/objectStore'
import { gitMode, isUnmoved } from '../scan/stamps'
import { isClosed, isRemovedFirst, jobOf, kindOf, meanwhile, modeOf, parentOf, sameEntry, type Job, type Kind } from './restoreJobs'

/** What a restore works on. */
export interface RestoreWorld {
  readonly root: Root
  readonly objects: ObjectStore
  /** What the last scan saw, for the folders. */
  readonly model: FolderModel | null
  /** What the last scan knew of a file, so that one that is unmoved since need not be read again. */
  readonly known: (path: string) => FileNode | null
  /** The moment that says how folders are to be. */
  readonly shape: Shape
  /** Whether a killed restore may have left temporary files. */
  readonly hasLeftOvers: boolean
  readonly onSettled: (settled: readonly SettledPath[]) => void
}

/** Some paths on their way: done or failed, or waiting under a temporary name. */
interface Batch {
  readonly root: KeptRoot
  readonly settled: SettledPath[]
  readonly waiting: { readonly path: string; readonly prepared: Prepared; readonly flushed: Promise<Result<null>> }[]
  /** What is to be flushed when all have their names: folders, and files of new bits. */
  readonly touched: Set<string>
  bytes: number
}

/** How much is on its way at once: it bounds open files, and the room taken beside what is replaced. */
const batchOf = { paths: 128, folders: 400, bytes: 32 << 20 }

/** Above this a file on disk is not read to see whether it is what it should be. */
const compareBytesMax = 256 * 1024 * 1024

/**
 * Makes each path equal to its step: what must go goes first, deepest first, so that a file can take a folder's place and the
 * other way round; then what must come, in path order. The writes block; for a worker thread.
 *
 * A path is settled when its content, its name and its bits would outlive a loss of power, and is told only then, with the
 * others of its batch: files are made whole under temporary names, flushed side by side in node's thread pool while the next
 * batch is made, put in place, and each folder is flushed once. So what the journal calls done is done. What was placed but
 * not told before a kill is met again at the next start as already equal to its step, and is not written anew; what was not
 * placed still is what stood there before.
 */
export async function restoreSteps(steps: readonly RestoreStep[], world: RestoreWorld): Promise<void> {
  const jobs = steps
    .map((step) => ({ key: toBytes(step.path), job: jobOf(step, world.objects) }))
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ job }) => job)
  await new Restore(world).run(jobs)
}

class Restore {
  readonly #world: RestoreWorld
  readonly #failed = new Set<string>()
  /** Folders that are to be without a right that writing in them needs: they get their bits last, and what is in them is told after. */
  readonly #late = new Set<string>()
  readonly #toldLast: SettledPath[] = []
  /** For want of room, to be tried again when what they replace takes none. */
  readonly #noRoom: Job[] = []
  #batch: Batch
  /** Everything begun before, in order. */
  #telling: Promise<void> = Promise.resolve()

  constructor(world: RestoreWorld) {
    this.#world = world
    this.#batch = newBatch(world.root)
  }

  async run(jobs: readonly Job[]): Promise<void> {
    try {
      if (this.#world.hasLeftOvers) this.#takeUp(jobs)
      for (const job of jobs) if (kindOf(job.from) === 'folder' && kindOf(job.to) === 'folder') this.#loosen(job)
      const opened = openClosed(jobs.map(({ path }) => path), this.#world)
      for (const { path, bits } of opened) if (this.#world.shape.bitsOf(toBytes(path)) === bits) this.#late.add(path)
      for (const job of [...jobs].reverse()) {
        if (isFull(this.#batch)) await this.#turn()
        this.#remove(job)
      }
      await this.#turn()
      await this.#writeAll(jobs)
      for (const job of this.#noRoom.splice(0)) {
        await this.#telling
        await this.#writeAll([job], true)
      }
      await this.#finishFolders(jobs)
      await this.#turn()
      closeAgain(opened.filter(({ path }) => !this.#late.has(path)), this.#world)
      await this.#telling
      if (this.#toldLast.length > 0) this.#world.onSettled(this.#toldLast)
    } finally {
      for (const { prepared } of this.#batch.waiting) dropPreparedNow(prepared)
      closeKeptNow(this.#batch.root)
    }
  }

  /** The files of one batch are flushed while those of the next are made. */
  async #writeAll(jobs: readonly Job[], isLastTry = false): Promise<void> {
    let before: Batch | null = null
    const pass = async (): Promise<void> => {
      const batch = this.#batch
      this.#batch = newBatch(this.#world.root)
      const earlier = before
      before = batch
      if (earlier) await this.#place(earlier)
    }
    for (const job of jobs) {
      if (isFull(this.#batch)) await pass()
      if (job.to === null) continue
      if (kindOf(job.to) === 'folder') {
        if (kindOf(job.from) !== 'folder') this.#attempt(job, () => this.#makeFolder(job.path), false)
      } else this.#attempt(job, () => this.#write(job, job.to, isLastTry))
    }
    await pass()
    await pass()
  }

  /** Ends the batch and begins another. */
  async #turn(): Promise<void> {
    const batch = this.#batch
    this.#batch = newBatch(this.#world.root)
    await this.#place(batch)
  }

  /** Gives the batch's files their names, in the order of their making; the telling comes when all of it is durable. */
  async #place({ root, waiting, settled, touched }: Batch): Promise<void> {
    const freed: Promise<void>[] = []
    try {
      // All are waited for before the first takes its name: nothing may come between a look and its act.
      const flushed = await Promise.all(waiting.map((one) => one.flushed))
      for (const [index, { path, prepared }] of waiting.entries()) {
        const flush = flushed[index] ?? succeed(null)
        if (!flush.ok) dropPreparedNow(prepared)
        const placed = flush.ok ? placePreparedNow(prepared) : { outcome: flush, freed: Promise.resolve() }
        freed.push(placed.freed)
        this.#settle({ settled, path, outcome: meanwhile(placed.outcome, path) })
      }
    } finally {
      closeKeptNow(root)
    }
    const durable = flushPlaces([...touched].map((path) => join(this.#world.root.path, path)))
    this.#telling = this.#telling.then(async () => {
      await Promise.all([durable, ...freed])
      const told = this.#late.size === 0 ? settled : settled.filter((one) => !this.#isLate(one.path) || !this.#toldLast.push(one))
      if (told.length > 0) this.#world.onSettled(told)
    })
    // Room that a full disk needs is there only now.
    if (this.#noRoom.length > 0) await this.#telling
  }

  #settle({ settled, path, outcome }: { readonly settled: SettledPath[]; readonly path: string; readonly outcome: Result<null> }): void {
    if (!outcome.ok) this.#failed.add(path)
    settled.push({ path, outcome })
  }

  #isLate(path: string): boolean {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) if (this.#late.has(folder)) return true
    return false
  }

  /** After a killed restore: what it left half written goes, and folders it made that still have the right to write are known as such. */
  #takeUp(jobs: readonly Job[]): void {
    const parents = new Set(jobs.map(({ path }) => parentOf(path)))
    for (const folder of parents) this.#removeTemporary(folder)
    const above = new Set<string>()
    for (const parent of parents) for (let folder = parent; folder !== '' && !above.has(folder); folder = parentOf(folder)) above.add(folder)
    for (const folder of above) {
      const bits = this.#world.shape.bitsOf(toBytes(folder))
      if (bits === undefined || !isClosed(bits)) continue
      const looked = lookNow(this.#world.root, folder)
      if (looked.ok && looked.value.kind === 'folder' && Number(looked.value.stats.mode & 0o7777n) === (bits | 0o700)) this.#late.add(folder)
    }
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
    // Gone already, or replaced already, by itself or as a folder of others: as after a restart in the middle.
    const isFolderOfOthers = (): boolean => now === 'folder' && before !== 'folder' && this.#world.shape.isFolder(toBytes(path))
    const isDone = now === 'none' || (after === 'none' ? isFolderOfOthers() : now === after)
    const outcome = isDone ? succeed(null) : before === 'folder' ? this.#removeFolder(path) : this.#removeFile(job)
    if (!outcome.ok || after === 'none') this.#report(path, outcome)
    if (outcome.ok) this.#removeEmptyParents(path)
  }

  /** A place below something that is no folder is no place: nothing stands there. */
  #standsNow(path: string): Kind | 'special' {
    const looked = lookNow(this.#batch.root, path)
    return !looked.ok || looked.value.kind === 'missing' ? 'none' : looked.value.kind
  }

  #removeFile({ path, from }: Job): Result<null> {
    let isGone = false
    const expect = (found: Found, read: FoundReader): boolean => {
      isGone = found.kind === 'missing'
      return !isGone && sameEntry(this.#entryOf(path, found, read), from)
    }
    const removed = removeFileNow(this.#batch.root, path, { expect, durable: false })
    this.#batch.touched.add(parentOf(path))
    if (removed.ok || isGone || removed.fault.code === 'path.missing') return succeed(null)
    return meanwhile(removed, path)
  }

  #removeFolder(path: string): Result<null> {
    const removed = removeEmptyFolderNow(this.#batch.root, path, { durable: false })
    this.#batch.touched.add(parentOf(path))
    if (!removed.ok) return removed.fault.code === 'path.missing' ? succeed(null) : removed
    return removed.value ? succeed(null) : fail('rollback.folder-not-empty', { path })
  }

  /** A folder that the moment does not have goes with the last thing in it. */
  #removeEmptyParents(path: string): void {
    for (let folder = parentOf(path); folder !== '' && !this.#world.shape.isFolder(toBytes(folder)); folder = parentOf(folder)) {
      const removed = removeEmptyFolderNow(this.#batch.root, folder, { durable: false })
      if (!removed.ok || !removed.value) return
      this.#batch.touched.delete(folder)
      this.#batch.touched.add(parentOf(folder))
    }
  }

  /** Null when the file waits to be placed. */
  #write(job: Job, to: TreeEntry | null, isLastTry: boolean): Result<null> | null {
    if (to === null) return succeed(null)
    const { path } = job
    const seen: { has: 'all' | 'content' | 'other' } = { has: 'other' }
    const expect = (found: Found, read: FoundReader): boolean => {
      const now = this.#entryOf(path, found, read)
      const isSameFile = now !== null && now.oid === to.oid && kindOf(now) === 'file' && kindOf(to) === 'file'
      seen.has = sameEntry(now, to) ? 'all' : isSameFile && sameEntry(now, job.from) ? 'content' : 'other'
      return seen.has === 'other' && sameEntry(now, isRemovedFirst(job) ? null : job.from)
    }
    const { root, touched, waiting } = this.#batch
    const make = (): Result<Prepared> =>
      kindOf(to) === 'link' ? prepareLinkNow(root, path, job.content, { expect }) : prepareFileNow(root, path, this.#counted(job.content), { expect, mode: modeOf(to) })
    let made = make()
    if (!made.ok && (made.fault.code === 'path.missing' || made.fault.code === 'path.moved')) {
      const parents = this.#makeParents(path)
      if (!parents.ok) return this.#laterOr(parents, job, isLastTry)
      made = make()
    }
    if (made.ok) {
      touched.add(parentOf(path))
      waiting.push({ path, prepared: made.value, flushed: flushPrepared(made.value) })
      return null
    }
    if (seen.has === 'all') return succeed(null)
    if (seen.has === 'content') {
      touched.add(path)
      return chmodNow(root, path, modeOf(to))
    }
    return this.#laterOr(made, job, isLastTry)
  }

  #laterOr(failed: Extract<Result<unknown>, { ok: false }>, job: Job, isLastTry: boolean): Result<null> | null {
    if (failed.fault.code !== 'path.no-space' || isLastTry) return meanwhile(failed, job.path)
    this.#noRoom.push(job)
    return null
  }

  #counted(content: () => Buffer): () => Buffer {
    return () => {
      const bytes = content()
      this.#batch.bytes += bytes.length
      return bytes
    }
  }

  #makeFolder(path: string): Result<null> {
    const parents = this.#makeParents(path)
    if (!parents.ok) return parents
    this.#batch.touched.add(parentOf(path))
    return makeFolderNow(this.#batch.root, path, { mode: 0o700, durable: false })
  }

  #makeParents(path: string): Result<null> {
    const parent = parentOf(path)
    if (parent === '' || this.#batch.root.kept.has(parent)) return succeed(null)
    const above = this.#makeParents(parent)
    if (!above.ok) return above
    const { root, touched } = this.#batch
    const looked = lookNow(root, parent)
    if (!looked.ok) return looked
    if (looked.value.kind === 'folder') return succeed(null)
    if (looked.value.kind !== 'missing') return fail('rollback.changed-meanwhile', { path: parent })
    const bits = this.#world.shape.bitsOf(toBytes(parent)) ?? null
    const isLate = bits !== null && isClosed(bits)
    const made = makeFolderNow(root, parent, { mode: isLate ? bits | 0o700 : bits, durable: false })
    if (!made.ok) return made
    if (isLate) this.#late.add(parent)
    touched.add(parentOf(parent))
    return succeed(null)
  }

  /** Folders get their bits when everything in them is done: they may be without the right to write. Deepest first. */
  async #finishFolders(jobs: readonly Job[]): Promise<void> {
    const wanted = new Map([...this.#late].map((path) => [path, this.#world.shape.bitsOf(toBytes(path))]))
    const own = jobs.filter(({ to }) => kindOf(to) === 'folder')
    for (const { path, to } of own) wanted.set(path, to?.bits)
    const isOwn = new Set(own.map(({ path }) => path))
    for (const [path, bits] of [...wanted].sort(([a], [b]) => compareBytes(toBytes(b), toBytes(a)))) {
      if (this.#failed.has(path)) continue
      if (isFull(this.#batch)) await this.#turn()
      if (bits !== undefined) this.#batch.touched.add(path)
      const outcome = bits === undefined ? succeed(null) : chmodNow(this.#batch.root, path, bits)
      if (isOwn.has(path)) this.#report(path, outcome)
    }
  }

  /** @param isLast whether this is all there is to do for the path, when it has an outcome. */
  #attempt({ path }: Job, act: () => Result<null> | null, isLast = true): void {
    if (this.#failed.has(path)) return
    let outcome: Result<null> | null
    try {
      outcome = act()
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
      outcome = fail('snapshot.object-missing', { object: error.id })
    }
    if (outcome !== null && (isLast || !outcome.ok)) this.#report(path, outcome)
  }

  #report(path: string, outcome: Result<null>): void {
    this.#settle({ settled: this.#batch.settled, path, outcome })
  }

  /** What stands there, as git would name it. Files are read only when the last scan does not know them. */
  #entryOf(path: string, found: Found, read: FoundReader): TreeEntry | null {
    if (found.kind === 'missing') return null
    const bits = Number(found.stats.mode & 0o7777n)
    if (found.kind === 'folder') return { oid: hexOf(emptyTree), mode: folderMode, bits }
    if (found.kind === 'special') return { oid: '', mode: 'special' }
    const node = this.#world.known(path)
    const known = node && !node.isRacy && isUnmoved(node.stamp, found.stats) ? node.id : null
    const mode = gitMode(Number(found.stats.mode))
    const id = known ?? readId(found, read)
    const oid = id === null ? '' : hexOf(id)
    return mode === '120000' ? { oid, mode } : { oid, mode, bits }
  }
}

function newBatch(root: Root): Batch {
  return { root: keepFolders(root), settled: [], waiting: [], touched: new Set(), bytes: 0 }
}

function isFull({ root, settled, waiting, bytes }: Batch): boolean {
  return settled.length + waiting.length >= batchOf.paths || root.kept.size >= batchOf.folders || bytes >= batchOf.bytes
}

function readId(found: Found, read: FoundReader): string | null {
  if (found.kind === 'link') return idOf('blob', read.target())
  const content = read.content(compareBytesMax)
  return content.ok ? idOf('blob', content.value.bytes) : null
}
