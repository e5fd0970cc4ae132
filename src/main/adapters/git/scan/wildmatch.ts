/**
 * Git's glob patterns over byte text. `*` and `?` stay within one path component; `**` as a whole component spans any number.
 * Matching backtracks only to the last star, so a hostile pattern costs at most its length times the name's.
 */
export type Glob = readonly Segment[]

type Segment = 'any-depth' | readonly Piece[]
const star = Symbol('star')
/** A wildcard, a class of characters, or one literal character. */
type Piece = typeof star | { readonly matches: (char: string) => boolean } | string

/** Null for a pattern that can match nothing, such as one with an open bracket. */
export function compileGlob(pattern: string): Glob | null {
  const segments: Segment[] = []
  for (const text of splitPattern(pattern)) {
    const segment = text === '**' ? 'any-depth' : compileSegment(text)
    if (segment === null) return null
    segments.push(segment)
  }
  return segments
}

/** Matches a whole relative path. A last `**` stands for everything inside, not for the folder itself. */
export function matchPath(glob: Glob, path: string): boolean {
  const names = path.split('/')
  let g = 0
  let n = 0
  let starAt = -1
  let tried = 0
  while (n < names.length) {
    const segment = glob[g]
    if (segment === 'any-depth') {
      if (g === glob.length - 1) return true
      starAt = g++
      tried = n
    } else if (segment !== undefined && matchName(segment, names[n] ?? '')) {
      g++
      n++
    } else if (starAt >= 0) {
      g = starAt + 1
      n = ++tried
    } else return false
  }
  return g === glob.length
}

/** Matches one name against a pattern of one component. */
export function matchBase(glob: Glob, name: string): boolean {
  const only = glob[0]
  return only !== undefined && (only === 'any-depth' || matchName(only, name))
}

function matchName(pieces: readonly Piece[], name: string): boolean {
  let p = 0
  let n = 0
  let starAt = -1
  let tried = 0
  while (n < name.length) {
    const piece = pieces[p]
    if (piece === star) {
      starAt = p++
      tried = n
    } else if (piece !== undefined && matchChar(piece, name.charAt(n))) {
      p++
      n++
    } else if (starAt >= 0) {
      p = starAt + 1
      n = ++tried
    } else return false
  }
  while (pieces[p] === star) p++
  return p === pieces.length
}

function matchChar(piece: Exclude<Piece, typeof star>, char: string): boolean {
  return typeof piece === 'string' ? piece === char : piece.matches(char)
}

/** Splits at slashes, but not inside brackets or after a backslash. */
function splitPattern(pattern: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at)
    if (char === '\\') {
      if (pattern.charAt(++at) !== '/') continue
      parts.push(pattern.slice(from, at - 1))
      from = at + 1
    } else if (char === '[') at = Math.max(at, endOfClass(pattern, at))
    else if (char === '/') {
      parts.push(pattern.slice(from, at))
      from = at + 1
    }
  }
  parts.push(pattern.slice(from))
  return parts
}

function compileSegment(text: string): readonly Piece[] | null {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '*') {
      if (pieces.at(-1) !== star) pieces.push(star)
    } else if (char === '?') pieces.push({ matches: () => true })
    else if (char === '[') {
      const end = endOfClass(text, at)
      const matches = end < 0 ? null : compileClass(text.slice(at + 1, end))
      if (matches === null) return null
      pieces.push({ matches })
      at = end
    } else if (char === '\\') {
      if (++at >= text.length) return null
      pieces.push(text.charAt(at))
    } else pieces.push(char)
  }
  return pieces
}

/** Where a bracket ends; -1 when it does not. A `]` in first place is one of the characters. */
function endOfClass(text: string, open: number): number {
  let at = open + 1
  if (text.charAt(at) === '!' || text.charAt(at) === '^') at++
  for (let isFirst = true; at < text.length; at++, isFirst = false) {
    const char = text.charAt(at)
    if (char === ']' && !isFirst) return at
    if (char === '\\') at++
    else if (char === '[' && text.charAt(at + 1) === ':') {
      const end = text.indexOf(']', at + 2)
      if (end > at + 2 && text.charAt(end - 1) === ':') at = end
    }
  }
  return -1
}

const posix: Readonly<Record<string, RegExp>> = {
  alnum: /[a-zA-Z0-9]/,
  alpha: /[a-zA-Z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-fA-F]/,
}

/** What stands between the brackets; null for an unknown class name. A slash is never matched. */
function compileClass(inner: string): ((char: string) => boolean) | null {
  const isNegated = inner.startsWith('!') || inner.startsWith('^')
  const tests: ((char: string) => boolean)[] = []
  for (let at = isNegated ? 1 : 0; at < inner.length; at++) {
    const named = /^\[:([a-z]*):\]/.exec(inner.slice(at))
    if (named) {
      const kind = posix[named[1] ?? '']
      if (!kind) return null
      tests.push((char) => kind.test(char))
      at += named[0].length - 1
      continue
    }
    if (inner.charAt(at) === '\\') at++
    const low = inner.charAt(at)
    if (inner.charAt(at + 1) === '-' && at + 2 < inner.length) {
      at += 2
      if (inner.charAt(at) === '\\') at++
      const high = inner.charAt(at)
      tests.push((char) => char >= low && char <= high)
    } else tests.push((char) => char === low)
  }
  return (char) => tests.some((test) => test(char)) !== isNegated
}
