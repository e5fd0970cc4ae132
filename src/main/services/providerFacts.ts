import { noPrice, type CatalogueModel, type CatalogueProvider } from '../../shared/domain/catalogue'
import { isThisMachine } from '../../shared/domain/thisMachine'
import { unknownFacts, type ModelChoice, type ModelFacts } from '../../shared/domain/model'
import { succeed, type Result } from '../../shared/domain/result'
import type { ModelRow, RefreshedModels } from '../../shared/ipc/modelViews'
import type { Clock } from '../core/ports/clock'
import type { KeptList, ModelLists } from '../core/ports/modelLists'
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
  readonly lists: ModelLists
  readonly clock: Clock
  readonly catalogue: readonly CatalogueProvider[]
}

/** What is known of models where they are served, each fact from who knows it best: the person, the provider's list, the catalogue. */
export interface Facts {
  of(choice: ModelChoice): Promise<ModelFacts>
  /** Everything that is known of a provider's models, without asking it. */
  rows(at: ProviderEndpoint): Promise<readonly ModelRow[]>
  /** When its list came last; null while none ever did. */
  listedAtMs(at: ProviderEndpoint): Promise<number | null>
  /** Asks the provider now, and tells what is new. */
  refresh(at: ProviderEndpoint): Promise<Result<RefreshedModels>>
}

/** Makes them. */
export function makeFacts(ports: FactsPorts, endpoint: (provider: string) => Promise<ProviderEndpoint | null>): Facts {
  const kept = new Map<string, Kept>()
  /** The last list that came, of each address. What came in this run is newer than what was kept. */
  const lists = new Map<string, KeptList>()
  let before: Promise<Readonly<Record<string, KeptList>>> | undefined
  const lastOf = async ({ baseUrl }: ProviderEndpoint): Promise<KeptList | undefined> => lists.get(baseUrl) ?? (await (before ??= ports.lists.read()))[baseUrl]

  const keep = ({ baseUrl }: ProviderEndpoint, models: readonly ListedModel[]): readonly ListedModel[] => {
    const list = { atMs: ports.clock.nowMs(), models }
    lists.set(baseUrl, list)
    // Nobody waits for the disk.
    void ports.lists.keep(baseUrl, list)
    return models
  }
  const listOf = (at: ProviderEndpoint): Kept['models'] => {
    const known = kept.get(at.baseUrl)
    if (known && ports.clock.nowMs() - known.atMs < factsMs) return known.models
    const models = ports.probe.models(at, factsPatienceMs).then((listed) => (listed.ok ? keep(at, listed.value) : null))
    kept.set(at.baseUrl, { atMs: ports.clock.nowMs(), models })
    return models
  }
  const rows = async (at: ProviderEndpoint): Promise<readonly ModelRow[]> => {
    const [own, known, listed] = [at.models ?? [], presetOf(at, ports.catalogue)?.models ?? [], (await lastOf(at))?.models ?? []]
    const ids = new Set([...own, ...known, ...listed].map((one) => one.id))
    return [...ids].map((id) => rowOf(id, at, { own: find(own, id), listed: find(listed, id), known: find(known, id) }))
  }

  return {
    rows,
    listedAtMs: async (at) => (await lastOf(at))?.atMs ?? null,
    async of({ provider, model }) {
      const at = await endpoint(provider)
      if (!at) return unknownFacts
      const models = (await listOf(at)) ?? (await lastOf(at))?.models
      const listed = models ? find(models, model) : undefined
      const entry = kept.get(at.baseUrl)
      if (entry && !listed && ports.clock.nowMs() - entry.atMs >= noFactsMs) kept.delete(at.baseUrl)
      return merged(at, { own: find(at.models ?? [], model), listed, known: find(presetOf(at, ports.catalogue)?.models ?? [], model) })
    },
    async refresh(at) {
      const known = new Set((await rows(at)).map((row) => row.id))
      const listed = await ports.probe.models(at)
      if (!listed.ok) return listed
      kept.set(at.baseUrl, { atMs: ports.clock.nowMs(), models: Promise.resolve(keep(at, listed.value)) })
      // Where nothing was known, nothing is news.
      const fresh = known.size === 0 ? [] : listed.value.flatMap(({ id }) => (known.has(id) ? [] : [id]))
      return succeed({ models: await rows(at), fresh, listedAtMs: ports.clock.nowMs() })
    },
  }
}

function find<Model extends { readonly id: string }>(models: readonly Model[], id: string): Model | undefined {
  return models.find((one) => one.id === id)
}

/** The other protocols of a provider are at another address and serve other models. */
function presetOf(at: ProviderEndpoint, catalogue: readonly CatalogueProvider[]): CatalogueProvider | undefined {
  return catalogue.find((one) => one.id === at.preset && one.protocol === (at.protocol ?? 'openai'))
}

/** What each of them says of one model. */
interface Told {
  readonly own: CatalogueModel | undefined
  readonly listed: ListedModel | undefined
  readonly known: CatalogueModel | undefined
}

function rowOf(id: string, at: ProviderEndpoint, told: Told): ModelRow {
  const { own, known } = told
  const pricesFrom = own?.prices ? 'you' : known?.prices ? 'catalogue' : isThisMachine(at.baseUrl) ? 'here' : null
  return { id, name: own?.name ?? known?.name ?? null, facts: merged(at, told), pricesFrom, sources: known?.sources ?? [] }
}

function merged(at: ProviderEndpoint, { own, listed, known }: Told): ModelFacts {
  return {
    windowTokens: own?.windowTokens ?? listed?.windowTokens ?? known?.windowTokens ?? null,
    maxOutputTokens: own?.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    seesImages: own?.seesImages ?? listed?.seesImages ?? known?.seesImages ?? null,
    callsTools: own?.callsTools ?? known?.callsTools ?? null,
    thinks: own?.thinks ?? known?.thinks ?? null,
    // What this computer answers itself, nobody charges for.
    prices: own?.prices ?? known?.prices ?? (isThisMachine(at.baseUrl) ? noPrice : null),
  }
}
