import { denseCharacter, termKind } from '../../../../shared/domain/termText'

/** What of a text may hold part of an open term: letters, digits and what joins them in names. */
const nameRuns = /[\p{L}\p{M}\p{N}_.+#%]+/gu
const plainRun = /^(?:[a-z]+|[\d.%]+)$/
const denseRuns = new RegExp(`(?:${denseCharacter.source})+`, 'gu')

/** Entries of a scope that are pinned, or are not, stand apart in the index, so that no list is longer than what is looked for. */
export function markOf(scope: number, isPinned: boolean): string {
  return (scope * 2 + (isPinned ? 1 : 0)).toString(36)
}

/** What the index is fed with for one entry. */
export function feedOf(mark: string, normal: string, terms: readonly string[]): string {
  const tokens = new Set<string>()
  for (const term of terms) if (termKind(term) !== 'dense') tokens.add(tokenOf(mark, ':', term))
  for (const [run] of normal.matchAll(denseRuns)) {
    for (const piece of [...neighbours(run, 1), ...neighbours(run, 2)]) tokens.add(tokenOf(mark, ':', piece))
  }
  for (const run of openRuns(normal)) for (const piece of neighbours(run, 3)) tokens.add(tokenOf(mark, '~', piece))
  return [...tokens].join(' ')
}

/**
 * What finds, among entries of these marks, all that hold a term, and perhaps some that do not: a long term is looked for by its
 * pieces.
 */
export function matchOf(marks: readonly string[], term: string): string {
  return anyOf(marks.map((mark) => matchIn(mark, term)))
}

export function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' OR ')})`
}

export function allOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' AND ')})`
}

function matchIn(mark: string, term: string): string {
  const quoted = (kind: ':' | '~') => (piece: string) => `"${tokenOf(mark, kind, piece)}"`
  if (termKind(term) === 'dense') {
    const runs = [...term.matchAll(denseRuns)].map(([run]) => run)
    return allOf(runs.flatMap((run) => ([...run].length === 1 ? [run] : neighbours(run, 2))).map(quoted(':')))
  }
  const whole = quoted(':')(term)
  if (termKind(term) === 'plain') return whole
  const pieces = neighbours(term, 3)
  return pieces.length === 0 ? whole : anyOf([whole, allOf(pieces.map(quoted('~')))])
}

/** Runs that hold more than a plain word or number: no open term is part of any other. */
function openRuns(normal: string): readonly string[] {
  return [...normal.matchAll(nameRuns)].flatMap(([run]) => run.split(denseRuns)).filter((run) => run !== '' && !plainRun.test(run))
}

/** Each `length` characters that stand side by side. */
function neighbours(run: string, length: number): readonly string[] {
  const characters = [...run]
  return characters.slice(length - 1).map((_, from) => characters.slice(from, from + length).join(''))
}

/** The tokenizer parts text at any other ASCII character; a stray one must not make two tokens of one. */
function tokenOf(mark: string, kind: ':' | '~', piece: string): string {
  return `${mark}${kind}${piece.replace(/[^\w.+#%\u{80}-\u{10FFFF}]/gu, '_')}`
}
