import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { RuleShape, RuleWord } from '../../../shared/domain/rule'

type Command = Extract<RuleShape, { readonly kind: 'command' }>

const maxWords = 200
const maxWord = 4096
const open = '…'
/** Means nothing else to whoever reads a command line. */
const plain = /^[\p{L}\p{N}_@%+=:,./-]+$/u
/** What a shell would take for something else than a part of a word. */
const shellSigns = new Set(['|', '&', ';', '<', '>', '(', ')', '$', '`', '\n', '\r'])
/** What a shell takes for patterns that a rule does not know. */
const patternSigns = new Set(['?', '[', ']', '{', '}'])
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/** The words of a command rule as one writes them: `npm run 'a b' build:* * …`. `parseWords` reads it back to the same. */
export function wordsText({ words, isOpen }: Pick<Command, 'words' | 'isOpen'>): string {
  return [...words.map(wordText), ...(isOpen ? [open] : [])].join(' ')
}

function wordText(word: RuleWord): string {
  if (word.kind === 'any') return '*'
  return word.kind === 'exact' ? quoted(word.text) : word.text.split('*').map((piece) => (piece === '' ? '' : quoted(piece))).join('*')
}

function quoted(text: string): string {
  return plain.test(text) && text !== '...' ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** One word while it is read. */
interface Reading {
  text: string
  hasStar: boolean
  hasQuotedStar: boolean
  isQuoted: boolean
}

/** Words as a person writes them, with quotes as in a shell; `*` alone is any word, in a word any characters, `…` at the end further words. */
export function parseWords(text: string): Result<Command> {
  const read = readWords(text.trim())
  if (!read.ok) return read
  const found = read.value.map(({ text: word, isQuoted }) => !isQuoted && (word === open || word === '...'))
  const isOpen = found.at(-1) === true
  if (found.slice(0, -1).includes(true)) return fail('permission.text.open-end')
  const readings = isOpen ? read.value.slice(0, -1) : read.value
  if (readings.length === 0) return fail('permission.text.empty')
  if (readings.length > maxWords) return fail('permission.text.long', { count: maxWords })
  const fault = readings.map(faultOf).find((one) => one !== null)
  if (fault) return { ok: false, fault }
  const words = readings.map(wordOf)
  const [program] = words
  if (program?.kind !== 'exact' || !/^\w[\w.+-]*$/u.test(program.text)) return fail('permission.text.program', { word: readings[0]?.text ?? '' })
  return succeed({ kind: 'command', words, isOpen })
}

function faultOf({ text, hasStar, hasQuotedStar }: Reading): Said | null {
  if (text === '') return said('permission.text.empty-word')
  if (text.length > maxWord) return said('permission.text.long-word', { count: maxWord })
  if (hidden.test(text)) return said('permission.text.hidden', { word: text })
  return hasStar && hasQuotedStar ? said('permission.text.two-stars', { word: text }) : null
}

function wordOf({ text, hasStar }: Reading): RuleWord {
  if (hasStar && text === '*') return { kind: 'any' }
  return { kind: hasStar ? 'pattern' : 'exact', text }
}

function readWords(text: string): Result<readonly Reading[]> {
  const words: Reading[] = []
  let word: Reading | null = null
  let quote: string | null = null
  const signs = [...text]
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? ''
    if (quote === null && (sign === ' ' || sign === '\t')) {
      word = null
      continue
    }
    if (quote === null && shellSigns.has(sign)) return fail('permission.text.sign', { sign: shown(sign, signs[at + 1]) })
    if (quote === null && patternSigns.has(sign)) return fail('permission.text.only-star', { sign })
    if (quote === '"' && (sign === '$' || sign === '`')) return fail('permission.text.sign', { sign })
    if (word === null) words.push((word = { text: '', hasStar: false, hasQuotedStar: false, isQuoted: false }))
    if (sign === quote) quote = null
    else if (quote === null && (sign === "'" || sign === '"')) [quote, word.isQuoted] = [sign, true]
    else if (sign === '\\' && quote !== "'") {
      const next = signs[++at]
      if (next === undefined) return fail('permission.text.backslash')
      // Between double quotes it stands for itself, unless it protects what would end or change them.
      take(word, quote === '"' && !['"', '\\', '$', '`'].includes(next) ? `\\${next}` : next)
    } else if (sign === '*' && quote === null) [word.text, word.hasStar] = [`${word.text}*`, true]
    else if (quote === null) word.text += sign
    else take(word, sign)
  }
  return quote === null ? succeed(words) : fail('permission.text.quote', { sign: quote })
}

/** A sign that was protected: it stands for itself. */
function take(word: Reading, sign: string): void {
  word.text += sign
  word.isQuoted = true
  if (sign.includes('*')) word.hasQuotedStar = true
}

/** A sign of the shell as people know it: `&&`, `$(`, the end of a line. */
function shown(sign: string, next: string | undefined): string {
  if (sign.trim() === '') return '⏎'
  return next === sign || (sign === '$' && next === '(') ? `${sign}${next}` : sign
}
