import { fail, succeed, type Result } from '../../../shared/domain/result'

/** Finds a value by kind and name; null when it is not set. */
export type Lookup = (kind: 'variable' | 'secret', name: string) => string | null

/** A reference in a value; `fallback` is the text behind `:-`, null where there is none. */
export interface Reference {
  readonly kind: 'variable' | 'secret'
  readonly name: string
  readonly fallback: string | null
}

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'reference'; readonly reference: Reference } | { readonly kind: 'foreign'; readonly text: string }

const secretForm = /^secret:([^{}\n]+?)(?::-([\s\S]*))?$/u
/** `env:` as VS Code, Cursor and others write it. Dots and brackets are in names of other systems. */
const variableForm = /^(?:env:)?([A-Za-z_][A-Za-z0-9_.()]*)(?::-([\s\S]*))?$/u
/** What other tools fill in and we cannot: taken literally it would reach the server as a wrong value. */
const foreignForm = /^(?:input|config|command|file|user_config|extensionInstallFolder|pathSeparator):[^{}\n]*$/u

/**
 * Fills in the references of a value (R45): `${NAME}`, `${env:NAME}`, `${NAME:-default}` and `${secret:NAME}`.
 *
 * The default counts when the variable is unset or empty, as in a shell, and is taken as it is written, references in it
 * included. What was filled in is not looked at again. `$${` gives the two characters `${`; every other `$`, such as that
 * of `$HOME`, stays. Braces that hold no such form stay too; a form that only other tools know fails.
 *
 * @returns the value, or `mcp.variable-not-set`, `mcp.secret-not-set`, `mcp.reference-unknown` with the name.
 */
export function expand(value: string, lookup: Lookup): Result<string> {
  let text = ''
  for (const piece of piecesOf(value)) {
    if (piece.kind === 'foreign') return fail('mcp.reference-unknown', { name: piece.text })
    if (piece.kind === 'text') {
      text += piece.text
      continue
    }
    const { kind, name, fallback } = piece.reference
    const found = lookup(kind, name)
    const taken = found === null || (found === '' && fallback !== null) ? fallback : found
    if (taken === null) return fail(kind === 'secret' ? 'mcp.secret-not-set' : 'mcp.variable-not-set', { name })
    text += taken
  }
  return succeed(text)
}

/** The references of a value that are ours to fill in, in order. */
export function referencesOf(value: string): readonly Reference[] {
  return piecesOf(value).flatMap((piece) => (piece.kind === 'reference' ? [piece.reference] : []))
}

function piecesOf(value: string): readonly Piece[] {
  const closing = closingBraces(value)
  const pieces: Piece[] = []
  let from = 0
  const takeText = (until: number): void => {
    if (until > from) pieces.push({ kind: 'text', text: value.slice(from, until) })
  }
  for (let at = value.indexOf('${'); at !== -1; at = value.indexOf('${', Math.max(from, at + 2))) {
    const end = closing.get(at + 1)
    if (at > from && value[at - 1] === '$') {
      // The first of the two dollars goes, and what the braces hold stays as written.
      takeText(at - 1)
      from = at
      takeText((end ?? at + 1) + 1)
      from = (end ?? at + 1) + 1
      continue
    }
    const piece = end === undefined ? null : pieceOf(value.slice(at + 2, end), value.slice(at, end + 1))
    if (piece === null || end === undefined) continue
    takeText(at)
    pieces.push(piece)
    from = end + 1
  }
  takeText(value.length)
  return pieces
}

function pieceOf(inner: string, whole: string): Piece | null {
  const secret = secretForm.exec(inner)
  if (secret) return { kind: 'reference', reference: { kind: 'secret', name: secret[1] ?? '', fallback: secret[2] ?? null } }
  const variable = variableForm.exec(inner)
  if (variable) return { kind: 'reference', reference: { kind: 'variable', name: variable[1] ?? '', fallback: variable[2] ?? null } }
  return foreignForm.test(inner) ? { kind: 'foreign', text: whole } : null
}

/** Where each opening brace is closed, in one pass. */
function closingBraces(value: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '{') open.push(at)
    const opened = value[at] === '}' ? open.pop() : undefined
    if (opened !== undefined) closing.set(opened, at)
  }
  return closing
}
