import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { Settings } from '../../shared/domain/settings'
import { endpoints, type EndpointName, type EndpointRow } from '../../shared/ipc/views'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { Embedder, Reranker } from '../core/ports/embedder'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import { StorageFault } from '../core/ports/storageFault'
import type { WebSearch } from '../core/ports/web'
import { isKeyFor, originOf } from './providerKeys'

/** The endpoints of settings.json beside the models': embeddings, reranking, web search. Addresses are settings; keys are secrets, one an endpoint. */
export interface Endpoints {
  list(): Promise<readonly EndpointRow[]>
  saveKey(of: EndpointName, key: string, passPhrase?: string): Promise<Result<{ readonly place: string }>>
  removeKey(of: EndpointName): Promise<Result<null>>
  /** The key for requests to this address; null: none is set for it, it lies sealed, or it belongs to another origin. */
  key(of: EndpointName, address: string): Promise<string | null>
  /** Whether the key for this address is there, but lies sealed. */
  isKeySealed(of: EndpointName, address: string): Promise<boolean>
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
  const { secrets } = ports
  const testing = new Map<EndpointName, AbortController>()
  const origins = makeEndpointKeys(ports)
  const keyFor = (of: EndpointName, address: string) => origins.use(of, address)
  return {
    key: async (of, address) => ((await keyFor(of, address)).isUsed ? secrets.get(endpointSecret(of)) : null),
    isKeySealed: async (of, address) => (await keyFor(of, address)).isUsed && secrets.isLocked(endpointSecret(of)),
    async list() {
      const now = await origins.read()
      return Promise.all(endpoints.map(async (of): Promise<EndpointRow> => {
        const url = addressOf(of, now)
        const status = await secrets.status(endpointSecret(of))
        const { isUsed, keyOf } = await keyFor(of, url ?? '')
        const isShown = url === null || isUsed
        return { of, url, isKeySealed: isShown && secrets.isLocked(endpointSecret(of)), key: isShown ? status : null, ...(url === null || keyOf === null ? {} : { keyOf }) }
      }))
    },
    async saveKey(of, value, passPhrase) {
      const origin = originOf(addressOf(of, await origins.read()) ?? '')
      if (origin === null) return fail('web.endpoint-none')
      const saved = await secrets.set(endpointSecret(of), value.trim(), passPhrase)
      if (!saved.ok) return saved
      // After the key: one that was bound before it came would take the old one along.
      const bound = await origins.bind(of, origin)
      return bound.ok ? succeed({ place: saved.value }) : bound
    },
    async removeKey(of) {
      try {
        await secrets.remove(endpointSecret(of))
      } catch (error) {
        if (error instanceof StorageFault) return { ok: false, fault: error.fault }
        throw error
      }
      const forgotten = await origins.bind(of, null)
      return forgotten.ok ? succeed(null) : forgotten
    },
    async test(of) {
      const now = await origins.read()
      const url = addressOf(of, now) ?? ''
      const { isUsed } = await keyFor(of, url)
      if (isUsed && secrets.isLocked(endpointSecret(of))) return fail('web.key-sealed')
      const own = isUsed ? await secrets.get(endpointSecret(of)) : null
      testing.get(of)?.abort()
      const cancel = new AbortController()
      testing.set(of, cancel)
      let isLate = false
      const timer = setTimeout(() => { isLate = true; cancel.abort() }, testMs)
      try {
        const result = await testOf(of, { settings: now, key: own, signal: cancel.signal }, ports)
        return isLate && !result.ok ? fail('web.too-slow', { host: new URL(url).host, seconds: testMs / 1000 }) : result
      } finally {
        clearTimeout(timer)
        if (testing.get(of) === cancel) testing.delete(of)
      }
    },
    cancelTest: (of) => testing.get(of)?.abort(),
  }
}

/** What the origins of the keys need. */
interface EndpointKeys {
  /** The settings, with every saved key bound: one from before keys were bound belongs to the address that it has now. */
  read(): Promise<Settings>
  /** Whether what is kept may go to an address, else the host that it belongs to. A key of the environment is meant for the endpoint that the settings name. */
  use(of: EndpointName, address: string): Promise<{ readonly isUsed: boolean; readonly keyOf: string | null }>
  /** Null: it has no key any more. */
  bind(of: EndpointName, origin: string | null): Promise<Result<Settings>>
}

/** The rule of providers (R92) for the keys of endpoints. */
function makeEndpointKeys({ settings, secrets }: Pick<EndpointsPorts, 'settings' | 'secrets'>): EndpointKeys {
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
  const isSaved = async (of: EndpointName): Promise<boolean> => {
    const status = await secrets.status(endpointSecret(of))
    return secrets.isLocked(endpointSecret(of)) || (status !== null && status.place !== 'environment')
  }
  const bound = async (): Promise<Settings> => {
    const { settings: now } = await settings.read()
    const found = await Promise.all(endpoints.map(async (of) => {
      const origin = now.endpointOrigins[of] === undefined ? originOf(addressOf(of, now) ?? '') : null
      return origin !== null && (await isSaved(of)) ? [[of, origin] as const] : []
    }))
    if (found.flat().length === 0) return now
    const endpointOrigins = { ...now.endpointOrigins, ...Object.fromEntries(found.flat()) }
    const saved = await settings.change({ endpointOrigins })
    // Settings that cannot be written bind for this reading; the next one tries again.
    return saved.ok ? saved.value : { ...now, endpointOrigins }
  }
  return {
    read: () => alone(bound),
    async use(of, address) {
      const { endpointOrigins } = await alone(bound)
      if (!(await isSaved(of))) return { isUsed: true, keyOf: null }
      const origin = endpointOrigins[of] ?? null
      return isKeyFor(origin, address) ? { isUsed: true, keyOf: null } : { isUsed: false, keyOf: origin?.replace(/^https:\/\//, '') ?? null }
    },
    bind: (of, origin) => alone(async () => {
      const { [of]: _before, ...others } = (await bound()).endpointOrigins
      return settings.change({ endpointOrigins: origin === null ? others : { ...others, [of]: origin } })
    }),
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
