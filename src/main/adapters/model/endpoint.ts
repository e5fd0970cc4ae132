import type { Dispatcher } from 'undici'
import type { ModelFault } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import type { ProviderEndpoint } from '../../core/ports/providerProbe'
import type { FaultContext } from './faults'
import type { Network } from './network'

/** An endpoint ready to be sent to. */
export interface Reached {
  /** The base address without a slash at its end. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly context: Omit<FaultContext, 'model'>
}

/** Addresses that are served inside the app, by origin (the practice model: no port, no socket). */
export type InProcess = Readonly<Record<string, Dispatcher>>

/** Finds the way to an endpoint, or says what is wrong with its address. */
export function reach(endpoint: ProviderEndpoint, network: Network, inProcess: InProcess): { readonly ok: true; readonly value: Reached } | { readonly ok: false; readonly fault: ModelFault } {
  const key = endpoint.key?.trim() || null
  const url = parseAddress(endpoint.baseUrl)
  if (!url) return { ok: false, fault: { kind: 'protocol', say: said('model.bad-address', { address: endpoint.baseUrl }), canRetry: false } }
  if (endpoint.isKeySealed) return { ok: false, fault: { kind: 'auth', say: said('model.key-sealed', { provider: url.host }), canRetry: false } }
  // People paste the whole address of the call.
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}`
  const headers = { 'user-agent': 'Countersign', 'accept-encoding': 'identity', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
  try {
    const local = inProcess[url.origin]
    const { dispatcher, proxy } = local ? { dispatcher: local, proxy: null } : network.route(url)
    return { ok: true, value: { base, headers, dispatcher, context: { provider: url.host, key, proxy } } }
  } catch (error) {
    return { ok: false, fault: { kind: 'network', say: said('model.proxy', { proxy: '?', problem: error instanceof Error ? error.message : String(error) }), canRetry: false } }
  }
}

function parseAddress(address: string): URL | null {
  try {
    const url = new URL(address.trim())
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}
