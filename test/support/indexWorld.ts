import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { succeed } from '../../src/shared/domain/result'
import type { WorkspaceId } from '../../src/shared/domain/ids'
import type { IndexState } from '../../src/shared/domain/retrieval'
import { makeCodeIndex } from '../../src/main/adapters/index/codeIndex'
import { makeIndexTools } from '../../src/main/app/libraryIndexTools'
import type { CodeIndex, EmbeddingEndpoint, IndexLookup } from '../../src/main/core/ports/codeIndex'
import type { Embedder } from '../../src/main/core/ports/embedder'

const never = new AbortController().signal

/** A project folder and an index over it, in this thread; the disk, SQLite, grammars and watcher are real. */
export interface IndexWorld {
  readonly project: string
  readonly dataFolder: string
  readonly cacheFile: string
  readonly index: CodeIndex
  readonly folder: { readonly workspaceId: WorkspaceId; readonly root: string }
  readonly write: (file: string, text: string | Uint8Array) => void
  /** Waits until the state is as wanted; throws after ten seconds. */
  readonly until: (wanted: (state: IndexState) => boolean, index?: CodeIndex) => Promise<IndexState>
  readonly ready: (index?: CodeIndex) => Promise<IndexState>
  /** `path:first-last symbol` of the keyword list. */
  readonly found: (query: string, filters?: Partial<IndexLookup>, index?: CodeIndex) => Promise<string[]>
  /** Another index over the same data, as another process would have it. */
  readonly another: () => CodeIndex
  readonly close: () => Promise<void>
}

/** Makes the world; `files` by path. */
export function makeIndexWorld(files: Readonly<Record<string, string>>, embedder: Embedder = noEmbedder): IndexWorld {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'countersign-index-')))
  const project = path.join(top, 'project')
  const dataFolder = path.join(top, 'data')
  fs.mkdirSync(project)
  fs.mkdirSync(dataFolder)
  const cacheFile = path.join(dataFolder, 'cache.db')
  const opened: CodeIndex[] = []
  const another = (): CodeIndex => {
    const index = makeCodeIndex(cacheFile, makeIndexTools({ home: path.join(top, 'home'), appData: dataFolder }, embedder))
    opened.push(index)
    return index
  }
  const index = another()
  const write: IndexWorld['write'] = (file, text) => {
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
    fs.writeFileSync(path.join(project, file), text)
  }
  for (const [file, text] of Object.entries(files)) write(file, text)
  const until: IndexWorld['until'] = async (wanted, of = index) => {
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      if (wanted(of.state())) return of.state()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`the state is ${JSON.stringify(of.state())}`)
  }
  return {
    project, dataFolder, cacheFile, index, write, until, another,
    folder: { workspaceId: 'w' as WorkspaceId, root: project },
    ready: (of) => until(({ phase, waiting }) => phase === 'ready' && waiting === 0, of),
    async found(query, filters = {}, of = index) {
      const { lists } = await of.lookup({ queries: [query], perList: 20, ...filters }, never)
      return (lists[0]?.hits ?? []).map((hit) => `${hit.path}:${hit.startLine}-${hit.endLine} ${hit.symbol}`.trim())
    },
    async close() {
      await Promise.all(opened.map((one) => one.close()))
      fs.rmSync(top, { recursive: true, force: true })
    },
  }
}

const noEmbedder: Embedder = { embed: () => Promise.resolve(succeed([])) }

/** An endpoint nobody asks: the embedder of the test answers. */
export const testEndpoint: EmbeddingEndpoint = { settings: { kind: 'ollama', url: 'http://127.0.0.1:1', model: 'test' }, key: null }
