/** The environment, as far as it names proxies. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the usual variables name for an address (R89); null for none. Never one for this machine itself. Throws a
 * TypeError when the variable is no address: what it meant is not known, and going around it is not ours to choose.
 */
export function proxyOf(url: URL, env: ProxyVariables): URL | null {
  const httpProxy = pick(env, 'http_proxy')
  const named = url.protocol === 'https:' ? (pick(env, 'https_proxy') ?? httpProxy) : httpProxy
  if (named === undefined || isThisMachine(url.hostname) || isExempt(url, pick(env, 'no_proxy') ?? '')) return null
  const proxy = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`)
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') throw new TypeError('only http and https proxies are known here')
  return proxy
}

function pick(env: ProxyVariables, name: string): string | undefined {
  const value = env[name] ?? env[name.toUpperCase()]
  return value === undefined || value === '' ? undefined : value
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]'
}

function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.toLowerCase()
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const bare = name.replace(/^\*?\./, '')
    const isPort = port === undefined || port === portOf(url)
    return bare !== '' && isPort && (host === bare || host.endsWith(`.${bare}`))
  })
}

/** The port of an address, also where it is the scheme's own. */
export function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
