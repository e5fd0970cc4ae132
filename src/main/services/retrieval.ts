import type { ModelUse } from '../../shared/domain/budget'
import type { WorkspaceId } from '../../shared/domain/ids'
import type { ModelChoice } from '../../shared/domain/model'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { CodeHit, IndexState } from '../../shared/domain/retrieval'
import type { RetrievalSettings } from '../../shared/domain/settings'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { CodeIndex, IndexLookup } from '../core/ports/codeIndex'
import type { CodeSearch } from '../core/ports/codeSearch'
import type { Reranker } from '../core/ports/embedder'
import type { ModelClient } from '../core/ports/modelClient'
import type { SettingsStore } from '../core/ports/settingsStore'
import { StorageFault } from '../core/ports/storageFault'
import { fuse } from '../core/retrieval/fuse'
import type { Endpoints } from './endpoints'
import { rerankByModel, rewrite, type AskModel } from './retrievalModel'
import { subscribe } from './sessions'

/** What the service works with. */
export interface RetrievalPorts {
  readonly index: CodeIndex
  readonly settings: SettingsStore
  readonly endpoints: Pick<Endpoints, 'key'>
  readonly model: ModelClient
  readonly reranker: Reranker
  /** Markdown with `{{question}}` and `{{passages}}` (resources/prompts). */
  readonly prompts: { readonly rewrite: string; readonly rerank: string }
  /** Masks detected secrets in what is sent to a model or an endpoint. */
  readonly redact: (text: string) => string
  /** Whether the index is made when a folder is opened; otherwise the first search makes it, and waits until it is whole. */
  readonly isEager: boolean
  /** How long a search waits for an index that is still being built. */
  readonly patienceMs: number
}

/** Search over the opened project (R98 to R101): the index in its own thread, rewriting and reranking as the settings say. */
export interface Retrieval extends CodeSearch {
  /** The opened folder; null: none. Indexing goes on in the background. */
  useFolder(folder: { readonly workspaceId: WorkspaceId; readonly root: string } | null): Promise<void>
  /** Takes the settings and keys of the moment, after they changed. */
  settingsChanged(): Promise<void>
  state(): IndexState
  rebuild(): Promise<void>
  onChange(listener: (state: IndexState) => void): () => void
  close(): Promise<void>
}

/** Places of each list that are fused. */
const perList = 50
/** Places that a reranker looks at, and most that it leaves (R99). */
const rerankedPlaces = 30
const rerankedLeft = 3
const off: IndexState = { phase: 'off', files: 0, waiting: 0, chunks: 0, vectors: 0, skipped: 0, fault: null }

type Folder = Parameters<Retrieval['useFolder']>[0]

/** Makes the service. */
export function makeRetrieval(ports: RetrievalPorts): Retrieval {
  const listeners = new Set<(state: IndexState) => void>()
  let folder: Folder = null
  let isOn = false
  /** Changes of folder and settings, one after the other: the last one counts. */
  let turn: Promise<void> = Promise.resolve()
  ports.index.onState((state) => listeners.forEach((listener) => listener(isOn ? state : off)))

  /** Without eagerness nothing is begun before the first search. */
  let isBegun = ports.isEager
  const apply = (): Promise<void> => {
    turn = turn.catch(() => undefined).then(async () => {
      if (!isBegun) return
      const { retrieval } = (await ports.settings.read()).settings
      isOn = retrieval.isOn && folder !== null
      await ports.index.useEmbedding(retrieval.embedding === null ? null : { settings: retrieval.embedding, key: await ports.endpoints.key('embedding', retrieval.embedding.url) })
      await ports.index.open(isOn ? folder : null)
      if (!isOn) listeners.forEach((listener) => listener(off))
    })
    return turn
  }

  return {
    useFolder(opened) {
      folder = opened
      return apply()
    },
    settingsChanged: apply,
    state: () => (isOn ? ports.index.state() : off),
    rebuild: async () => (isOn ? ports.index.rebuild() : undefined),
    onChange: (listener) => subscribe(listeners, listener),
    close: () => ports.index.close(),
    async search(query, signal) {
      if (!isBegun) {
        isBegun = true
        void apply()
      }
      await turn.catch(() => undefined)
      if (folder === null) return fail('retrieval.no-folder')
      if (!isOn) return fail('retrieval.off')
      const { retrieval } = (await ports.settings.read()).settings
      const state = await settled(ports.index, ports.patienceMs, signal)
      if (state.phase === 'failed') return { ok: false, fault: state.fault ?? said('retrieval.off') }
      const asked = await queriesFor(query.query, retrieval, ports, signal)
      if (signal.aborted) return fail('search.cancelled')
      const found = await lookUp({ ...filtersOf(query), queries: asked.queries, perList }, ports.index, signal)
      if (!found.ok) return found
      const { lists, vectorFault } = found.value
      if (signal.aborted) return fail('search.cancelled')
      const ranked = await rerank(query.query, fuse(lists), retrieval, ports, signal)
      if (signal.aborted) return fail('search.cancelled')
      const faults = vectorFault === null ? [] : [said('retrieval.no-vectors', { problem: vectorFault })]
      return succeed({
        hits: ranked.hits.slice(0, query.limit),
        isPartial: state.phase !== 'ready',
        notes: [...asked.notes, ...faults, ...ranked.notes],
        usage: [...asked.usage, ...ranked.usage],
      })
    },
  }
}

/** The state once the index is whole or has failed; the one of the moment when that takes too long or the search was called off. */
function settled(index: CodeIndex, waitMs: number, signal: CancelSignal): Promise<IndexState> {
  const isSettled = ({ phase }: IndexState): boolean => phase !== 'starting' && phase !== 'indexing'
  if (isSettled(index.state()) || signal.aborted) return Promise.resolve(index.state())
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', end)
      resolve(index.state())
    }
    const timer = setTimeout(end, waitMs)
    const stop = index.onState((state) => isSettled(state) && end())
    signal.addEventListener('abort', end, { once: true })
  })
}

/** A bad glob, or an index that cannot be read, is told to whoever asked. */
async function lookUp(asked: IndexLookup, index: CodeIndex, signal: CancelSignal): Promise<Result<Awaited<ReturnType<CodeIndex['lookup']>>>> {
  try {
    return succeed(await index.lookup(asked, signal))
  } catch (error) {
    if (error instanceof StorageFault) return { ok: false, fault: error.fault }
    throw error
  }
}

function filtersOf({ path, language, changedSinceMs }: Parameters<CodeSearch['search']>[0]) {
  return { ...(path === undefined ? {} : { path }), ...(language === undefined ? {} : { language }), ...(changedSinceMs === undefined ? {} : { changedSinceMs }) }
}

interface Asked {
  readonly queries: readonly string[]
  readonly notes: readonly Said[]
  readonly usage: readonly ModelUse[]
}

/** The question itself is always one of the queries: a rewriting may miss its point. */
async function queriesFor(question: string, { rewrite: choice }: RetrievalSettings, ports: RetrievalPorts, signal: CancelSignal): Promise<Asked> {
  if (choice === null) return { queries: [question], notes: [], usage: [] }
  const made = await rewrite(question, asker(choice, ports, signal), ports.prompts.rewrite)
  return { queries: [question, ...made.queries.filter((one) => one !== question)], notes: made.fault === null ? [] : [said('retrieval.not-rewritten', { problem: made.fault })], usage: made.usage }
}

interface Reranked {
  readonly hits: readonly CodeHit[]
  readonly notes: readonly Said[]
  readonly usage: readonly ModelUse[]
}

/** Without a reranker, or when it fails, the fused order stands. */
async function rerank(question: string, hits: readonly CodeHit[], { rerank: by, threshold }: RetrievalSettings, ports: RetrievalPorts, signal: CancelSignal): Promise<Reranked> {
  if (by === null || hits.length === 0) return { hits, notes: [], usage: [] }
  const looked = hits.slice(0, rerankedPlaces)
  const texts = looked.map((hit) => ports.redact(`${hit.path} ${hit.symbol}\n${hit.text}`))
  const scored = by.kind === 'model'
    ? await rerankByModel(question, texts, asker(by.choice, ports, signal), ports.prompts.rerank)
    : await rerankAt({ url: by.url, model: by.model }, question, texts, ports, signal)
  if (scored.scores === null) return { hits, notes: [said('retrieval.not-reranked', { problem: scored.fault })], usage: scored.usage }
  const { scores } = scored
  const best = looked.map((hit, at) => ({ ...hit, score: scores[at] ?? 0 })).filter((hit) => hit.score >= threshold).sort((a, b) => b.score - a.score)
  return { hits: best.slice(0, rerankedLeft), notes: best.length === 0 ? [said('retrieval.below-threshold', { threshold })] : [], usage: scored.usage }
}

async function rerankAt(endpoint: { readonly url: string; readonly model: string }, question: string, texts: readonly string[], ports: RetrievalPorts, signal: CancelSignal) {
  const answered = await ports.reranker.rerank({ ...endpoint, key: await ports.endpoints.key('rerank', endpoint.url) }, ports.redact(question), texts, signal)
  return answered.ok ? { scores: answered.value, fault: said('retrieval.no-answer'), usage: [] } : { scores: null, fault: answered.fault, usage: [] }
}

function asker(choice: ModelChoice, ports: RetrievalPorts, signal: CancelSignal): AskModel {
  return { choice, model: ports.model, redact: ports.redact, signal }
}
