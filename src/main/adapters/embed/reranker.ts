import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { Reranker } from '../../core/ports/embedder'
import type { JsonAnswer } from '../../native/httpBody'
import { endpointAt, faultOfStatus, field, makePost, type PostOptions } from './post'

const textCharacters = 8000

/** Scores texts by an endpoint of the form that Jina, Cohere and local servers share. Needs nothing but the network: also for a worker thread. */
export function makeReranker(options: PostOptions): Reranker {
  const post = makePost(options)
  return {
    async rerank(endpoint, query, texts, signal) {
      if (texts.length === 0) return succeed([])
      const body = { model: endpoint.model, query, documents: texts.map((text) => (text.trim() === '' ? '.' : text.slice(0, textCharacters))), top_n: texts.length }
      // Some servers know the path with a version, some without.
      const urls = [endpointAt(endpoint.url, '/rerank', '/v1'), endpointAt(endpoint.url, '/rerank', '')]
      const [url, other] = urls
      if (!url || !other) return fail('web.no-address', { url: endpoint.url })
      const answer = await post(url, endpoint.key, body, signal)
      if (!answer.ok) return answer
      if (answer.value.status !== 404 || answer.value.json !== undefined && field(answer.value.json, 'error') !== undefined || other.href === url.href) return scoresOf(answer.value, texts.length, url, endpoint.model)
      const second = await post(other, endpoint.key, body, signal)
      return second.ok ? scoresOf(second.value, texts.length, other, endpoint.model) : second
    },
  }
}

function scoresOf(answer: JsonAnswer, count: number, url: URL, model: string): Result<readonly number[]> {
  const fault = faultOfStatus(answer, url, model)
  if (fault !== null) return fault
  const rows = field(answer.json, 'results')
  const scores = new Array<number>(count).fill(Number.NaN)
  if (Array.isArray(rows)) {
    for (const row of rows) {
      const [index, score] = [field(row, 'index'), field(row, 'relevance_score')]
      if (typeof index === 'number' && typeof score === 'number' && Number.isFinite(score) && index in scores) scores[index] = score
    }
  }
  if (scores.some((score) => Number.isNaN(score))) return fail('web.scores-missing', { host: url.host, asked: count, given: scores.filter((score) => !Number.isNaN(score)).length })
  // Some servers give the model's raw number: the logistic function brings it between 0 and 1 and keeps the order.
  const isRaw = scores.some((score) => score < 0 || score > 1)
  return succeed(isRaw ? scores.map((score) => 1 / (1 + Math.exp(-score))) : scores)
}
