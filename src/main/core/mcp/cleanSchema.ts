import type { SchemaLimits } from '../../../shared/domain/schemaLimits'
import { readShape, type Reach } from './readShape'
import { isRaw, type Raw } from './shape'
import { shortHash } from './shortHash'
import { writeTop } from './writeShape'

/** A schema as a provider takes it, and the way back for what was renamed in it. */
export interface CleanSchema {
  readonly schema: Raw
  readonly restore: (args: Raw) => Raw
}

/** A try at a schema: how far it is followed, and how much is said. */
interface Attempt {
  readonly reach: Reach
  readonly maxDescription: number
  readonly maxProperties: number
}

/** Deeper arguments are passed on as they are. */
const maxArgumentDepth = 200
const maxKeys = 200_000

/**
 * A server's schema in the form that a provider takes (R52): an object at the top, references written out, everything within
 * the limits. Where a schema is too large for them, it is followed less far until it fits, so that all of its parts lose depth
 * before any is lost. Never throws, changes nothing it is given; the same schema gives the same result.
 *
 * Names of properties that the provider refuses are replaced. `restore` puts them back wherever such a name stands as a key.
 */
export function cleanSchema(inputSchema: unknown, limits: SchemaLimits): CleanSchema {
  const root: Raw = isRaw(inputSchema) ? inputSchema : {}
  const allowed = new RegExp(`^(?:${limits.propertyName})$`, 'u')
  const read = new Map<Reach, ReturnType<typeof readShape>>()
  for (const attempt of attempts(limits)) {
    const renames = makeRenames(allowed, root)
    const { shape, isWhole } = read.get(attempt.reach) ?? readShape(root, attempt.reach)
    read.set(attempt.reach, { shape, isWhole })
    if (!isWhole) continue
    const writing = { limits, maxDescription: attempt.maxDescription, maxProperties: attempt.maxProperties, rename: renames.rename, schemas: 0 }
    const schema = writeTop(shape, writing)
    if (writing.schemas <= limits.maxSchemas && JSON.stringify(schema).length <= limits.maxSize) return { schema, restore: (args) => restoreNames(args, renames.originals) }
  }
  return { schema: { type: 'object', properties: {} }, restore: (args) => args }
}

function attempts(limits: SchemaLimits): readonly Attempt[] {
  const maxSteps = limits.maxSchemas * 10
  const full = { maxDescription: limits.maxPropertyDescription, maxProperties: limits.maxSchemas }
  const short = { ...full, maxDescription: Math.min(120, limits.maxPropertyDescription) }
  const followed: readonly Attempt[] = [2, 1].map((unrolls) => ({ reach: { maxDepth: limits.maxDepth, unrolls, maxSteps }, ...full }))
  const depths = [0.75, 0.5, 0.375, 0.25].map((share) => Math.floor(limits.maxDepth * share)).filter((depth) => depth > 1)
  const shallower = depths.map((maxDepth): Attempt => ({ reach: { maxDepth, unrolls: 1, maxSteps }, ...full }))
  // A schema that is broad even on the surface: read whole, and only some of it said.
  const flat = { maxDepth: 1, unrolls: 0, maxSteps: 100_000 }
  const cut = [0.5, 0.1, 0.02].map((share): Attempt => ({ reach: flat, ...short, maxProperties: Math.max(1, Math.floor(limits.maxSchemas * share)) }))
  return [...followed, { ...(followed[1] ?? { reach: flat }), ...short }, ...shallower, { reach: flat, ...short }, ...cut]
}

interface Renames {
  readonly originals: ReadonlyMap<string, string>
  readonly rename: (name: string) => string
}

function makeRenames(allowed: RegExp, root: Raw): Renames {
  const originals = new Map<string, string>()
  const given = new Map<string, string>()
  let keys: ReadonlySet<string> | undefined
  const rename = (name: string): string => {
    const known = given.get(name)
    if (known !== undefined) return known
    if (allowed.test(name)) return name
    keys ??= keysIn(root)
    const clean = freshName(name, (each) => originals.has(each) || keys?.has(each) === true)
    originals.set(clean, name)
    given.set(name, clean)
    return clean
  }
  return { originals, rename }
}

function freshName(name: string, isTaken: (clean: string) => boolean): string {
  const readable = name.replace(/[^a-zA-Z0-9]+/gu, '_').slice(0, 40).replace(/^_+|_+$/gu, '')
  for (let attempt = 0; ; attempt += 1) {
    const clean = `${/^[a-zA-Z]/u.test(readable) ? readable : `p_${readable}`}_${shortHash(name, attempt)}`
    if (!isTaken(clean)) return clean
  }
}

/** Every key of the schema: a new name must not be one of them. */
function keysIn(root: Raw): ReadonlySet<string> {
  const keys = new Set<string>()
  const waiting: unknown[] = [root]
  for (let at = 0; at < waiting.length && at < maxKeys; at += 1) {
    const value = waiting[at]
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key)
    for (const part of Object.values(value)) waiting.push(part)
  }
  return keys
}

function restoreNames(args: Raw, originals: ReadonlyMap<string, string>): Raw {
  if (originals.size === 0) return args
  const restore = (value: unknown, depth: number): unknown => {
    if (depth > maxArgumentDepth || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((each) => restore(each, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [originals.get(key) ?? key, restore(each, depth + 1)]))
  }
  return restore(args, 0) as Raw
}
