import type { Dispatcher } from 'undici'
import type { Quirks } from '../../../shared/domain/catalogue'
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

/** What of the quirks matters for the way to a server. */
export type ReachQuirks = Pick<Quirks, 'chatPath' | 'modelsPath' | 'headers' | 'keyHeader' | 'forcesHttp1'>

/** Finds the way to an endpoint, or says what is wrong with its address. */
export function reach(endpoint: ProviderEndpoint, quirks: ReachQuirks, network: Network, inProcess: InProcess): { readonly ok: true; readonly value: Reached } | { readonly ok: false; readonly fault: ModelFault } {
  const key = endpoint.key?.trim() || null
  const url = parseAddress(endpoint.baseUrl)
  if (!url) return { ok: false, fault: { kind: 'protocol', say: said('model.bad-address', { address: endpoint.baseUrl }), canRetry: false } }
  if (endpoint.isKeySealed) return { ok: false, fault: { kind: 'auth', say: said('model.key-sealed', { provider: url.host }), canRetry: false } }
  const base = `${url.origin}${withoutCall(url.pathname.replace(/\/+$/, ''), quirks)}`
  const headers = { 'user-agent': 'Countersign', 'accept-encoding': 'identity', ...quirks.headers, ...keyHeader(key, quirks) }
  try {
    const local = inProcess[url.origin]
    const { dispatcher, proxy } = local ? { dispatcher: local, proxy: null } : network.route(url, { hasHttp2: !quirks.forcesHttp1 })
    return { ok: true, value: { base, headers, dispatcher, context: { provider: url.host, key, proxy } } }
  } catch (error) {
    return { ok: false, fault: { kind: 'network', say: said('model.proxy', { proxy: '?', problem: error instanceof Error ? error.message : String(error) }), canRetry: false } }
  }
}

/** People paste the whole address of the call, or the beginning that all calls of a protocol have in common. */
function withoutCall(path: string, { chatPath, modelsPath }: ReachQuirks): string {
  const [first = ''] = chatPath.split('/')
  const tails = modelsPath.startsWith(`${first}/`) ? [chatPath, first] : [chatPath]
  const tail = tails.find((one) => path.endsWith(`/${one}`))
  return tail === undefined ? path : path.slice(0, -tail.length - 1)
}

function keyHeader(key: string | null, { keyHeader: name }: ReachQuirks): Readonly<Record<string, string>> {
  if (key === null) return {}
  return name === 'bearer' ? { authorization: `Bearer ${key}` } : { [name]: key }
}

function parseAddress(address: string): URL | null {
  try {
    const url = new URL(address.trim())
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}
