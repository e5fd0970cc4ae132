import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findRedactions, redact } from '../../src/main/core/policy/redaction'
import { restoreMarkers } from '../../src/main/core/policy/redactionRestore'
import { StreamRedactor } from '../../src/main/core/policy/redactionStream'
import type { FuzzTarget } from './run'

/** Put together so that no scanner takes this file for a leak. */
const token = ['ghp', '_', 'T7rYk2WnE9sLq4Vb1Xz8Gd5Hj0Pm3Cf6Ua9O'].join('')
const known = 'sesame-9f8e7d6c5b4a-open'
const how = { known: [known] }
/** Far more than the slowest input needs: it tells a runaway pattern from a busy machine. */
const longestMs = 3000

function check(input: string): string | null {
  const startedAt = performance.now()
  const once = redact(input, how)
  if (performance.now() - startedAt > longestMs) return `takes too long: ${Math.round(performance.now() - startedAt)} ms for ${input.length} characters`
  if (redact(once, how) !== once) return 'finds more at a second time'
  const places = findRedactions(input, how)
  const isOrdered = places.every(({ start, end }, at) => start >= (places[at - 1]?.end ?? 0) && end > start && end <= input.length)
  if (!isOrdered) return 'gives places out of order'
  const back = restoreMarkers(input, places, once)
  if (back.kind === 'restored' && back.text !== input) return 'puts other values back'
  const planted = `${input}\n${token}\nsay ${known} now\n`
  if (hasSecret(redact(planted, how))) return 'leaves a secret behind the text'
  if (hasSecret(streamed(planted, input.length))) return 'leaves a secret in a stream'
  return null
}

function hasSecret(text: string): boolean {
  return text.includes(token.slice(8)) || text.includes(known.slice(7))
}

/** In pieces of changing lengths, with pauses, the same for the same text. */
function streamed(text: string, seed: number): string {
  const redactor = new StreamRedactor(how)
  let out = ''
  let at = 0
  for (let turn = seed; at < text.length; turn++) {
    const size = 1 + ((turn * 7919) % 97)
    out += redactor.push(text.slice(at, at + size))
    if (turn % 11 === 0) out += redactor.idle()
    at += size
  }
  return out + redactor.end()
}

function seeds(): readonly string[] {
  return ['guard-redaction.jsonl', 'more-redaction.jsonl'].flatMap((file) =>
    readFileSync(path.resolve('test/cases/guard', file), 'utf8').trim().split('\n').map((line) => {
      const { vars, input, chunks } = JSON.parse(line) as { readonly vars: Readonly<Record<string, readonly string[]>>; readonly input?: string; readonly chunks?: readonly string[] }
      return (chunks?.join('') ?? input ?? '').replace(/\{\{(\w+)\}\}/gu, (_, name: string) => (vars[name] ?? []).join('')).slice(0, 2000)
    }),
  )
}

/** The redactor of texts and streams, and the way back from its markers. */
export const redactorTarget: FuzzTarget = {
  name: 'redactor',
  seeds,
  check,
  words: [
    '\n', '\r\n', '\r', ' ', '\t', '"', "'", '`', '\\"', '\\n', '=', ':', ' = ', ': ', '=>', '://', '@', '/', '?', '&', '#', ';', ',', '|', '(', ')', '{', '}', '[', ']', '<', '>', '</', '-', '--', '-----', '\u001b[31m', '\u001b[0m', '\u001b]0;t\u0007', '\ufeff', '\uffff', '\ud800', '密码：', '令牌是',
    'password', 'PASSWORD=', 'token: ', '"secret": "', 'api_key', 'Authorization: Bearer ', 'Cookie: sid=', '--password ', '-p', '-u a:', 'mysql ', 'curl ', 'echo ', ' | sudo -S', 'https://a:', '?token=', '%3Ftoken%3D', 'name: ', 'value: ', '-----BEGIN RSA PRIVATE', ' KEY-----', '-----END RSA PRIVATE', 'Private-Lines: 2\n', '"kty":"EC","d":"',
    '[redacted:', '[redacted:token]', token.slice(0, 8), known.slice(0, 7), 'eyJhbGciOiJIUzI1NiJ9.', 'a7Kd93mQx1Zp0Rt8VbWc5Yh2', '0123456789abcdef', 'A'.repeat(64), '\\x', '$', '${X}', '{{x}}',
  ],
}
