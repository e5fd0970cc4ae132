import type { CatalogueModel, CatalogueProvider } from '../../shared/domain/catalogue'
import { unknownFacts, type ModelChoice, type ModelFacts } from '../../shared/domain/model'
import type { Clock } from '../core/ports/clock'
import type { ListedModel, ProviderEndpoint, ProviderProbe } from '../core/ports/providerProbe'

/** A list that says nothing of a model is asked for again after a minute, another one after ten. */
const factsMs = 10 * 60_000
const noFactsMs = 60_000
/** A turn waits for this; the next one finds what came. */
const factsPatienceMs = 4000

interface Kept {
  readonly atMs: number
  readonly models: Promise<readonly ListedModel[] | null>
}

interface FactsPorts {
  readonly probe: Pick<ProviderProbe, 'models'>
  readonly clock: Clock
  readonly catalogue: readonly CatalogueProvider[]
}

/** What is known of a model where it is served, each fact from who knows it best: the person, the provider's list, the catalogue. */
export function makeFacts(ports: FactsPorts, endpoint: (provider: string) => Promise<ProviderEndpoint | null>): (choice: ModelChoice) => Promise<ModelFacts> {
  const kept = new Map<string, Kept>()
  const listOf = (at: ProviderEndpoint): Kept['models'] => {
    const known = kept.get(at.baseUrl)
    if (known && ports.clock.nowMs() - known.atMs < factsMs) return known.models
    const models = ports.probe.models(at, factsPatienceMs).then((listed) => (listed.ok ? listed.value : null))
    kept.set(at.baseUrl, { atMs: ports.clock.nowMs(), models })
    return models
  }
  return async ({ provider, model }) => {
    const at = await endpoint(provider)
    if (!at) return unknownFacts
    const models = await listOf(at)
    const listed = models?.find((one) => one.id === model)
    const entry = kept.get(at.baseUrl)
    if (entry && !listed && ports.clock.nowMs() - entry.atMs >= noFactsMs) kept.delete(at.baseUrl)
    const preset = ports.catalogue.find((one) => one.id === at.preset && one.protocol === (at.protocol ?? 'openai'))
    return merged(at.models?.find((one) => one.id === model), listed, preset?.models.find((one) => one.id === model))
  }
}

function merged(own: CatalogueModel | undefined, listed: ListedModel | undefined, known: CatalogueModel | undefined): ModelFacts {
  return {
    windowTokens: own?.windowTokens ?? listed?.windowTokens ?? known?.windowTokens ?? null,
    maxOutputTokens: own?.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    seesImages: own?.seesImages ?? listed?.seesImages ?? known?.seesImages ?? null,
    callsTools: own?.callsTools ?? known?.callsTools ?? null,
    thinks: own?.thinks ?? known?.thinks ?? null,
    prices: own?.prices ?? known?.prices ?? null,
  }
}
