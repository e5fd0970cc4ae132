import type { SecretPlace, SecretStore } from '../../core/ports/secretStore'
import { StorageFault } from '../../core/ports/storageFault'
import { fail, succeed, type Result, type Said } from '../../../shared/domain/result'
import { sealedPlace, type SealedPlace } from './sealedPlace'
import { secretFilesIn, type SecretFiles } from './secretFiles'

/** The system's keychain, as the window host has it; the headless host has none. */
export interface Keychain {
  /** False also where the system would only hide the text under a constant known to everybody. */
  isAvailable(): boolean
  encrypt(text: string): Uint8Array
  decrypt(bytes: Uint8Array): string
}

/** What the store is opened with. */
export interface SecretStoreOptions {
  readonly dataDir: string
  /** Secrets that the environment gives (also through the `.env` of R35), by the store's names. */
  readonly environment: Readonly<Record<string, string>>
  readonly keychain: Keychain | null
  /** scrypt's N; 2^17 takes about half a second and 128 MB. */
  readonly sealCost?: number
}

interface Held {
  readonly value: string
  readonly place: SecretPlace
}

/** The open store; `faults` are what the person must be told of the opening. */
export interface OpenSecretStore extends SecretStore {
  readonly faults: readonly Said[]
}

/**
 * Keys and tokens, best place first: the environment, the keychain, a file sealed by the user's pass phrase, the memory of
 * this session. Nothing plain is ever on the disk.
 */
export async function openSecretStore(options: SecretStoreOptions): Promise<OpenSecretStore> {
  const files = secretFilesIn(options.dataDir)
  const keychain = options.keychain?.isAvailable() === true ? options.keychain : null
  const faults: Said[] = []
  const held = new Map<string, Held>()
  const stored = keychain === null ? null : await files.readKeychain()
  if (stored?.ok === false) faults.push(stored.fault)
  if (keychain !== null && stored?.ok === true) {
    for (const [name, text] of Object.entries(stored.value.entries)) {
      const value = decrypted(keychain, text)
      if (value === null) faults.push({ code: 'settings.key-lost', values: { name } })
      else held.set(name, { value, place: 'keychain' })
    }
  }
  const sealed = await files.readSealed()
  if (!sealed.ok) faults.push(sealed.fault)
  const sealedNames = new Set(sealed.ok && sealed.value !== null ? Object.keys(sealed.value.entries) : [])
  const seal = sealedPlace(files, sealedNames.size > 0, options.sealCost ?? 2 ** 17)
  return storeOver({ environment: options.environment, files, keychain, held, faults, seal, sealedNames })
}

/** Null when the keychain is another one, or was reset, since it was saved. */
function decrypted(keychain: Keychain, text: string): string | null {
  try {
    return keychain.decrypt(Buffer.from(text, 'base64'))
  } catch {
    return null
  }
}

interface Parts {
  readonly environment: Readonly<Record<string, string>>
  readonly files: SecretFiles
  readonly keychain: Keychain | null
  readonly held: Map<string, Held>
  readonly faults: readonly Said[]
  readonly seal: SealedPlace
  /** What lay in the sealed file at the start, and was not removed since. */
  readonly sealedNames: Set<string>
}

function storeOver({ environment, files, keychain, held, faults, seal, sealedNames }: Parts): OpenSecretStore {
  const find = (name: string): Held | null => {
    const given = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (given !== undefined && given !== '') return { value: given, place: 'environment' }
    return held.get(name) ?? null
  }

  return {
    faults,
    hasKeychain: keychain !== null,
    get isSealed() {
      return seal.isSealed() && sealedNames.size > 0
    },
    isLocked: (name) => seal.isSealed() && sealedNames.has(name) && find(name) === null,
    get: (name) => Promise.resolve(find(name)?.value ?? null),
    status(name) {
      const found = find(name)
      return Promise.resolve(found === null ? null : { place: found.place, lastFour: lastFourOf(found.value) })
    },
    async set(name, value, passPhrase) {
      const phrase = passPhrase ?? seal.passPhrase() ?? ''
      const saved = keychain !== null ? await saveInKeychain(keychain, files, name, value) : phrase !== '' ? await seal.save(name, value, phrase) : succeed('session' as const)
      if (saved.ok) held.set(name, { value, place: saved.value })
      return saved
    },
    async remove(name) {
      held.delete(name)
      sealedNames.delete(name)
      const removed = [
        await files.changeKeychain((now) => (Object.hasOwn(now.entries, name) ? { ...now, entries: without(now.entries, name) } : now)),
        await files.changeSealed((now) => (now !== null && Object.hasOwn(now.entries, name) ? { ...now, entries: without(now.entries, name) } : now)),
      ]
      // What is believed to be gone must not lie on the disk.
      for (const one of removed) if (!one.ok) throw new StorageFault(one.fault)
    },
    async unseal(passPhrase) {
      const opened = await seal.open(passPhrase)
      if (!opened.ok) return opened
      for (const [name, value] of Object.entries(opened.value)) {
        // What was entered since counts more.
        if ((held.get(name)?.place ?? 'sealed') === 'sealed') held.set(name, { value, place: 'sealed' })
      }
      return succeed(null)
    },
    known: () => [...new Set([...Object.values(environment), ...[...held.values()].map((one) => one.value), seal.passPhrase() ?? ''])].filter((value) => value !== ''),
  }
}

async function saveInKeychain(keychain: Keychain, files: SecretFiles, name: string, value: string): Promise<Result<SecretPlace>> {
  let text: string
  try {
    text = Buffer.from(keychain.encrypt(value)).toString('base64')
  } catch (error) {
    return fail('settings.keychain-failed', { problem: error instanceof Error ? error.message : String(error) })
  }
  const written = await files.changeKeychain((now) => ({ ...now, entries: { ...now.entries, [name]: text } }))
  return written.ok ? succeed('keychain') : written
}

function without<T>(entries: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([one]) => one !== name))
}

/** Of a short secret four characters would be too much of it. */
function lastFourOf(value: string): string {
  return value.length >= 12 ? value.slice(-4) : ''
}
