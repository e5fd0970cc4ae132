import type { Result, Said } from '../../shared/domain/result'
import type { EndpointName, EndpointRow } from '../../shared/ipc/views'

/** The endpoints of settings.json beside the models': embeddings, reranking, web search. Addresses are settings; keys are secrets, one an endpoint. */
export interface Endpoints {
  list(): Promise<readonly EndpointRow[]>
  saveKey(of: EndpointName, key: string, passPhrase?: string): Promise<Result<{ readonly place: string }>>
  removeKey(of: EndpointName): Promise<Result<null>>
  /** The key for requests; null: none is set, or it lies sealed. */
  key(of: EndpointName): Promise<string | null>
  /** One real request; says what answered, or what to do. */
  test(of: EndpointName): Promise<Result<Said>>
}
