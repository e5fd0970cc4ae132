import type { ProviderSettings, Settings } from '../../shared/domain/settings'
import type { Result } from '../../shared/domain/result'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import { isOthersSecret } from './secretNames'

/**
 * `https://host:port` of an address, a user name before it included, so that no host passes for another; null for what is none, and
 * for one with blanks, which are dropped on the way and would join two names. The port of the scheme itself is left out.
 */
export function originOf(address: string): string | null {
  if (/\s/.test(address.trim())) return null
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(address.trim())?.[0].toLowerCase()
  return origin?.replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2') ?? null
}

/** The one rule for keys of the environment and saved ones: a key goes to the origin it is meant for, and nowhere else. */
export function isKeyFor(origin: string | null, address: string): boolean {
  return origin !== null && origin === originOf(address)
}

/** The providers of the settings, with what the origins of their keys need. */
export interface ProviderKeys {
  /** The settings, with every saved key bound: one from before keys were bound belongs to the address that it has now. */
  read(): Promise<Settings>
  /** Changes the providers; changes wait for one another, so that none is lost. */
  change(make: (settings: Settings) => Partial<Pick<Settings, 'providers' | 'activeProvider'>>): Promise<Result<Settings>>
}

/** Makes them. `move` sees every provider once its key is bound. */
export function makeProviderKeys({ settings, secrets }: { readonly settings: SettingsStore; readonly secrets: SecretStore }, move: (provider: ProviderSettings) => Promise<ProviderSettings>): ProviderKeys {
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
  const bind = async (): Promise<Settings> => {
    const { settings: now } = await settings.read()
    const isUnbound = await Promise.all(now.providers.map(async (one) => one.keyOrigin === undefined && originOf(one.baseUrl) !== null && (await hasSavedKey(one.id, secrets))))
    const providers = await Promise.all(now.providers.map((one, at) => move(isUnbound[at] ? bound(one) : one)))
    if (providers.every((one, at) => one === now.providers[at])) return now
    const saved = await settings.change({ providers })
    // Settings that cannot be written bind for this reading; the next one tries again.
    return saved.ok ? saved.value : { ...now, providers }
  }
  return {
    read: () => alone(bind),
    change: (make) => alone(async () => settings.change(make(await bind()))),
  }
}

/** With its key bound to the address it has. */
export function bound(provider: ProviderSettings): ProviderSettings {
  const origin = originOf(provider.baseUrl)
  return origin === null ? provider : { ...provider, keyOrigin: origin }
}

/** Whether the store holds a key of it, open or sealed. */
export async function hasSavedKey(id: string, secrets: SecretStore): Promise<boolean> {
  return !isOthersSecret(id) && (secrets.isLocked(id) || (await secrets.status(id)) !== null)
}
