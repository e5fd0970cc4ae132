import type { Said } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'

/** Faults of a model request that are mended on the page of models: another address, key or model. */
const mendedInModels: ReadonlySet<SayCode> = new Set<SayCode>([
  'model.no-provider', 'model.no-models', 'model.no-list', 'model.bad-address', 'model.bad-key-text', 'model.key-sealed', 'model.key-refused', 'model.key-missing', 'model.no-credit', 'model.quota', 'model.forbidden', 'model.not-found',
  'model.no-dns', 'model.refused-connection', 'model.unreachable', 'model.connect-timeout', 'model.reset', 'model.tls', 'model.tls-plain', 'model.not-http', 'model.redirect', 'model.unexpected-status', 'model.html-page', 'model.not-a-stream',
])

/** Whether the page of models is where to go on from this fault; the provider's own words may stand behind it. */
export function isMendedInModels(fact: Said): boolean {
  const { fact: inner } = fact.values
  if (fact.code === 'model.with-detail' && isSaid(inner)) return isMendedInModels(inner)
  return mendedInModels.has(fact.code)
}

function isSaid(value: Said['values'][string] | undefined): value is Said {
  return typeof value === 'object' && 'code' in value
}
