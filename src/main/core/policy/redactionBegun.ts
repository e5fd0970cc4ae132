import { findRedactions, type RedactHow } from './redaction'
import { secretPatterns } from './redactionPatterns'

/** What could come next, so that a secret that has begun would be seen: of several alphabets, and as an address or a text in quotes. */
const mixed = 'a1Bc2Dd3'.repeat(40)
const continuations = [mixed, '0a1b2c3d'.repeat(40), `${mixed.slice(0, 24)}@h.example/`, `${mixed.slice(0, 24)}@tcp(h)`, '@tcp(h)', 'p(h)', `${mixed.slice(0, 24)}</x>`, `${mixed.slice(0, 24)}")`, `${mixed.slice(0, 24)}')`, `${mixed.slice(0, 24)}\`)`, '")', "')", 'A1BC2DE3'.repeat(4), '/']

/** How keys of their makers' forms begin. */
const beginnings = [...new Set(secretPatterns.map(({ hint }) => hint).filter((hint) => /^[A-Za-z0-9]{2,}/u.test(hint))), 'sk_', 'rk_', 'pk_', 'AKIA', 'ASIA', 'ABIA', 'ACCA', 'dop_v1_', 'hcaik_', 'registry', 'https://hooks', '1//0']
const longestTail = 4096
const keyLineBegun = /-{1,5} ?(?:B(?:E(?:G(?:I(?:N(?: [A-Z0-9 ]{0,40}-{0,5})?)?)?)?)?)?$/u

/** The place from which the end of a text may turn out to belong to a secret, whatever comes next; its length when none has begun. */
export function mayBegin(text: string, how: RedactHow): number {
  const offset = Math.max(0, text.length - longestTail)
  const tail = text.slice(offset)
  const alone = new Set(findRedactions(tail, how).map(({ start, end }) => `${start} ${end}`))
  const begunWith = (more: string): number => findRedactions(tail + more, how).find(({ start, end }) => start < tail.length && !alone.has(`${start} ${end}`))?.start ?? tail.length
  const places = [tail.length, begunWord(tail), begunEcho(tail), tail.search(keyLineBegun), ...continuations.map(begunWith)]
  return offset + Math.min(...places.filter((place) => place >= 0))
}

/** A word at the end that is part of a known beginning, goes on from one, or is as long and mixed as only keys are. */
function begunWord(tail: string): number {
  const at = tail.search(/[A-Za-z0-9_+/=.$~-]*$/u)
  const word = tail.slice(at)
  if (word === '') return tail.length
  const isKey = /^(?=.*\d)[A-Za-z0-9_+/=.~-]{16,}$/u.test(word)
  const isBegun = beginnings.some((one) => one.startsWith(word) || (word.startsWith(one) && (one.length > 2 || word.length <= 5 || /[_-]/u.test(word))))
  return isKey || isBegun ? at : tail.length
}

/** What is printed may go to a program that asks for a password. */
function begunEcho(tail: string): number {
  const match = /\b(?:echo|printf)[ \t](?=[^\n|]*(?:\|[^\n|]*)?$)/u.exec(tail)
  return match === null ? tail.length : match.index + match[0].length
}
