import type { CatalogueProvider, QuirkChanges } from '../../shared/domain/catalogue'
import { isKeyHeader, withoutKeys } from '../../shared/domain/requestHeaders'
import type { ProviderSettings } from '../../shared/domain/settings'
import { isThisMachine } from '../../shared/domain/thisMachine'
import type { ProviderRow } from '../../shared/ipc/views'
import type { ProviderEndpoint } from '../core/ports/providerProbe'
import { hasSavedKey, isKeyFor, originOf, type ProviderKeys } from './providerKeys'
import type { ProvidersPorts } from './providerPorts'
import { isOthersSecret } from './secretNames'

/** The scripted tutor; it goes through the same adapter as every provider, with a dispatcher of its own (R108). */
export const practiceId = 'practice'
/** The provider that the environment gives (COUNTERSIGN_PROVIDER_URL, _KEY, _MODEL). */
export const environmentId = 'compatible'
/** Holds the key of that one. */
export const environmentKeyVariable = 'COUNTERSIGN_PROVIDER_KEY'
const ollamaId = 'ollama'
/** A server on this machine that does not answer at once is not there. */
const hereMs = 700

/** A provider that can be asked, and how it came to be known. */
export interface Known extends ProviderSettings {
  readonly origin: ProviderRow['origin']
}

/** Which providers there are, each with its key. */
export interface Roster {
  all(): Promise<readonly Known[]>
  find(id: string): Promise<Known | null>
  /** The one for new sessions. */
  activeId(): Promise<string>
  /** Looks which servers run on this machine. */
  lookHere(): Promise<void>
  keyStatus(provider: Known): Promise<ProviderRow['key']>
  /** The host that its saved key belongs to, where that is not its address any more; null while nothing keeps the key back. */
  keyElsewhere(provider: Known): Promise<string | null>
  /** The variables that hold a key for it which its address does not get. */
  unusedVariables(provider: Known): readonly string[]
  /** Whether its key lies sealed, and nowhere else. */
  isLocked(provider: Known): boolean
  endpoint(id: string): Promise<ProviderEndpoint | null>
}

/** Makes it. What the environment gives comes before what the person set up, and that before what is found or offered. */
export function makeRoster(ports: ProvidersPorts, keys: ProviderKeys): Roster {
  let found: readonly Known[] = []

  const all = async (): Promise<readonly Known[]> => {
    const settings = await keys.read()
    const practice: Known = { id: practiceId, name: 'Practice', baseUrl: ports.practiceUrl, protocol: 'openai', model: ports.practiceModel, origin: 'practice' }
    const given: readonly Known[] = ports.given ? [{ id: environmentId, name: environmentId, baseUrl: ports.given.baseUrl, protocol: 'openai', model: ports.given.model ?? '', origin: 'environment' }] : []
    const own = settings.providers.map((provider): Known => ({ ...provider, origin: 'settings' }))
    const here = found.filter((one) => !own.some(({ id }) => id === one.id))
    const offered = ports.catalogue.filter(({ id, baseUrl }) => baseUrl !== '' && ![...own, ...here].some((one) => one.id === id)).map((entry) => builtIn(entry, 'catalogue'))
    return [...given, ...own, ...here, practice, ...offered]
  }
  const find = async (id: string): Promise<Known | null> => (await all()).find((one) => one.id === id) ?? null

  /** Only at the address the catalogue has for it: a key of the environment was meant for that one. */
  const fromEnvironment = (provider: Known): { readonly variable: string; readonly value: string } | null => {
    const entry = entryOf(provider, ports.catalogue)
    if (provider.origin === 'environment' || !entry || !isKeyFor(originOf(entry.baseUrl), provider.baseUrl)) return null
    const variable = entry.keyVariables.find((name) => ports.environment[name])
    return variable === undefined ? null : { variable, value: ports.environment[variable] ?? '' }
  }
  const isLocked = (provider: Known): boolean => isOwnKeyUsed(provider) && fromEnvironment(provider) === null && ports.secrets.isLocked(provider.id)

  return {
    all, find, isLocked,
    async activeId() {
      if (ports.given) return environmentId
      const { activeProvider } = (await ports.settings.read()).settings
      return activeProvider !== null && (await find(activeProvider)) !== null ? activeProvider : practiceId
    },
    async lookHere() {
      const [ollama, ...others] = await Promise.all([ollamaHere(ports), ...ports.catalogue.filter(isHere).map((entry) => answersHere(entry, ports))])
      found = [ollama, ...others].flatMap((one) => (one ? [one] : []))
    },
    async keyStatus(provider) {
      const given = fromEnvironment(provider)
      if (given) return { place: 'environment', lastFour: given.value.length >= 12 ? given.value.slice(-4) : '', variable: given.variable }
      const status = isOwnKeyUsed(provider) ? await ports.secrets.status(provider.id) : null
      return status && provider.origin === 'environment' && status.place === 'environment' ? { ...status, variable: environmentKeyVariable } : status
    },
    async keyElsewhere(provider) {
      const { keyOrigin } = provider
      const isKept = keyOrigin !== undefined && hasOwnKey(provider) && !isOwnKeyUsed(provider) && fromEnvironment(provider) === null && (await hasSavedKey(provider.id, ports.secrets))
      return isKept ? keyOrigin.replace(/^https:\/\//, '') : null
    },
    unusedVariables(provider) {
      const entry = entryOf(provider, ports.catalogue)
      return provider.origin === 'environment' || fromEnvironment(provider) !== null ? [] : (entry?.keyVariables ?? []).filter((name) => ports.environment[name])
    },
    async endpoint(id) {
      const provider = await find(id)
      if (!provider) return null
      const at = placeOf(provider, ports.catalogue)
      const given = fromEnvironment(provider)
      if (given) return { ...at, key: given.value }
      if (!isOwnKeyUsed(provider)) return { ...at, key: null }
      return { ...at, key: await ports.secrets.get(id), ...(isLocked(provider) ? { isKeySealed: true } : {}) }
    },
  }
}

function builtIn({ id, name, baseUrl, protocol, defaultModel }: CatalogueProvider, origin: Known['origin']): Known {
  return { id, name, baseUrl, protocol, model: defaultModel ?? '', origin }
}

async function ollamaHere({ probe }: ProvidersPorts): Promise<Known | null> {
  const found = await probe.findOllama()
  return found && { id: ollamaId, name: 'Ollama', baseUrl: found.baseUrl, protocol: 'ollama', model: found.models[0] ?? '', origin: 'found' }
}

/** Servers of the catalogue that run on this machine; Ollama is asked in a way of its own. */
function isHere({ id, baseUrl }: CatalogueProvider): boolean {
  return id !== ollamaId && isThisMachine(baseUrl)
}

async function answersHere(entry: CatalogueProvider, { probe }: ProvidersPorts): Promise<Known | null> {
  const listed = await probe.models({ ...placeOf(builtIn(entry, 'found'), [entry]), key: null }, hereMs)
  return listed.ok ? { ...builtIn(entry, 'found'), model: listed.value[0]?.id ?? '' } : null
}

/** Which provider of the catalogue one is: by what the person said, by its id, or by its address. Names are never guessed from. */
export function entryOf({ id, baseUrl, preset }: Pick<Known, 'id' | 'baseUrl' | 'preset'>, catalogue: readonly CatalogueProvider[]): CatalogueProvider | undefined {
  return catalogue.find((one) => one.id === (preset ?? id)) ?? catalogue.find((one) => one.baseUrl !== '' && one.baseUrl === baseUrl.replace(/\/+$/, ''))
}

function placeOf(provider: Known, catalogue: readonly CatalogueProvider[]): Omit<ProviderEndpoint, 'key'> {
  const { baseUrl, protocol, quirks, models } = plainOf(provider)
  const entry = entryOf(provider, catalogue)
  return { baseUrl, ...(protocol === 'openai' ? {} : { protocol }), ...(entry ? { preset: entry.id } : {}), ...(quirks ? { quirks } : {}), ...(models ? { models } : {}) }
}

/** Without the keys that old settings hold in headers: those are not sent, and the window does not see them. */
export function plainOf<Of extends Pick<ProviderSettings, 'quirks' | 'models'>>(provider: Of): Of {
  const { quirks, models } = provider
  return { ...provider, ...(quirks ? { quirks: plainQuirks(quirks) } : {}), ...(models ? { models: models.map((one) => (one.quirks ? { ...one, quirks: plainQuirks(one.quirks) } : one)) } : {}) }
}

function plainQuirks(quirks: QuirkChanges): QuirkChanges {
  return quirks.headers ? { ...quirks, headers: withoutKeys(quirks.headers) } : quirks
}

/** The names of the headers that hold one. */
export function keyHeadersOf({ quirks, models }: Pick<ProviderSettings, 'quirks' | 'models'>): readonly string[] {
  const all = [quirks, ...(models ?? []).map((one) => one.quirks)].flatMap((one) => Object.keys(one?.headers ?? {}))
  return [...new Set(all.filter(isKeyHeader))]
}

/** Whether what is saved for it may go to its address. The key that the environment gives goes with the address it gives. */
function isOwnKeyUsed(provider: Known): boolean {
  return hasOwnKey(provider) && (provider.origin === 'environment' || isKeyFor(provider.keyOrigin ?? null, provider.baseUrl))
}

function hasOwnKey({ id, origin }: Known): boolean {
  return (origin === 'settings' || origin === 'environment') && !isOthersSecret(id)
}
