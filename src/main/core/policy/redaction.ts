import { findSecrets, type SecretSpan } from './redactionFind'

/** How to redact. `known` are the values of stored secrets; `kind` says where the text comes from and changes nothing yet. */
export interface RedactHow {
  readonly known?: readonly string[]
  readonly kind?: 'text' | 'args' | 'json' | 'url' | 'output'
}

/** One place of a text that is hidden, and what is shown instead: a marker, and the colour codes that stood inside. */
export interface Redaction {
  readonly start: number
  readonly end: number
  readonly shown: string
}

/** Masks the secrets of a text, and says where they are, for a text that may be written back. */
export interface Redact {
  (text: string): string
  /** The places in order. Absent where masking is all that is offered: then nothing can be put back. */
  readonly places?: (text: string) => readonly Redaction[]
}

/** A redactor of which `how` is asked anew at each text. */
export function makeRedact(how: () => RedactHow): Redact {
  return Object.assign((text: string) => redact(text, how()), { places: (text: string) => findRedactions(text, how()) })
}

const maxLooks = 4
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]{0,2048}(?:\u0007|\u001B\\)|[@-Z\\^_])/gu

/**
 * The text with every secret replaced by `[redacted:kind]` (R68, SECURITY section 6).
 *
 * In this order: registered secrets (as they are and in every form of `knownForms`), keys with a form of their own, private
 * key blocks, passwords and tokens in addresses, headers and cookies, values by their name in English and Chinese, and
 * flags of commands. Nothing is guessed from randomness. Colour codes inside a secret do not hide it. Names and hosts stay.
 * Redacting twice changes nothing more. The time is linear in the text.
 */
export function redact(text: string, how: RedactHow = {}): string {
  return withRedactions(text, findRedactions(text, how))
}

/** A text with its redactions in place; they are in order and do not overlap. */
export function withRedactions(text: string, redactions: readonly Redaction[]): string {
  if (redactions.length === 0) return text
  let out = ''
  let from = 0
  for (const { start, end, shown } of redactions) {
    out += text.slice(from, start) + shown
    from = end
  }
  return out + text.slice(from)
}

/** The places that `redact` hides, in order; they do not overlap, and markers that are in the text already are none of them. */
export function findRedactions(text: string, how: RedactHow = {}): readonly Redaction[] {
  let found: readonly Redaction[] = []
  let before = text
  // Taking a secret out can bare another one beside it; more than a second look is hardly ever needed.
  for (let look = 0; look < maxLooks; look++) {
    const more = lookOnce(before, how.known ?? [])
    if (more.length === 0) break
    found = merged(found, more)
    before = withRedactions(text, found)
  }
  return found
}

/** Redactions of a text that has been redacted before, as places of the text it was. */
function merged(earlier: readonly Redaction[], later: readonly Redaction[]): readonly Redaction[] {
  if (earlier.length === 0) return later
  const all: Redaction[] = []
  let next = 0
  let shift = 0
  for (const one of later) {
    for (let known = earlier[next]; known !== undefined && known.start + shift + known.shown.length <= one.start; known = earlier[++next]) {
      all.push(known)
      shift += known.shown.length - (known.end - known.start)
    }
    all.push({ ...one, start: one.start - shift, end: one.end - shift })
  }
  return [...all, ...earlier.slice(next)]
}

function lookOnce(text: string, known: readonly string[]): readonly Redaction[] {
  const plain = withoutEscapes(text)
  const masked = withoutMarkers(plain.text)
  return joined(outsideMarkers(masked, findSecrets(masked, known))).map((span) => {
    const start = plain.positions?.[span.start] ?? span.start
    const end = plain.positions ? (plain.positions[span.end - 1] ?? span.end - 1) + 1 : span.end
    return { start, end, shown: `[redacted:${span.kind}]${plain.positions ? escapesIn(text.slice(start, end)) : ''}` }
  })
}

/** The text without terminal sequences, and where each of its characters stands in the original; null when it is the same. */
function withoutEscapes(text: string): { readonly text: string; readonly positions: readonly number[] | null } {
  if (!text.includes('\u001B')) return { text, positions: null }
  const positions: number[] = []
  let plain = ''
  let from = 0
  const take = (until: number): void => {
    plain += text.slice(from, until)
    for (let at = from; at < until; at++) positions.push(at)
  }
  for (const match of text.matchAll(escapes)) {
    take(match.index)
    from = match.index + match[0].length
  }
  take(text.length)
  return { text: plain, positions }
}

/** Stands where a marker was; a noncharacter, so no text means it. */
const mask = '\uFFFF'
const marker = /\[redacted:[^[\]\s]{0,80}\]/gu

/** Markers of an earlier redaction look like names of secrets themselves. */
function withoutMarkers(text: string): string {
  return text.includes('[redacted:') ? text.replace(marker, (found) => mask.repeat(found.length)) : text
}

/** What was redacted before is left alone. */
function outsideMarkers(masked: string, spans: readonly SecretSpan[]): readonly SecretSpan[] {
  return masked.includes(mask) ? spans.filter((span) => !masked.slice(span.start, span.end).includes(mask)) : spans
}

function escapesIn(text: string): string {
  return (text.match(escapes) ?? []).join('')
}

/** Spans in order without overlaps: what overlaps becomes one, under the kind that was found first. */
function joined(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const ordered = spans.map((span, rank) => ({ ...span, rank })).filter((span) => span.end > span.start).sort((a, b) => a.start - b.start || a.rank - b.rank)
  const whole: { start: number; end: number; kind: string; rank: number }[] = []
  for (const span of ordered) {
    const last = whole.at(-1)
    if (!last || span.start >= last.end) whole.push({ ...span })
    else {
      last.end = Math.max(last.end, span.end)
      if (span.rank < last.rank) Object.assign(last, { kind: span.kind, rank: span.rank })
    }
  }
  return whole
}
