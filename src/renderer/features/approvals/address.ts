type AddressWarning = 'letters' | 'punycode' | 'user' | 'plain'

/** What can be said of an address before it is opened. */
export interface AddressFacts {
  /** Host and port as the browser would ask for them; null where this is no address of the web. */
  readonly host: string | null
  /** The address cut around its host; null where the host does not stand there as it will be read. */
  readonly pieces: readonly [before: string, host: string, after: string] | null
  readonly warnings: readonly AddressWarning[]
}

const hostPlace = /^https?:\/\/(?:[^/?#\\]*@)?(\[[^\]]*\]|[^/?#\\:@]*)/i
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Reads an address as a browser does, and names what makes it look like another. */
export function addressFacts(address: string): AddressFacts {
  const url = parsed(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return { host: null, pieces: null, warnings: [] }
  const found = hostPlace.exec(address)
  const written = found?.[1] ?? ''
  const end = found?.[0].length ?? 0
  const isAsRead = written !== '' && parsed(`https://${written}`)?.hostname === url.hostname
  const warnings: AddressWarning[] = []
  if (/[^\x20-\x7e]/.test(written)) warnings.push('letters')
  else if (/(?:^|\.)xn--/i.test(url.hostname)) warnings.push('punycode')
  if (url.username !== '' || url.password !== '') warnings.push('user')
  if (url.protocol === 'http:' && !loopback.test(url.hostname)) warnings.push('plain')
  return { host: url.host, pieces: isAsRead ? [address.slice(0, end - written.length), written, address.slice(end)] : null, warnings }
}

function parsed(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}
