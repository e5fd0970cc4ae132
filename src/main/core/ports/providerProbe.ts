import type { CatalogueModel, Protocol, QuirkChanges } from '../../../shared/domain/catalogue'
import type { ModelFacts } from '../../../shared/domain/model'
import type { Result } from '../../../shared/domain/result'
import type { ProviderTest } from '../../../shared/ipc/views'

/** Where a provider answers, and its key when it has one. */
export interface ProviderEndpoint {
  readonly baseUrl: string
  readonly key: string | null
  /** Its key is there, but sealed: nothing is sent without it. */
  readonly isKeySealed?: true
  /** OpenAI's when left out. */
  readonly protocol?: Protocol
  /** The provider of the catalogue that it is one of. */
  readonly preset?: string
  /** Where it differs from its preset and protocol. */
  readonly quirks?: QuirkChanges
  /** Models that the person described. */
  readonly models?: readonly CatalogueModel[]
}

/** A model as its provider lists it. */
export interface ListedModel extends Pick<ModelFacts, 'windowTokens' | 'seesImages'> {
  readonly id: string
}

/** Hears a step of a test. */
export type StepListener = (step: ProviderTest['steps'][number]) => void

/** Questions asked of a provider outside a turn; each has a short time limit of its own and never throws. */
export interface ProviderProbe {
  /** The models as the provider lists them, with what the list tells of each. `patienceMs`: the silence that is waited for, where it is to be less than usual. */
  models(endpoint: ProviderEndpoint, patienceMs?: number): Promise<Result<readonly ListedModel[]>>
  /** Address, key, model, streaming, tools and images, one by one; `onStep` hears each as soon as it is done. */
  test(endpoint: ProviderEndpoint, model: string, onStep?: StepListener): Promise<ProviderTest>
  /** An Ollama that answers on 127.0.0.1, with its models; null when none does. */
  findOllama(): Promise<{ readonly baseUrl: string; readonly models: readonly string[] } | null>
}
