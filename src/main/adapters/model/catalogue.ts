import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { SchemaLimits } from '../../../shared/domain/schemaLimits'

const quirks = z.strictObject({
  /** Below the base address. */
  chatPath: z.string(),
  modelsPath: z.string(),
  /** Sends `stream_options.include_usage`; dropped for a server that refuses the field. */
  asksForUsage: z.boolean(),
  /** Where thinking comes, first found first. */
  reasoningFields: z.array(z.string()),
  /** Where a model's window stands in a list of models, first found first. */
  windowFields: z.array(z.string()),
  /** Where a list of models says whether pictures go in: a flag, or a list of words; first found first. `a.b` is b inside a. */
  imageFields: z.array(z.string()),
  /** The words in such a list that mean pictures, lower-case. */
  imageWords: z.array(z.string()),
  /** Lower-case finish reason to what it means here; `failed` is the provider's own fault. */
  finishReasons: z.record(z.string(), z.enum(['stop', 'tool-calls', 'length', 'filtered', 'failed'])),
})

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
  version: z.literal(1),
  protocols: z.strictObject({ openai: quirks }),
  /** What a provider takes of a tool's schema; an entry names only where it differs from the default, and its sources. */
  schemaLimits: z.strictObject({
    default: limits,
    providers: z.record(z.string(), limits.partial().extend({ sources: z.array(z.string()) })),
  }),
  local: z.strictObject({ ollama: z.strictObject({ origin: z.url(), versionPath: z.string(), openaiPath: z.string() }) }),
})

/** What is known about protocols and local servers, as data (R86). */
export type Catalogue = z.infer<typeof catalogueSchema>
/** The ways of one protocol. */
export type Quirks = Catalogue['protocols']['openai']

/** Reads models.json of the app's resources. A catalogue that does not fit its schema is a bug of the build: it throws. */
export async function loadCatalogue(resourcesFolder: string): Promise<Catalogue> {
  return catalogueSchema.parse(JSON.parse(await readFile(path.join(resourcesFolder, 'models.json'), 'utf8')))
}

/** What the provider of this id takes of a tool's schema; one that has no entry gets the default, which all known ones take. */
export function schemaLimits(catalogue: Catalogue, providerId: string): SchemaLimits {
  const { default: base, providers } = catalogue.schemaLimits
  const entry = Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
  if (!entry) return base
  const { sources: _sources, ...own } = entry
  return limits.parse({ ...base, ...own })
}
