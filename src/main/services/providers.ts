import type { CatalogueProvider } from '../../shared/domain/catalogue'
import { headersFault } from '../../shared/domain/requestHeaders'
import type { ModelChoice, ModelFacts } from '../../shared/domain/model'
import { fail, said, succeed, type Result } from '../../shared/domain/result'
import type { ProviderSettings } from '../../shared/domain/settings'
import type { CataloguePage, OfferedProvider, RefreshedModels } from '../../shared/ipc/modelViews'
import type { ProviderRow, ProviderTest } from '../../shared/ipc/views'
import type { ProviderEndpoint, StepListener } from '../core/ports/providerProbe'
import { StorageFault } from '../core/ports/storageFault'
import { makeFacts } from './providerFacts'
import { makeKeyHeaderMover } from './keyHeaders'
import type { ProvidersPorts } from './providerPorts'
import { bound, makeProviderKeys, type ProviderKeys } from './providerKeys'
import { entryOf, environmentId, keyHeadersOf, makeRoster, plainOf, practiceId, type Known, type Roster } from './providerRoster'
import { isOthersSecret } from './secretNames'

/** Which providers there are, and how each is reached. Keys stay in here. */
export interface Providers {
  list(): Promise<readonly ProviderRow[]>
  save(provider: ProviderSettings): Promise<Result<null>>
  saveKey(provider: string, key: string, passPhrase?: string): Promise<Result<{ readonly place: string }>>
  /** Takes a provider of the settings away, with its key; the tutor answers next where it was in use. */
  remove(provider: string): Promise<Result<null>>
  /** Takes the key of a provider of the settings out of every place, and the provider stays. */
  removeKey(provider: string): Promise<Result<null>>
  /** `onStep` hears each step as it is done. */
  test(provider: string, onStep?: StepListener): Promise<ProviderTest>
  /** Asks the provider for its models, and tells what is new. */
  refresh(provider: string): Promise<Result<RefreshedModels>>
  /** Whether there is such a provider now. */
  knows(choice: ModelChoice): Promise<boolean>
  /** The provider and model that a new turn uses: what the command line says, else what was picked for its session, else what the environment gives, else what is active, else the tutor. A fault where its key is sealed. */
  choice(picked?: ModelChoice | null): Promise<Result<ModelChoice>>
  /** How to reach a provider by the id of a choice; null when it is gone. */
  endpoint(provider: string): Promise<ProviderEndpoint | null>
  /** The providers that can be added, as the catalogue has them, and the models of every provider, without asking any. */
  catalogue(): Promise<CataloguePage>
  /** What the person said of a model, else what the provider's list tells, else what the catalogue knows. The list is asked for once in a while for each address; without it where none comes soon. Never rejects. */
  facts(choice: ModelChoice): Promise<ModelFacts>
}

/** Makes the service. */
export function makeProviders(ports: ProvidersPorts): Providers {
  const keys = makeProviderKeys(ports, makeKeyHeaderMover(ports))
  const roster = makeRoster(ports, keys)
  const endpoint = (id: string): Promise<ProviderEndpoint | null> => roster.endpoint(id)
  const facts = makeFacts(ports, endpoint)

  /** The named model, else the first that the provider lists. */
  const modelOf = async (provider: Known): Promise<Result<string>> => {
    if (provider.model !== '') return succeed(provider.model)
    const at = await endpoint(provider.id)
    const models = at ? await ports.probe.models(at) : fail('model.no-provider')
    if (!models.ok) return models
    return models.value[0] === undefined ? fail('model.no-models', { provider: provider.name }) : succeed(models.value[0].id)
  }

  return {
    endpoint,
    facts: (choice) => facts.of(choice),
    ...makeRemoving(ports, keys),
    async catalogue() {
      const known = await Promise.all((await roster.all()).map(async ({ id }) => {
        const at = await endpoint(id)
        return { id, models: at ? await facts.rows(at) : [], listedAtMs: at ? await facts.listedAtMs(at) : null }
      }))
      const listedAtMs = Object.fromEntries(known.flatMap((one) => (one.listedAtMs === null ? [] : [[one.id, one.listedAtMs]])))
      return { offered: ports.catalogue.map(offeredOf), models: Object.fromEntries(known.map(({ id, models }) => [id, models])), listedAtMs, quirks: ports.quirks, network: ports.network }
    },
    async list() {
      await roster.lookHere()
      const active = await roster.activeId()
      return Promise.all((await roster.all()).map((provider) => rowOf(provider, active, roster, ports)))
    },
    async save(provider) {
      if (provider.id === practiceId || provider.id === environmentId || isOthersSecret(provider.id)) return fail('model.reserved-name', { name: provider.id })
      if (!/^https?:\/\/[^\s@]+$/.test(provider.baseUrl)) return fail('model.bad-address', { address: provider.baseUrl })
      const { keyOrigin: _kept, ...given } = provider
      const fault = headersFault(given.quirks?.headers ?? {})
      if (fault) return { ok: false, fault }
      // What a form does not show stays as it is, and so does its place; the address that its key belongs to is no matter of forms.
      const saved = await keys.change(({ providers }) => ({ providers: providers.some((one) => one.id === given.id) ? providers.map((one) => (one.id === given.id ? { ...one, ...given } : one)) : [...providers, given] }))
      return saved.ok ? succeed(null) : saved
    },
    async saveKey(provider, key, passPhrase) {
      if (isOthersSecret(provider)) return fail('model.reserved-name', { name: provider })
      const saved = await ports.secrets.set(provider, key.trim(), passPhrase)
      if (!saved.ok) return saved
      // After the key: one that were bound before it came would take the old one along.
      const changed = await keys.change(({ providers }) => ({ providers: providers.map((one) => (one.id === provider ? bound(one) : one)) }))
      return changed.ok ? succeed({ place: saved.value }) : changed
    },
    async test(id, onStep = () => undefined) {
      const provider = await roster.find(id)
      const at = await endpoint(id)
      const alone = (step: ProviderTest['steps'][number]): ProviderTest => (onStep(step), { steps: [step] })
      if (provider?.origin === 'practice') return alone({ step: 'model', ok: true, say: said('model.practice-ready') })
      if (provider && roster.isLocked(provider)) return alone({ step: 'key', ok: false, say: said('model.key-sealed', { provider: provider.name }) })
      if (!provider || !at) return alone({ step: 'address', ok: false, say: said('model.no-provider', { provider: id }) })
      const model = await modelOf(provider)
      return ports.probe.test(at, model.ok ? model.value : '', onStep)
    },
    async refresh(id) {
      const at = await endpoint(id)
      return at ? facts.refresh(at) : fail('model.no-provider', { provider: id })
    },
    async knows({ provider }) {
      return (await roster.find(provider)) !== null
    },
    async choice(picked = null) {
      const forRun = ports.isGivenForRun ? null : chosenOf(ports.chosen)
      const wanted = forRun ?? (ports.isGivenForRun ? null : picked)
      const id = wanted?.provider ?? (await roster.activeId())
      const provider = await roster.find(id)
      if (!provider) return fail('model.no-provider', { provider: id })
      if (roster.isLocked(provider)) return fail('model.key-sealed', { provider: provider.name })
      if (wanted) return succeed(wanted)
      const model = await modelOf(provider)
      return model.ok ? succeed({ provider: provider.id, model: model.value }) : model
    },
  }
}

async function rowOf(provider: Known, active: string, roster: Roster, { secrets, catalogue }: Pick<ProvidersPorts, 'secrets' | 'catalogue'>): Promise<ProviderRow> {
  const { id, name, baseUrl, protocol, model, origin, quirks, models } = plainOf(provider)
  const entry = origin === 'practice' ? undefined : entryOf(provider, catalogue)
  const [keyOf, unused, keyHeaders] = [await roster.keyElsewhere(provider), roster.unusedVariables(provider), keyHeadersOf(provider)]
  return {
    id, name, baseUrl, protocol, model, origin, isActive: id === active, key: await roster.keyStatus(provider), hasKeychain: secrets.hasKeychain, isSealed: secrets.isSealed, isKeySealed: roster.isLocked(provider),
    ...(keyOf === null ? {} : { keyOf }), ...(unused.length > 0 ? { unusedVariables: unused } : {}), ...(keyHeaders.length > 0 ? { keyHeaders } : {}), ...(entry ? { preset: entry.id } : {}), ...(quirks ? { quirks } : {}), ...(models ? { models } : {}),
  }
}

/** A provider that makes keys asks for one; one that may have a key but makes none does not. */
function offeredOf({ id, name, protocol, baseUrl, keyPage, docs, defaultModel, quirks, keyVariables }: CatalogueProvider): OfferedProvider {
  return { id, name, protocol, baseUrl, keyPage, docs, defaultModel, quirks, keyVariables, needsKey: keyPage !== null }
}

function makeRemoving({ settings, secrets }: Pick<ProvidersPorts, 'settings' | 'secrets'>, keys: ProviderKeys): Pick<Providers, 'remove' | 'removeKey'> {
  const takeKey = async (id: string): Promise<Result<null>> => {
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
    async removeKey(id) {
      const removed = await takeKey(id)
      if (!removed.ok) return removed
      const changed = await keys.change(({ providers }) => ({ providers: providers.map(({ keyOrigin, ...one }) => (one.id === id || keyOrigin === undefined ? one : { ...one, keyOrigin })) }))
      return changed.ok ? succeed(null) : changed
    },
    async remove(id) {
      // The key goes first: one whose provider is gone could not be removed any more.
      const removed = await takeKey(id)
      if (!removed.ok) return removed
      const changed = await keys.change(({ providers, activeProvider }) => ({ providers: providers.filter((one) => one.id !== id), ...(activeProvider === id ? { activeProvider: null } : {}) }))
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
