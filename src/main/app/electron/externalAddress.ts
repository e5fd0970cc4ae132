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
