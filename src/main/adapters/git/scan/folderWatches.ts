import * as fs from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { diskPath } from '../../../native/byteText'
import { everyFolder, pathOf, type FolderModel, type FolderNode } from './folderModel'
import { lstat } from './stamps'
import type { WatchLimits } from './watchLimits'

interface Watch {
  readonly watcher: fs.FSWatcher
  readonly ino: bigint
  /** The folder it was set on went away from its place, or ended. */
  isDead: boolean
}

/** A folder is watched by this name of its own, so that what happens to the folder itself is told under a name that nothing in it can have. */
const itself = '.'
const setAtOnce = 200

/**
 * Hears in which folders something changed since the last scan, so that a scan which is allowed to need not look at the others.
 * A hint, never the truth: what is not heard (a write through a mapping, or through a link from elsewhere) is found by the next
 * scan that looks at everything. It is silent, and everything is looked at, unless all of this holds:
 *
 * - every known folder is watched, each watch set before the folder was read, and everything was looked at once since;
 * - a token file of our own, written after all there is to hear, was heard: all watches of a thread share one queue, which keeps
 *   its order;
 * - the queue never came near its end. Nobody tells when it was full: the runtime drops that word. It empties the queue in one
 *   go, so what came in one go is counted; a watch whose events nobody would count is closed only before a look at everything.
 */
export class FolderWatches {
  readonly #root: string
  readonly #tokenFolder: string
  readonly #tag: string
  readonly #limits: WatchLimits
  readonly #watches = new Map<FolderNode, Watch>()
  #model: FolderModel | null = null
  #device: bigint | null = null
  /** Watches that were replaced. */
  #replaced: Watch[] = []
  #heard = new Set<FolderNode>()
  #tokens: fs.FSWatcher | null = null
  #awaited: { readonly name: string; readonly hear: () => void } | null = null
  #lastToken = 0
  /** Events since the queue was empty. */
  #atOnce = 0
  /** Some may have been lost since the last look at everything began. */
  #isDoubted = true
  /** The scan under way looks at everything, and all before it was heard. */
  #isProving = false
  #isProven = false
  /** In the scan under way a watch could not be set. */
  #hasFailed = false
  #isCurrent = false
  #isGivenUp: boolean

  /**
   * @param root absolute, byte text.
   * @param tokenFolder of our own, never in the project; files that `tag` names are swept there.
   */
  constructor(root: string, tokenFolder: string, tag: string, limits: WatchLimits) {
    this.#root = root
    this.#tokenFolder = tokenFolder
    this.#tag = tag
    this.#limits = limits
    this.#isGivenUp = !limits.isPossible
  }

  /** For quiet times: sets some of the watches that are lacking. True when there are more to set. */
  setSome(model: FolderModel): boolean {
    if (this.#isGivenUp) return false
    if (model !== this.#model) {
      this.stop()
      if (countFiles(model) < this.#limits.leastFiles) return false
      this.#model = model
      this.#device = lstat(this.#root)?.dev ?? null
      if (!this.#listenForTokens()) return false
    }
    const lacking: FolderNode[] = []
    everyFolder(model.root, (folder) => lacking.length <= setAtOnce && this.#isLacking(folder) && lacking.push(folder))
    const set = lacking.slice(0, setAtOnce).filter((folder) => this.#set(folder, pathOf(folder)))
    return set.length > 0 && lacking.length > setAtOnce
  }

  /**
   * Before a scan. Gives the folders that are to be looked at, or null for all.
   * @param near paths (byte text) that are looked at in any case; null when everything is to be looked at.
   */
  async begin(model: FolderModel, near: readonly string[] | null): Promise<ReadonlySet<FolderNode> | null> {
    this.#isCurrent = model === this.#model
    this.#isProving = false
    this.#hasFailed = false
    if (!this.#isCurrent) return null
    const mayHint = near !== null && this.#isProven && !this.#isDoubted
    if (!mayHint) this.#closeReplaced(model)
    const hasHeardAll = await this.#hasHeardAll()
    const heard = this.#heard
    if (mayHint && hasHeardAll && !this.#isDoubted) {
      this.#heard = new Set()
      for (const path of near) addFoldersOf(path, model.root, heard)
      return heard.add(model.root)
    }
    this.#isProven = false
    this.#isProving = hasHeardAll
    if (!hasHeardAll) return null
    this.#isDoubted = false
    this.#heard = new Set()
    return null
  }

  /** After a scan that came to its end. */
  end(model: FolderModel): void {
    if (model !== this.#model || !(this.#isProving || this.#hasFailed)) return
    let isWhole = true
    everyFolder(model.root, (folder) => {
      // One that ended before it was looked at, and was passed over since nothing had moved, would stay so.
      if (this.#isLacking(folder) && !this.#heard.has(folder)) isWhole = false
    })
    this.#isProven = isWhole && (this.#isProving || this.#isProven)
    this.#isProving = false
    this.#hasFailed = false
  }

  /** Before a folder is read: sees to its watch. Gives what the disk says of the folder after that. */
  cover(folder: FolderNode, path: string, stats: fs.BigIntStats): fs.BigIntStats {
    const known = this.#watches.get(folder)
    if (!this.#isCurrent || this.#isGivenUp || (known && !known.isDead && known.ino === stats.ino)) return stats
    const now = this.#set(folder, path)
    if (now) return now
    // The old watch tells of another folder.
    this.#watches.delete(folder)
    if (known) this.#replaced.push(known)
    this.#hasFailed = true
    return stats
  }

  /** Hears no more, until watches are set again. */
  stop(): void {
    for (const { watcher } of [...this.#watches.values(), ...this.#replaced]) watcher.close()
    this.#tokens?.close()
    this.#tokens = null
    this.#watches.clear()
    this.#replaced = []
    this.#heard = new Set()
    this.#model = null
    this.#isCurrent = false
    this.#isProven = false
    this.#isProving = false
    this.#isDoubted = true
  }

  #isLacking(folder: FolderNode): boolean {
    return this.#watches.get(folder)?.isDead !== false
  }

  /** What the disk says of the folder once it is watched; null when that cannot be. */
  #set(folder: FolderNode, path: string): fs.BigIntStats | null {
    const place = path === '' ? this.#root : `${this.#root}/${path.slice(0, -1)}`
    if (this.#isGivenUp) return null
    if (this.#watches.size + this.#replaced.length >= this.#limits.mostFolders) return this.#giveUp()
    const watcher = this.#watch(diskPath(`${place}/${itself}`), (type, name) => {
      this.#heard.add(folder)
      if (type === 'rename' && (name === itself || name === null)) watch.isDead = true
    })
    if (!watcher) return null
    const stats = lstat(place)
    const watch: Watch = { watcher, ino: stats?.ino ?? 0n, isDead: false }
    const before = this.#watches.get(folder)
    if (before) this.#replaced.push(before)
    this.#watches.set(folder, watch)
    // Another disk that hangs in the project has a queue of its own, or none.
    if (stats && stats.dev !== this.#device) return this.#giveUp()
    if (stats?.isDirectory()) return stats
    watch.isDead = true
    return null
  }

  #watch(place: string | Buffer, onEvent: (type: string, name: string | null) => void): fs.FSWatcher | null {
    try {
      const watcher = fs.watch(place, { persistent: false, encoding: 'latin1' }, (type, name) => {
        this.#count()
        onEvent(type, name)
      })
      watcher.on('error', () => onEvent('rename', null))
      return watcher
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      // Gone meanwhile, or not ours to read. Anything else says that there are no more watches to be had.
      return ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(code) ? null : this.#giveUp()
    }
  }

  #count(): void {
    if (this.#atOnce++ === 0) setImmediate(() => (this.#atOnce = 0))
    if (this.#atOnce >= this.#limits.mostEvents) this.#isDoubted = true
  }

  #giveUp(): null {
    this.stop()
    this.#isGivenUp = true
    return null
  }

  /** Events that a closed watch leaves in the queue are not counted, so it is emptied before anything is counted anew. */
  #closeReplaced(model: FolderModel): void {
    const living = new Set<FolderNode>()
    everyFolder(model.root, (folder) => living.add(folder))
    for (const [folder, watch] of this.#watches) {
      if (living.has(folder)) continue
      this.#watches.delete(folder)
      this.#replaced.push(watch)
    }
    for (const { watcher } of this.#replaced) watcher.close()
    this.#replaced = []
  }

  #listenForTokens(): boolean {
    this.#tokens = this.#watch(join(this.#tokenFolder, itself), (_, name) => {
      if (name !== null && name === this.#awaited?.name) this.#awaited.hear()
    })
    return this.#tokens !== null
  }

  /** Everything that happened before the call was heard. False when that is not sure. */
  async #hasHeardAll(): Promise<boolean> {
    const name = `tmp_file_${this.#tag}_heard${threadId}-${++this.#lastToken}`
    const place = join(this.#tokenFolder, name)
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#limits.tokenMs)
      // What came with it is heard first, so that all of it is counted.
      this.#awaited = { name, hear: () => setImmediate(() => resolve(true)) }
    })
    try {
      fs.closeSync(fs.openSync(place, 'wx', 0o600))
      return await heard
    } catch {
      return false // a full disk, a store that is gone: the scan says so
    } finally {
      clearTimeout(timer)
      this.#awaited = null
      fs.rmSync(place, { force: true })
    }
  }
}

function countFiles({ root }: FolderModel): number {
  let files = 0
  everyFolder(root, (folder) => (files += folder.files.size))
  return files
}

/** The folders on the way to a path, as far as they are known; those below it too, since the path may be a folder. */
function addFoldersOf(path: string, root: FolderNode, into: Set<FolderNode>): void {
  let folder: FolderNode | undefined = root
  for (const name of path === '' ? [] : path.split('/')) {
    folder = folder.folders.get(name)
    if (!folder) return
    into.add(folder)
  }
  everyFolder(folder, (one) => into.add(one))
}
