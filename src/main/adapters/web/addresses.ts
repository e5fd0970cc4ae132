import ipaddr from 'ipaddr.js'

/**
 * True for an address of the public internet. Everything else is not: this machine, private, link-local and shared networks,
 * multicast, what is reserved, tunnels (6to4, Teredo, local NAT64), and the IPv6 forms of an IPv4 address of these.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  // The library takes `::8.8.8.8` for a mapped address, which it is not.
  const address = ipaddr.parse(text.includes(':') ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().range() === 'unicast'
  const parts = address.parts
  const isWellKnownNat64 = address.range() === 'rfc6052' && parts.slice(1, 6).join() === '65435,0,0,0,0'
  if (isWellKnownNat64) return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === 'unicast'
  return address.range() === 'unicast' && isGlobalUnicast(parts[0] ?? 0)
}

/** 2000::/3 is all that is given out. */
function isGlobalUnicast(first: number): boolean {
  return first >= 0x2000 && first <= 0x3fff
}

/** Whether the person allowed this host, with its port where that is not the scheme's own. */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const text = `${url.protocol}//${entry.trim()}`
    if (/[/?#@\\]/.test(entry) || !URL.canParse(text)) return false
    return new URL(text).host === url.host
  })
}

/** The address as it may be fetched; null for what is no http or https address. */
export function webAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : null
}

/**
 * Whether an address says by itself that it leads to no public place: a number that is not public, or a name of this machine or
 * of the network around it. What other names lead to only a lookup tells, which is already sent out.
 */
export function saysPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home\.arpa)$/.test(host)
}
