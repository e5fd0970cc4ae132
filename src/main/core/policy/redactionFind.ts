import { commandSecrets } from './redactionCommands'
import { findKeyBlocks } from './redactionBlocks'
import { knownForms } from './redactionKnown'
import {
  chineseBare, chineseLabel, cookieFlag, cookieLine, databasePassword, driverPassword, headerSecrets, isFolder, isSecretValue, isStrong, namedArgument, namedAttribute, namedElement, namedEntry, namedFallback, namedFlag, namedLine,
  namedSetter, namedValue, plainNames, queryKey, querySecret, saidValue, shortFlag, tableRow, urlPassword, urlToken, type FoundValue,
} from './redactionNames'
import { pairsOf, type TextPairs } from './redactionPairs'
import { secretPatterns, type SecretPattern } from './redactionPatterns'

/** Where a secret stands in a text, and of which kind it is. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Every secret of a text, by all rules, in no order; spans may overlap. */
export function findSecrets(text: string, known: readonly string[]): readonly SecretSpan[] {
  const lower = text.toLowerCase()
  const pairs = pairsOf(lower)
  return [
    ...findKnown(text, known),
    ...secretPatterns.flatMap((each) => findPattern(text, text, each, pairs)),
    ...findKeyBlocks(text).map(({ start, end }) => ({ start, end, kind: 'private-key' })),
    ...findAddresses(text, lower, pairs),
    ...headerSecrets.flatMap((each) => findPattern(text, lower, each, pairs)),
    ...findCookies(text, lower),
    ...findNamed(text, lower, pairs),
    ...commandSecrets.flatMap((each) => findPattern(text, text, each, pairs)),
  ]
}

function findKnown(text: string, known: readonly string[]): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const form of known.flatMap(knownForms)) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) spans.push({ start: at, end: at + form.length, kind: 'known' })
  }
  return spans
}

function findPattern(text: string, hinted: string, { kind, hint, pattern }: SecretPattern, pairs: TextPairs): readonly SecretSpan[] {
  return pairs.mayHold(hint) && hinted.includes(hint) ? matches(text, pattern, kind) : []
}

/** The first group of each match, or the whole match when there is none. Templates stay. */
function matches(text: string, pattern: RegExp, kind: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0]
    const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(value))
    if (!isTemplate(value)) spans.push({ start, end: start + value.length, kind })
  }
  return spans
}

/** What stands for a secret in examples and templates. */
function isTemplate(value: string): boolean {
  return /^["']?(?:\$(?:[A-Za-z_{(]|[0-9]\W|[0-9]$)|<[^>]*>?$|\{|:[A-Za-z]\w*$|%[({]|\*{2,}|x{3,}$|\.{3}|\[redacted:)/iu.test(value) || /^(?:password|passwd|pass|pwd|secret|token)$/iu.test(value)
}

const driverWords = ['@tcp(', '@unix(', 'jdbc:oracle:', 'sqlplus']

function findAddresses(text: string, lower: string, pairs: TextPairs): readonly SecretSpan[] {
  const hasScheme = text.includes('//') || text.includes(':\\/\\/')
  const has = (word: string): boolean => pairs.mayHold(word) && lower.includes(word)
  const hasQuery = ['=', '%3d'].some(has) && ['?', '&', '#', ';', '%3f', '%26'].some(has)
  return [
    ...(hasScheme ? [...matches(text, urlPassword, 'url-password'), ...matches(text, databasePassword, 'url-password')] : []),
    ...(driverWords.some((word) => pairs.mayHold(word)) && /@(?:tcp|unix)\(|jdbc:oracle:|\bsqlplus\b/u.test(text) ? driverSecrets(text) : []),
    ...(hasScheme ? matches(text, urlToken, 'url-token') : []),
    ...(hasQuery ? [...matches(text, querySecret, 'url-secret'), ...matches(text, queryKey, 'url-secret')] : []),
  ]
}

function driverSecrets(text: string): readonly SecretSpan[] {
  return [...text.matchAll(driverPassword)].flatMap((match) => {
    const value = match[1] ?? match[2] ?? ''
    const start = match.index + match[0].lastIndexOf(value)
    return isTemplate(value) ? [] : [{ start, end: start + value.length, kind: 'url-password' }]
  })
}

function findCookies(text: string, lower: string): readonly SecretSpan[] {
  return [...(lower.includes('cookie') ? cookiesOf(text, cookieLine) : []), ...(text.includes('-b') || lower.includes('--cookie') ? cookiesOf(text, cookieFlag) : [])]
}

function cookiesOf(text: string, pattern: RegExp): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(pattern)) {
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

const namedWords = ['pass', 'pw', 'psk', 'secret', 'token', 'key', 'credential', 'auth', 'bearer', 'otp']
const namedHint = new RegExp(namedWords.join('|'), 'u')

function findNamed(text: string, lower: string, pairs: TextPairs): readonly SecretSpan[] {
  return [
    ...(namedWords.some((word) => pairs.mayHold(word)) && namedHint.test(lower) ? [...findValues(text), ...findLines(text), ...findSaid(text), ...pairPatterns(text).flatMap((pattern) => findNamedPairs(text, pattern)), ...findFlags(text)] : []),
    ...findChinese(text),
  ]
}

function findValues(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(namedValue)) {
    const [whole, name = '', before = '', separator = '', after = '', , inQuotes, bare] = match
    const value = inQuotes ?? bare ?? ''
    const end = match.index + whole.length
    if (inQuotes === undefined && isExpression(text, { start: match.index, end, value, isAfterBlank: after !== '' })) continue
    if (!isNamedSecret(name, { value, isQuoted: inQuotes !== undefined, isColon: separator === ':', isSpaced: before !== '' || (after !== '' && separator !== ':') })) continue
    const start = match.index + whole.lastIndexOf(value)
    spans.push({ start, end: start + value.length, kind: kindOf(name) })
  }
  return spans
}

/** What stands there is code or an address rather than a value: a call, a type, another option, a name of Amazon's. */
function isExpression(text: string, found: { readonly start: number; readonly end: number; readonly value: string; readonly isAfterBlank: boolean }): boolean {
  const next = text.slice(found.end, found.end + 3)
  if (/^[([]/u.test(next)) return true
  if (/^[A-Za-z_$]+$/u.test(found.value) && found.isAfterBlank && /^ {0,2}[,;)|=<{&>]/u.test(next)) return true
  if (found.isAfterBlank && /^(?:-|\/.*\\)/u.test(found.value)) return true
  return /\barn:[\w:/-]{0,200}$/u.test(text.slice(Math.max(0, found.start - 200), found.start))
}

/** Values with signs that end a value elsewhere. Lists of pairs and code are left to the other rules. */
function findLines(text: string): readonly SecretSpan[] {
  return [...text.matchAll(namedLine)].flatMap((match) => {
    const [whole, name = '', value = ''] = match
    const start = match.index + whole.lastIndexOf(value)
    const plain = value.replace(/[,;]+$/u, '')
    const isOther = plain.length < 6 || !/\d/u.test(plain) || /[&;,|{(][\w.-]*[=:]|[{(]$|^[[{(]|=>|\(\)/u.test(plain)
    return !isOther && isNamedSecret(name, { value: plain, isQuoted: false, isColon: true, isSpaced: false }) ? [{ start, end: start + plain.length, kind: kindOf(name) }] : []
  })
}

/** Where only a name and a likely value stand together. */
function findSaid(text: string): readonly SecretSpan[] {
  return [
    ...strongOnes(text, saidValue, 'password'),
    ...strongOnes(text, shortFlag, 'password'),
    ...(text.includes('|') ? strongOnes(text, tableRow, 'password') : []),
    ...[...text.matchAll(namedArgument)].flatMap((match) => {
      const [whole, name = '', value = ''] = match
      const start = match.index + whole.lastIndexOf(value)
      return isStrong(value) && isNamedSecret(name, { value, isQuoted: true, isColon: false, isSpaced: false }) ? [{ start, end: start + value.length, kind: kindOf(name) }] : []
    }),
  ]
}

function strongOnes(text: string, pattern: RegExp, kind: string): readonly SecretSpan[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = (match[1] ?? '').replace(/[.)\]*]+$/u, '')
    const start = match.index + match[0].length - (match[1] ?? '').length
    return isStrong(value) ? [{ start, end: start + value.length, kind }] : []
  })
}

const chineseHint = /[密口令私授凭憑秘金權通]/u

function findChinese(text: string): readonly SecretSpan[] {
  if (!chineseHint.test(text)) return []
  const labelled = [...text.matchAll(chineseLabel)].flatMap((match) => {
    const value = match[1] ?? ''
    const start = match.index + match[0].length - value.length
    return isSecretValue({ value, isQuoted: false, isColon: true, isSpaced: false }) ? [{ start, end: start + value.length, kind: 'password' }] : []
  })
  return [...labelled, ...strongOnes(text, chineseBare, 'password'), ...(text.includes('|') ? strongOnes(text, tableRow, 'password') : [])]
}

/** Those whose signs the text has at all. */
function pairPatterns(text: string): readonly RegExp[] {
  return [...(text.includes('</') ? [namedElement] : []), namedAttribute, ...(text.includes('alue') ? [namedEntry] : []), ...(/(?:\|\||\?\?)[ \t]{0,4}["'`]/u.test(text) ? [namedFallback] : []), ...(/\([ \t]{0,4}["'`]/u.test(text) ? [namedSetter] : [])]
}

function findNamedPairs(text: string, pattern: RegExp): readonly SecretSpan[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, name = '', value = ''] = match
    const start = match.index + whole.lastIndexOf(value)
    return isNamedSecret(name, { value, isQuoted: true, isColon: false, isSpaced: false }) ? [{ start, end: start + value.length, kind: kindOf(name) }] : []
  })
}

function findFlags(text: string): readonly SecretSpan[] {
  return [...text.matchAll(namedFlag)].flatMap((match) => {
    const [whole, name = '', , inQuotes, bare] = match
    const value = inQuotes ?? bare ?? ''
    const start = match.index + whole.lastIndexOf(value)
    const isOption = inQuotes === undefined ? value.startsWith('-') : /^--[a-z]/u.test(value)
    // Letters alone are what a page of help has there, or a long password; with `=` nothing but a value can follow.
    const mayBeLetters = whole.includes('=') ? value.length >= 6 : /^[a-z]{12,}$/u.test(value)
    return !isOption && isNamedSecret(name, { value, isQuoted: inQuotes !== undefined, isColon: !mayBeLetters, isSpaced: false }) ? [{ start, end: start + value.length, kind: kindOf(name) }] : []
  })
}

function isNamedSecret(name: string, found: FoundValue): boolean {
  if (plainNames.test(name.replace(/([a-z])([A-Z])/gu, '$1_$2'))) return false
  if (/^(?:old)?pwd$/iu.test(name) && isFolder(found.value)) return false
  const isCount = /(?:token|pass|pw)$/iu.test(name) && /^[\d_]{1,9}$/u.test(found.value)
  return !isCount && isSecretValue(found) && (/pass|pwd|pw$|psk$/iu.test(name) || mayBeMade(name, found))
}

/** People choose words as passwords; keys and tokens are made, and words in quotes behind such a name are names themselves. */
function mayBeMade(name: string, { value, isQuoted }: FoundValue): boolean {
  if (!isQuoted || /\d/u.test(value)) return true
  if (/secret$/iu.test(name)) return /^[A-Za-z]{10,}$|[!#$%^&*+=]/u.test(value)
  return /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]{24,}$|^(?=.*[a-z])(?=.*[A-Z])[A-Za-z+/_-]{30,}={0,2}$/u.test(value)
}

function kindOf(name: string): string {
  if (/pass|pwd/iu.test(name)) return 'password'
  return /token|auth/iu.test(name) ? 'token' : /key/iu.test(name) ? 'key' : 'secret'
}
