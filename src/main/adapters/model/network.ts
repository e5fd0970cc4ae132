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
  /** Throws when a proxy variable is no address. */
  route(url: URL): Route
  close(): Promise<void>
}

type ProxyVariables = Readonly<Record<string, string | undefined>>

/**
 * Opens the network. HTTP/1.1 only; proxies as the usual variables say (R89), but never for this machine itself.
 * No time limits here: each request has its own clock.
 */
export function openNetwork(env: ProxyVariables): Network {
  const options = { allowH2: false, connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 15_000 }
  const direct = new Agent(options)
  const httpProxy = pick(env, 'http_proxy')
  const httpsProxy = pick(env, 'https_proxy') ?? httpProxy
  const noProxy = pick(env, 'no_proxy') ?? ''
  let proxied: EnvHttpProxyAgent | null = null
  return {
    route(url) {
      const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
      if (!proxy || isThisMachine(url.hostname) || isExempt(url, noProxy)) return { dispatcher: direct, proxy: null }
      // Plain http goes to the proxy as it is; many allow tunnels for https only.
      proxied ??= new EnvHttpProxyAgent({ ...options, proxyTunnel: false, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy })
      return { dispatcher: proxied, proxy: new URL(proxy).host }
    },
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()])
    },
  }
}

function pick(env: ProxyVariables, name: string): string | undefined {
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
