import { fail, succeed, type Result } from '../../../shared/domain/result'

/** Finds a value by kind and name; null when it is not set. */
export type Lookup = (kind: 'variable' | 'secret', name: string) => string | null

/** A reference in a value; `fallback` is the text behind `:-`, null where there is none. */
export interface Reference {
  readonly kind: 'variable' | 'secret'
  readonly name: string
  readonly fallback: string | null
}

const reference = /\$\{(?:(secret|env):)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-([^}]*))?\}/gu

/** Fills in the references of a value (R45). */
export function expand(value: string, lookup: Lookup): Result<string> {
  for (const { kind, name, fallback } of referencesOf(value)) if (lookup(kind, name) === null && fallback === null) return fail(kind === 'secret' ? 'mcp.secret-not-set' : 'mcp.variable-not-set', { name })
  return succeed(value.replace(reference, (whole, kind: string | undefined, name: string, fallback: string | undefined) => lookup(kind === 'secret' ? 'secret' : 'variable', name) ?? fallback ?? whole))
}

/** The references of a value, in order. */
export function referencesOf(value: string): readonly Reference[] {
  return [...value.matchAll(reference)].map(([, kind, name, fallback]) => ({ kind: kind === 'secret' ? 'secret' : 'variable', name: name ?? '', fallback: fallback ?? null }))
}
