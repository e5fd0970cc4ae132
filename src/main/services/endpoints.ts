import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { Settings } from '../../shared/domain/settings'
import { endpoints, type EndpointName, type EndpointRow } from '../../shared/ipc/views'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { Embedder, Reranker } from '../core/ports/embedder'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import { StorageFault } from '../core/ports/storageFault'
import type { WebSearch } from '../core/ports/web'

/** The endpoints of settings.json beside the models': embeddings, reranking, web search. Addresses are settings; keys are secrets, one an endpoint. */
export interface Endpoints {
  list(): Promise<readonly EndpointRow[]>
  saveKey(of: EndpointName, key: string, passPhrase?: string): Promise<Result<{ readonly place: string }>>
  removeKey(of: EndpointName): Promise<Result<null>>
  /** The key for requests; null: none is set, or it lies sealed. */
  key(of: EndpointName): Promise<string | null>
  /** One real request; says what answered, or what to do. Ends after ten seconds, with the fault that it was too slow. */
  test(of: EndpointName): Promise<Result<Said>>
  /** Calls off the test that runs, if one does; it ends as cancelled. */
  cancelTest(of: EndpointName): void
}

export interface EndpointsPorts {
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly embedder: Embedder
  readonly reranker: Reranker
  readonly search: WebSearch
}

/** The name of an endpoint's key in the secret store. */
export function endpointSecret(of: EndpointName): string {
  return `endpoint:${of}`
}

/** A person looks on; requests of an index wait longer. */
const usualTestMs = 10_000

/** Makes the service. Keys stay in here, but for whoever sends them. */
export function makeEndpoints(ports: EndpointsPorts, testMs = usualTestMs): Endpoints {
  const { settings, secrets } = ports
  const testing = new Map<EndpointName, AbortController>()
  const read = async (): Promise<Settings> => (await settings.read()).settings
  const key = (of: EndpointName): Promise<string | null> => secrets.get(endpointSecret(of))
  return {
    key,
    async list() {
      const now = await read()
      return Promise.all(endpoints.map(async (of): Promise<EndpointRow> => {
        return { of, url: addressOf(of, now), isKeySealed: secrets.isLocked(endpointSecret(of)), key: await secrets.status(endpointSecret(of)) }
      }))
    },
    async saveKey(of, value, passPhrase) {
      const saved = await secrets.set(endpointSecret(of), value.trim(), passPhrase)
      return saved.ok ? succeed({ place: saved.value }) : saved
    },
    async removeKey(of) {
      try {
        await secrets.remove(endpointSecret(of))
        return succeed(null)
      } catch (error) {
        if (error instanceof StorageFault) return { ok: false, fault: error.fault }
        throw error
      }
    },
    async test(of) {
      if (secrets.isLocked(endpointSecret(of))) return fail('web.key-sealed')
      const [now, own] = [await read(), await key(of)]
      testing.get(of)?.abort()
      const cancel = new AbortController()
      testing.set(of, cancel)
      let isLate = false
      const timer = setTimeout(() => { isLate = true; cancel.abort() }, testMs)
      try {
        const result = await testOf(of, { settings: now, key: own, signal: cancel.signal }, ports)
        return isLate && !result.ok ? fail('web.too-slow', { host: new URL(addressOf(of, now) ?? '').host, seconds: testMs / 1000 }) : result
      } finally {
        clearTimeout(timer)
        if (testing.get(of) === cancel) testing.delete(of)
      }
    },
    cancelTest: (of) => testing.get(of)?.abort(),
  }
}

function addressOf(of: EndpointName, { retrieval, web }: Settings): string | null {
  switch (of) {
    case 'embedding': return retrieval.embedding?.url ?? null
    case 'rerank': return retrieval.rerank?.kind === 'endpoint' ? retrieval.rerank.url : null
    case 'web-search': return web.search?.url ?? null
  }
}

interface TestRequest {
  readonly settings: Settings
  readonly key: string | null
  readonly signal: CancelSignal
}

async function testOf(of: EndpointName, { settings: { retrieval, web }, key, signal }: TestRequest, { embedder, reranker, search }: EndpointsPorts): Promise<Result<Said>> {
  switch (of) {
    case 'embedding': {
      if (retrieval.embedding === null) return fail('web.endpoint-none')
      const made = await embedder.embed({ settings: retrieval.embedding, key }, ['A short text to test with.', '一句测试用的话。'], signal)
      return made.ok ? succeed(said('web.endpoint-embeds', { model: retrieval.embedding.model, dimensions: made.value[0]?.length ?? 0 })) : made
    }
    case 'rerank': {
      if (retrieval.rerank?.kind !== 'endpoint') return fail('web.endpoint-none')
      const { url, model } = retrieval.rerank
      const scores = await reranker.rerank({ url, model, key }, 'Where is the harbour?', ['The harbour lies in the north.', 'Bread is baked at night.'], signal)
      return scores.ok ? succeed(said('web.endpoint-reranks', { model, best: (scores.value[0] ?? 0).toFixed(2), other: (scores.value[1] ?? 0).toFixed(2) })) : scores
    }
    case 'web-search': {
      if (web.search === null) return fail('web.endpoint-none')
      const found = await search.search({ ...web.search, key }, 'test', 3, signal)
      return found.ok ? succeed(said('web.endpoint-searches', { count: found.value.length })) : found
    }
  }
}
