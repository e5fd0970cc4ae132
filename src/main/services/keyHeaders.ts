import { isKeyHeader, withoutKeys } from '../../shared/domain/requestHeaders'
import type { ProviderSettings } from '../../shared/domain/settings'
import { StorageFault } from '../core/ports/storageFault'
import { bound, hasSavedKey, originOf } from './providerKeys'
import type { ProvidersPorts } from './providerPorts'
import { entryOf } from './providerRoster'

/** Takes a key that stands among the headers of a provider to where keys are kept; the same object where nothing was moved. */
export type KeyHeaderMover = (provider: ProviderSettings) => Promise<ProviderSettings>

/**
 * For settings from before headers with keys were refused (R92). Moved is the only such header of a provider that has no key, and
 * only into a keychain, which outlives the app. Any other stays in the file, is not sent, and the page says so.
 */
export function makeKeyHeaderMover({ secrets, catalogue, environment }: Pick<ProvidersPorts, 'secrets' | 'catalogue' | 'environment'>): KeyHeaderMover {
  /** A keychain that refused once is not asked again with every reading. */
  const tried = new Set<string>()
  const canKeep = (provider: ProviderSettings): boolean => {
    const hasVariable = entryOf(provider, catalogue)?.keyVariables.some((name) => environment[name]) ?? false
    return secrets.hasKeychain && !tried.has(provider.id) && originOf(provider.baseUrl) !== null && !hasVariable
  }
  const isKept = async (provider: ProviderSettings, key: string): Promise<boolean> => {
    if (await hasSavedKey(provider.id, secrets)) return (await secrets.status(provider.id))?.place === 'keychain' && (await secrets.get(provider.id)) === key
    if (!canKeep(provider)) return false
    tried.add(provider.id)
    const saved = await secrets.set(provider.id, key)
    if (saved.ok && saved.value !== 'keychain') await takeBack(provider.id, secrets)
    return saved.ok && saved.value === 'keychain'
  }
  return async (provider) => {
    const headers = provider.quirks?.headers ?? {}
    const [first, ...more] = Object.entries(headers).filter(([name]) => isKeyHeader(name))
    if (!first || more.length > 0) return provider
    const { key, keyHeader } = sentAs(first[0].toLowerCase(), first[1].trim())
    if (key === '' || !(await isKept(provider, key))) return provider
    const quirks = { ...provider.quirks, keyHeader, headers: withoutKeys(headers) }
    return provider.keyOrigin === undefined ? bound({ ...provider, quirks }) : { ...provider, quirks }
  }
}

/** One that lies where it would be gone with the app is not left there: sent as a key of the usual form, it could reach whom the header did not. */
async function takeBack(id: string, secrets: ProvidersPorts['secrets']): Promise<void> {
  try {
    await secrets.remove(id)
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
  }
}

/** How the same header comes about from a key. */
function sentAs(name: string, value: string): { readonly key: string; readonly keyHeader: string } {
  const token = name === 'authorization' ? /^bearer\s+(\S+)$/i.exec(value)?.[1] : undefined
  return token === undefined ? { key: value, keyHeader: name } : { key: token, keyHeader: 'bearer' }
}
