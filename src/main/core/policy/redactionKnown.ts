/** Shorter values are found everywhere and are no secrets worth the name. */
const shortest = 4
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** What is secret of a stored text that is an object of JSON, as a sign-in is kept: the rest would not appear as a whole. */
const secretKeys = ['access_token', 'refresh_token', 'id_token', 'client_secret']

/** How many secrets' forms are kept at hand. */
const mostRemembered = 200
const remembered = new Map<string, readonly string[]>()

/**
 * How a registered secret may appear: as it is; in base64 (alone, inside a longer text, or of UTF-16); percent-encoded, in part,
 * whole or twice; escaped for JSON once or twice, for HTML or a shell; in hexadecimal. The longest first. The same list for the
 * same secret, which is asked for at each piece of output.
 */
export function knownForms(secret: string): readonly string[] {
  const known = remembered.get(secret)
  if (known !== undefined) return known
  const within = secret.startsWith('{') ? secretsWithin(secret) : []
  const forms = within.length > 0 ? within.flatMap(formsOf).sort((a, b) => b.length - a.length) : formsOf(secret)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(secret, forms)
  return forms
}

function secretsWithin(text: string): readonly string[] {
  const found: string[] = []
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (secretKeys.includes(key) && typeof value === 'string') found.push(value)
      return value
    })
  } catch {
    // A secret may begin like JSON and be none.
    return []
  }
  return found
}

function formsOf(secret: string): readonly string[] {
  if (secret.length < shortest) return []
  const forms = new Set([secret, ...escapedForms(secret), ...percentForms(secret), ...base64Forms(utf8(secret)), ...hexForms(utf8(secret)), ...wideForms(secret)])
  return [...forms].filter((form) => form.length >= shortest).sort((a, b) => b.length - a.length)
}

function escapedForms(secret: string): readonly string[] {
  const once = JSON.stringify(secret).slice(1, -1)
  const ascii = once.replace(/[^ -~]/gu, (letter) => [...Array(letter.length).keys()].map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''))
  const json = [once, ascii, once.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')]
  const twice = [once, ascii].map((text) => JSON.stringify(text).slice(1, -1))
  const shell = secret.replace(/[\\"$`]/gu, '\\$&')
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quotes = html.replaceAll('"', '&quot;')
  return [...json, ...twice, shell, secret.replaceAll("'", "'\\''"), html, quotes, quotes.replaceAll("'", '&#39;'), quotes.replaceAll("'", '&#x27;')]
}

function percentForms(secret: string): readonly string[] {
  const encoded = wellFormed(secret)
  const plain = encodeURIComponent(encoded)
  const strict = plain.replace(/[!'()*]/gu, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  const once = [plain, strict, plain.replaceAll('%2F', '/'), encodeURI(encoded), strict.replaceAll('%20', '+')]
  const whole = utf8(secret).map((byte) => `%${hexOf(byte).toUpperCase()}`).join('')
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/gu, (code) => code.toLowerCase())
  return [...once, ...once.map(lower), ...[plain, strict].map((text) => encodeURIComponent(text)), whole, lower(whole)]
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** Too short a secret would be found in every hash. */
function hexForms(bytes: readonly number[]): readonly string[] {
  const hex = bytes.length < 6 ? '' : bytes.map(hexOf).join('')
  return [hex, hex.toUpperCase()]
}

/** Base64 of UTF-16, as Windows shells take it; only for what is long enough to be told apart. */
function wideForms(secret: string): readonly string[] {
  const bytes = [...Array(secret.length).keys()].flatMap((at) => [secret.charCodeAt(at) & 255, secret.charCodeAt(at) >> 8])
  return bytes.length < 12 ? [] : base64Forms(bytes)
}

/** Base64 of the secret alone, and the letters that it always has when it stands at any place inside a longer text. */
function base64Forms(bytes: readonly number[]): readonly string[] {
  const alone = base64(bytes)
  const inside = [0, 1, 2].map((shift) => {
    const padded = base64([...Array<number>(shift).fill(0), ...bytes])
    const lost = Math.ceil((shift * 8) / 6)
    const certain = Math.floor(((shift + bytes.length) * 8) / 6)
    return padded.slice(lost, certain)
  })
  const forms = [alone, alone.replace(/=+$/u, ''), ...inside.filter((form) => form.length >= 8)]
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
}

function utf8(text: string): readonly number[] {
  const encoded = encodeURIComponent(wellFormed(text))
  const bytes: number[] = []
  for (let at = 0; at < encoded.length; at++) {
    if (encoded[at] === '%') {
      bytes.push(parseInt(encoded.slice(at + 1, at + 3), 16))
      at += 2
    } else bytes.push(encoded.charCodeAt(at))
  }
  return bytes
}

/** Half of a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

function base64(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.slice(at, at + 3)
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    text += (alphabet[bits >> 18] ?? '') + (alphabet[(bits >> 12) & 63] ?? '') + (b === undefined ? '=' : (alphabet[(bits >> 6) & 63] ?? '')) + (c === undefined ? '=' : (alphabet[bits & 63] ?? ''))
  }
  return text
}

/** Forms by their first character. */
export function firstCharacters(forms: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>()
  for (const form of new Set(forms)) by.set(form.charAt(0), [...(by.get(form.charAt(0)) ?? []), form])
  return by
}

/** What stands in place of a registered secret. */
export const knownMarker = '[redacted:known]'

/**
 * Takes registered secrets out, and nothing else, before anything is stored: what people and models
 * write stays as it is but for these.
 */
export function withoutKnown(text: string, known: readonly string[]): string {
  return known.flatMap(knownForms).reduce((rest, form) => rest.replaceAll(form, () => knownMarker), text)
}
