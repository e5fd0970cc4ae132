import { findKeyBlocks } from './redactionBlocks'
import { knownForms } from './redactionKnown'
import {
  chineseLabel, commandSecrets, cookieLine, headerSecrets, isSecretValue, namedAttribute, namedElement, namedFlag, namedValue, plainNames, queryKey, querySecret, urlPassword, urlToken,
} from './redactionNames'
import { secretPatterns, type SecretPattern } from './redactionPatterns'

/** How to redact. `known` are the values of stored secrets; `kind` says where the text comes from and changes nothing yet. */
export interface RedactHow {
  readonly known?: readonly string[]
  readonly kind?: 'text' | 'args' | 'json' | 'url' | 'output'
}

interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

const maxLooks = 4
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]{0,2048}(?:\u0007|\u001B\\)|[@-Z\\^_])/gu

/**
 * The text with every secret replaced by `[redacted:kind]` (R68, SECURITY section 6).
 *
 * In this order: registered secrets (as they are, in base64, percent and JSON form), keys with a form of their own, private
 * key blocks, passwords and tokens in addresses, headers and cookies, values by their name in English and Chinese, and
 * flags of commands. Nothing is guessed from randomness. Colour codes inside a secret do not hide it. Names and hosts stay.
 * Redacting twice changes nothing more. The time is linear in the text.
 */
export function redact(text: string, how: RedactHow = {}): string {
  let before = text
  // Taking a secret out can bare another one beside it; more than a second look is hardly ever needed.
  for (let look = 0; look < maxLooks; look++) {
    const after = redactOnce(before, how.known ?? [])
    if (after === before) return after
    before = after
  }
  return before
}

function redactOnce(text: string, known: readonly string[]): string {
  const plain = withoutEscapes(text)
  const masked = withoutMarkers(plain.text)
  const spans = joined(outsideMarkers(masked, findSecrets(masked, known)))
  if (spans.length === 0) return text
  let redacted = ''
  let from = 0
  for (const span of spans) {
    const start = plain.positions?.[span.start] ?? span.start
    const end = plain.positions ? (plain.positions[span.end - 1] ?? span.end - 1) + 1 : span.end
    redacted += `${text.slice(from, start)}[redacted:${span.kind}]${plain.positions ? escapesIn(text.slice(start, end)) : ''}`
    from = end
  }
  return redacted + text.slice(from)
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
const marker = /\[redacted:[^\]\s]{0,80}\]/gu

/** Markers of an earlier redaction look like names of secrets themselves. */
function withoutMarkers(text: string): string {
  return text.includes('[redacted:') ? text.replace(marker, (found) => mask.repeat(found.length)) : text
}

/** What was redacted before is left alone. */
function outsideMarkers(masked: string, spans: readonly Span[]): readonly Span[] {
  return masked.includes(mask) ? spans.filter((span) => !masked.slice(span.start, span.end).includes(mask)) : spans
}

function escapesIn(text: string): string {
  return (text.match(escapes) ?? []).join('')
}

function findSecrets(text: string, known: readonly string[]): readonly Span[] {
  const lower = text.toLowerCase()
  return [
    ...findKnown(text, known),
    ...secretPatterns.flatMap((each) => findPattern(text, text, each)),
    ...findKeyBlocks(text).map(({ start, end }) => ({ start, end, kind: 'private-key' })),
    ...findAddresses(text),
    ...headerSecrets.flatMap((each) => findPattern(text, lower, each)),
    ...findCookies(text, lower),
    ...findNamed(text, lower),
    ...commandSecrets.flatMap((each) => findPattern(text, text, each)),
  ]
}

function findKnown(text: string, known: readonly string[]): readonly Span[] {
  const spans: Span[] = []
  for (const form of known.flatMap(knownForms)) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) spans.push({ start: at, end: at + form.length, kind: 'known' })
  }
  return spans
}

function findPattern(text: string, hinted: string, { kind, hint, pattern }: SecretPattern): readonly Span[] {
  return hinted.includes(hint) ? matches(text, pattern, kind) : []
}

/** The first group of each match, or the whole match when there is none. Templates stay. */
function matches(text: string, pattern: RegExp, kind: string): readonly Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0]
    const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(value))
    if (!isTemplate(value)) spans.push({ start, end: start + value.length, kind })
  }
  return spans
}

/** What stands for a secret in examples and templates. */
function isTemplate(value: string): boolean {
  return /^["']?(?:\$[\w{(]|<[^>]*>?$|\{\{|%[({]|\*{2,}|x{3,}$|\.{3}|\[redacted:)/iu.test(value) || /^(?:password|passwd|pass|pwd|secret|token)$/iu.test(value)
}

function findAddresses(text: string): readonly Span[] {
  const hasScheme = text.includes('://')
  const hasQuery = text.includes('=') && /[?&#;]/u.test(text)
  return [
    ...(hasScheme ? matches(text, urlPassword, 'url-password') : []),
    ...(hasScheme ? matches(text, urlToken, 'url-token') : []),
    ...(hasQuery ? [...matches(text, querySecret, 'url-secret'), ...matches(text, queryKey, 'url-secret')] : []),
  ]
}

function findCookies(text: string, lower: string): readonly Span[] {
  if (!lower.includes('cookie')) return []
  const spans: Span[] = []
  for (const match of text.matchAll(cookieLine)) {
    const list = match[1] ?? ''
    const offset = match.index + match[0].length - list.length
    for (const pair of list.matchAll(/([^\s=;,]{1,128})=([^\s;,]{1,4096})/gu)) {
      const [, name = '', value = ''] = pair
      if (isCookieSecret(name, value)) spans.push({ start: offset + pair.index + name.length + 1, end: offset + pair.index + pair[0].length, kind: 'cookie' })
    }
  }
  return spans
}

function isCookieSecret(name: string, value: string): boolean {
  if (/^(?:path|domain|expires|max-age|samesite|priority|version|theme|lang|locale)$/iu.test(name) || isTemplate(value)) return false
  return value.length >= 8 || /sess|sid|auth|token|jwt|csrf|xsrf|secret/iu.test(name)
}

const namedHint = /pass|pwd|secret|token|key|credential|_auth/u

function findNamed(text: string, lower: string): readonly Span[] {
  const spans: Span[] = []
  if (namedHint.test(lower)) {
    for (const match of text.matchAll(namedValue)) {
      const [whole, name = '', before = '', separator = '', after = '', , inQuotes, bare] = match
      const value = inQuotes ?? bare ?? ''
      if (!isNamedSecret(name, { value, isQuoted: inQuotes !== undefined, isColon: separator === ':', isSpaced: before !== '' || (after !== '' && separator !== ':') })) continue
      const start = match.index + whole.lastIndexOf(value)
      spans.push({ start, end: start + value.length, kind: kindOf(name) })
    }
    spans.push(...findNamedPairs(text, namedElement), ...findNamedPairs(text, namedAttribute), ...findFlags(text))
  }
  for (const match of text.matchAll(chineseLabel)) {
    const value = match[2] ?? ''
    const start = match.index + match[0].length - value.length
    if (isSecretValue({ value, isQuoted: false, isColon: true, isSpaced: false })) spans.push({ start, end: start + value.length, kind: 'password' })
  }
  return spans
}

function findNamedPairs(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, name = '', value = ''] = match
    const start = match.index + whole.lastIndexOf(value)
    return isNamedSecret(name, { value, isQuoted: true, isColon: false, isSpaced: false }) ? [{ start, end: start + value.length, kind: kindOf(name) }] : []
  })
}

function findFlags(text: string): readonly Span[] {
  return [...text.matchAll(namedFlag)].flatMap((match) => {
    const [whole, name = '', , inQuotes, bare] = match
    const value = inQuotes ?? bare ?? ''
    const start = match.index + whole.lastIndexOf(value)
    const isOption = inQuotes === undefined && value.startsWith('-')
    return !isOption && isNamedSecret(name, { value, isQuoted: inQuotes !== undefined, isColon: true, isSpaced: false }) ? [{ start, end: start + value.length, kind: kindOf(name) }] : []
  })
}

function isNamedSecret(name: string, found: Parameters<typeof isSecretValue>[0]): boolean {
  if (plainNames.test(name)) return false
  const isCount = /token$/iu.test(name) && /^\d{1,6}$/u.test(found.value)
  return !isCount && isSecretValue(found)
}

function kindOf(name: string): string {
  if (/pass|pwd/iu.test(name)) return 'password'
  return /token|auth/iu.test(name) ? 'token' : /key/iu.test(name) ? 'key' : 'secret'
}

/** Spans in order without overlaps: what overlaps becomes one, under the kind that was found first. */
function joined(spans: readonly Span[]): readonly Span[] {
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
