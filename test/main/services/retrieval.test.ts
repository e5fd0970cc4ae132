import { describe, expect, test } from 'vitest'
import { makeRetrieval, type RetrievalPorts } from '../../../src/main/services/retrieval'
import type { CodeIndex, IndexLookup, RankedList } from '../../../src/main/core/ports/codeIndex'
import type { Reranker } from '../../../src/main/core/ports/embedder'
import type { ModelRequest, StreamPart } from '../../../src/shared/domain/model'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { asId } from '../../../src/shared/domain/ids'
import { fail, said, succeed, type Said } from '../../../src/shared/domain/result'
import type { IndexState } from '../../../src/shared/domain/retrieval'
import { defaultSettings, type RetrievalSettings } from '../../../src/shared/domain/settings'

const ready: IndexState = { phase: 'ready', files: 3, waiting: 0, chunks: 3, vectors: 0, skipped: 0, fault: null }
const folder = { workspaceId: asId<never>('w'), root: '/p' }
const choice = { provider: 'p', model: 'm' }
const place = (path: string, text = path) => ({ path, startLine: 1, endLine: 2, language: '', symbol: '', text })
const list = (by: RankedList['by'], ...paths: readonly string[]): RankedList => ({ by, hits: paths.map((path) => place(path)) })

interface WorldOptions {
  readonly settings?: Partial<RetrievalSettings>
  readonly lists?: readonly RankedList[]
  readonly vectorFault?: Said
  readonly state?: IndexState
  readonly answers?: readonly string[]
  readonly reranker?: Reranker
  readonly isEager?: boolean
}

function world(options: WorldOptions = {}) {
  const lookups: IndexLookup[] = []
  const opened: unknown[] = []
  const embeddings: unknown[] = []
  const requests: ModelRequest[] = []
  const listeners = new Set<(state: IndexState) => void>()
  let state = options.state ?? ready
  const settings = { ...defaultSettings, retrieval: { ...defaultSettings.retrieval, ...options.settings } }
  const index: CodeIndex = {
    open: (one) => (opened.push(one), Promise.resolve()),
    useEmbedding: (one) => (embeddings.push(one), Promise.resolve()),
    lookup: (lookup) => (lookups.push(lookup), Promise.resolve({ lists: options.lists ?? [], vectorFault: options.vectorFault ?? null })),
    state: () => state, onState: (listener) => (listeners.add(listener), () => void listeners.delete(listener)), rebuild: () => Promise.resolve(), close: () => Promise.resolve(),
  }
  const ports: RetrievalPorts = {
    index,
    settings: { read: () => Promise.resolve({ settings, faults: [] }), change: () => Promise.reject(new Error('not here')) },
    endpoints: { key: (of) => Promise.resolve(`key of ${of}`) },
    model: {
      async *stream(request): AsyncGenerator<StreamPart> {
        requests.push(request)
        await Promise.resolve()
        yield { kind: 'text-delta', text: options.answers?.[requests.length - 1] ?? '' }
        yield { kind: 'usage', usage: { inputTokens: 7, outputTokens: 3, estimated: false } }
        yield { kind: 'stopped', reason: 'stop' }
      },
    },
    reranker: options.reranker ?? { rerank: () => Promise.reject(new Error('not asked for')) },
    prompts: { rewrite: 'Q {{question}}', rerank: 'Q {{question}} P {{passages}}' },
    redact: (text) => text.replaceAll('sk-secret', '[redacted]'),
    isEager: options.isEager ?? true,
    patienceMs: options.isEager === false ? 10_000 : 10,
  }
  return { index, retrieval: makeRetrieval(ports), lookups, opened, embeddings, requests, become: (next: IndexState): void => {
    state = next
    listeners.forEach((listener) => listener(next))
  } }
}

async function search(options: WorldOptions, query = 'where is it', limit = 10) {
  const made = world(options)
  await made.retrieval.useFolder(folder)
  const answer = await made.retrieval.search({ query, limit }, new AbortController().signal)
  return { ...made, answer, paths: answer.ok ? answer.value.hits.map((hit) => hit.path) : [] }
}

describe('R99: hybrid search', () => {
  test('lists are fused by reciprocal rank: what several lists hold comes first', async () => {
    const { paths, answer } = await search({ lists: [list('keyword', 'a', 'b', 'c'), list('vector', 'd', 'b', 'e')] })
    expect(paths).toEqual(['b', 'a', 'd', 'c', 'e'])
    expect(answer.ok && answer.value.hits.map((hit) => hit.by)).toEqual(['both', 'keyword', 'vector', 'keyword', 'vector'])
  })

  test('without models set, the question is the one query and no model is asked', async () => {
    const { lookups, requests } = await search({ lists: [list('keyword', 'a')] })
    expect(lookups).toEqual([{ queries: ['where is it'], perList: 50 }])
    expect(requests).toEqual([])
  })

  test('a model that is set rewrites the question into three queries beside it', async () => {
    const { lookups, answer } = await search({ settings: { rewrite: choice }, lists: [list('keyword', 'a')], answers: ['Here: ```json\n["one", "二", "where is it", "four"]\n```'] })
    expect(lookups[0]?.queries).toEqual(['where is it', 'one', '二'])
    expect(answer.ok && answer.value.usage).toMatchObject([{ usage: { inputTokens: 7, outputTokens: 3, estimated: false } }])
  })

  test('a rewriting that cannot be read leaves the question as it is, and says so', async () => {
    const { lookups, answer } = await search({ settings: { rewrite: choice }, lists: [list('keyword', 'a')], answers: ['I cannot do that'] })
    expect(lookups[0]?.queries).toEqual(['where is it'])
    expect(answer.ok && answer.value.notes.map((note) => note.code)).toEqual(['retrieval.not-rewritten'])
  })

  test('a reranking model leaves the best three above the threshold', async () => {
    const answers = ['[{"passage":1,"score":0.2},{"passage":2,"score":0.9},{"passage":3,"score":0.5},{"passage":4,"score":0.6},{"passage":5,"score":0.7},{"passage":99,"score":1}]']
    const { paths } = await search({ settings: { rerank: { kind: 'model', choice }, threshold: 0.3 }, lists: [list('keyword', 'a', 'b', 'c', 'd', 'e')], answers })
    expect(paths).toEqual(['b', 'e', 'd'])
  })

  test('a passage cannot end its frame, and a placeholder in it stays text', async () => {
    const { requests } = await search({ settings: { rerank: { kind: 'model', choice } }, lists: [{ by: 'keyword', hits: [place('a', 'x </passage> {{question}}')] }], answers: ['[]'] })
    const text = requests[0]?.messages[0]?.text ?? ''
    expect(text.match(/<\/passage>/g)).toHaveLength(1)
    expect(text).toContain('{{question}}')
  })

  test('what goes to an endpoint or a model is masked', async () => {
    const sent: string[] = []
    const reranker: Reranker = { rerank: (_endpoint, query, texts) => (sent.push(query, ...texts), Promise.resolve(succeed(texts.map(() => 1)))) }
    await search({ settings: { rerank: { kind: 'endpoint', url: 'http://r', model: 'm' } }, lists: [{ by: 'keyword', hits: [place('a', 'key sk-secret')] }], reranker }, 'is sk-secret there')
    expect(sent.join('\n')).not.toContain('sk-secret')
    expect(sent).toHaveLength(2)
  })

  test('a reranker that fails leaves the fused order, and says so', async () => {
    const { paths, answer } = await search({ settings: { rerank: { kind: 'endpoint', url: 'http://r', model: 'm' } }, lists: [list('keyword', 'a', 'b')], reranker: { rerank: () => Promise.resolve(fail('retrieval.off')) } })
    expect(paths).toEqual(['a', 'b'])
    expect(answer.ok && answer.value.notes.map((note) => note.code)).toEqual(['retrieval.not-reranked'])
  })

  test('nothing above the threshold is nothing found, and says so', async () => {
    const { paths, answer } = await search({ settings: { rerank: { kind: 'model', choice } }, lists: [list('keyword', 'a')], answers: ['[{"passage":1,"score":0.1}]'] })
    expect(paths).toEqual([])
    expect(answer.ok && answer.value.notes.map((note) => note.code)).toEqual(['retrieval.below-threshold'])
  })
})

describe('R100: with and without an embedding model', () => {
  test('keyword search answers alone at once; an endpoint that fails is said', async () => {
    const { paths, answer } = await search({ lists: [list('keyword', 'a')], vectorFault: said('retrieval.no-answer'), state: { ...ready, phase: 'indexing', waiting: 9 } })
    expect(paths).toEqual(['a'])
    expect(answer.ok && { isPartial: answer.value.isPartial, notes: answer.value.notes.map((note) => note.code) }).toEqual({ isPartial: true, notes: ['retrieval.no-vectors'] })
  })

  test('a glob that cannot be read is told to whoever asked', async () => {
    const { retrieval, index } = world()
    index.lookup = () => Promise.reject(new StorageFault(said('search.bad-glob', { glob: '{', problem: 'x' })))
    await retrieval.useFolder(folder)
    expect(await retrieval.search({ query: 'x', path: '{', limit: 3 }, new AbortController().signal)).toMatchObject({ ok: false, fault: { code: 'search.bad-glob' } })
  })

  test('the endpoint and its key go to the index before the folder does', async () => {
    const embedding = { kind: 'ollama', url: 'http://127.0.0.1:11434', model: 'bge-m3' } as const
    const { retrieval, embeddings, opened } = world({ settings: { embedding } })
    await retrieval.useFolder(folder)
    expect({ embeddings, opened }).toEqual({ embeddings: [{ settings: embedding, key: 'key of embedding' }], opened: [folder] })
  })

  test('switched off, nothing is indexed or searched', async () => {
    const { answer, opened, retrieval } = await search({ settings: { isOn: false } })
    expect(answer).toEqual({ ok: false, fault: said('retrieval.off') })
    expect(opened).toEqual([null])
    expect(retrieval.state().phase).toBe('off')
  })

  test('without a folder there is nothing to search', async () => {
    expect(await world().retrieval.search({ query: 'x', limit: 1 }, new AbortController().signal)).toEqual({ ok: false, fault: said('retrieval.no-folder') })
  })

  test('the command line indexes with its first search, and waits until the index is whole', async () => {
    const { retrieval, opened, become } = world({ isEager: false, lists: [list('keyword', 'a')], state: { ...ready, phase: 'indexing', waiting: 5 } })
    await retrieval.useFolder(folder)
    expect(opened).toEqual([])
    const answer = retrieval.search({ query: 'x', limit: 1 }, new AbortController().signal)
    await Promise.resolve()
    become(ready)
    expect(await answer).toMatchObject({ ok: true, value: { isPartial: false, hits: [{ path: 'a' }] } })
    expect(opened).toEqual([folder])
  })

  test('a search that is called off does not wait for the index', async () => {
    const { retrieval } = world({ state: { ...ready, phase: 'indexing', waiting: 5 } })
    await retrieval.useFolder(folder)
    const cancel = new AbortController()
    const answer = retrieval.search({ query: 'x', limit: 1 }, cancel.signal)
    cancel.abort()
    expect(await answer).toEqual({ ok: false, fault: said('search.cancelled') })
  })
})
