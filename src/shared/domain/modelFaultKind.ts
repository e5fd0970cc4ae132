import type { SayCode } from '../words/codes'
import type { Said } from './result'

/**
 * What stands between the person and an answer: `key`: another key or account; `offline`: the network, or nobody answers
 * there; `other`: anything else that a model request ends with.
 */
export type ModelFaultKind = 'key' | 'offline' | 'other'

const ofKey: ReadonlySet<SayCode> = new Set<SayCode>(['model.key-refused', 'model.key-missing', 'model.bad-key-text', 'model.no-credit', 'model.quota', 'model.forbidden'])
const ofNetwork: ReadonlySet<SayCode> = new Set<SayCode>(['model.no-dns', 'model.refused-connection', 'model.unreachable', 'model.connect-timeout', 'model.reset', 'model.proxy', 'model.proxy-auth', 'model.tls', 'model.tls-plain'])

/** The fact itself; the provider's own words may stand behind it. */
export function bareFault(fact: Said): Said {
  const { fact: inner } = fact.values
  return fact.code === 'model.with-detail' && isSaid(inner) ? bareFault(inner) : fact
}

/** Which kind a fault of a model request is; null for what is none. */
export function modelFaultKind(fact: Said): ModelFaultKind | null {
  const { code } = bareFault(fact)
  if (ofKey.has(code)) return 'key'
  if (ofNetwork.has(code)) return 'offline'
  return code.startsWith('model.') ? 'other' : null
}

function isSaid(value: Said['values'][string] | undefined): value is Said {
  return typeof value === 'object' && 'code' in value
}
