/**
 * Judges an address that a person asked to open outside the app: https and mailto only, since other schemes start programs.
 * A user part (`https://bank.example@evil.example`) is refused, since it makes an address look like another.
 * The caller shows the returned address and asks; this only says whether it may be asked at all.
 *
 * @returns the address as a browser would read it, or `undefined` when it must not be opened.
 */
export function externalAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol === 'mailto:') return url.pathname.includes('@') ? url.href : undefined
  const isPlainWeb = url.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === ''
  return isPlainWeb ? url.href : undefined
}

/**
 * An address that may be opened for an MCP server: https, or http of this machine itself, where a sign-in may be under test.
 *
 * @returns the address as a browser would read it, or `undefined` when it must not be opened.
 */
export function browserAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return undefined
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url.href : undefined
}
