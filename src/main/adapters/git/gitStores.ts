import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { SnapshotBounds, SnapshotStore, SnapshotStores } from '../../core/ports/snapshotStore'
import { StorageFault } from '../../core/ports/storageFault'
import { threadEnd } from '../../native/threadEnd'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import type { HeldFiles, SkippedPath } from '../../../shared/domain/snapshot'
import { defaultBounds } from './limits'
import { rowsOf } from './pieces'
import { PackThreads } from './packThread'
import { receiveSkipped, type SentSkipped } from './sentSkipped'
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
    const store = new WorkerStore(new Worker(join(workersFolder, 'gitWorker.js'), { workerData: start }), workersFolder, start.folder)
    const opened = await store.ask('open', null).catch((error: unknown): Result<null> => {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    })
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

/** The worker's side of the talk. When it dies, everything asked is rejected. */
class WorkerStore {
  readonly packing: PackThreads
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  #lastId = 0
  #end: Error | null = null
  #skipped: readonly SkippedPath[] = []

  constructor(worker: Worker, workersFolder: string, folder: string) {
    this.#worker = worker
    this.packing = new PackThreads(workersFolder, folder, (damaged) => (this.#end ? Promise.resolve() : this.ask('refresh', damaged)))
    worker.on('message', (reply: WorkerReply) => this.#take(reply))
    worker.on('error', (error: Error) => this.#stop(error))
    worker.on('exit', () => this.#stop(new Error('the snapshot worker has ended')))
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
    await this.packing.close()
    if (!this.#end) await this.ask('close', null).catch(() => null)
    await threadEnd(this.#worker.terminate())
  }

  /** What a scan's answer says was skipped; null is what it was the last time. Answers come in the order in which they were made. */
  skipped(sent: SentSkipped | null): readonly SkippedPath[] {
    if (sent !== null) this.#skipped = receiveSkipped(sent)
    return this.#skipped
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

  async scan(signal: CancelSignal, onProgress?: (seen: number) => void): Promise<Awaited<ReturnType<SnapshotStore['scan']>>> {
    const cancel = new SharedArrayBuffer(4)
    const stop = (): unknown => Atomics.store(new Int32Array(cancel), 0, 1)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const taken = await this.#store.ask('scan', { cancel }, (news) => news.kind === 'seen' && onProgress?.(news.seen))
      return taken.ok ? succeed({ ...taken.value, skipped: this.#store.skipped(taken.value.skipped) }) : taken
    } catch (error) {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
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
  setBounds = async (bounds: SnapshotBounds): Promise<void> => void (await this.#store.ask('setBounds', bounds))
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
