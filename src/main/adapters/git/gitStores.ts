import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SnapshotBounds, SnapshotStore, SnapshotStores } from '../../core/ports/snapshotStore'
import { StorageFault } from '../../core/ports/storageFault'
import { freeLockOfThread } from '../../native/fileLock'
import { threadEnd } from '../../native/threadEnd'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import type { HeldFiles, SkippedPath } from '../../../shared/domain/snapshot'
import { defaultBounds } from './scan/limits'
import { rowsOf } from './store/pieces'
import { PackThreads } from './pack/packThread'
import { ScanFlags } from './scan/scanFlags'
import { receiveSkipped, type SentSkipped } from './scan/sentSkipped'
import { storeLock } from './store/storeFiles'
import type { OperationName, Operations, WorkerReply, WorkerStart } from './workerMessages'

/** Where things lie. `workersFolder` holds gitWorker.js. */
interface GitStoresOptions {
  readonly workersFolder: string
  readonly dataFolder: string
}

/** Side repositories under `snapshots/` of the data folder, a worker thread each. */
export class GitStores implements SnapshotStores {
  readonly #options: GitStoresOptions
  readonly #open = new Map<string, { readonly store: Promise<Result<WorkerStore>>; users: number }>()

  constructor(options: GitStoresOptions) {
    this.#options = options
  }

  /** Each open is to be closed; the last close ends the worker. */
  async open(workspaceId: string, root: string, bounds = defaultBounds): Promise<Result<SnapshotStore>> {
    const shared = this.#open.get(workspaceId) ?? { store: this.#start(workspaceId, root, bounds), users: 0 }
    shared.users++
    this.#open.set(workspaceId, shared)
    const store = await shared.store
    if (!store.ok) this.#open.delete(workspaceId)
    return store.ok ? succeed(new SharedStore(store.value, () => this.#leave(workspaceId))) : store
  }

  async #leave(workspaceId: string): Promise<void> {
    const shared = this.#open.get(workspaceId)
    if (!shared || --shared.users > 0) return
    this.#open.delete(workspaceId)
    const store = await shared.store
    if (store.ok) await store.value.end()
  }

  async #start(workspaceId: string, root: string, bounds: SnapshotBounds): Promise<Result<WorkerStore>> {
    const { workersFolder } = this.#options
    const dataFolder = realOrSame(this.#options.dataFolder)
    // It would hold itself, and more with each snapshot.
    if (root === dataFolder || root.startsWith(dataFolder + sep)) return fail('snapshot.root-data', { path: root })
    const start: WorkerStart = {
      folder: join(dataFolder, 'snapshots', workspaceId),
      root,
      cacheFile: join(dataFolder, 'cache.db'),
      exclude: [dataFolder],
      bounds,
    }
    const store = new WorkerStore(workersFolder, start)
    const opened = await store.open()
    if (opened.ok) return succeed(store)
    await store.end()
    return opened
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not made yet, so nothing of it can lie in a project
  }
}

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly onNews?: (news: WorkerReply) => void
}

/**
 * The worker's side of the talk. When it dies, everything asked is rejected; the next question starts another one, so that a
 * dead worker does not end undo.
 */
class WorkerStore {
  readonly packing: PackThreads
  readonly #file: string
  #start: WorkerStart
  #thread: WorkerThread
  #opening: Promise<Result<null>> | null = null
  #isEnded = false
  #skipped: readonly SkippedPath[] = []

  constructor(workersFolder: string, start: WorkerStart) {
    this.#file = join(workersFolder, 'gitWorker.js')
    this.#start = start
    this.#thread = new WorkerThread(this.#file, start)
    this.packing = new PackThreads(workersFolder, start.folder, (damaged) => (this.#isEnded || this.#thread.isDead ? Promise.resolve() : this.ask('refresh', damaged)))
  }

  async open(): Promise<Result<null>> {
    return this.#thread.ask('open', null).catch((error: unknown): Result<null> => {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    })
  }

  async ask<Name extends OperationName>(name: Name, input: Operations[Name]['in'], onNews?: (news: WorkerReply) => void): Promise<Operations[Name]['out']> {
    if (this.#thread.isDead && !this.#isEnded) await this.#startAnother()
    return this.#thread.ask(name, input, onNews)
  }

  /** Also for the worker that comes after this one. */
  async setBounds(bounds: SnapshotBounds): Promise<void> {
    this.#start = { ...this.#start, bounds }
    await this.ask('setBounds', bounds)
  }

  /** Whoever asks meanwhile waits for the same one. */
  async #startAnother(): Promise<void> {
    this.#opening ??= this.#openAnother().finally(() => (this.#opening = null))
    const opened = await this.#opening
    if (!opened.ok) throw new StorageFault(opened.fault)
  }

  async #openAnother(): Promise<Result<null>> {
    await freeLockOfThread(storeLock(this.#start.folder), this.#thread.id)
    const next = new WorkerThread(this.#file, this.#start)
    this.#thread = next
    const opened = await this.open()
    // One that could not open the store is of no use: the question after this one starts another.
    if (!opened.ok || this.#isEnded) await next.end()
    return opened
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.packing.close()
    await this.#opening
    await this.#thread.end()
  }

  /** What a scan's answer says was skipped; null is what it was the last time. Answers come in the order in which they were made. */
  skipped(sent: SentSkipped | null): readonly SkippedPath[] {
    if (sent !== null) this.#skipped = receiveSkipped(sent)
    return this.#skipped
  }
}

/** One thread and what it was asked. It is dead from the moment it fails or ends. */
class WorkerThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  /** Kept, since a thread that has ended has no number any more. */
  readonly id: number
  #lastId = 0
  #end: StorageFault | null = null

  constructor(file: string, start: WorkerStart) {
    this.#worker = new Worker(file, { workerData: start })
    this.id = this.#worker.threadId
    this.#worker.on('message', (reply: WorkerReply) => this.#take(reply))
    this.#worker.on('error', (error: Error) => this.#stop(error))
    this.#worker.on('exit', () => this.#stop(new Error('the snapshot worker has ended')))
  }

  get isDead(): boolean {
    return this.#end !== null
  }

  ask<Name extends OperationName>(name: Name, input: Operations[Name]['in'], onNews?: (news: WorkerReply) => void): Promise<Operations[Name]['out']> {
    if (this.#end) return Promise.reject(this.#end)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve: (value) => resolve(value as Operations[Name]['out']), reject, ...(onNews ? { onNews } : {}) })
      this.#worker.postMessage({ id, name, input })
    })
  }

  async end(): Promise<void> {
    if (!this.#end) await this.ask('close', null).catch(() => null)
    await threadEnd(this.#worker.terminate())
  }

  #take(reply: WorkerReply): void {
    const asked = this.#asked.get(reply.id)
    if (reply.kind === 'seen' || reply.kind === 'settled') return asked?.onNews?.(reply)
    this.#asked.delete(reply.id)
    if (reply.kind === 'done') asked?.resolve(reply.value)
    else if (reply.kind === 'fault') asked?.reject(new StorageFault(reply.fault))
    else asked?.reject(new Error(reply.message))
  }

  #stop(error: Error): void {
    this.#end ??= new StorageFault(said('snapshot.stopped', { problem: error.message }))
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { reject } of asked) reject(this.#end)
  }
}

/** One user's hold on a shared store. */
class SharedStore implements SnapshotStore {
  readonly #store: WorkerStore
  readonly #leave: () => Promise<void>
  #isLeft = false

  constructor(store: WorkerStore, leave: () => Promise<void>) {
    this.#store = store
    this.#leave = leave
  }

  async scan(...[signal, { onProgress, rest, near } = {}]: Parameters<SnapshotStore['scan']>): ReturnType<SnapshotStore['scan']> {
    const flags = new ScanFlags()
    const leave = [flags.follow(signal), ...(rest ? [flags.followRest(rest)] : [])]
    try {
      const taken = await this.#store.ask('scan', { flags: flags.shared, near: near ?? null }, (news) => news.kind === 'seen' && onProgress?.(news.seen))
      return taken.ok ? succeed({ ...taken.value, skipped: this.#store.skipped(taken.value.skipped) }) : taken
    } catch (error) {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    } finally {
      for (const end of leave) end()
    }
  }

  commit: SnapshotStore['commit'] = (held, facts) => this.#store.ask('commit', { held: only(held), facts })
  diff: SnapshotStore['diff'] = async (before, after) => rowsOf(await this.#store.ask('diff', { before: before && only(before), after: only(after) }))
  compare: SnapshotStore['compare'] = (before, after, most) => this.#store.ask('compare', { before: before && only(before), after: only(after), most })
  lineOwners: SnapshotStore['lineOwners'] = (first, stages) => this.#store.ask('lineOwners', { first, stages })
  lineCounts: SnapshotStore['lineCounts'] = (changes) => this.#store.ask('lineCounts', changes)
  blob: SnapshotStore['blob'] = (oid) => this.#store.ask('blob', oid)
  blobs: SnapshotStore['blobs'] = (oids, limitBytes) => this.#store.ask('blobs', { oids, limitBytes })
  lacking: SnapshotStore['lacking'] = (oids) => this.#store.ask('lacking', oids)
  uncovered: SnapshotStore['uncovered'] = async (paths, at) => receiveSkipped(await this.#store.ask('uncovered', { paths, at: at ? only(at) : null }))
  changedAtMs: SnapshotStore['changedAtMs'] = (paths) => this.#store.ask('changedAtMs', paths)
  setBounds: SnapshotStore['setBounds'] = (bounds) => this.#store.setBounds(bounds)
  stats: SnapshotStore['stats'] = () => this.#store.ask('stats', null)
  paths: SnapshotStore['paths'] = (held, query) => this.#store.ask('paths', { held: only(held), query })
  entriesAt: SnapshotStore['entriesAt'] = (held, paths) => this.#store.ask('entriesAt', { held: only(held), paths })
  missing: SnapshotStore['missing'] = (moments) => this.#store.ask('missing', moments.map(only))
  isPackable: SnapshotStore['isPackable'] = () => this.#store.ask('isPackable', null)
  pack: SnapshotStore['pack'] = (signal, onProgress) => this.#store.packing.pack(signal, onProgress ?? (() => undefined))
  forget: SnapshotStore['forget'] = (kept, signal) => this.#store.packing.forget(kept, signal)

  async restore(...[steps, shape, onStep]: Parameters<SnapshotStore['restore']>): Promise<void> {
    await this.#store.ask('restore', { steps, shape: only(shape) }, (news) => {
      if (news.kind === 'settled') for (const { path, outcome } of news.settled) onStep(path, outcome)
    })
  }

  async close(): Promise<void> {
    if (this.#isLeft) return
    this.#isLeft = true
    await this.#leave()
  }
}

/** A snapshot is also what it holds; its other facts need not cross. */
function only({ tree, side }: HeldFiles): HeldFiles {
  return { tree, side }
}
