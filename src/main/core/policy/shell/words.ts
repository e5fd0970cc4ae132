import { parse, type CommandExpansionPart, type DoubleQuotedChild, type Word, type WordPart } from 'unbash'
import { expandBraces } from './braces'
import { plainStream, type Arg, type Stream } from './call'
import { judgeArithmetic } from './arithmetic'
import { ANY, hasUnknown, markGlobs, ONE, UNKNOWN } from './marks'
import { ask } from './outcomes'
import { expandParameter, expandSimple, type Expansion } from './parameters'
import type { ShellState } from './state'
import { deeper } from './walkTypes'
import type { WordContext } from './wordTypes'

/** A stretch of a word. `splits` marks an unquoted expansion, which may become several words or none. */
interface Piece {
  readonly text: string
  readonly shown: string
  readonly splits: boolean
  readonly isSecret: boolean
  readonly isRemote: boolean
  readonly stream: Stream | null
  /** Another text that the piece may have instead. */
  readonly otherwise?: string
  /** Elements that become words of their own, as `"$@"` does. */
  readonly items?: readonly string[]
}

const maxBraceWords = 64
/** What a word may grow to; beyond, it counts as not known. Variables that hold each other twice would else fill the memory. */
const maxWordText = 65_536
const maxFields = 500
/** Where words are cut that were filled in, unless `IFS` says otherwise. */
const blanks = /[ \t\n]+/u

/** Expands one word into the words the program will get: tilde, braces, parameters, substitutions, splitting, globs. */
export function expandWord(word: Word, context: WordContext): readonly Arg[] {
  const parts = word.parts
  if (!parts) return [plainPieceArg(tildePiece(word.text, word.value, context.state), word.text)]
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBraceWord(word, context)
  const pieces = parts.flatMap((part, at) => piecesOf(part, context, at === 0))
  return fieldsOf(pieces, word.text, context)
}

/** Expands a word that stays one word: assignments, redirect targets, here-strings, `case` and `[[`. */
export function expandSingle(word: Word, context: WordContext): Arg {
  const parts = word.parts
  if (!parts) return plainPieceArg(tildePiece(word.text, word.value, context.state), word.text)
  return singleOf(parts.flatMap((part, at) => piecesOf(part, context, at === 0)), word.text)
}

/** Expands the parts of a here-document. */
export function expandBody(text: string, parts: readonly WordPart[] | undefined, context: WordContext): Arg {
  if (!parts) return { text, shown: text, isSecret: false, isRemote: false, stream: null }
  return singleOf(parts.flatMap((part) => piecesOf(part, context, false)), text)
}

function singleOf(pieces: readonly Piece[], shown: string): Arg {
  if (isTooLong(pieces)) return { ...unknownWord(shown), ...flagsOf(pieces) }
  const text = pieces.map((piece) => (piece.otherwise !== undefined && piece.otherwise !== piece.text ? UNKNOWN : (piece.items?.join(' ') ?? piece.text))).join('')
  const [only] = pieces
  return {
    text, shown: hasUnknown(text) ? shown : text, isSecret: pieces.some((piece) => piece.isSecret), isRemote: pieces.some((piece) => piece.isRemote),
    stream: pieces.length === 1 ? (only?.stream ?? null) : null,
    ...(pieces.length === 1 && only?.otherwise !== undefined && text === UNKNOWN && !hasUnknown(only.text) ? { perhaps: only.text } : {}),
  }
}

function expandBraceWord(word: Word, context: WordContext): readonly Arg[] {
  const texts = expandBraces(word.text, maxBraceWords)
  if (texts === null) {
    context.notes.push(ask('guard.expansion', { text: word.text }))
    return [unknownWord(word.text)]
  }
  const inner: WordContext = { ...context, walk: deeper(context.walk) }
  return texts.flatMap((text) => {
    const [statement] = parse(`: ${text}`).commands
    const command = statement?.command
    if (command?.type !== 'Command') return [unknownWord(text)]
    return command.suffix.flatMap((each) => (each.type === 'Word' && !each.parts?.some((part) => part.type === 'BraceExpansion') ? expandWord(each, inner) : unknownSuffix(text)))
  })
}

function unknownSuffix(text: string): readonly Arg[] {
  return [unknownWord(text)]
}

function piecesOf(part: WordPart | DoubleQuotedChild, context: WordContext, isFirst: boolean): readonly Piece[] {
  switch (part.type) {
    case 'Literal': return [isFirst ? tildePiece(part.text, part.value, context.state) : piece(part.value, part.text)]
    case 'SingleQuoted': case 'AnsiCQuoted': return [piece(part.value, part.text)]
    case 'DoubleQuoted': case 'LocaleString': return quotedPieces(part.parts, part.text, context)
    case 'SimpleExpansion': return [noted(expansionPiece(expandSimple(part.text, context.state), part.text), context)]
    case 'ParameterExpansion': return [noted(expansionPiece(expandParameter(part, context), part.text), context)]
    case 'CommandExpansion': return [substitution(part, context)]
    case 'ArithmeticExpansion': return [arithmetic(part.expression, part.text, context)]
    case 'ProcessSubstitution': return [processSubstitution(part, context)]
    case 'Glob':
      if (part.kind === 'bracket') for (const inner of part.parts) piecesOf(inner, context, false)
      return [piece(part.kind === 'star' ? ANY : ONE, part.text)]
    case 'ExtendedGlob':
      // The bash that runs has extglob off and reads this otherwise.
      context.notes.push(ask('guard.expansion', { text: part.text.slice(0, 80) }))
      for (const inner of part.parts ?? []) piecesOf(inner, context, false)
      return [piece(ANY, part.text)]
    case 'BraceExpansion':
      for (const inner of part.parts ?? []) piecesOf(inner, context, false)
      return [piece(UNKNOWN, part.text)]
  }
}

function quotedPieces(children: readonly DoubleQuotedChild[], shown: string, context: WordContext): readonly Piece[] {
  if (children.length === 0) return [piece('', shown)]
  return children.flatMap((child) => piecesOf(child, context, false)).map((each) => ({ ...each, splits: false }))
}

function piece(text: string, shown: string): Piece {
  return { text, shown, splits: false, isSecret: false, isRemote: false, stream: null }
}

function expansionPiece(expansion: Expansion, shown: string): Piece {
  return {
    text: expansion.value.text, shown, splits: true, isSecret: expansion.value.isSecret, isRemote: expansion.value.isRemote, stream: null,
    ...(expansion.otherwise !== undefined ? { otherwise: expansion.otherwise } : {}),
    ...(expansion.items !== undefined ? { items: expansion.items } : {}),
  }
}

/** A variable of the environment that is named like a secret: printing it shows it. */
function noted(found: Piece, context: WordContext): Piece {
  if (found.isSecret && found.text === UNKNOWN) context.notes.push(ask('guard.environment-dump'))
  return found
}

function substitution(part: CommandExpansionPart, context: WordContext): Piece {
  context.seen.substitution = true
  const unknown = { ...piece(UNKNOWN, part.text), splits: true }
  if (!part.script) {
    context.notes.push(ask('guard.unparsable', { detail: part.text.slice(0, 60) }))
    return unknown
  }
  const { output } = context.judgeScript(part.script, context.state, deeper(context.walk))
  const text = output.text === null ? (output.pattern ?? UNKNOWN) : output.text.replace(/\n+$/u, '')
  return { ...unknown, text, isSecret: output.isSecret, isRemote: output.isRemote }
}

function processSubstitution(part: Extract<WordPart, { type: 'ProcessSubstitution' }>, context: WordContext): Piece {
  context.seen.substitution = true
  if (!part.script) {
    context.notes.push(ask('guard.unparsable', { detail: part.text.slice(0, 60) }))
    return piece(UNKNOWN, part.text)
  }
  const { output } = context.judgeScript(part.script, context.state, deeper(context.walk))
  return { ...piece('/dev/fd/63', part.text), isSecret: output.isSecret, isRemote: output.isRemote, stream: part.operator === '<' ? output : plainStream }
}

function arithmetic(expression: Parameters<typeof judgeArithmetic>[0], shown: string, context: WordContext): Piece {
  judgeArithmetic(expression, context)
  return { ...piece(ANY, shown), splits: true }
}

/** A leading unquoted `~`, also after `name=`, is the home folder; `~name` too when that is how it is called. */
function tildePiece(written: string, value: string, state: ShellState): Piece {
  const at = /^(?:[A-Za-z_]\w*=)?~/u.exec(written)?.[0].length
  if (at === undefined) return piece(value, written)
  const rest = value.slice(at)
  const user = /^[^/]*/u.exec(rest)?.[0] ?? ''
  const ownHome = state.vars.get('HOME')?.text
  const ownName = ownHome?.split('/').at(-1)
  const home = user === '' ? state.vars.get('HOME')?.text : user === ownName ? ownHome : user === 'root' ? '/root' : user === '+' ? state.vars.get('PWD')?.text : undefined
  return piece(`${value.slice(0, at - 1)}${home ?? UNKNOWN}${rest.slice(user.length)}`, written)
}

function plainPieceArg(only: Piece, shown: string): Arg {
  return { text: only.text, shown: hasUnknown(only.text) ? shown : only.text, isSecret: false, isRemote: false, stream: null }
}

/** Splits unquoted expansions into words and puts the pieces together. */
function fieldsOf(pieces: readonly Piece[], shown: string, context: WordContext): readonly Arg[] {
  const ifs = context.state.vars.get('IFS')?.text
  const cut = ifs === undefined || ifs === ' \t\n' || hasUnknown(ifs) ? blanks : ifs === '' ? null : new RegExp(`[${ifs.replace(/[\\\]^-]/gu, '\\$&')}]+`, 'u')
  const first = splitFields(pieces, shown, cut)
  if (!pieces.some((each) => each.otherwise !== undefined && each.otherwise !== each.text)) return first
  if (!context.state.vars.has('IFS')) return [...first, unknownWord(shown)]
  return [...first, ...splitFields(pieces.map((each) => ({ ...each, text: each.otherwise ?? each.text })), shown, cut)]
}

function splitFields(pieces: readonly Piece[], shown: string, cut: RegExp | null): readonly Arg[] {
  const [only] = pieces
  const flags = flagsOf(pieces)
  if (isTooLong(pieces)) return [{ ...unknownWord(shown), ...flags }]
  if (pieces.length === 1 && only?.items) return only.items.map((text) => argOf(only.splits ? markGlobs(text) : text, shown, flags, null))
  const fields: string[] = []
  let current: string | null = null
  for (const each of pieces) {
    const text: string = each.items?.join(' ') ?? each.text
    if (!each.splits) {
      current = (current ?? '') + text
      continue
    }
    const words = cut === null ? [markGlobs(text)] : markGlobs(text).split(cut)
    words.forEach((word, at) => {
      if (at > 0 && current !== null) {
        fields.push(current)
        current = null
      }
      if (word !== '') current = (current ?? '') + word
    })
  }
  if (current !== null) fields.push(current)
  if (fields.length > maxFields) return [{ ...unknownWord(shown), ...flags }]
  return fields.map((text) => argOf(text, fields.length === 1 ? shown : text, flags, pieces.length === 1 ? (only?.stream ?? null) : null))
}

function isTooLong(pieces: readonly Piece[]): boolean {
  return pieces.some((each) => (each.items?.length ?? 0) > maxFields) || pieces.reduce((sum, each) => sum + lengthOf(each), 0) > maxWordText
}

function lengthOf({ items, text }: Piece): number {
  return items === undefined ? text.length : items.reduce((sum, item) => sum + item.length + 1, 0)
}

function unknownWord(shown: string): Arg {
  return { text: UNKNOWN, shown, isSecret: false, isRemote: false, stream: null }
}

function flagsOf(pieces: readonly Piece[]): Pick<Arg, 'isSecret' | 'isRemote'> {
  return { isSecret: pieces.some((each) => each.isSecret), isRemote: pieces.some((each) => each.isRemote) }
}

function argOf(text: string, shown: string, flags: { isSecret: boolean; isRemote: boolean }, stream: Stream | null): Arg {
  return { text, shown: hasUnknown(text) || stream ? shown : text, ...flags, stream }
}
