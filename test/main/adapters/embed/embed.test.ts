import { expect, test } from 'vitest'
import { makeEmbedder } from '../../../../src/main/adapters/embed/embedder'
import { makeReranker } from '../../../../src/main/adapters/embed/reranker'
import type { EmbeddingEndpoint } from '../../../../src/main/core/ports/codeIndex'
import { json, type Answerer } from '../../../support/webServer'
import { serve, signal } from '../../../support/webWorld'

const quick = { env: {}, waitsMs: [1, 1, 1], totalMs: 5000 }
const at = (kind: 'ollama' | 'compatible', url: string, key: string | null = null): EmbeddingEndpoint => ({ settings: { kind, url, model: 'm' }, key })
const inputOf = (body: string): string[] => (JSON.parse(body) as { input: string[] }).input

/** Answers an embedding of [length, 1] for each text. */
function embedding(shape: (vectors: number[][]) => unknown, most = 1000): Answerer {
  return (request, response, body) => {
    const input = inputOf(body)
    const answer = input.length > most ? json({ error: { message: `batch size is invalid, it should not be larger than ${most}` } }, 400) : json(shape(input.map((text) => [text.length, 1])))
    answer(request, response, body)
  }
}

const unit = (length: number): number[] => [length, 1].map((value) => Math.fround(value / Math.hypot(length, 1)))

test('R100 Ollama is asked in batches, and vectors are of length one', async () => {
  const server = await serve({ '/api/embed': embedding((embeddings) => ({ embeddings })) })
  const texts = Array.from({ length: 70 }, (_, index) => 'x'.repeat(index + 1))
  for (const url of [server.url, `${server.url}/`, `${server.url}/v1`, `${server.url}/api/`]) {
    const made = await makeEmbedder(quick).embed(at('ollama', url), texts, signal())
    expect(made.ok && made.value.map((vector) => [...vector])).toEqual(texts.map((text) => unit(text.length)))
  }
  expect(server.bodies.slice(0, 3).map((body) => inputOf(body).length)).toEqual([32, 32, 6])
  expect(new Set(server.asked)).toEqual(new Set(['POST /api/embed']))
})

test('R100 batches are bounded in characters too, and no text is empty or endless', async () => {
  const server = await serve({ '/api/embed': embedding((embeddings) => ({ embeddings })) })
  await makeEmbedder(quick).embed(at('ollama', server.url), ['', ' \n', ...Array.from({ length: 20 }, () => 'y'.repeat(9000))], signal())
  const inputs = server.bodies.map(inputOf)
  expect(inputs.map((input) => input.length)).toEqual([9, 7, 6])
  expect(inputs[0]?.slice(0, 3).map((text) => text.length)).toEqual([1, 1, 8000])
})

test('R100 an old Ollama is asked one by one, and a missing model is named', async () => {
  const old = await serve({ '/api/embeddings': json({ embedding: [3, 4] }) })
  const embedder = makeEmbedder(quick)
  for (let round = 0; round < 2; round += 1) expect(await embedder.embed(at('ollama', old.url), ['a', 'b'], signal())).toEqual({ ok: true, value: [Float32Array.from([0.6, 0.8]), Float32Array.from([0.6, 0.8])] })
  expect(old.asked).toEqual(['POST /api/embed', 'POST /api/embeddings', 'POST /api/embeddings', 'POST /api/embeddings', 'POST /api/embeddings'])
  const without = await serve({ '/api/embed': json({ error: 'model "m" not found, try pulling it first' }, 404) })
  expect(await embedder.embed(at('ollama', without.url), ['a'], signal())).toMatchObject({ fault: { code: 'web.endpoint-no-model', values: { model: 'm' } } })
})

test('R100 a compatible endpoint is reached by its base, with or without the version, and ordered by index', async () => {
  const shuffled = embedding((vectors) => ({ data: vectors.map((vector, index) => ({ index, embedding: vector })).reverse() }))
  const server = await serve({ '/v1/embeddings': shuffled, '/api/paas/v4/embeddings': shuffled })
  for (const url of [server.url, `${server.url}/v1`, `${server.url}/v1/`, `${server.url}/v1/embeddings`, `${server.url}/api/paas/v4`]) {
    const made = await makeEmbedder(quick).embed(at('compatible', url, 'sk-1'), ['a', 'bb', 'ccc'], signal())
    expect(made.ok && made.value.map((vector) => [...vector]), url).toEqual([unit(1), unit(2), unit(3)])
  }
  expect(server.headers.every((headers) => headers.authorization === 'Bearer sk-1')).toBe(true)
  expect(server.asked.slice(-1)).toEqual(['POST /api/paas/v4/embeddings'])
})

test('R100 a server that takes fewer texts at once is given fewer', async () => {
  const server = await serve({ '/v1/embeddings': embedding((vectors) => ({ data: vectors.map((vector, index) => ({ index, embedding: vector })) }), 10) })
  const embedder = makeEmbedder(quick)
  const texts = Array.from({ length: 20 }, (_, index) => `t${index}`)
  expect(await embedder.embed(at('compatible', server.url), texts, signal())).toMatchObject({ ok: true })
  expect(server.bodies.map((body) => inputOf(body).length)).toEqual([20, 10, 10])
  await embedder.embed(at('compatible', server.url), texts, signal())
  expect(server.bodies.slice(3).map((body) => inputOf(body).length)).toEqual([10, 10])
})

test('R100 a busy server is asked again, and one that stays busy is told of', async () => {
  let left = 2
  const good = embedding((embeddings) => ({ embeddings }))
  const server = await serve({ '/api/embed': (...asked) => (left-- > 0 ? json({}, left > 0 ? 429 : 503) : good)(...asked) })
  expect(await makeEmbedder(quick).embed(at('ollama', server.url), ['a'], signal())).toMatchObject({ ok: true })
  expect(server.asked).toHaveLength(3)
  left = 100
  expect(await makeEmbedder(quick).embed(at('ollama', server.url), ['a'], signal())).toMatchObject({ fault: { code: 'web.endpoint-busy' } })
  expect(server.asked).toHaveLength(7)
})

test('R100 wrong counts, lengths and numbers are faults', async () => {
  const answers: Readonly<Record<string, unknown>> = { few: { embeddings: [[1, 2]] }, none: { other: 1 }, lengths: { embeddings: [[1, 2], [1, 2, 3]] }, words: { embeddings: [['a'], ['b']] }, zero: { embeddings: [[0, 0], [0, 0]] }, empty: { embeddings: [[], []] } }
  const server = await serve(Object.fromEntries(Object.entries(answers).map(([name, body]) => [`/${name}/api/embed`, json(body)])))
  const code = async (name: string): Promise<unknown> => {
    const made = await makeEmbedder(quick).embed(at('ollama', `${server.url}/${name}`), ['a', 'b'], signal())
    return made.ok ? 'made' : made.fault.code
  }
  expect(await Promise.all(Object.keys(answers).map(code))).toEqual(['web.vectors-missing', 'web.vectors-missing', 'web.vectors-differ', 'web.vectors-bad', 'web.vectors-bad', 'web.vectors-bad'])
  expect(await makeEmbedder(quick).embed(at('compatible', 'nonsense'), ['a'], signal())).toMatchObject({ fault: { code: 'web.no-address' } })
  expect(await makeEmbedder(quick).embed(at('ollama', server.url), [], signal())).toEqual({ ok: true, value: [] })
})

test('R100 a cancelled request ends at once, also between two tries', async () => {
  const server = await serve({ '/api/embed': json({}, 429) })
  const cancel = new AbortController()
  const waiting = makeEmbedder({ env: {}, waitsMs: [60_000] }).embed(at('ollama', server.url), ['a'], cancel.signal)
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  setTimeout(() => cancel.abort(), 20)
  expect(await waiting).toMatchObject({ fault: { code: 'tool.cancelled' } })
})

test('R99 a rerank endpoint scores each text in order, from 0 to 1', async () => {
  const results = [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.2 }]
  const server = await serve({ '/v1/rerank': json({ results }), '/raw/v2/rerank': json({ results: [{ index: 0, relevance_score: -3 }, { index: 1, relevance_score: 4 }] }), '/plain/rerank': json({ results }), '/few/v1/rerank': json({ results: results.slice(1) }), '/no/v1/rerank': json({ detail: 'no' }, 401) })
  const scores = async (url: string): Promise<unknown> => {
    const made = await makeReranker(quick).rerank({ url: `${server.url}${url}`, model: 'r', key: 'k' }, 'q', ['a', 'b'], signal())
    return made.ok ? made.value : made.fault.code
  }
  for (const url of ['', '/v1', '/v1/rerank', '/plain', '/plain/rerank']) expect(await scores(url), url).toEqual([0.2, 0.9])
  const raw = (await scores('/raw/v2')) as readonly number[]
  expect(raw.map((score) => score.toFixed(3))).toEqual(['0.047', '0.982'])
  expect([await scores('/few'), await scores('/no')]).toEqual(['web.scores-missing', 'web.endpoint-bad-key'])
  expect(JSON.parse(server.bodies[0] ?? '')).toEqual({ model: 'r', query: 'q', documents: ['a', 'b'], top_n: 2 })
})
