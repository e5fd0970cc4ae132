import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import type { EmbeddingEndpoint } from '../../core/ports/codeIndex'
import type { Embedder } from '../../core/ports/embedder'
import type { JsonAnswer } from '../../native/httpBody'
import { endpointAt, faultOfStatus, field, makePost, type Post, type PostOptions } from './post'

const batchTexts = 32
const batchCharacters = 60_000
/** More of one text than about any model reads. */
const textCharacters = 8000

/** Makes vectors by Ollama or by any server of OpenAI's form. Needs nothing but the network: also for a worker thread. */
export function makeEmbedder(options: PostOptions): Embedder {
  const post = makePost(options)
  /** Servers that take fewer texts at once than others, and old ones that take one. */
  const taken = new Map<string, number>()
  const old = new Set<string>()
  return {
    async embed(endpoint, texts, signal) {
      const ways = { endpoint, post, signal, old, key: `${endpoint.settings.kind} ${endpoint.settings.url}` }
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; ) {
        const batch = batchFrom(texts, from, taken.get(ways.key) ?? batchTexts)
        const made = await embedBatch(batch, ways)
        if (made === 'too-many') {
          taken.set(ways.key, Math.max(1, Math.floor(batch.length / 2)))
          continue
        }
        if (!made.ok) return made
        const length = (vectors[0] ?? made.value[0])?.length
        if (made.value.some((vector) => vector.length !== length)) return fail('web.vectors-differ', { host: new URL(endpoint.settings.url).host })
        vectors.push(...made.value)
        from += batch.length
      }
      return succeed(vectors)
    },
  }
}

function batchFrom(texts: readonly string[], from: number, most: number): readonly string[] {
  const batch: string[] = []
  let characters = 0
  for (const whole of texts.slice(from, from + most)) {
    // Servers refuse an empty text.
    const text = whole.trim() === '' ? '.' : whole.slice(0, textCharacters)
    characters += text.length
    if (batch.length > 0 && characters > batchCharacters) break
    batch.push(text)
  }
  return batch
}

interface Ways {
  readonly endpoint: EmbeddingEndpoint
  readonly post: Post
  readonly signal: CancelSignal
  readonly old: Set<string>
  readonly key: string
}

type Vectors = Result<readonly Float32Array[]> | 'too-many'

function embedBatch(batch: readonly string[], ways: Ways): Promise<Vectors> {
  return ways.endpoint.settings.kind === 'ollama' ? byOllama(batch, ways) : byCompatible(batch, ways)
}

async function byOllama(batch: readonly string[], ways: Ways): Promise<Vectors> {
  const { endpoint: { settings, key }, post, signal, old } = ways
  const base = settings.url.replace(/\/+$/, '').replace(/\/(?:api|v1)$/, '')
  const url = endpointAt(base, '/api/embed', '')
  if (url === null) return fail('web.no-address', { url: settings.url })
  if (old.has(ways.key)) return oneByOne(batch, ways, base)
  const answer = await post(url, key, { model: settings.model, input: batch }, signal)
  if (!answer.ok) return answer
  // A server of before July 2024 knows no such path; one that lacks the model says so in JSON.
  if (answer.value.status === 404 && answer.value.json === undefined) {
    old.add(ways.key)
    return oneByOne(batch, ways, base)
  }
  return vectorsOf(answer.value, field(answer.value.json, 'embeddings'), batch.length, url, settings.model)
}

async function oneByOne(batch: readonly string[], { endpoint: { settings, key }, post, signal }: Ways, base: string): Promise<Vectors> {
  const url = endpointAt(base, '/api/embeddings', '')
  if (url === null) return fail('web.no-address', { url: settings.url })
  const vectors: Float32Array[] = []
  for (const prompt of batch) {
    const answer = await post(url, key, { model: settings.model, prompt }, signal)
    if (!answer.ok) return answer
    const made = vectorsOf(answer.value, [field(answer.value.json, 'embedding')], 1, url, settings.model)
    if (made === 'too-many' || !made.ok) return made
    vectors.push(...made.value)
  }
  return succeed(vectors)
}

async function byCompatible(batch: readonly string[], { endpoint: { settings, key }, post, signal }: Ways): Promise<Vectors> {
  const url = endpointAt(settings.url, '/embeddings', '/v1')
  if (url === null) return fail('web.no-address', { url: settings.url })
  const answer = await post(url, key, { model: settings.model, input: batch }, signal)
  if (!answer.ok) return answer
  const rows = field(answer.value.json, 'data')
  const ordered = new Array<unknown>(Array.isArray(rows) ? rows.length : 0)
  if (Array.isArray(rows)) rows.forEach((row: unknown, place) => (ordered[placeOf(row, place, rows.length)] = field(row, 'embedding')))
  return vectorsOf(answer.value, ordered, batch.length, url, settings.model)
}

function placeOf(row: unknown, place: number, count: number): number {
  const index = field(row, 'index')
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count ? index : place
}

function vectorsOf(answer: JsonAnswer, rows: unknown, count: number, url: URL, model: string): Vectors {
  const { status } = answer
  if (count > 1 && (status === 400 || status === 413 || status === 422)) return 'too-many'
  const fault = faultOfStatus(answer, url, model)
  if (fault !== null) return fault
  if (!Array.isArray(rows) || rows.length !== count) return fail('web.vectors-missing', { host: url.host, asked: count, given: Array.isArray(rows) ? rows.length : 0 })
  const vectors = rows.map(unitVector)
  const good = vectors.filter((vector) => vector !== null)
  if (good.length !== count) return fail('web.vectors-bad', { host: url.host })
  return succeed(good)
}

/** Of length one; null for what is no vector, or has no direction. */
function unitVector(row: unknown): Float32Array | null {
  if (!Array.isArray(row) || row.length === 0 || !row.every((value) => typeof value === 'number' && Number.isFinite(value))) return null
  const values = row as readonly number[]
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return length > 0 && Number.isFinite(length) ? Float32Array.from(values, (value) => value / length) : null
}
