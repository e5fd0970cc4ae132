import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitFacts, RestoreStep, SnapshotBounds, TakenTree } from '../../core/ports/snapshotStore'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { isSkippedBy, type HeldFiles, type LineCount, type SkippedPath, type TreeChange, type TreeEntry } from '../../../shared/domain/snapshot'
import { LockHeld } from '../../native/fileLock'
import { openRoot } from '../../native/safePath'
import { toBytes } from '../../native/byteText'
import { Commits } from './commits'
import { fileAt, type FolderModel } from './folderModel'
import { hexOf, rawOf } from './gitObjects'
import { diffHeld, entriesIn, ObjectMissing, pathsIn, readBlob, shapeOf, type Held } from './heldDiff'
import { outermostRules } from './defaultIgnores'
import type { RuleChain } from './ignoreRules'
import { countLines } from './lineCounts'
import { ObjectStore } from './objectStore'
import { restoreSteps, type RestoreWorld } from './restoreSteps'
import { ScanCancelled, Scanner } from './scanner'
import { encodeSide, usualBitsOf, type UsualBits } from './sideList'
import { StatCache } from './statCache'
import { ensureStore, keepLeaveOut, keepUsualBits, ownTag } from './storeFiles'
import { leftOutByName, momentInTree, momentOnDisk } from './uncovered'
import type { WorkerStart } from './workerMessages'
import { skippedIn, writeTrees } from './writeTrees'

/** How many paths of a moment are told at once. */
const namedPaths = 200

/** One workspace's side repository, as the worker thread holds it. Everything blocks; one operation at a time. */
export class SideStore {
  readonly #start: WorkerStart
  readonly #objects: ObjectStore
  readonly #commits: Commits
  readonly #cache: StatCache
  #bounds: SnapshotBounds
  #outermost: RuleChain
  #usual: UsualBits | null
  /** Null: to be loaded from the stat cache at the next scan. */
  #model: FolderModel | null = null
  #skipped: readonly SkippedPath[] = []

  constructor(start: WorkerStart) {
    const note = ensureStore(start.folder, start.root, start.bounds.leaveOut)
    this.#start = start
    this.#usual = note.usual
    this.#objects = new ObjectStore(join(start.folder, 'objects'), ownTag())
    this.#commits = new Commits(start.folder, this.#objects)
    this.#cache = new StatCache(start.cacheFile, note.store, this.#basis(start.bounds))
    this.#bounds = start.bounds
    this.#outermost = outermostRules(start.bounds.leaveOut)
  }

  /** What was found counts as known only when all of it is stored; after a failure the next scan begins from what was saved. */
  async scan(isCancelled: () => boolean, onSeen: (seen: number) => void): Promise<Result<TakenTree>> {
    const startedAt = performance.now()
    const model = this.#model ?? this.#cache.load((id) => this.#objects.has(id))
    this.#model = null
    try {
      const scanner = new Scanner({ ...this.#world(), isCancelled, onSeen }, model)
      scanner.run()
      const held = this.#store(model)
      await this.#objects.flush()
      this.#model = model
      this.#skipped = skippedIn(model)
      const { files, seen, hashed } = scanner
      return succeed({ tree: hexOf(held.tree), side: hexOf(held.side), files, skipped: this.#skipped, seen, hashed, tookMs: performance.now() - startedAt })
    } catch (error) {
      this.#objects.abandon()
      return { ok: false, fault: error instanceof ScanCancelled ? said('snapshot.cancelled') : diskFaultOf(error, this.#start.root) }
    }
  }

  /** Keeps what is known for the next start. After the answer is given: it may be lost at no cost but time. */
  save(): void {
    if (this.#model) this.#cache.save(this.#model)
  }

  async commit(held: HeldFiles, facts: CommitFacts): Promise<Result<string>> {
    try {
      return succeed(await this.#commits.add(rawHeld(held), facts))
    } catch (error) {
      this.#objects.abandon()
      if (error instanceof LockHeld) return fail('snapshot.store-failed', { problem: error.message })
      return { ok: false, fault: diskFaultOf(error, this.#start.root) }
    }
  }

  diff(before: HeldFiles | null, after: HeldFiles): TreeChange[] {
    return diffHeld(this.#objects, before && rawHeld(before), rawHeld(after))
  }

  lineCounts(changes: readonly TreeChange[]): (LineCount | null)[] {
    return changes.map(({ before, after }) => {
      const [old, fresh] = [this.#contentOf(before), this.#contentOf(after)]
      return old && fresh && countLines(old, fresh)
    })
  }

  blob(oid: string): Result<Uint8Array> {
    try {
      return succeed(readBlob(this.#objects, rawOf(oid)))
    } catch (error) {
      if (error instanceof ObjectMissing) return fail('snapshot.object-missing', { object: error.id })
      throw error
    }
  }

  async uncovered(paths: readonly string[] | null, at: HeldFiles | null): Promise<readonly SkippedPath[]> {
    // What is left out for its size or kind is known only from a look at the disk.
    if (!this.#model && !at) await this.scan(() => false, () => undefined)
    if (paths === null) return this.#skipped
    const moment = at ? momentInTree(this.#objects, rawOf(at.tree)) : momentOnDisk(toBytes(this.#start.root))
    return paths.flatMap((path) => {
      const known = at ? undefined : this.#skipped.find((line) => isSkippedBy(line.path, path))
      const reason = known?.reason ?? leftOutByName(moment, path, this.#outermost)
      return reason === null ? [] : [{ path, reason }]
    })
  }

  changedAtMs(paths: readonly string[]): (number | null)[] {
    return paths.map((path) => {
      const node = this.#model && fileAt(this.#model.root, toBytes(path))
      return node ? Number(node.stamp.ctimeNs / 1_000_000n) : null
    })
  }

  async restore(steps: readonly RestoreStep[], shape: HeldFiles, onStep: RestoreWorld['onStep']): Promise<void> {
    const root = openRoot(this.#start.root)
    if (!root.ok) return steps.forEach(({ path }) => onStep(path, root))
    await restoreSteps(steps, { root: root.value, objects: this.#objects, model: this.#model, shape: shapeOf(this.#objects, rawHeld(shape)), onStep })
  }

  paths(held: HeldFiles, query: string): { readonly path: string; readonly entry: TreeEntry }[] {
    return pathsIn(this.#objects, rawHeld(held), query, namedPaths)
  }

  entriesAt(held: HeldFiles, paths: readonly string[]): (TreeEntry | null)[] {
    return entriesIn(this.#objects, rawHeld(held), paths)
  }

  stats(): { bytes: number; objects: number } {
    return { bytes: sizeOf(this.#start.folder), objects: this.#objects.count() }
  }

  /** What was known under the old bounds counts no more; contents that are stored stay so. */
  setBounds(bounds: SnapshotBounds): void {
    keepLeaveOut(this.#start.folder, bounds.leaveOut)
    this.#cache.setBasis(this.#basis(bounds))
    this.#bounds = bounds
    this.#outermost = outermostRules(bounds.leaveOut)
    this.#model = null
  }

  close(): void {
    this.#objects.close()
    this.#cache.close()
  }

  #basis(bounds: SnapshotBounds): string {
    return JSON.stringify([this.#start.root, bounds, this.#start.exclude])
  }

  #world(): Omit<ConstructorParameters<typeof Scanner>[0], 'isCancelled' | 'onSeen'> {
    return {
      root: toBytes(this.#start.root),
      limits: this.#bounds,
      outermost: this.#outermost,
      exclude: new Set(this.#start.exclude.map(toBytes)),
      store: (body) => this.#objects.put('blob', body),
      nowMs: Date.now,
    }
  }

  #store(model: FolderModel): Held {
    const tree = writeTrees(model, this.#objects)
    if (model.isSideStale || model.side === null) {
      this.#usual ??= keepUsualBits(this.#start.folder, usualBitsOf(model))
      model.side = this.#objects.put('blob', encodeSide(model, this.#usual))
      model.isSideStale = false
    }
    return { tree, side: model.side }
  }

  /** Empty for what is not there; null for what has no lines: links, folders, what is missing. */
  #contentOf(entry: TreeEntry | null): Buffer | null {
    if (entry === null) return Buffer.alloc(0)
    return entry.mode.startsWith('100') ? (this.#objects.read(rawOf(entry.oid))?.body ?? null) : null
  }
}

function rawHeld({ tree, side }: HeldFiles): Held {
  return { tree: rawOf(tree), side: rawOf(side) }
}

function diskFaultOf(error: unknown, root: string): Said {
  const { code = '', message, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return said('snapshot.disk-full')
  if ((code === 'ENOENT' || code === 'ENOTDIR') && path === root) return said('snapshot.root-gone', { path: root })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return said('snapshot.not-permitted', { path: path ?? root })
  if (code === '' && !(error instanceof ObjectMissing)) throw error
  return said('snapshot.store-failed', { problem: message })
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += sizeOf(path)
    else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}
