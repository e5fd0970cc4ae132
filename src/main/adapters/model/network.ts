import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici'

/** How long a connection may take to open. */
export const connectMs = 10_000

/** The way to an address: what sends, and the proxy in between when there is one. */
export interface Route {
  readonly dispatcher: Dispatcher
  /** Without user name and password. */
  readonly proxy: string | null
}

/** The app's own connections to providers. */
export interface Network {
  /** Throws when a proxy variable is no address. HTTP/1.1 unless told that the other end has HTTP/2 and may be asked for it. */
  route(url: URL, ways?: { readonly hasHttp2: boolean }): Route
  /** What is sent from now on goes over new connections; answers that are under way keep theirs. */
  renew(): void
  close(): Promise<void>
}

export type ProxyVariables = Readonly<Record<string, string | undefined>>

/**
 * Opens the network. HTTP/1.1 unless asked; proxies as the usual variables say (R89), but never for this machine itself.
 * No time limits here: each request has its own clock. `caFile` (or NODE_EXTRA_CA_CERTS): certificates in PEM that are trusted
 * beside the built-in ones, as networks need that look into connections. It is read here because the packaged app does not let
 * variables of Node pass; one that cannot be read is left out, and the connection then says what it does not trust.
 */
export function openNetwork(env: ProxyVariables, caFile = env['NODE_EXTRA_CA_CERTS']): Network {
  const ca = trusted(caFile)
  const options = { allowH2: false, connect: { timeout: connectMs, ...(ca ? { ca } : {}) }, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 15_000, ...(ca ? { requestTls: { ca }, proxyTls: { ca } } : {}) }
  let direct = new Agent(options)
  let direct2: Agent | null = null
  const httpProxy = pick(env, 'http_proxy')
  const httpsProxy = pick(env, 'https_proxy') ?? httpProxy
  const noProxy = pick(env, 'no_proxy') ?? ''
  let proxied: EnvHttpProxyAgent | null = null
  return {
    route(url, { hasHttp2 } = { hasHttp2: false }) {
      const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
      if (!proxy || isThisMachine(url.hostname) || isExempt(url, noProxy)) return { dispatcher: hasHttp2 ? (direct2 ??= new Agent({ ...options, allowH2: true })) : direct, proxy: null }
      // Plain http goes to the proxy as it is; many allow tunnels for https only.
      proxied ??= new EnvHttpProxyAgent({ ...options, proxyTunnel: false, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy })
      return { dispatcher: proxied, proxy: new URL(proxy).host }
    },
    renew() {
      const old = [direct, direct2, proxied]
      direct = new Agent(options)
      direct2 = proxied = null
      // Never rejects for want of answers; the host's end may have cut them off before.
      for (const one of old) void one?.close().catch(() => undefined)
    },
    async close() {
      await Promise.all([direct.destroy(), direct2?.destroy(), proxied?.destroy()])
    },
  }
}

function trusted(file: string | undefined): string[] | null {
  if (file === undefined || file === '') return null
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')]
  } catch {
    return null
  }
}

/** The value of a proxy variable, in small letters first, as other programs read them. */
export function pick(env: ProxyVariables, name: string): string | undefined {
  const value = env[name] ?? env[name.toUpperCase()]
  return value === undefined || value === '' ? undefined : value
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]'
}

/** As the proxying agent decides it, so that the words about a proxy are right. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.toLowerCase()
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const bare = name.replace(/^\*?\./, '')
    const isPort = port === undefined || port === (url.port || (url.protocol === 'https:' ? '443' : '80'))
    return bare !== '' && isPort && (host === bare || host.endsWith(`.${bare}`))
  })
}
