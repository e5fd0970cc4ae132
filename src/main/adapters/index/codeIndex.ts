import { said, type Said } from '../../../shared/domain/result'
import type { IndexState } from '../../../shared/domain/retrieval'
import type { CodeIndex, EmbeddingEndpoint, IndexedFolder } from '../../core/ports/codeIndex'
import { StorageFault } from '../../core/ports/storageFault'
import { openRoot } from '../../native/safePath'
import { isCacheFault, isDamage, openCache, removeCache, type CacheDb } from './cacheFile'
import { FolderIndex } from './folderIndex'
import { lookUp } from './lookUp'
import type { IndexTools } from './tools'

/** The state is told at most so often. */
const tellMs = 250

const off: IndexState = { phase: 'off', files: 0, waiting: 0, chunks: 0, vectors: 0, skipped: 0, fault: null }

/** The index inside its thread. @param cacheFile the database of what can be made again. */
export function makeCodeIndex(cacheFile: string, tools: IndexTools): CodeIndex {
  const listeners = new Set<(state: IndexState) => void>()
  let folder: IndexedFolder | null = null
  let endpoint: EmbeddingEndpoint | null = null
  let db: CacheDb | null = null
  let index: FolderIndex | null = null
  let fault: Said | null = null
  let told: IndexState = off
  let timer: NodeJS.Timeout | null = null
  /** Changes of folder, one after the other. */
  let turn: Promise<unknown> = Promise.resolve()

  const stateNow = (): IndexState => (fault !== null ? { ...off, phase: 'failed', fault } : (index?.state() ?? off))

  function tell(): void {
    timer = null
    const state = stateNow()
    if (JSON.stringify(state) === JSON.stringify(told)) return
    told = state
    for (const listener of listeners) listener(state)
  }

  function moved(): void {
    timer ??= setTimeout(tell, tellMs).unref()
  }

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const acted = turn.then(act)
    turn = acted.catch(() => undefined)
    return acted
  }

  async function end(): Promise<void> {
    await index?.stop()
    index = null
    db?.close()
    db = null
    fault = null
  }

  async function begin(): Promise<void> {
    await end()
    if (folder === null) return tell()
    const root = openRoot(folder.root)
    if (!root.ok) return failWith(root.fault)
    try {
      db = openCache(cacheFile)
      index = new FolderIndex({ db, workspaceId: folder.workspaceId, root: root.value, tools, onMoved: moved })
    } catch (error) {
      await end()
      if (!isCacheFault(error)) throw error
      if (!isDamage(error)) return failWith(said('retrieval.cache-failed', { problem: error.message }))
      removeCache(cacheFile)
      return failWith(said('retrieval.cache-failed', { problem: error.message }))
    }
    const started = index
    void started.start(endpoint).catch((error: unknown) => broken(started, error))
    moved()
  }

  /** A damaged cache is made anew; anything else that ends the work is told. */
  function broken(which: FolderIndex, error: unknown): void {
    if (index !== which) return
    const problem = error instanceof Error ? error.message : String(error)
    if (!isDamage(error)) return failWith(said(isCacheFault(error) ? 'retrieval.cache-failed' : 'retrieval.index-stopped', { problem }))
    void inTurn(async () => {
      await end()
      removeCache(cacheFile)
      await begin()
    })
  }

  function failWith(what: Said): void {
    fault = what
    moved()
  }

  return {
    open(opened) {
      const isSame = opened?.root === folder?.root && opened?.workspaceId === folder?.workspaceId
      folder = opened
      if (!isSame || fault !== null) void inTurn(begin)
      return Promise.resolve()
    },
    async useEmbedding(given) {
      if (JSON.stringify(given) === JSON.stringify(endpoint)) return
      endpoint = given
      await inTurn(async () => index?.useEmbedding(given))
    },
    async lookup(lookup, signal) {
      await turn
      const asked = index
      if (asked === null) return { lists: [], vectorFault: null }
      try {
        return await lookUp(lookup, asked.lookUpWorld(), signal)
      } catch (error) {
        if (!isCacheFault(error)) throw error
        if (isDamage(error)) broken(asked, error)
        throw new StorageFault(said('retrieval.cache-failed', { problem: error.message }))
      }
    },
    state: stateNow,
    onState(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    rebuild: () =>
      inTurn(async () => {
        if (index === null && fault === null) return
        const isCleared = index === null || (await index.clear())
        if (isCleared) await begin()
      }),
    async close() {
      folder = null
      await inTurn(end)
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
