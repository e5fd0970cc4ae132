import { bareFault } from '../../../shared/domain/modelFaultKind'
import type { Said } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'

/** Faults of a model request that are mended on the page of models: another address, key or model. */
const mendedInModels: ReadonlySet<SayCode> = new Set<SayCode>([
  'model.no-provider', 'model.no-models', 'model.no-list', 'model.bad-address', 'model.bad-key-text', 'model.key-sealed', 'model.key-refused', 'model.key-missing', 'model.no-credit', 'model.quota', 'model.forbidden', 'model.not-found',
  'model.no-dns', 'model.refused-connection', 'model.unreachable', 'model.connect-timeout', 'model.reset', 'model.tls', 'model.tls-plain', 'model.not-http', 'model.redirect', 'model.unexpected-status', 'model.html-page', 'model.not-a-stream',
])

/** Whether the page of models is where to go on from this fault. */
export function isMendedInModels(fact: Said): boolean {
  return mendedInModels.has(bareFault(fact).code)
}
