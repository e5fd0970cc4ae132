import { z } from 'zod'

/** The ways of talking to a provider; one adapter each (R86). */
export const protocols = ['openai', 'anthropic', 'ollama'] as const
export type Protocol = (typeof protocols)[number]

const name = z.string().min(1).max(200)
const tokens = z.int().positive()
const price = z.number().nonnegative()

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/**
 * Where providers of one protocol differ, as named fields. Each protocol has a default for every field; a provider names
 * only what differs from it, a model only what differs from its provider. Nothing else in the app knows a provider by name.
 */
export const quirksSchema = z.strictObject({
  /** Below the base address. */
  chatPath: z.string().max(200),
  /** Empty: there is no list. */
  modelsPath: z.string().max(200),
  /** How the key is sent: `bearer` as Authorization, else the name of a header that holds it alone. */
  keyHeader: name,
  /** Sent with every request, beside the key. */
  headers: z.record(name, z.string().max(1000)),
  /** HTTP/1.1 only; else HTTP/2 where the server offers it (R89). */
  forcesHttp1: z.boolean(),
  /** Sends `stream_options.include_usage`; dropped for a server that refuses the field. */
  asksForUsage: z.boolean(),
  /** Where thinking comes, first found first. */
  reasoningFields: z.array(name).max(10),
  /** Lists of thinking that go back unread, beside the text (`reasoning_details`). */
  reasoningLists: z.array(name).max(10),
  /** Which thinking goes back with the history (R88): none, that of the turn under way, or all. Only what the same model of the same provider made is ever sent. */
  reasoningReturn: z.enum(['never', 'turn', 'always']),
  /** The field it goes back in; null: the one it came in. */
  reasoningReturnAs: name.nullable(),
  /** What stands in that field where a message has no thinking that may be sent, for providers that refuse one without; null: nothing. */
  reasoningFiller: z.string().max(20).nullable(),
  /** The role of the instructions. */
  systemRole: z.enum(['system', 'developer']),
  /** The field for the most tokens of an answer. */
  maxTokensField: name,
  /** Sent where the request names no limit, for protocols that need one; null: the field is left out. */
  maxTokensDefault: tokens.nullable(),
  /** Sends `parallel_tool_calls` with this; null: the field is left out. */
  parallelCalls: z.boolean().nullable(),
  /** Sends `strict` with each tool; null: the field is left out. */
  strictTools: z.boolean().nullable(),
  /** `data-url`: pictures as data addresses in parts; `base64`: as the bytes alone in the protocol's own place; `none`: never, whatever a model sees. */
  images: z.enum(['data-url', 'base64', 'none']),
  /** The form of a call's id that is taken back. An id of another form, of another provider that is, is sent as a number made from it. */
  callIds: z.string().max(200).refine(isPattern),
  /** The largest window that is asked for, for providers that are told one: more takes more memory. Null: as large as the model's. */
  windowLimit: tokens.nullable(),
  /** Marks the stable beginning for the provider's cache. */
  marksCache: z.boolean(),
  /** What a tool's schema may hold (R52): the name of a set of the catalogue; one that it does not have counts as its default, which all known providers take. */
  schemaLimits: name,
  /** Further fields of the request's body, as they are. */
  body: z.record(name, z.json()),
})
export type Quirks = z.infer<typeof quirksSchema>

/** Only the fields that differ. */
export const quirkChangesSchema = quirksSchema.partial()
export type QuirkChanges = z.infer<typeof quirkChangesSchema>

/** The fields of a protocol, changed by each of these in turn. Throws when what comes of it does not fit. */
export function changedQuirks(base: Quirks, changes: readonly (QuirkChanges | undefined)[]): Quirks {
  const fields = [base, ...changes].flatMap((one) => Object.entries(one ?? {})).filter(([, value]) => value !== undefined)
  return quirksSchema.parse(Object.fromEntries(fields))
}

/** The prices of requests with more input than this, cached or not. */
const priceTierSchema = z.strictObject({ above: tokens, input: price, cachedInput: price.nullable(), cacheWrite: price.nullable(), output: price })

/** Money a million tokens; null: nobody says. */
export const pricesSchema = z.strictObject({
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  input: price,
  /** Input that the provider had in its cache; null: as other input. */
  cachedInput: price.nullable(),
  /** Input that was written to the provider's cache; null: as other input. */
  cacheWrite: price.nullable(),
  output: price,
  /** Where more input has other prices: ascending; the last one whose `above` is less than the input of a request prices all of it. */
  tiers: z.array(priceTierSchema).max(10).exactOptional(),
})
export type Prices = z.infer<typeof pricesSchema>

/** Of what costs nothing; a sum of it in any currency is none. */
export const noPrice: Prices = { currency: 'USD', input: 0, cachedInput: null, cacheWrite: null, output: 0 }

/** A model, as the catalogue or the settings tell of it. Null: nobody says. */
export const catalogueModelSchema = z.strictObject({
  id: name,
  name: name.exactOptional(),
  windowTokens: tokens.nullable(),
  maxOutputTokens: tokens.nullable(),
  seesImages: z.boolean().nullable(),
  callsTools: z.boolean().nullable(),
  thinks: z.boolean().nullable(),
  prices: pricesSchema.nullable(),
  quirks: quirkChangesSchema.exactOptional(),
  /** Where it stands written. */
  sources: z.array(z.string().max(500)).max(20).exactOptional(),
})
export type CatalogueModel = z.infer<typeof catalogueModelSchema>

/** The lists of models that providers gave, as they are kept from one start to the next; by address, with when each came. */
export const keptListsSchema = z.object({
  version: z.literal(1),
  lists: z.record(z.string(), z.object({ atMs: z.int().nonnegative(), models: z.array(z.object({ id: z.string().min(1).max(500), windowTokens: tokens.nullable(), seesImages: z.boolean().nullable() })) })),
})

/** A provider of the catalogue (R87). */
export const catalogueProviderSchema = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(100),
  protocol: z.enum(protocols),
  /** Empty: the person gives it. */
  baseUrl: z.string().max(2048),
  /** Environment variables that may hold its key, first found first. Empty: it needs none. */
  keyVariables: z.array(name).max(5),
  /** Where keys are made; null: nowhere. */
  keyPage: z.url().nullable(),
  docs: z.url().nullable(),
  /** The model that is offered first; null: the first that the provider lists. */
  defaultModel: name.nullable(),
  quirks: quirkChangesSchema,
  models: z.array(catalogueModelSchema).max(500),
  sources: z.array(z.string().max(500)).max(20),
})
export type CatalogueProvider = z.infer<typeof catalogueProviderSchema>

/** What the window shows of a provider of the catalogue. */
export type CatalogueRow = Pick<CatalogueProvider, 'id' | 'name' | 'protocol' | 'baseUrl' | 'keyPage' | 'docs' | 'defaultModel' | 'quirks'>

/**
 * What a person may add to a provider of their own, with the same fields as the catalogue. `preset`: the provider of the
 * catalogue that it is one of (left out: the one with its id, where there is one); the fields here come before the catalogue's.
 */
export const providerExtrasSchema = z.object({
  preset: z.string().min(1).max(64).exactOptional(),
  quirks: quirkChangesSchema.exactOptional(),
  models: z.array(catalogueModelSchema).max(500).exactOptional(),
})
export type ProviderExtras = z.infer<typeof providerExtrasSchema>
