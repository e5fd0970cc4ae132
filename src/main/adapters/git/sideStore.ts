import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitFacts, LineStage, MissingObjects, RestoreStep, SnapshotBounds } from '../../core/ports/snapshotStore'
import type { LineOwners } from '../../../shared/domain/lineAuthors'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import { isSkippedBy, type HeldFiles, type LineCount, type SkippedPath, type TreeChange, type TreeEntry } from '../../../shared/domain/snapshot'
import { openRoot } from '../../native/safePath'
import { toBytes } from '../../native/byteText'
import { Commits } from './store/commits'
import { fileAt, type FolderModel } from './scan/folderModel'
import { hexOf, rawOf } from './store/gitObjects'
import { diffHeld, entriesIn, ObjectMissing, pathsIn, readBlob, shapeOf, type Held } from './store/heldDiff'
import { outermostRules } from './scan/defaultIgnores'
import type { RuleChain } from './scan/ignoreRules'
import { countLines } from './store/lineCounts'
import { lineOwners } from './store/lineOwners'
import { ObjectStore } from './store/objectStore'
import { Presence } from './store/presence'
import { ProjectHelp } from './project/projectGitHelp'
import type { RestoreWorld } from './restore/restoreSteps'
import { knownIn, restoreShared } from './restore/sharedRestore'
import type { Shared } from './scan/lookList'
import { FolderWatches } from './scan/folderWatches'
import { Lookout } from './scan/lookout'
import { ScanCancelled } from './scan/scanCancelled'
import { Scanner } from './scan/scanner'
import { SecondThread, SecondThreadLost } from './scan/secondThread'
import { noFlags } from './scan/scanFlags'
import { sendSkipped, type SentSkipped, type SentTree } from './scan/sentSkipped'
import { encodeSide, usualBitsOf, type UsualBits } from './scan/sideList'
import { StatCache } from './scan/statCache'
import { watchLimits } from './scan/watchLimits'
import { diskFaultOf } from './store/storeFault'
import { ensureStore, keepLeaveOut, keepUsualBits, ownTag, sizeOf } from './store/storeFiles'
import { leftOutByName, momentInTree, momentOnDisk } from './scan/uncovered'
import type { WorkerStart } from './workerMessages'
import { skippedIn, writeTrees } from './scan/writeTrees'

/** How many paths of a moment are told at once. */
const namedPaths = 200

/** How often a second thread is started. */
const mostSeconds = 3
/** Folders that are written to the stat cache at once. */
const keptAtOnce = 400

/** Marks the temporary files of the second thread. */
function secondTag(): string {
  return `${ownTag()}_second`
}

/** One workspace's side repository, as the worker thread holds it. Everything blocks; one operation at a time. */
export class SideStore {
  readonly #start: WorkerStart
  readonly #objects: ObjectStore
  readonly #commits: Commits
  readonly #presence: Presence
  readonly #cache: StatCache
  readonly #help: ProjectHelp
  #bounds: SnapshotBounds
  #outermost: RuleChain
  #usual: UsualBits | null
  /** Null: to be loaded from the stat cache at the next scan. */
  #model: FolderModel | null = null
  #skipped: readonly SkippedPath[] = []
  /** What the last scan's answer told, and the list it was made from. */
  #sent: { readonly text: SentSkipped; readonly of: readonly SkippedPath[] } | null = null
  /** How much had been lost when the model was last right. */
  #losses = 0
  /** True until a restore of this store has come to its end. */
  #mayHaveLeftOvers = true
  readonly #lookout: Lookout
  readonly #watches: FolderWatches
  #second: SecondThread | null = null
  #secondsLeft = mostSeconds
  /** Where the root really lies. A link that takes its place, or that of a folder above, leads to somebody else's files. */
  readonly #realRoot: string | null

  constructor(start: WorkerStart, limits = watchLimits(start.root)) {
    const note = ensureStore(start.folder, start.root, start.bounds.leaveOut)
    this.#start = start
    this.#realRoot = realOf(start.root)
    this.#usual = note.usual
    this.#objects = new ObjectStore(join(start.folder, 'objects'), ownTag())
    this.#commits = new Commits(start.folder, this.#objects)
    this.#help = new ProjectHelp(start.folder, toBytes(start.root), this.#objects)
    this.#presence = new Presence(this.#objects)
    this.#lookout = new Lookout(toBytes(start.root))
    this.#watches = new FolderWatches(toBytes(start.root), start.folder, ownTag(), limits)
    this.#cache = new StatCache(start.cacheFile, note.store, this.#basis(start.bounds))
    this.#bounds = start.bounds
    this.#outermost = outermostRules(start.bounds.leaveOut)
  }

  /**
   * What was found counts as known only when all of it is stored; after a failure the next scan begins from what was saved.
   * @param flags those of `ScanFlags`.
   * @param near paths to be looked at, when for others what was heard of them may be enough.
   */
  async scan(flags: Int32Array, onSeen: (seen: number) => void, near: readonly string[] | null = null): Promise<Result<SentTree>> {
    const startedAt = performance.now()
    if (realOf(this.#start.root) !== this.#realRoot) return fail('snapshot.root-gone', { path: this.#start.root })
    this.#dropStaleModel()
    const shared = { flags, seen: new Int32Array(new SharedArrayBuffer(4)) }
    try {
      const { scanner, held } = await this.#scanAndStore(shared, onSeen, !this.#objects.hasDamage, near).catch((error: unknown) => {
        if (!(error instanceof SecondThreadLost)) throw error
        // Half of what was found is lost with it.
        return this.#scanAndStore(shared, onSeen, false, null)
      })
      const { files, seen, hashed } = scanner
      return succeed({ tree: hexOf(held.tree), side: hexOf(held.side), files, skipped: this.#freshSkipped(), seen, hashed, tookMs: performance.now() - startedAt })
    } catch (error) {
      return { ok: false, fault: error instanceof ScanCancelled ? said('snapshot.cancelled') : diskFaultOf(error, this.#start.root) }
    }
  }

  async #scanAndStore(shared: Shared, onSeen: (seen: number) => void, mayShare: boolean, near: readonly string[] | null): Promise<{ readonly scanner: Scanner; readonly held: Held }> {
    const model = this.#model ?? this.#cache.load((id) => this.#objects.has(id))
    this.#model = null
    this.#help.begin()
    const moved = await this.#watches.begin(model, near && near.map(toBytes))
    this.#lookout.update(model, mayShare ? this.#livingSecond() : null)
    const scanner = new Scanner({ ...this.#world(), second: () => (mayShare ? this.#startSecond() : null), moved, shared, onSeen }, model)
    try {
      await scanner.run()
      const theirs = scanner.finishSecond()
      // Looked at below: until then it is nobody's.
      theirs.catch(() => undefined)
      const held = this.#store(model)
      await this.#objects.flush()
      this.#objects.notice(await theirs)
      this.#model = model
      this.#watches.end(model)
      if (model.isSkippedStale) this.#skipped = skippedIn(model)
      model.isSkippedStale = false
      return { scanner, held }
    } catch (error) {
      await scanner.abandon()
      this.#objects.abandon()
      throw error
    } finally {
      this.#help.end()
    }
  }

  #freshSkipped(): SentSkipped | null {
    if (this.#sent?.of === this.#skipped) return null
    const before = this.#sent?.text
    const text = sendSkipped(this.#skipped)
    this.#sent = { text, of: this.#skipped }
    return text === before ? null : text
  }

  /** Keeps some of what is known for the next scan and the next start. True when there is more. It may be lost at no cost but time. */
  keep(): boolean {
    if (!this.#model) return false
    this.#lookout.update(this.#model, this.#livingSecond())
    return this.#cache.save(this.#model, keptAtOnce)
  }

  /** When nothing else is to be done: sees to it that the next scans can be told where something changed. True when there is more. */
  watch(): boolean {
    return this.#model !== null && this.#watches.setSome(this.#model)
  }

  /** What was copied unopened from the project's own repository, piece by piece. False when there is nothing left to prove. */
  async prove(): Promise<boolean> {
    return this.#model !== null && (await this.#help.prove(this.#model))
  }

  async commit(held: HeldFiles, facts: CommitFacts, isRetry = false): Promise<Result<string>> {
    try {
      return succeed(await this.#commits.add(rawHeld(held), facts, () => this.#mustBeStored(held)))
    } catch (error) {
      this.#objects.abandon()
      if (error instanceof ObjectMissing) return isRetry ? fail('snapshot.object-missing', { object: error.id }) : this.#commitAgain(held, facts, error)
      return { ok: false, fault: diskFaultOf(error, this.#start.root) }
    }
  }

  diff(before: HeldFiles | null, after: HeldFiles): TreeChange[] {
    return diffHeld(this.#objects, before && rawHeld(before), rawHeld(after))
  }

  compare(before: HeldFiles | null, after: HeldFiles, most: number): { readonly changes: readonly TreeChange[]; readonly count: number } {
    const changes = this.diff(before, after)
    return { changes: changes.slice(0, most), count: changes.length }
  }

  lineOwners(first: string | null, stages: readonly LineStage[]): LineOwners | null {
    return lineOwners((oid) => readBlob(this.#objects, rawOf(oid)), first, stages)
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

  blobs(oids: readonly string[], limitBytes: number): (Uint8Array | 'too-large' | null)[] {
    return oids.map((oid) => {
      const object = this.#objects.read(rawOf(oid))
      if (object?.type !== 'blob') return null
      return object.body.length > limitBytes ? 'too-large' : object.body
    })
  }

  lacking(oids: readonly string[]): string[] {
    this.#objects.refresh()
    const loose = this.#objects.loose()
    // What is in a pack stays in it; a file of its own may have gone since it was seen. A read settles it.
    this.#objects.look(oids.filter((oid) => loose.has(rawOf(oid)) && !existsSync(join(this.#start.folder, 'objects', oid.slice(0, 2), oid.slice(2)))).map(rawOf))
    return oids.filter((oid) => !this.#objects.has(rawOf(oid)))
  }

  async uncovered(paths: readonly string[] | null, at: HeldFiles | null): Promise<readonly SkippedPath[]> {
    // What is left out for its size or kind is known only from a look at the disk.
    if (!this.#model && !at) {
      await this.scan(noFlags(), () => undefined)
      // Nobody was told.
      this.#sent = null
    }
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

  async restore(steps: readonly RestoreStep[], shape: HeldFiles, onSettled: RestoreWorld['onSettled']): Promise<void> {
    const root = openRoot(this.#start.root)
    if (!root.ok) return onSettled(steps.map(({ path }) => ({ path, outcome: root })))
    if (root.value.path !== this.#realRoot) return onSettled(steps.map(({ path }) => ({ path, outcome: fail('path.moved', { path: this.#start.root }) })))
    const hasLeftOvers = this.#mayHaveLeftOvers
    this.#mayHaveLeftOvers = true
    const [held, model] = [rawHeld(shape), this.#model]
    const world = { root: root.value, objects: this.#objects, model, known: knownIn(model), shape: shapeOf(this.#objects, held), hasLeftOvers, onSettled }
    await restoreShared(steps, world, { second: () => this.#startSecond(), store: { folder: join(this.#start.folder, 'objects'), tag: secondTag() }, held })
    this.#mayHaveLeftOvers = false
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

  missing(moments: readonly HeldFiles[]): readonly MissingObjects[] {
    return this.#presence.of(moments.map(rawHeld))
  }

  isPackable(): boolean {
    return this.#objects.isPackable()
  }

  /** After others have packed or forgotten: closes packs that are gone, and looks at what could not be read. */
  refresh(damaged: readonly string[]): void {
    this.#objects.refresh()
    this.#objects.look(damaged.map(rawOf))
  }

  /** What the model takes for stored may be gone: then it is read anew from the cache, which asks for each file, and trees are made again. */
  #dropStaleModel(): void {
    this.#objects.refresh()
    if (this.#losses !== this.#objects.losses) this.#model = null
    this.#losses = this.#objects.losses
  }

  /** Asked only where something was ever lost: otherwise what a scan gave is there. */
  #mustBeStored(held: HeldFiles): void {
    this.#objects.refresh()
    if (this.#objects.losses === 0) return
    const [lack] = this.#presence.of([rawHeld(held)])
    if (lack && lack.objects > 0) throw new ObjectMissing(rawOf(held.tree))
  }

  /** Forgotten by another process between the scan and the commit: what the disk still holds is stored again. */
  async #commitAgain(held: HeldFiles, facts: CommitFacts, missing: ObjectMissing): Promise<Result<string>> {
    const taken = await this.scan(noFlags(), () => undefined)
    if (taken.ok && taken.value.tree === held.tree && taken.value.side === held.side) return this.commit(held, facts, true)
    return fail('snapshot.object-missing', { object: missing.id })
  }

  /** What was known under the old bounds counts no more; contents that are stored stay so. */
  setBounds(bounds: SnapshotBounds): void {
    keepLeaveOut(this.#start.folder, bounds.leaveOut)
    this.#cache.setBasis(this.#basis(bounds))
    this.#bounds = bounds
    this.#outermost = outermostRules(bounds.leaveOut)
    this.#model = null
  }

  async close(): Promise<void> {
    if (this.#model) this.#cache.save(this.#model)
    this.#watches.stop()
    this.#help.close()
    this.#objects.close()
    this.#cache.close()
    await this.#second?.end()
  }

  /** What a thread that died was writing goes with it. */
  #livingSecond(): SecondThread | null {
    if (this.#second?.isAlive !== false) return this.#second
    this.#second = null
    const packs = join(this.#start.folder, 'objects', 'pack')
    for (const name of readdirSync(packs)) if (name.startsWith(`tmp_pack_${secondTag()}_`)) rmSync(join(packs, name), { force: true })
    return null
  }

  /** Starts it when there is none; one that dies again and again is left dead. */
  #startSecond(): SecondThread | null {
    if (this.#livingSecond() || this.#secondsLeft-- <= 0) return this.#second
    this.#second = SecondThread.start(join(import.meta.dirname, 'gitScanWorker.js'))
    return this.#second
  }

  #basis(bounds: SnapshotBounds): string {
    return JSON.stringify([this.#start.root, bounds, this.#start.exclude])
  }

  #world(): Omit<ConstructorParameters<typeof Scanner>[0], 'moved' | 'shared' | 'onSeen' | 'second'> {
    return {
      root: toBytes(this.#start.root),
      limits: this.#bounds,
      outermost: this.#outermost,
      exclude: new Set(this.#start.exclude.map(toBytes)),
      store: (body) => this.#objects.put('blob', body),
      storeStream: (size, read) => this.#objects.putStream(size, read),
      lookout: this.#lookout,
      watches: this.#watches,
      store2: { folder: join(this.#start.folder, 'objects'), tag: secondTag(), lendFrom: this.#help.lendFrom },
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

/** Null when nothing is there. */
function realOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
