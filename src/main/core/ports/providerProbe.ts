import type { Result } from '../../../shared/domain/result'
import type { ProviderTest } from '../../../shared/ipc/views'

/** Where a provider answers, and its key when it has one. */
export interface ProviderEndpoint {
  readonly baseUrl: string
  readonly key: string | null
}

/** Questions asked of a provider outside a turn; each has a short time limit of its own and never throws. */
export interface ProviderProbe {
  /** Model names as the provider lists them. */
  models(endpoint: ProviderEndpoint): Promise<Result<readonly string[]>>
  /** Address, key, model, streaming and tools, one by one. */
  test(endpoint: ProviderEndpoint, model: string): Promise<ProviderTest>
  /** An Ollama that answers on 127.0.0.1, with its models; null when none does. */
  findOllama(): Promise<{ readonly baseUrl: string; readonly models: readonly string[] } | null>
}
