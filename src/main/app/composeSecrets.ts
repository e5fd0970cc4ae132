import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Said } from '../../shared/domain/result'
import { openSecretStore } from '../adapters/secrets/secretStore'
import { configFolder, readEnvironment } from '../adapters/settings/environment'
import { openSettings } from '../adapters/settings/settingsStore'
import type { SecretStore } from '../core/ports/secretStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import { makeRedact, type Redact } from '../core/policy/redaction'
import { makeWithoutKnown, type WithoutKnown } from '../core/policy/redactionKnown'
import { StreamRedactor } from '../core/policy/redactionStream'
import { endpointSecret } from '../services/endpoints'
import { environmentId, environmentKeyVariable } from '../services/providerRoster'
import type { HostOptions } from './hostOptions'

/** Settings and secrets of a host, and the redactor that knows every secret it holds. */
export interface Secrets {
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  /** The environment with the app's own `.env` below it (R35). */
  readonly environment: Readonly<Record<string, string>>
  readonly faults: readonly Said[]
  readonly redact: Redact
  /** Takes registered secrets out, and nothing else. */
  readonly withoutKnown: WithoutKnown
  /** A redactor for text that comes in pieces, fresh for each stream. */
  readonly makeFilter: () => StreamRedactor
  /** The values of secrets that are registered now. */
  readonly known: () => readonly string[]
  /** Registers secrets that no store holds, as values of the environment that a program is given. */
  readonly remember: (values: readonly string[]) => void
  /** For the HMAC beside the audit chain; null where no keychain can keep it. */
  readonly auditKey: Uint8Array | null
}

/** Opens them. Nothing of a project's folder is read. */
export async function composeSecrets(options: Pick<HostOptions, 'dataFolder' | 'platform' | 'env' | 'home' | 'keychain'>): Promise<Secrets> {
  const environment = await readEnvironment(configFolder(options.platform, options.env, options.home), options.env)
  const secrets = await openSecretStore({ dataDir: options.dataFolder, environment: keysIn(environment.values), keychain: options.keychain })
  const given = new Set<string>()
  const known = (): readonly string[] => [...secrets.known(), ...given]
  return {
    settings: openSettings(path.join(options.dataFolder, 'settings.json')),
    secrets,
    environment: environment.values,
    faults: [...environment.faults, ...secrets.faults],
    auditKey: await auditKeyIn(secrets),
    remember: (values) => values.forEach((value) => given.add(value)),
    redact: makeRedact(() => ({ known: known() })),
    withoutKnown: makeWithoutKnown(known),
    makeFilter: () => new StreamRedactor({ known: known() }),
    known,
  }
}

/** The variables that give keys, by the names under which the store has them. */
const keyVariables = { [environmentId]: environmentKeyVariable, [endpointSecret('embedding')]: 'COUNTERSIGN_EMBEDDING_KEY', [endpointSecret('rerank')]: 'COUNTERSIGN_RERANK_KEY', [endpointSecret('web-search')]: 'COUNTERSIGN_SEARCH_KEY' }

function keysIn(environment: Secrets['environment']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keyVariables).flatMap(([name, variable]) => (environment[variable] ? [[name, environment[variable]]] : [])))
}

const auditKeyName = 'audit-log'

/** Made once and kept by the keychain; a key that lay in a file would prove nothing. */
async function auditKeyIn(secrets: SecretStore): Promise<Uint8Array | null> {
  if (!secrets.hasKeychain) return null
  const known = await secrets.get(auditKeyName)
  if (known !== null) return Buffer.from(known, 'hex')
  const made = randomBytes(32)
  const saved = await secrets.set(auditKeyName, made.toString('hex'))
  return saved.ok && saved.value === 'keychain' ? made : null
}
