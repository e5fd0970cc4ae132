import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema'
import { z } from 'zod'
import { argumentProblems, type Problem } from './argumentProblems'
import { draftOf, prepareSchema, type Prepared } from './prepareSchema'

/** Values in the arguments, and their depth; more are left to the server. */
const maxValues = 2000
const maxDepth = 100
/** Characters of the longest text that patterns are tried on (see `isQuickPattern`). */
const maxPatternText = 1000
/** Schemas evaluated in one judgement, roughly. */
const maxWork = 500_000

type Arguments = Readonly<Record<string, unknown>>

/**
 * Judges arguments by the original schema of a tool (R52), draft 2020-12 unless `$schema` names another. What passes is the very
 * object that was given. Issues have a path and a message that a model can act on.
 *
 * The server is the judge of its own schema; this only saves the way there. So whatever cannot be judged here passes, as long as
 * it is an object: a schema that is malformed, too large or refers elsewhere (nothing is fetched), arguments that are very large,
 * `format`, and patterns that could take long. Dropping a rule never makes another one refuse (see `prepareSchema`).
 */
export function argumentsOf(inputSchema: unknown): z.ZodType<Arguments> {
  let strict: Judge | undefined
  let quick: Judge | undefined
  return z.custom<Arguments>(isObject, { error: 'must be an object' }).superRefine((value, context) => {
    const size = isObject(value) ? sizeOf(value) : null
    if (!size) return
    const judge = size.longestText <= maxPatternText ? (strict ??= judgeOf(inputSchema, true)) : (quick ??= judgeOf(inputSchema, false))
    for (const problem of judge(value, size.values) ?? []) context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message })
  })
}

/**
 * What is wrong with any JSON value by a schema, with the bounds and the leniency of `argumentsOf`; null where it cannot be judged
 * here: a schema or a value that is too large, a reference to elsewhere.
 */
export function schemaProblems(schema: unknown, value: unknown): readonly Problem[] | null {
  const size = sizeOf(value)
  return size && judgeOf(schema, size.longestText <= maxPatternText)(value, size.values)
}

/** Null: it cannot be judged. */
type Judge = (value: unknown, values: number) => readonly Problem[] | null

function judgeOf(inputSchema: unknown, takesPatterns: boolean): Judge {
  const prepared = prepareSchema(inputSchema, takesPatterns)
  if (!prepared) return () => null
  const draft = draftOf(inputSchema)
  return (value, values) => {
    const errors = values * prepared.schemas > maxWork ? null : errorsOf(value, prepared, draft)
    return errors && argumentProblems(errors)
  }
}

function errorsOf(value: unknown, prepared: Prepared, draft: ReturnType<typeof draftOf>): readonly OutputUnit[] | null {
  try {
    const lookup = countedLookup(dereference(prepared.schema as Schema), Math.ceil(maxWork / prepared.schemas))
    return validate(value, prepared.schema as Schema, draft, lookup, false).errors
  } catch {
    // A reference to elsewhere, one in a circle, one identifier twice, or too much work: the server judges alone.
    return null
  }
}

/** The validator has no limit of its own, and only references can make its work larger than the schema: they are counted. */
function countedLookup<T extends object>(lookup: T, most: number): T {
  let count = 0
  return new Proxy(lookup, {
    get(target, key): unknown {
      count += 1
      if (count > most) throw new RangeError('too many references')
      return Reflect.get(target, key)
    },
  })
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How large the arguments are; null when they are larger than what is judged here. */
function sizeOf(root: unknown): { readonly values: number; readonly longestText: number } | null {
  let values = 0
  let longestText = 0
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    values += 1
    if (values > maxValues || depth > maxDepth) return null
    if (typeof value === 'string') longestText = Math.max(longestText, value.length)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value)) {
      longestText = Math.max(longestText, key.length)
      waiting.push({ value: part, depth: depth + 1 })
    }
  }
  return { values, longestText }
}
