import * as fs from 'node:fs'
import type { SkipReason } from '../../../../shared/domain/snapshot'
import { isPlaceholder } from '../../../native/placeholder'
import { isTemporaryName } from '../../../native/safeFile'
import { diskPath } from '../../../native/byteText'
import { cacheMarker, cacheSignature, isGitName, isOutputFolder } from './defaultIgnores'
import { markMoved, markStale, newFolder, pathOf, sameStamp, type FileNode, type FolderModel, type FolderNode, type Stamp } from './folderModel'
import type { RawId } from '../store/gitObjects'
import { judge, parseRules, type RuleChain } from './ignoreRules'
import { LateReads, type LateFile, type LateWorld } from './lateReads'
import type { FolderWatches } from './folderWatches'
import type { SnapshotBounds } from '../../../core/ports/snapshotStore'
import type { Shared } from './lookList'
import type { Lookout } from './lookout'
import { ScanCancelled } from './scanCancelled'
import { isStopped } from './scanFlags'
import { gitMode, isHeldKind, isRacy, isUnmoved, lstat, readHeld, stampOf, whyUnseen } from './stamps'

/** What a scan needs from outside. Paths and names are byte text. */
interface ScanWorld {
  readonly root: string
  readonly limits: Omit<SnapshotBounds, 'leaveOut'>
  /** What is left out under the project's own rules. */
  readonly outermost: RuleChain
  /** Absolute paths that are never entered: the app's own data. */
  readonly exclude: ReadonlySet<string>
  /** Takes a file's bytes and gives its id. */
  readonly store: LateWorld['store']
  readonly storeStream: LateWorld['storeStream']
  /** Knows the model as it is before the scan. */
  readonly lookout: Lookout
  readonly watches: Pick<FolderWatches, 'cover'>
  /** The only folders in which something moved, and what they held of others; null when that is to be looked for. */
  readonly moved: ReadonlySet<FolderNode> | null
  readonly second: LateWorld['second']
  readonly store2: LateWorld['store2']
  readonly shared: Shared
  readonly onSeen: (seen: number) => void
}

type Left = SkipReason | 'gone'

interface Listing {
  readonly folder: FolderNode
  readonly path: string
  readonly rules: RuleChain
  readonly names: ReadonlySet<string>
  /** The rules themselves have changed, so names known before are judged again, all the way down. */
  readonly mustList: boolean
  readonly files: Map<string, FileNode>
  readonly folders: Map<string, FolderNode>
  readonly skipped: { readonly name: string; readonly reason: SkipReason }[]
  canSettle: boolean
}

/** After so many it looks whether it is to stop or to rest: within a millisecond or two. */
const seenBetweenLooks = 50
const seenBetweenTicks = 500
/** Each word of it wakes the main thread, on a core that may be needed here. */
const tellEveryMs = 40

/**
 * Brings the model up to date with the disk: every known file and folder is asked for its stamp, the names of a folder are
 * read only where its own times moved, contents only where a file's stamp moved. First the lookout tells in which folders
 * nothing moved; the others are gone through name by name; what is to be read is read at the end, by two threads when it is
 * much. Where somebody else tells in which folders something moved, the lookout is not asked. Made for a worker thread. When it throws, the model is of no more use.
 */
export class Scanner {
  readonly #world: ScanWorld
  readonly #model: FolderModel
  readonly #late: LateReads
  #told = 0
  #tellFromMs = 0
  seen = 0
  hashed = 0
  files = 0

  constructor(world: ScanWorld, model: FolderModel) {
    this.#world = world
    this.#model = model
    this.#late = new LateReads({ ...world, untilMs: Date.now() + world.limits.readMs, onRead: () => this.#tell(), settle: (...read) => this.#settle(...read) })
  }

  /** Throws what the disk says when the root itself cannot be read. */
  async run(): Promise<void> {
    const { lookout, moved, shared, root, outermost } = this.#world
    if (moved) lookout.believe(moved)
    else if (!(await lookout.look(shared, () => this.#tell()))) throw new ScanCancelled()
    if (lookout.isStill(this.#model.root)) this.#passStill(this.#model.root, '', outermost)
    else {
      const stats = fs.lstatSync(diskPath(root), { bigint: true })
      const left = this.#scanFolder(this.#model.root, '', stats, outermost, false)
      if (left !== null) fs.readdirSync(diskPath(root))
    }
    await this.#late.read()
  }

  /** What the second thread has read becomes durable; gives the ids. */
  finishSecond(): Promise<readonly RawId[]> {
    return this.#late.finishSecond()
  }

  /** What was read is of no use. */
  abandon(): Promise<void> {
    return this.#late.abandon()
  }

  /** Null when the folder is held; otherwise why not. */
  #scanFolder(folder: FolderNode, path: string, stats: fs.BigIntStats, outer: RuleChain, mustList: boolean): Left | null {
    const stamp = stampOf(this.#world.watches.cover(folder, path, stats))
    const isSame = folder.isSettled && sameStamp(stamp, folder.stamp)
    const rulesMoved = (folder.ignore !== null || !isSame) && this.#refreshIgnore(folder, path)
    const rules = folder.ignore ? { rules: folder.ignore.rules, base: path, outer } : outer
    if (isSame && !mustList && !rulesMoved) return this.#scanKnown(folder, path, rules)
    if (stamp.mode !== folder.stamp.mode) this.#model.isSideStale = true
    return this.#listFolder(folder, path, stamp, rules, mustList || rulesMoved)
  }

  /** The folder holds the same names as last time. */
  #scanKnown(folder: FolderNode, path: string, rules: RuleChain): null {
    const prefix = `${this.#world.root}/${path}`
    for (const [name, file] of folder.files) {
      const place = prefix + name
      const stats = lstat(place)
      if (stats && !file.isRacy && isUnmoved(file.stamp, stats)) this.files++
      else this.#recheckFile(folder, name, stats, place)
      this.#tick()
    }
    return this.#scanChildren(folder, path, rules)
  }

  /** Nothing directly in the folder moved. */
  #passStill(folder: FolderNode, path: string, outer: RuleChain): null {
    this.seen += folder.files.size
    this.files += folder.files.size
    return this.#scanChildren(folder, path, folder.ignore ? { rules: folder.ignore.rules, base: path, outer } : outer)
  }

  #scanChildren(folder: FolderNode, path: string, rules: RuleChain): null {
    for (const [name, child] of folder.folders) {
      if (this.#world.lookout.isStill(child)) {
        this.#passStill(child, `${path}${name}/`, rules)
        continue
      }
      const place = `${this.#world.root}/${path}${name}`
      const stats = lstat(place)
      const left = stats?.isDirectory() ? this.#scanFolder(child, `${path}${name}/`, stats, rules, false) : stats ? 'gone' : whyUnseen(place)
      if (left !== null) this.#drop(folder, name, left)
    }
    return null
  }

  #recheckFile(folder: FolderNode, name: string, stats: fs.BigIntStats | undefined, place: string): void {
    const left = stats && isHeldKind(stats) ? this.#holdFile(folder, folder.files, name, folder.files.get(name), stats, place) : stats ? 'gone' : whyUnseen(place)
    if (left !== null) this.#drop(folder, name, left)
  }

  /** Something can no longer be held though the folder's own times did not move. */
  #drop(folder: FolderNode, name: string, left: Left): void {
    folder.files.delete(name)
    this.#model.isSkippedStale = true
    if (folder.folders.delete(name)) this.#model.gone.push(`${pathOf(folder)}${name}/`)
    if (left !== 'gone') folder.skipped = [...folder.skipped.filter((one) => one.name !== name), { name, reason: left }]
    folder.isSettled = false
    this.#markChanged(folder)
  }

  #listFolder(folder: FolderNode, path: string, stamp: Stamp, rules: RuleChain, mustList: boolean): Left | null {
    const listedAtMs = Date.now()
    const names = namesIn(`${this.#world.root}/${path}`)
    if (!Array.isArray(names)) return names
    if (path !== '' && names.includes(cacheMarker) && judge(rules, path.slice(0, -1), true) !== 'kept' && isCacheFolder(`${this.#world.root}/${path}`)) return 'ignored'
    const listing: Listing = { folder, path, rules, names: new Set(names), mustList, files: new Map(), folders: new Map(), skipped: [], canSettle: true }
    for (const name of names) {
      const left = this.#listName(listing, name)
      this.#tick()
      if (left !== null && left !== 'gone') listing.skipped.push({ name, reason: left })
      // What is left out for what it is now, and not for its name, may be held next time without these times moving.
      if (left !== null && left !== 'ignored' && left !== 'repository') listing.canSettle = false
    }
    this.#applyListing(listing, stamp, names.length === 0)
    folder.isSettled = listing.canSettle && !isRacy(stamp, listedAtMs)
    return null
  }

  #applyListing({ folder, path, files, folders, skipped }: Listing, stamp: Stamp, isEmpty: boolean): void {
    for (const name of folder.files.keys()) if (!files.has(name)) this.#markChanged(folder)
    for (const name of folder.folders.keys()) {
      if (folders.has(name)) continue
      this.#markChanged(folder)
      this.#model.gone.push(`${path}${name}/`)
      this.#model.isSkippedStale = true
    }
    if (folder.isEmpty !== isEmpty) this.#model.isSideStale = true
    if (skipped.length > 0 || folder.skipped.length > 0) this.#model.isSkippedStale = true
    Object.assign(folder, { files, folders, skipped, stamp, isEmpty })
    markMoved(this.#model, folder)
  }

  /** Null when the name is held now. */
  #listName(listing: Listing, name: string): Left | null {
    // A write that is under way, or was killed: never anybody's file.
    if (isTemporaryName(name)) return 'gone'
    const { folder, path, rules } = listing
    const place = `${this.#world.root}/${path}${name}`
    const stats = lstat(place)
    // What a sandbox put there for the time of a command is nobody's work.
    if (stats && isPlaceholder(stats)) return 'gone'
    if (isGitName(name)) return 'repository'
    if (!stats) return whyUnseen(place)
    if (stats.isDirectory()) return this.#listChild(listing, name, stats, place)
    if (judge(rules, path + name, false) === 'ignored') return 'ignored'
    if (!isHeldKind(stats)) return 'special'
    if (this.files >= this.#world.limits.files) return 'too-many'
    return this.#holdFile(folder, listing.files, name, folder.files.get(name), stats, place)
  }

  #listChild(listing: Listing, name: string, stats: fs.BigIntStats, place: string): Left | null {
    const { folder, path, rules, names } = listing
    if (this.#world.exclude.has(place)) return 'ignored'
    const verdict = judge(rules, path + name, true)
    if (verdict === 'ignored' || (verdict === null && isOutputFolder(name, (maker) => names.has(maker)))) return 'ignored'
    if (this.files >= this.#world.limits.files) return 'too-many'
    const known = folder.folders.get(name)
    const child = known ?? newFolder(folder, name)
    const left = this.#scanFolder(child, `${path}${name}/`, stats, rules, listing.mustList)
    // A folder that says of itself that it can be lost may stop saying so.
    if (left === 'ignored') listing.canSettle = false
    if (left !== null) return left
    listing.folders.set(name, child)
    if (!known) this.#markChanged(folder)
    return null
  }

  /** Puts the file into `files`, to be read when it moved. Null when it is held now. */
  #holdFile(folder: FolderNode, files: Map<string, FileNode>, name: string, old: FileNode | undefined, stats: fs.BigIntStats, place: string): Left | null {
    if (stats.isFile() && stats.size > this.#world.limits.fileBytes) return 'too-large'
    this.files++
    if (old && !old.isRacy && isUnmoved(old.stamp, stats)) {
      files.set(name, old)
      return null
    }
    const file = { stamp: stampOf(stats), id: old?.id ?? '', isRacy: true }
    files.set(name, file)
    // It counts as seen when it is read.
    Atomics.sub(this.#world.shared.seen, 0, 1)
    this.#late.add({ folder, name, place, file, old })
    return null
  }

  /** What became of a file that was to be read. */
  #settle({ folder, name, file, old }: LateFile, outcome: Parameters<LateWorld['settle']>[1], id: RawId, readAtMs: number): void {
    if (outcome !== 'steady' && outcome !== 'moved') {
      this.files--
      return this.#drop(folder, name, outcome)
    }
    file.id = id
    file.isRacy = outcome === 'moved' || isRacy(file.stamp, readAtMs)
    this.hashed++
    if (!old || old.id !== id || gitMode(old.stamp.mode) !== gitMode(file.stamp.mode)) markStale(folder)
    if (!old || old.stamp.mode !== file.stamp.mode) this.#model.isSideStale = true
    markMoved(this.#model, folder)
  }

  /** Reads the folder's ignore file again where it moved. True when its rules are others than last time. */
  #refreshIgnore(folder: FolderNode, path: string): boolean {
    const place = `${this.#world.root}/${path}.gitignore`
    const stats = lstat(place)
    const before = folder.ignore
    // A link is not followed, as git does not: what it points to is not this folder's.
    if (!stats?.isFile()) {
      folder.ignore = null
      if (before) markMoved(this.#model, folder)
      return before !== null
    }
    if (before && !before.isRacy && isUnmoved(before.stamp, stats)) return false
    const readAtMs = Date.now()
    const read = readHeld(place, stats)
    const text = read.kind === 'read' ? Buffer.from(read.body).toString('latin1') : ''
    const stamp = stampOf(stats)
    const isSameText = before?.text === text
    folder.ignore = { stamp, text, rules: isSameText ? before.rules : parseRules(text), isRacy: read.kind !== 'read' || !read.isSteady || isRacy(stamp, readAtMs) }
    markMoved(this.#model, folder)
    return !isSameText
  }

  #markChanged(folder: FolderNode): void {
    markStale(folder)
    markMoved(this.#model, folder)
    this.#model.isSideStale = true
  }

  #tick(): void {
    this.seen++
    if (this.seen % seenBetweenLooks === 0 && isStopped(this.#world.shared.flags)) throw new ScanCancelled()
    if (this.seen % seenBetweenTicks !== 0) return
    Atomics.add(this.#world.shared.seen, 0, seenBetweenTicks)
    this.#tell()
  }

  /** Says how far it is, now and then. */
  #tell(): void {
    const seen = Atomics.load(this.#world.shared.seen, 0)
    if (seen - this.#told < seenBetweenTicks || performance.now() < this.#tellFromMs) return
    this.#told = seen
    this.#tellFromMs = performance.now() + tellEveryMs
    this.#world.onSeen(seen)
  }
}

/** In byte order; a reason when the folder cannot be listed. */
function namesIn(place: string): string[] | 'unreadable' | 'gone' {
  try {
    return fs.readdirSync(diskPath(place), { encoding: 'latin1' }).sort()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'gone'
    if (code === 'EACCES' || code === 'EPERM' || code === 'EIO' || code === 'ENAMETOOLONG') return 'unreadable'
    throw error
  }
}

function isCacheFolder(place: string): boolean {
  const stats = lstat(place + cacheMarker)
  if (!stats?.isFile() || stats.size > 65_536) return false
  const read = readHeld(place + cacheMarker, stats)
  return read.kind === 'read' && Buffer.from(read.body).toString('latin1').startsWith(cacheSignature)
}
