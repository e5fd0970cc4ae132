import { fail, succeed, type Result } from '../../../shared/domain/result'

/** Decides about a path with `/`, relative to the folder that the glob speaks of. */
export type GlobTest = (path: string) => boolean

const longestGlob = 1000
const mostAlternatives = 64

/**
 * Reads a glob: `*`, `?` and `[a-z]` within a name, `**` over folders, `{a,b}` for alternatives. Without a slash it tests the
 * last name alone, in every folder. Matching takes time in proportion to glob and path, whatever the glob.
 */
export function compileGlob(glob: string, options: { readonly ignoreCase?: boolean } = {}): Result<GlobTest> {
  if (glob === '') return bad(glob, 'it is empty')
  if (glob.length > longestGlob) return bad(glob, `it is longer than ${longestGlob} characters`)
  const alternatives = expandBraces(glob)
  if (alternatives === null) return bad(glob, `its braces do not close, or make more than ${mostAlternatives} alternatives`)
  const fold = (text: string): string => (options.ignoreCase ? text.toLowerCase() : text)
  const tests = alternatives.map((one) => {
    const names = fold(one).replace(/^\.?\//, '').split('/')
    const parts = one.includes('/') ? names : ['**', ...names]
    return parts.map(compileName)
  })
  if (tests.some((parts) => parts.some((part) => part === null))) return bad(glob, 'a bracket does not close')
  const sound = tests.map((parts) => parts.filter((part) => part !== null))
  return succeed((path) => {
    const names = fold(path).split('/')
    return sound.some((parts) => fits(parts, names, (part, name) => part.kind === 'name' && nameFits(part, name), (part) => part.kind === 'folders'))
  })
}

function bad(glob: string, problem: string): Result<never> {
  return fail('search.bad-glob', { glob: glob.slice(0, 200), problem })
}

/** `a{b,c}d` becomes `abd` and `acd`, from the inside out. */
function expandBraces(glob: string): readonly string[] | null {
  const found = /\{([^{}]*)\}/.exec(glob)
  if (!found) return /[{}]/.test(glob) ? null : [glob]
  const before = glob.slice(0, found.index)
  const after = glob.slice(found.index + found[0].length)
  const all: string[] = []
  for (const middle of (found[1] ?? '').split(',')) {
    const more = expandBraces(`${before}${middle}${after}`)
    if (more === null || all.length + more.length > mostAlternatives) return null
    all.push(...more)
  }
  return all
}

type Token = { readonly kind: 'any' } | { readonly kind: 'one'; readonly test: (character: string) => boolean }
type Part = { readonly kind: 'folders' } | { readonly kind: 'name'; readonly tokens: readonly Token[] }

/** One name of a glob; null when a bracket does not close. */
function compileName(text: string): Part | null {
  if (text === '**') return { kind: 'folders' }
  const tokens: Token[] = []
  const characters = [...text]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (tokens[tokens.length - 1]?.kind !== 'any') tokens.push({ kind: 'any' })
    } else if (character === '?') {
      tokens.push({ kind: 'one', test: () => true })
    } else if (character === '[') {
      const end = characters.indexOf(']', at + (/[!^\]]/.test(characters[at + 1] ?? '') ? 2 : 1))
      if (end === -1) return null
      tokens.push({ kind: 'one', test: compileClass(characters.slice(at + 1, end)) })
      at = end
    } else {
      const meant = character === '\\' && at + 1 < characters.length ? (characters[++at] ?? '') : character
      tokens.push({ kind: 'one', test: (one) => one === meant })
    }
  }
  return { kind: 'name', tokens }
}

function compileClass(inside: readonly string[]): (character: string) => boolean {
  const isNot = inside[0] === '!' || inside[0] === '^'
  const rest = isNot ? inside.slice(1) : inside
  const ranges: (readonly [string, string])[] = []
  for (let at = 0; at < rest.length; at++) {
    const from = rest[at] ?? ''
    const to = rest[at + 1] === '-' ? rest[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNot
}

function nameFits(part: { readonly tokens: readonly Token[] }, name: string): boolean {
  const testOne = (token: Token, character: string): boolean => token.kind === 'one' && token.test(character)
  return fits(part.tokens, [...name], testOne, (token) => token.kind === 'any')
}

/** Wildcard matching with a single point of return: the last wildcard takes one item more each time it goes wrong after it. */
function fits<P, I>(pattern: readonly P[], items: readonly I[], isOne: (part: P, item: I) => boolean, isWild: (part: P) => boolean): boolean {
  let at = 0
  let wild = -1
  let wildItem = 0
  for (let item = 0; item < items.length; ) {
    const part = pattern[at]
    if (part !== undefined && isWild(part)) {
      wild = at++
      wildItem = item
    } else if (part !== undefined && isOne(part, items[item] as I)) {
      at++
      item++
    } else if (wild !== -1) {
      at = wild + 1
      item = ++wildItem
    } else {
      return false
    }
  }
  return pattern.slice(at).every(isWild)
}
