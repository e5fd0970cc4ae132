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

/** Registered secrets in all their forms, to be looked for in a text that comes in pieces. */
export interface KnownForms {
  readonly all: readonly string[]
  readonly byFirst: ReadonlyMap<string, readonly string[]>
  readonly longest: number
}

/** Every form of these secrets. */
export function allForms(known: readonly string[]): KnownForms {
  const all = [...new Set(known.flatMap(knownForms))]
  const byFirst = new Map<string, string[]>()
  for (const form of all) byFirst.set(form.charAt(0), [...(byFirst.get(form.charAt(0)) ?? []), form])
  return { all, byFirst, longest: Math.max(0, ...all.map((form) => form.length)) }
}

/** Where a registered secret begins that lies across the cut, or may turn out to with what comes; the cut when none does. */
export function knownAcross(text: string, cut: number, { byFirst, longest }: KnownForms): number {
  for (let at = Math.max(0, cut - longest); at < cut; at++) {
    const forms = byFirst.get(text[at] ?? '')
    if (forms === undefined) continue
    const tail = text.slice(at, at + longest)
    if (forms.some((form) => at + form.length > cut && (form.length > tail.length ? form.startsWith(tail) : tail.startsWith(form)))) return at
  }
  return cut
}

/** What stands in place of a registered secret. */
export const knownMarker = '[redacted:known]'

/**
 * Takes registered secrets out, and nothing else, before anything is stored: what people and models
 * write stays as it is but for these. The longest first: of one that another begins with, no end is left.
 */
export function withoutKnown(text: string, known: readonly string[]): string {
  const forms = known.flatMap(knownForms)
  if (known.length > 1) forms.sort((a, b) => b.length - a.length)
  return forms.reduce((rest, form) => rest.replaceAll(form, () => knownMarker), text)
}

/** Masks registered secrets in text that is shown while it comes: what `withoutKnown` makes of the whole, in pieces. */
export interface LiveMask {
  /** What no secret has begun in, masked; the rest waits for the next piece. May be empty. */
  push(piece: string): string
  /** What waited. Call it when the text is over. */
  end(): string
  /** The same for the end of what came of another text, of which more comes: no part of a secret stays. `isCut` when it has not its beginning. */
  part(text: string, isCut: boolean): string
}

/** Takes registered secrets out of a text; nothing else of it changes. */
export interface WithoutKnown {
  (text: string): string
  /** The same for text on its way to the screen. Absent where nothing is registered. */
  readonly live?: () => LiveMask
}

/** One that asks anew at each text which secrets there are; a live mask knows those of its beginning. */
export function makeWithoutKnown(known: () => readonly string[]): WithoutKnown {
  return Object.assign((text: string) => withoutKnown(text, known()), { live: () => makeLiveMask(known()) })
}

function makeLiveMask(known: readonly string[]): LiveMask {
  const forms = allForms(known)
  let held = ''
  return {
    push(piece) {
      held += piece
      let cut = held.length
      for (let across = knownAcross(held, cut, forms); across < cut; across = knownAcross(held, cut, forms)) cut = across
      const ready = held.slice(0, cut)
      held = held.slice(cut)
      return withoutKnown(ready, known)
    },
    end() {
      const rest = held
      held = ''
      return withoutKnown(rest, known)
    },
    part(text, isCut) {
      const from = isCut && text !== '' ? Math.max(0, ...forms.all.map((form) => endBegun(text, form))) : 0
      const rest = text.slice(from)
      return withoutKnown(rest.slice(0, Math.min(rest.length, ...forms.all.map((form) => formBegun(rest, form)))), known)
    },
  }
}

/** How much of a text's beginning is the end of a form, or lies inside one. */
function endBegun(text: string, form: string): number {
  const first = text.charAt(0)
  for (let at = form.indexOf(first, 1); at > 0; at = form.indexOf(first, at + 1)) {
    const rest = form.slice(at, at + text.length)
    if (text.startsWith(rest)) return rest.length
  }
  return 0
}

/** Where at a text's end a form has begun that is not whole yet. */
function formBegun(text: string, form: string): number {
  const first = form.charAt(0)
  for (let at = text.indexOf(first, Math.max(0, text.length - form.length + 1)); at >= 0; at = text.indexOf(first, at + 1)) if (form.startsWith(text.slice(at))) return at
  return text.length
}
