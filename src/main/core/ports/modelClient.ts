import type { ModelRequest, StreamPart } from '../../../shared/domain/model'
import type { CancelSignal } from './cancelSignal'

/** Sends one request to a model and gives the pieces of the reply as they come. */
export interface ModelClient {
  /**
   * The parts in order, ending with exactly one `stopped` or `failed`. Never throws: faults are parts.
   * Retries that are safe (nothing was shown yet) happen inside and are announced by `retrying`.
   * On cancel the socket is closed within 50 ms and the stream ends without a further part.
   */
  stream(request: ModelRequest, signal: CancelSignal): AsyncIterable<StreamPart>
}
