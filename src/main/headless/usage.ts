import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The command line was wrong: one line on stderr, exit code 2. */
export class UsageError extends Error {}

/** A fault said in one line: exit code 1. */
export class Fault extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

/** Options by name; an option given twice counts once, the last, but for those declared `multiple`, which are in `lists`. An unknown option, or one without its value, is a usage error. */
export function readOptions(args: readonly string[], options: Options): { readonly values: Readonly<Record<string, string | boolean | undefined>>; readonly lists: Readonly<Record<string, readonly string[]>>; readonly positionals: readonly string[] } {
  try {
    const read = parseArgs({ args: [...args], options: { ...options, data: { type: 'string' } }, allowPositionals: true, strict: true })
    const named = Object.entries(read.values)
    return {
      values: Object.fromEntries(named.flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, value] as const]))),
      lists: Object.fromEntries(named.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)] as const] : []))),
      positionals: read.positionals,
    }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The value of an option that must be there. */
export function required(value: string | boolean | undefined, name: string): string {
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`)
  return value
}

/** One of the given words. */
export function oneOf<Word extends string>(value: string, words: readonly Word[], name: string): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new UsageError(`--${name} takes ${words.join(', ')}`)
  return found
}

/** A whole number from 1. */
export function count(value: string, name: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1) throw new UsageError(`--${name} takes a whole number from 1`)
  return number
}
