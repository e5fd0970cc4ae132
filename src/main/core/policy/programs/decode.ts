const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bytes of base64 as Latin-1 text, which is enough to see a command in it; null when it is no base64. */
export function decodeBase64(text: string): string | null {
  const letters = text.replace(/\s+/gu, '').replace(/=+$/u, '').replaceAll('-', '+').replaceAll('_', '/')
  let bits = 0
  let count = 0
  let decoded = ''
  for (const letter of letters) {
    const value = alphabet.indexOf(letter)
    if (value < 0) return null
    bits = (bits << 6) | value
    count += 6
    if (count < 8) continue
    count -= 8
    decoded += String.fromCharCode((bits >> count) & 0xff)
    bits &= (1 << count) - 1
  }
  return decoded
}

/** The bytes of plain hexadecimal as Latin-1 text; null when it is none. */
export function decodeHex(text: string): string | null {
  const digits = text.replace(/\s+/gu, '')
  if (!/^(?:[0-9a-fA-F]{2})+$/u.test(digits)) return null
  return digits.replace(/../gu, (pair) => String.fromCharCode(parseInt(pair, 16)))
}
