import path from 'node:path'
import type { ModelChoice } from '../../shared/domain/model'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import { loadCatalogue, schemaLimits } from '../adapters/model/catalogue'
import { createModelClient } from '../adapters/model/client'
import { watchSockets } from '../adapters/model/lostSockets'
import { openNetwork } from '../adapters/model/network'
import { networkFacts } from '../adapters/model/networkFacts'
import { createPracticeDispatcher, practiceModel, practiceOrigin, practiceUrl } from '../adapters/model/practice/dispatcher'
import { readPracticeScript } from '../adapters/model/practice/sampleProject'
import { createProviderProbe } from '../adapters/model/probe'
import { makeWays } from '../adapters/model/way'
import { openModelLists } from '../adapters/settings/modelLists'
import { systemClock } from '../adapters/system/clock'
import type { BlobStore } from '../core/ports/blobStore'
import type { ModelClient } from '../core/ports/modelClient'
import { practiceScript } from '../services/practice/script'
import { answerAsTutor } from '../services/practice/tutor'
import type { GivenProvider } from '../services/providerPorts'
import { makeProviders, type Providers } from '../services/providers'
import type { HostOptions } from './hostOptions'
import type { Secrets } from './composeSecrets'

/** The models of a host: one client, the providers it can reach, the tutor among them. */
export interface Models {
  readonly client: ModelClient
  readonly providers: Providers
  /** What a model takes of a tool's schema, by its own fields, its provider's and its protocol's; null: no model, the least that all take. The same object for the same set. */
  schemaLimits(choice: ModelChoice | null): Promise<SchemaLimits>
  close(): Promise<void>
}

/** Wires the model adapter: every provider, the tutor included, goes through the same client. */
export async function composeModels(options: HostOptions, { environment, settings, secrets, remember }: Secrets, blobs: Pick<BlobStore, 'get'>): Promise<Models> {
  const catalogue = await loadCatalogue(options.resourcesFolder)
  const script = practiceScript(await readPracticeScript(options.resourcesFolder))
  // The environment may hold keys of any provider that is known; the redactor takes them out wherever they turn up.
  remember(catalogue.providers.flatMap((one) => one.keyVariables).flatMap((name) => environment[name] || []))
  const { authorityFile } = (await settings.read()).settings
  const network = openNetwork(environment, authorityFile || environment['NODE_EXTRA_CA_CERTS'])
  const inProcess = { [practiceOrigin]: createPracticeDispatcher((body) => answerAsTutor(body, script, options.locale())) }
  const providers: Providers = makeProviders({
    settings,
    secrets,
    probe: createProviderProbe({ catalogue, network, inProcess }),
    lists: openModelLists(path.join(options.dataFolder, 'model-lists.json')),
    clock: systemClock,
    catalogue: catalogue.providers,
    quirks: { openai: catalogue.protocols.openai.quirks, anthropic: catalogue.protocols.anthropic.quirks, ollama: catalogue.protocols.ollama.quirks },
    given: options.given ?? givenByEnvironment(environment),
    isGivenForRun: options.given !== null,
    environment,
    network: networkFacts(environment, authorityFile),
    chosen: options.chosenModel,
    practiceUrl,
    practiceModel,
  })
  const pictures = { readBlob: (ref: string) => blobs.get(ref) }
  const client = createModelClient({ catalogue, network, inProcess, pictures, facts: (choice) => providers.facts(choice), endpoint: (provider) => providers.endpoint(provider), stallMs: async () => (await settings.read()).settings.stallMs, onWake: options.onWake, log: options.log })
  const stopListening = options.onWake?.(() => network.renew())
  const stopWatching = watchSockets()
  const ways = makeWays(catalogue)
  const limitsOf = async (choice: ModelChoice | null): Promise<SchemaLimits> => {
    const at = choice && (await providers.endpoint(choice.provider))
    return schemaLimits(catalogue, at ? ways.of(at, choice.model).quirks.schemaLimits : '')
  }
  return {
    client, providers, schemaLimits: limitsOf,
    async close() {
      stopListening?.()
      stopWatching()
      await network.close()
    },
  }
}

function givenByEnvironment(environment: Secrets['environment']): GivenProvider | null {
  const baseUrl = environment['COUNTERSIGN_PROVIDER_URL']
  return baseUrl ? { baseUrl, model: environment['COUNTERSIGN_MODEL'] || null } : null
}
