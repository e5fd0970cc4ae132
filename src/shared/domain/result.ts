import type { SayCode } from '../words/codes'

/** What a code's sentence may be filled with. Lists are joined, and a fact inside a fact is said, in the reader's language. */
export type Values = Readonly<Record<string, string | number | boolean | readonly string[] | Said>>

/** A fact as core speaks it: a code from the one list of words, and the values of its sentence. Words are chosen where it is shown. */
export interface Said {
  readonly code: SayCode
  readonly values: Values
}

/** Makes a `Said`. */
export function said(code: SayCode, values: Values = {}): Said {
  return { code, values }
}

/** An expected outcome: a value, or a fault in words. Bugs throw instead. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Said }

/** A good result. */
export function succeed<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** An expected failure. */
export function fail(code: SayCode, values: Values = {}): { readonly ok: false; readonly fault: Said } {
  return { ok: false, fault: { code, values } }
}

/** Makes a new member of a union a compile error until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
