import type { IndexState } from '../../shared/domain/retrieval'
import type { CodeIndex } from '../core/ports/codeIndex'
import { StorageFault } from '../core/ports/storageFault'
import type { LibraryThread } from './libraryClient'
import type { IndexOptions } from './libraryProtocol'

const off: IndexState = { phase: 'off', files: 0, waiting: 0, chunks: 0, vectors: 0, skipped: 0, fault: null }
const proxyNames = ['http_proxy', 'https_proxy', 'no_proxy']

/** The code index of the library thread. Nothing is started before a folder is opened. */
export function codeIndexOver(thread: LibraryThread, options: Omit<IndexOptions, 'proxy'> & { readonly env: IndexOptions['proxy'] }): CodeIndex {
  const { env, ...places } = options
  const proxy = Object.fromEntries(proxyNames.flatMap((name) => [[name, env[name]], [name.toUpperCase(), env[name.toUpperCase()]]]))
  const listeners = new Set<(state: IndexState) => void>()
  let state = off
  let started: Promise<unknown> | null = null
  let opened: Parameters<CodeIndex['open']>[0] = null
  const tell = (next: IndexState): void => {
    state = next
    for (const listener of listeners) listener(state)
  }
  thread.on('index-state', tell)
  const start = (): Promise<unknown> => (started ??= thread.ask('index-start', { ...places, proxy }))

  return {
    async open(folder) {
      if (folder === null && started === null) return
      // The thread goes on with the folder that it has, and tells nothing anew.
      const isOther = folder?.root !== opened?.root || folder?.workspaceId !== opened?.workspaceId
      opened = folder
      if (folder !== null && isOther) tell({ ...off, phase: 'starting' })
      try {
        await start()
        await thread.ask('index-open', folder)
      } catch (error) {
        if (!(error instanceof StorageFault)) throw error
        tell({ ...off, phase: 'failed', fault: error.fault })
      }
      if (folder === null) tell(off)
    },
    async useEmbedding(endpoint) {
      if (endpoint === null && started === null) return
      await start()
      await thread.ask('index-embedding', endpoint)
    },
    async lookup(lookup, signal) {
      if (started === null) return { lists: [], vectorFault: null }
      return thread.ask('index-lookup', lookup, signal)
    },
    state: () => state,
    onState(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async rebuild() {
      if (started !== null) await thread.ask('index-rebuild', null)
    },
    // The thread ends it, and lives as long as the app.
    close: () => (started === null ? Promise.resolve() : thread.ask('index-open', null).then(() => undefined, () => undefined)),
  }
}
