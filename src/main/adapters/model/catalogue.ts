import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { catalogueProviderSchema, changedQuirks, quirksSchema, type CatalogueModel, type CatalogueProvider } from '../../../shared/domain/catalogue'
import type { SchemaLimits } from '../../../shared/domain/schemaLimits'

/** How to read a provider's list of models. `a.b` is b inside a; of several fields the first found counts. */
const lists = z.strictObject({
  /** Where a model's window stands. */
  windowFields: z.array(z.string()),
  /** Where it says whether pictures go in: a flag, or a list of words. */
  imageFields: z.array(z.string()),
  /** The words in such a list that mean pictures, lower-case. */
  imageWords: z.array(z.string()),
})
export type ListFields = z.infer<typeof lists>

const protocol = z.strictObject({
  quirks: quirksSchema,
  lists,
  /** Lower-case finish reason to what it means here; `failed` is the provider's own fault. */
  finishReasons: z.record(z.string(), z.enum(['stop', 'tool-calls', 'length', 'filtered', 'failed'])),
})
export type ProtocolEntry = z.infer<typeof protocol>

const limits = z.strictObject({
  maxDescription: z.int().positive(),
  maxPropertyDescription: z.int().positive(),
  maxDepth: z.int().positive(),
  maxSchemas: z.int().positive(),
  maxSize: z.int().positive(),
  maxEnum: z.int().positive(),
  keywords: z.array(z.string()),
  formats: z.array(z.string()),
  takesTypeArrays: z.boolean(),
  needsType: z.boolean(),
  enumsAreStrings: z.boolean(),
  takesMapValues: z.boolean(),
  propertyName: z.string(),
})

const catalogueSchema = z.strictObject({
  version: z.literal(2),
  /** Every field has its default here, and only here (R86). */
  protocols: z.strictObject({ openai: protocol, anthropic: protocol, ollama: protocol }),
  providers: z.array(catalogueProviderSchema),
  /** What a tool's schema may hold; a set names only where it differs from the default, and its sources. The quirk `schemaLimits` names the set. */
  schemaLimits: z.strictObject({
    default: limits,
    sets: z.record(z.string(), limits.partial().extend({ sources: z.array(z.string()) })),
  }),
  local: z.strictObject({ ollama: z.strictObject({ origin: z.url(), versionPath: z.string() }) }),
})

/** What is known about protocols, providers, models and local servers, as data (R86, R87). */
export type Catalogue = z.infer<typeof catalogueSchema>

/** Reads models.json of the app's resources. A catalogue that does not fit its schema is a bug of the build: it throws. */
export async function loadCatalogue(resourcesFolder: string): Promise<Catalogue> {
  return catalogueSchema.parse(JSON.parse(await readFile(path.join(resourcesFolder, 'models.json'), 'utf8')))
}

/** The provider of the catalogue with this id. */
export function presetOf(catalogue: Catalogue, id: string): CatalogueProvider | undefined {
  return catalogue.providers.find((one) => one.id === id)
}

/** What the catalogue says of a model of one of its providers. */
export function knownModel(catalogue: Catalogue, preset: string, model: string): CatalogueModel | undefined {
  return presetOf(catalogue, preset)?.models.find((one) => one.id === model)
}

const made = new WeakMap<Catalogue, Map<string, SchemaLimits>>()

/** The set of this name, the same object each time, so that what was made by it can be kept. One that is not there is the default, which all known providers take. */
export function schemaLimits(catalogue: Catalogue, set: string): SchemaLimits {
  const { default: base, sets } = catalogue.schemaLimits
  const entry = Object.hasOwn(sets, set) ? sets[set] : undefined
  if (!entry) return base
  const known = made.get(catalogue) ?? new Map<string, SchemaLimits>()
  made.set(catalogue, known)
  const { sources: _sources, ...own } = entry
  const whole = known.get(set) ?? limits.parse({ ...base, ...own })
  known.set(set, whole)
  return whole
}

/** The limits of a provider of the catalogue; a set may be asked for by its own name too. */
export function schemaLimitsOf(catalogue: Catalogue, provider: string): SchemaLimits {
  const entry = presetOf(catalogue, provider)
  return schemaLimits(catalogue, entry ? changedQuirks(catalogue.protocols[entry.protocol].quirks, [entry.quirks]).schemaLimits : provider)
}
