import type { CatalogueProvider, CatalogueRow } from '../../shared/domain/catalogue'
import type { ModelChoice, ModelFacts } from '../../shared/domain/model'
import { fail, said, succeed, type Result } from '../../shared/domain/result'
import type { ProviderSettings } from '../../shared/domain/settings'
import type { ProviderRow, ProviderTest } from '../../shared/ipc/views'
import type { Clock } from '../core/ports/clock'
import type { ProviderEndpoint, ProviderProbe } from '../core/ports/providerProbe'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import { StorageFault } from '../core/ports/storageFault'
import { makeFacts } from './providerFacts'

/** The scripted tutor; it goes through the same adapter as every provider, with a dispatcher of its own (R108). */
export const practiceId = 'practice'
/** The provider that the environment gives (COUNTERSIGN_PROVIDER_URL, _KEY, _MODEL). */
export const environmentId = 'compatible'
const ollamaId = 'ollama'

/** A provider given by the environment or the command line. */
export interface GivenProvider {
  readonly baseUrl: string
  readonly model: string | null
}

export interface ProvidersPorts {
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly probe: ProviderProbe
  readonly clock: Clock
  /** The providers that are known (R87). */
  readonly catalogue: readonly CatalogueProvider[]
  readonly given: GivenProvider | null
  /** `PROVIDER/MODEL` chosen for this run only; it goes before what is active. */
  readonly chosen: string | null
  /** The address by which the model adapter knows the tutor; never reached over a network. */
  readonly practiceUrl: string
  readonly practiceModel: string
}

/** Which providers there are, and how each is reached. Keys stay in here. */
export interface Providers {
  list(): Promise<readonly ProviderRow[]>
  save(provider: ProviderSettings): Promise<Result<null>>
  saveKey(provider: string, key: string, passPhrase?: string): Promise<Result<{ readonly place: string }>>
  /** Takes a provider of the settings away, with its key; the tutor answers next where it was in use. */
  remove(provider: string): Promise<Result<null>>
  /** Takes the key of a provider of the settings out of every place, and the provider stays. */
  removeKey(provider: string): Promise<Result<null>>
  test(provider: string): Promise<ProviderTest>
  models(provider: string): Promise<Result<readonly string[]>>
  /** The provider and model that a new turn uses: what the environment gives, else what is active, else the tutor. A fault where its key is sealed. */
  choice(): Promise<Result<ModelChoice>>
  /** How to reach a provider by the id of a choice; null when it is gone. */
  endpoint(provider: string): Promise<ProviderEndpoint | null>
  /** The providers that can be added, as the catalogue has them. */
  catalogue(): readonly CatalogueRow[]
  /** What the person said of a model, else what the provider's list tells, else what the catalogue knows. The list is asked for once in a while for each address; without it where none comes soon. Never rejects. */
  facts(choice: ModelChoice): Promise<ModelFacts>
}

interface Known extends ProviderSettings {
  readonly origin: ProviderRow['origin']
}

/** Makes the service. */
export function makeProviders(ports: ProvidersPorts): Providers {
  let found: Awaited<ReturnType<ProviderProbe['findOllama']>> = null

  const known = async (): Promise<readonly Known[]> => {
    const { settings } = await ports.settings.read()
    const practice: Known = { id: practiceId, name: 'Practice', baseUrl: ports.practiceUrl, protocol: 'openai', model: ports.practiceModel, origin: 'practice' }
    const given: readonly Known[] = ports.given ? [{ id: environmentId, name: environmentId, baseUrl: ports.given.baseUrl, protocol: 'openai', model: ports.given.model ?? '', origin: 'environment' }] : []
    const own = settings.providers.map((provider): Known => ({ ...provider, origin: 'settings' }))
    const ollama: readonly Known[] = found && !own.some((one) => one.id === ollamaId) ? [{ id: ollamaId, name: 'Ollama', baseUrl: found.baseUrl, protocol: 'ollama', model: found.models[0] ?? '', origin: 'found' }] : []
    return [...given, ...own, ...ollama, practice]
  }

  const activeId = async (): Promise<string> => {
    if (ports.given) return environmentId
    const { settings } = await ports.settings.read()
    const all = await known()
    return all.some((one) => one.id === settings.activeProvider) ? (settings.activeProvider ?? practiceId) : practiceId
  }

  const endpoint = async (id: string): Promise<ProviderEndpoint | null> => {
    const provider = (await known()).find((one) => one.id === id)
    if (!provider) return null
    const at = placeOf(provider, ports.catalogue)
    if (!hasOwnKey(provider)) return { ...at, key: null }
    return { ...at, key: await ports.secrets.get(id), ...(ports.secrets.isLocked(id) ? { isKeySealed: true } : {}) }
  }

  /** The named model, else the first that the provider lists. */
  const modelOf = async (provider: Known): Promise<Result<string>> => {
    if (provider.model !== '') return succeed(provider.model)
    const at = await endpoint(provider.id)
    const models = at ? await ports.probe.models(at) : fail('model.no-provider')
    if (!models.ok) return models
    return models.value[0] === undefined ? fail('model.no-models', { provider: provider.name }) : succeed(models.value[0].id)
  }

  const isLocked = (provider: Known): boolean => hasOwnKey(provider) && ports.secrets.isLocked(provider.id)

  const facts = makeFacts(ports, endpoint)
  const removing = makeRemoving(ports)

  return {
    endpoint,
    facts,
    ...removing,
    catalogue: () => ports.catalogue.map(({ id, name, protocol, baseUrl, keyPage, docs, defaultModel }) => ({ id, name, protocol, baseUrl, keyPage, docs, defaultModel })),
    async list() {
      found = await ports.probe.findOllama()
      const active = await activeId()
      const rows = (await known()).map(async (provider): Promise<ProviderRow> => {
        const { id, name, baseUrl, protocol, model, origin } = provider
        const key = hasOwnKey(provider) ? await ports.secrets.status(id) : null
        return { id, name, baseUrl, protocol, model, origin, isActive: id === active, key, hasKeychain: ports.secrets.hasKeychain, isSealed: ports.secrets.isSealed, isKeySealed: isLocked(provider) }
      })
      return Promise.all(rows)
    },
    async save(provider) {
      if (provider.id === practiceId || provider.id === environmentId || isOthersSecret(provider.id)) return fail('model.reserved-name', { name: provider.id })
      if (!/^https?:\/\/[^\s@]+$/.test(provider.baseUrl)) return fail('model.bad-address', { address: provider.baseUrl })
      const { settings } = await ports.settings.read()
      const others = settings.providers.filter((one) => one.id !== provider.id)
      // What a form does not show stays as it is.
      const before = settings.providers.find((one) => one.id === provider.id)
      const saved = await ports.settings.change({ providers: [...others, { ...before, ...provider }] })
      return saved.ok ? succeed(null) : saved
    },
    async saveKey(provider, key, passPhrase) {
      if (isOthersSecret(provider)) return fail('model.reserved-name', { name: provider })
      const saved = await ports.secrets.set(provider, key.trim(), passPhrase)
      return saved.ok ? succeed({ place: saved.value }) : saved
    },
    async test(id) {
      const provider = (await known()).find((one) => one.id === id)
      if (provider?.origin === 'practice') return { steps: [{ step: 'model', ok: true, say: said('model.practice-ready') }] }
      if (provider && isLocked(provider)) return { steps: [{ step: 'key', ok: false, say: said('model.key-sealed', { provider: provider.name }) }] }
      const at = await endpoint(id)
      if (!provider || !at) return { steps: [{ step: 'address', ok: false, say: fail('model.no-provider').fault }] }
      const model = await modelOf(provider)
      return ports.probe.test(at, model.ok ? model.value : '')
    },
    async models(id) {
      const at = await endpoint(id)
      const models = at ? await ports.probe.models(at) : fail('model.no-provider')
      return models.ok ? succeed(models.value.map((model) => model.id)) : models
    },
    async choice() {
      const chosen = ports.given ? null : chosenOf(ports.chosen)
      const id = chosen?.provider ?? (await activeId())
      const provider = (await known()).find((one) => one.id === id)
      if (!provider) return fail('model.no-provider', { provider: id })
      if (isLocked(provider)) return fail('model.key-sealed', { provider: provider.name })
      if (chosen) return succeed(chosen)
      const model = await modelOf(provider)
      return model.ok ? succeed({ provider: provider.id, model: model.value }) : model
    },
  }
}

/** Which provider of the catalogue one is: by what the person said, by its id, or by its address. Names are never guessed from. */
function placeOf({ id, baseUrl, protocol, preset, quirks, models }: Known, catalogue: readonly CatalogueProvider[]): Omit<ProviderEndpoint, 'key'> {
  const known = catalogue.find((one) => one.id === (preset ?? id)) ?? catalogue.find((one) => one.baseUrl !== '' && one.baseUrl === baseUrl.replace(/\/+$/, ''))
  return { baseUrl, ...(protocol === 'openai' ? {} : { protocol }), ...(known ? { preset: known.id } : {}), ...(quirks ? { quirks } : {}), ...(models ? { models } : {}) }
}

function hasOwnKey({ id, origin }: Known): boolean {
  return (origin === 'settings' || origin === 'environment') && !isOthersSecret(id)
}

/** The secret store is shared: a provider that took one of these names would send that secret to its address, or remove it. */
function isOthersSecret(id: string): boolean {
  return id.startsWith('mcp/') || id.startsWith('endpoint:') || id === 'audit-log'
}

function makeRemoving({ settings, secrets }: Pick<ProvidersPorts, 'settings' | 'secrets'>): Pick<Providers, 'remove' | 'removeKey'> {
  const removeKey = async (id: string): Promise<Result<null>> => {
    const own = (await settings.read()).settings.providers
    if (!own.some((one) => one.id === id)) return fail('model.no-provider', { provider: id })
    if (isOthersSecret(id)) return succeed(null)
    try {
      await secrets.remove(id)
      return succeed(null)
    } catch (error) {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    }
  }
  return {
    removeKey,
    async remove(id) {
      // The key goes first: one whose provider is gone could not be removed any more.
      const removed = await removeKey(id)
      if (!removed.ok) return removed
      const { providers, activeProvider } = (await settings.read()).settings
      const changed = await settings.change({ providers: providers.filter((one) => one.id !== id), ...(activeProvider === id ? { activeProvider: null } : {}) })
      return changed.ok ? succeed(null) : changed
    },
  }
}

/** Everything behind the first slash is the model's name; it may hold slashes of its own. */
function chosenOf(text: string | null): ModelChoice | null {
  const slash = text?.indexOf('/') ?? -1
  if (text === null || slash < 1 || slash === text.length - 1) return null
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) }
}
