import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

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
  /** Lower-case finish reason to what it means here; `failed` is the provider's own fault. */
  finishReasons: z.record(z.string(), z.enum(['stop', 'tool-calls', 'length', 'filtered', 'failed'])),
})

const catalogueSchema = z.strictObject({
  version: z.literal(1),
  protocols: z.strictObject({ openai: quirks }),
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
