import type { ModelClient } from '../core/ports/modelClient'

/** As long as a request that is ready takes to the socket, the opening of a connection included. */
const sendingMs = 50

/** The same client, which tells when its first request is on its way. */
export function tellsOfFirst(model: ModelClient, sent: () => void): ModelClient {
  let isFirst = true
  return {
    stream(request, signal) {
      if (isFirst) setTimeout(sent, sendingMs).unref()
      isFirst = false
      return model.stream(request, signal)
    },
  }
}
