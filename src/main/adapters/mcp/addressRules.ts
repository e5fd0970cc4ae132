import { BlockList, isIP } from 'node:net'
import type { McpEnd } from '../../core/ports/mcpConnections'
import { endOf } from './ends'

/** A request that was not sent, or got no answer, with the reason in words. */
export class AddressError extends Error {
  readonly end: McpEnd

  constructor(end: McpEnd, message: string) {
    super(message)
    this.end = end
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Places that no name of the network is to lead to: this machine, the link with its services for machines, everybody. */
const unreachable = new BlockList()
for (const [network, bits] of [['0.0.0.0', 8], ['127.0.0.0', 8], ['169.254.0.0', 16], ['224.0.0.0', 4], ['240.0.0.0', 4]] as const) unreachable.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [['::', 127], ['fe80::', 10], ['ff00::', 8]] as const) unreachable.addSubnet(network, bits, 'ipv6')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
/** `[::1]` as `::1`. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/** True when the address itself says that it is on this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = bare(host).toLowerCase()
  if (isIP(name) !== 0) return loopback.check(name, familyOf(name))
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Why nothing is sent there: only https, or this machine; null when it may be. */
export function refusalOf(url: URL): McpEnd | null {
  const isLocal = isLoopbackHost(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return endOf('mcp.not-https', { origin: url.origin === 'null' ? url.protocol : url.origin }, 'mcp.not-https-advice')
  const literal = bare(url.hostname)
  return isIP(literal) !== 0 && !isLocal && unreachable.check(literal, familyOf(literal)) ? endOf('mcp.local-address', { host: url.hostname, address: literal }) : null
}

/**
 * Judges what a name was resolved to, at the very moment of connecting, so that it cannot become another address in between
 * (DNS rebinding). A name of the network never leads to this machine or its link; the names of this machine lead nowhere else.
 * Private networks are allowed: only https goes there, and a server there that was not meant has no certificate for the name.
 */
export function judgeResolved(host: string, addresses: readonly string[]): McpEnd | null {
  const isLocal = isLoopbackHost(host)
  const bad = addresses.find((address) => (isLocal ? !loopback.check(address, familyOf(address)) : unreachable.check(address, familyOf(address))))
  return bad === undefined ? null : endOf('mcp.local-address', { host, address: bad })
}
