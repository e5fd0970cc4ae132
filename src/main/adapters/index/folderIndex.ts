import { said, type Said } from '../../../shared/domain/result'
import type { IndexState } from '../../../shared/domain/retrieval'
import type { EmbeddingEndpoint } from '../../core/ports/codeIndex'
import type { Root } from '../../native/safeFolder'
import { lookNow } from '../../native/safePath'
import { isBusy, isCacheFault, isDamage, type CacheDb } from './cacheFile'
import { watchFolder } from './changes'
import { Embedding } from './embedding'
import { fileEntry } from './fileEntry'
import { forgetOld, folderRow, IndexStore, type FileEntry } from './indexStore'
import type { LookUpWorld } from './lookUp'
import { Ownership } from './ownership'
import { largestBytes } from './readSource'
import { scan, type Fence, type FolderRules } from './scan'
import { makeBreath, type IndexTools } from './tools'

/** One transaction holds at most so many files, or what was made in this time. */
const batchFiles = 32
const batchMs = 60
/** Between two looks at everything when nothing is heard of changes, and when the folder is not watched. */
const watchedScanMs = 5 * 60 * 1000
const unwatchedScanMs = 20_000
/** A look at everything may take this share of the time. */
const scanShare = 5
const shortestScanMs = 250
const beatMs = 10_000
/** How often one who only reads asks whether the owner has gone. */
const readerMs = 2000
const busyRetryMs = 500

/** One folder being indexed. */
export interface FolderWorld {
  readonly db: CacheDb
  readonly workspaceId: string
  readonly root: Root
  readonly tools: IndexTools
  /** The state moved; called often. */
  readonly onMoved: () => void
}

/**
 * The index of one folder, from the first scan to `stop`. It works in small steps and lets others in between. One process
 * writes; another one reads along until the first has gone.
 */
export class FolderIndex {
  readonly #world: FolderWorld
  readonly #store: IndexStore
  readonly #ownership: Ownership
  readonly #fence: Fence
  readonly #stop = new AbortController()
  /** Files to be read, edits before those of the first scan. */
  readonly #edited = new Set<string>()
  readonly #waiting = new Set<string>()
  #rules: ReadonlyMap<string, FolderRules> = new Map()
  #embedding: Embedding | null = null
  #phase: IndexState['phase'] = 'starting'
  #fault: Said | null = null
  #isUnsure = true
  #scanTookMs = 0
  #scannedAtMs = 0
  #isWatched = false
  #isOwner = false
  #wake: () => void = () => undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(world: FolderWorld) {
    this.#world = world
    const folder = folderRow(world.db, world.workspaceId, world.root.path, Date.now())
    this.#store = new IndexStore(world.db, folder)
    this.#ownership = new Ownership(world.db, folder, Date.now)
    this.#fence = { rules: world.tools.rules, isWithheld: world.tools.withheldIn(world.root) }
  }

  /** Starts the work. Rejects with what only a new cache can help; everything else is in the state. */
  start(endpoint: EmbeddingEndpoint | null): Promise<void> {
    this.#ended = this.#run(endpoint)
    return this.#ended
  }

  /** Ends the work; resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#ended.catch(() => undefined)
  }

  /** Throws away what is stored, and ends; false when another process keeps it up. */
  async clear(): Promise<boolean> {
    if (!this.#isOwner) return false
    await this.stop()
    if (!this.#ownership.take()) return false
    this.#store.clear()
    this.#ownership.release()
    return true
  }

  state(): IndexState {
    const vectors = this.#embedding === null ? 0 : Math.min(this.#embedding.vectors.count, this.#store.chunks)
    const waiting = this.#edited.size + this.#waiting.size
    return { phase: this.#phase, ...this.#store.counts(), waiting, chunks: this.#store.chunks, vectors, fault: this.#fault ?? this.#embedding?.fault ?? null }
  }

  lookUpWorld(): LookUpWorld {
    return { store: this.#store, root: this.#world.root, tools: this.#world.tools, embedding: this.#embedding }
  }

  async useEmbedding(endpoint: EmbeddingEndpoint | null): Promise<void> {
    const { db, root, tools } = this.#world
    this.#embedding = endpoint && new Embedding({ db, store: this.#store, root, tools, endpoint })
    await this.#embedding?.load(this.#store.hashes(null), makeBreath())
    this.#moved()
    this.#wake()
  }

  async #run(endpoint: EmbeddingEndpoint | null): Promise<void> {
    let unwatch: (() => Promise<void>) | null = null
    let beat: NodeJS.Timeout | null = null
    try {
      await this.useEmbedding(endpoint)
      if (!(await this.#becomeOwner())) return
      beat = setInterval(() => this.#beat(), beatMs).unref()
      forgetOld(this.#world.db, Date.now())
      const known = { rules: (folder: string) => this.#rules.get(folder), isFile: (path: string) => this.#store.file(path) !== undefined }
      unwatch = await watchFolder(this.#world.root, this.#fence, known, { changed: (path) => this.#changed(path), unsure: () => this.#unsure() })
      this.#isWatched = unwatch !== null
      while (!this.#stop.signal.aborted) await this.#turn()
    } finally {
      if (beat) clearInterval(beat)
      await unwatch?.()
      this.#release()
    }
  }

  /** Waits as a reader while another process is the owner; false when it was stopped meanwhile. */
  async #becomeOwner(): Promise<boolean> {
    while (!this.#stop.signal.aborted) {
      this.#isOwner = this.#ownership.take()
      const isMoved = this.#store.refresh()
      if (isMoved) await this.#embedding?.load(this.#store.hashes(null), makeBreath())
      if (this.#isOwner) return true
      this.#phase = 'ready'
      this.#moved()
      await this.#sleep(readerMs)
    }
    return false
  }

  /** One step of whatever comes first. A cache that is held or full for now is tried again. */
  async #turn(): Promise<void> {
    try {
      const rest = await this.#step()
      this.#fault = null
      if (rest > 0) await this.#sleep(rest)
    } catch (error) {
      if (isDamage(error) || !isCacheFault(error)) throw error
      this.#fault = said('retrieval.cache-failed', { problem: error.message })
      if (!isBusy(error)) this.#phase = 'failed'
      this.#moved()
      await this.#sleep(isBusy(error) ? busyRetryMs : unwatchedScanMs)
    }
  }

  /** Milliseconds until there is more to do. */
  async #step(): Promise<number> {
    if (this.#edited.size > 0) return this.#readBatch(this.#edited)
    const nextScan = this.#nextScanInMs()
    if (nextScan === 0) return this.#scan()
    if (this.#waiting.size > 0) return this.#readBatch(this.#waiting)
    this.#phase = 'ready'
    this.#moved()
    const due = this.#embedding?.dueInMs(Date.now()) ?? null
    if (due !== 0) return Math.min(nextScan, due ?? nextScan)
    await this.#embedding?.step(this.#stop.signal)
    this.#moved()
    return 0
  }

  #nextScanInMs(): number {
    const sinceMs = Date.now() - this.#scannedAtMs
    const pauseMs = this.#isUnsure ? Math.max(shortestScanMs, this.#scanTookMs * scanShare) : this.#isWatched ? watchedScanMs : unwatchedScanMs
    return Math.max(0, pauseMs - sinceMs)
  }

  /** Looks at every file; what differs from what is stored waits to be read, the latest edits first. */
  async #scan(): Promise<number> {
    const startedAt = Date.now()
    this.#isUnsure = false
    const { files, rules } = await scan(this.#world.root, this.#fence, makeBreath(), () => this.#stop.signal.aborted)
    if (this.#stop.signal.aborted) return 0
    this.#rules = rules
    const left: FileEntry[] = []
    const changed: { readonly path: string; readonly mtimeMs: number }[] = []
    for (const { path, stamp, mtimeMs, sizeBytes } of files.values()) {
      if (this.#store.file(path)?.stamp === stamp) continue
      if (sizeBytes > largestBytes || this.#world.tools.isUnread(path)) left.push({ path, stamp, mtimeMs, language: '', hash: null, pathTerms: '', chunks: [] })
      else changed.push({ path, mtimeMs })
    }
    const gone = [...this.#store.files()].filter(({ path }) => !files.has(path)).map(({ path }) => path)
    await this.#writeInParts(left, gone)
    this.#waiting.clear()
    for (const { path } of changed.sort((a, b) => b.mtimeMs - a.mtimeMs)) this.#waiting.add(path)
    this.#scannedAtMs = Date.now()
    this.#scanTookMs = this.#scannedAtMs - startedAt
    if (this.#waiting.size > 0) this.#phase = 'indexing'
    this.#moved()
    return 0
  }

  async #writeInParts(entries: readonly FileEntry[], gone: readonly string[]): Promise<void> {
    const breathe = makeBreath(0)
    for (let from = 0; from < Math.max(entries.length, gone.length); from += batchFiles) {
      this.#store.write(entries.slice(from, from + batchFiles), gone.slice(from, from + batchFiles))
      await breathe()
    }
  }

  /** Reads some of the files that wait, and stores them together. */
  async #readBatch(from: Set<string>): Promise<number> {
    const until = Date.now() + batchMs
    const breathe = makeBreath()
    const taken: string[] = []
    const entries: FileEntry[] = []
    const gone: string[] = []
    try {
      for (const path of from) {
        if (taken.length === batchFiles || Date.now() > until || this.#stop.signal.aborted) break
        taken.push(path)
        from.delete(path)
        const entry = this.#world.tools.isUnread(path) ? null : await fileEntry(path, this.#store.file(path), this.#world.root, this.#world.tools, breathe)
        if (entry) entries.push(entry)
        else {
          gone.push(path)
          this.#noteFolder(path)
        }
        await breathe()
      }
      this.#written(entries, this.#store.write(entries, gone))
    } catch (error) {
      for (const path of taken) from.add(path)
      throw error
    }
    await this.#embedding?.load(entries.flatMap(({ chunks }) => chunks?.map(({ hash }) => hash) ?? []), breathe)
    this.#moved()
    // Written within the clock's tick: a change after the reading could not be told by the times.
    if (entries.some(({ stamp }) => stamp === '')) this.#lookAgain(entries.filter(({ stamp }) => stamp === '').map(({ path }) => path))
    return 0
  }

  #written(entries: readonly FileEntry[], first: number): void {
    if (entries.some(({ chunks }) => chunks !== null) && Number.isFinite(first)) this.#embedding?.noteChunks(first)
  }

  #lookAgain(paths: readonly string[]): void {
    setTimeout(() => paths.forEach((path) => this.#changed(path)), 150).unref()
  }

  /** Where a file was, a folder may stand now. */
  #noteFolder(path: string): void {
    const found = lookNow(this.#world.root, path)
    if (found.ok && found.value.kind === 'folder') this.#isUnsure = true
  }

  #changed(path: string): void {
    if (this.#stop.signal.aborted) return
    this.#edited.add(path)
    this.#waiting.delete(path)
    this.#wake()
  }

  #unsure(): void {
    this.#isUnsure = true
    this.#wake()
  }

  #beat(): void {
    try {
      // Taken over after a long silence: two would write the same; the scan of either makes it good.
      if (!this.#ownership.beat() && !this.#ownership.take()) this.#store.refresh()
    } catch (error) {
      if (!isCacheFault(error)) throw error // the next step meets the same, and says it
    }
  }

  #release(): void {
    try {
      this.#ownership.release()
    } catch (error) {
      if (!isCacheFault(error)) throw error // a silent owner is taken over after a while
    }
  }

  #moved(): void {
    this.#world.onMoved()
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stop.signal.aborted || this.#edited.size > 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }
}
