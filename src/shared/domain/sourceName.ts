import { assertNever } from './result'
import type { TaintSource } from './tool'

/** Where text from outside came from, whole, in one name: a server, an address, a path. */
export function sourceName(source: TaintSource): string {
  switch (source.kind) {
    case 'mcp': return source.server
    case 'web': return source.url
    case 'file': return source.path
    default: return assertNever(source)
  }
}

/**
 * What text of the network was read from, to be named as what it is: a page of the web, what a command with the network brought (it
 * has an address, or only a program's name, and never a whole URL), or what a program on this computer answered.
 */
export function webKind(source: Extract<TaintSource, { readonly kind: 'web' }>): 'web' | 'web-command' | 'web-local' {
  if (isThisComputer(source.host)) return 'web-local'
  return source.url.includes('://') ? 'web' : 'web-command'
}

function isThisComputer(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\](?::\d+)?$/u, '$1').replace(/^([^:]*):\d+$/u, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '0.0.0.0' || /^127(?:\.\d{1,3}){3}$/u.test(name)
}
