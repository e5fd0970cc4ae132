import { said, type Said } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { IndexLookup, RankedList } from '../../core/ports/codeIndex'
import { StorageFault } from '../../core/ports/storageFault'
import type { Root } from '../../native/safeFolder'
import type { Embedding } from './embedding'
import { makePlaceFinder } from './fileEntry'
import type { IndexStore, StoredChunk } from './indexStore'
import { makeBreath, type IndexTools } from './tools'

/** A question waits no longer for its vector. */
const askingMs = 5000
/** More terms than a question has. */
const mostTerms = 64

/** What a question is answered from. */
export interface LookUpWorld {
  readonly store: IndexStore
  readonly root: Root
  readonly tools: IndexTools
  readonly embedding: Embedding | null
}

/** A keyword list for each query and, where there are vectors, a vector list. Text is that of the files of the moment. */
export async function lookUp(asked: IndexLookup, world: LookUpWorld, signal: CancelSignal): Promise<{ readonly lists: readonly RankedList[]; readonly vectorFault: Said | null }> {
  const { store, root, tools } = world
  const files = filtered(asked, store, tools)
  const ranked: { readonly by: RankedList['by']; readonly chunks: readonly StoredChunk[] }[] = []
  const breathe = makeBreath()
  for (const query of asked.queries) {
    ranked.push({ by: 'keyword', chunks: keywordList(query, asked.perList, files, world) })
    await breathe()
  }
  const near = await vectorLists(asked, files, world, signal)
  ranked.push(...near.lists.map((chunks) => ({ by: 'vector' as const, chunks })))
  const find = makePlaceFinder(root, tools)
  const lists: RankedList[] = []
  for (const { by, chunks } of ranked) {
    const hits: RankedList['hits'][number][] = []
    for (const chunk of chunks) {
      if (signal.aborted) return { lists: [], vectorFault: null }
      const file = store.fileOf(chunk.file)
      const place = file && (await find(file, chunk))
      if (file && place) hits.push({ path: file.path, language: file.language, symbol: chunk.symbol, ...place })
      await breathe()
    }
    lists.push({ by, hits })
  }
  return { lists, vectorFault: near.fault }
}

/** The files that the filters leave; null: all. */
function filtered({ path, language, changedSinceMs }: IndexLookup, store: IndexStore, tools: IndexTools): ReadonlySet<number> | null {
  if (path === undefined && language === undefined && changedSinceMs === undefined) return null
  const fits = path === undefined ? null : tools.glob(path)
  if (fits?.ok === false) throw new StorageFault(fits.fault)
  const languages = language === undefined ? null : tools.languagesFor(language)
  const left = new Set<number>()
  for (const file of store.files()) {
    if (changedSinceMs !== undefined && file.mtimeMs < changedSinceMs) continue
    if (languages !== null && !languages.includes(file.language)) continue
    if (fits === null || fits.value(file.path)) left.add(file.id)
  }
  return left
}

function keywordList(query: string, most: number, files: ReadonlySet<number> | null, { store, tools }: LookUpWorld): readonly StoredChunk[] {
  const terms = [...new Set(tools.terms(query))].slice(0, mostTerms)
  const found: StoredChunk[] = []
  for (const chunk of store.match(terms)) {
    if (found.length === most) break
    if (files === null || files.has(chunk.file)) found.push(chunk)
  }
  return found
}

async function vectorLists({ queries, perList }: IndexLookup, files: ReadonlySet<number> | null, { store, embedding }: LookUpWorld, signal: CancelSignal): Promise<{ readonly lists: readonly (readonly StoredChunk[])[]; readonly fault: Said | null }> {
  if (embedding === null) return { lists: [], fault: null }
  // While it pauses after a fault nobody waits for it once more.
  if (embedding.vectors.count === 0 || embedding.fault !== null) return { lists: [], fault: embedding.fault }
  const asked = await inTime(signal, (limited) => embedding.ask(queries, limited))
  if (asked === null) return { lists: [], fault: said('retrieval.too-slow', { seconds: askingMs / 1000 }) }
  if (!asked.ok) return { lists: [], fault: asked.fault }
  const allowed = files === null ? null : new Set(store.hashes(files))
  const lists: (readonly StoredChunk[])[] = []
  for (const vector of asked.value) {
    const near = await embedding.vectors.nearest(vector, perList, allowed, makeBreath())
    lists.push(near.flatMap(({ hash }) => store.withHash(hash).filter(({ file }) => files === null || files.has(file))).slice(0, perList))
  }
  return { lists, fault: null }
}

/** Null when it took too long. */
async function inTime<T>(signal: CancelSignal, ask: (limited: CancelSignal) => Promise<T>): Promise<T | null> {
  const limit = new AbortController()
  let isLate = false
  const cancel = (): void => limit.abort()
  const timer = setTimeout(() => {
    isLate = true
    limit.abort()
  }, askingMs)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answer = await ask(limit.signal)
    return isLate ? null : answer
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
