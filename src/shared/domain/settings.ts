import { z } from 'zod'
import { protocols, providerExtrasSchema } from './catalogue'
import { compactionStrategies } from './compaction'
import { askingLevels } from './session'
import { defaultLeaveOut } from './snapshotDefaults'

/** A provider the user set up. Keys are never here (R92). */
export const providerSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(100),
  baseUrl: z.string().max(2048),
  protocol: z.enum(protocols),
  model: z.string().max(200),
  /** The scheme, host and port that its saved key belongs to; it is sent nowhere else (R92). Main alone writes it. */
  keyOrigin: z.string().max(2048).exactOptional(),
  ...providerExtrasSchema.shape,
})
export type ProviderSettings = z.infer<typeof providerSchema>

const address = z.string().max(2048)
const modelName = z.string().max(200)
/** A model of a provider, as it is chosen for something. */
export const modelChoiceSchema = z.object({ provider: z.string().min(1).max(64), model: modelName })

/** How the project is searched (R98 to R100). */
export const retrievalSchema = z.object({
  /** Whether the opened project is indexed. */
  isOn: z.boolean(),
  /** Null: keyword search alone. */
  embedding: z.object({ kind: z.enum(['ollama', 'compatible']), url: address, model: modelName }).nullable(),
  /** The model that turns a question into three queries; null: the question as it is. */
  rewrite: modelChoiceSchema.nullable(),
  rerank: z.union([z.object({ kind: z.literal('model'), choice: modelChoiceSchema }), z.object({ kind: z.literal('endpoint'), url: address, model: modelName })]).nullable(),
  /** Least score, 0 to 1, of a reranked hit. */
  threshold: z.number().min(0).max(1),
})
export type RetrievalSettings = z.infer<typeof retrievalSchema>

/** What of the web may be reached. */
export const webSchema = z.object({
  search: z.object({ kind: z.enum(['searxng', 'brave', 'tavily']), url: address }).nullable(),
  /** Hosts in private networks that a page may be fetched from, each with its port when it is not the scheme's own. */
  privateHosts: z.array(z.string().min(1).max(255)).max(100),
})
export type WebSettings = z.infer<typeof webSchema>

/** The origin that the saved key of each endpoint belongs to, as `keyOrigin` of a provider. Main alone writes it. */
export const endpointOriginsSchema = z.object({ embedding: address.exactOptional(), rerank: address.exactOptional(), 'web-search': address.exactOptional() })

/** What snapshots hold, and how long points are kept (R80). */
export const snapshotSettingsSchema = z.object({
  /** Left out unless the project's own ignore files take it back; lines as in a .gitignore. */
  leaveOut: z.array(z.string().max(500)).max(1000),
  /** Largest file that is held. */
  fileMegabytes: z.number().int().min(1).max(2000),
  /** Most files that are held. */
  files: z.number().int().min(1000).max(2_000_000),
  /** Longest time one scan spends on reading contents. */
  readSeconds: z.number().int().min(5).max(3600),
  /** Points older than this are let go, save those that something needs. */
  keepDays: z.number().int().min(1).max(3650),
  keepPoints: z.number().int().min(100).max(100_000),
  keepMegabytes: z.number().int().min(50).max(1_000_000),
})
export type SnapshotSettings = z.infer<typeof snapshotSettingsSchema>

/** When and how old turns are replaced by a summary (R22 to R30). */
export const compactionSchema = z.object({
  strategy: z.enum(compactionStrategies),
  /** Share of the model's window that may be full before it happens. */
  atShare: z.number().min(0.3).max(0.95),
  /** The last turns that stay verbatim; R24 says 3. */
  keepTurns: z.number().int().min(1).max(50),
  /** Who writes summaries; null: the session's own model. */
  choice: modelChoiceSchema.nullable(),
  /** Whether a summary is offered as a long-term memory (R27, R33). */
  proposesMemory: z.boolean(),
})
export type CompactionSettings = z.infer<typeof compactionSchema>

const moneySchema = z.object({ currency: z.string().regex(/^[A-Z]{3}$/), amount: z.number().positive().max(1_000_000) })

/** Ceilings that pause and ask (R2, R93); null and empty: none. */
export const budgetSchema = z.object({
  turnTokens: z.number().int().min(1000).max(1_000_000_000).nullable(),
  /** One a currency. */
  turnCost: z.array(moneySchema).max(20),
  dayCost: z.array(moneySchema).max(20),
})
export type BudgetSettings = z.infer<typeof budgetSchema>

/** Everything in settings.json; each field falls back alone when it is bad. */
export const settingsSchema = z.object({
  locale: z.enum(['system', 'en', 'zh-CN']),
  theme: z.enum(['system', 'dark', 'light']),
  askingLevel: z.enum(askingLevels),
  maxSteps: z.number().int().min(1).max(1000),
  stallMs: z.number().int().min(1000).max(3_600_000),
  providers: z.array(providerSchema).max(100),
  activeProvider: z.string().max(64).nullable(),
  recentFolders: z.array(z.string().max(4096)).max(20),
  sendWith: z.enum(['enter', 'mod-enter']),
  /** Whether a start without a folder opens the one that was open last. */
  reopenFolder: z.boolean(),
  retrieval: retrievalSchema,
  web: webSchema,
  endpointOrigins: endpointOriginsSchema,
  snapshots: snapshotSettingsSchema,
  compaction: compactionSchema,
  budget: budgetSchema,
  /** Longest time of a command that names none; null: no limit, and the row shows how long it runs. */
  commandSeconds: z.number().int().min(1).max(86_400).nullable(),
  /** Opens a file in the person's editor; `{path}`, `{line}` and `{column}` stand for the place. Empty: the system's own way. */
  editorCommand: z.string().max(1000),
  /** The system stays awake while a run goes (R112). */
  keepsAwake: z.boolean(),
  /** A PEM file of authorities that providers are trusted by, beside the system's own; empty: none. */
  authorityFile: z.string().max(4096),
})
export type Settings = z.infer<typeof settingsSchema>

/** The one place for defaults (R86). 50 steps: R2. */
export const defaultSettings: Settings = {
  locale: 'system',
  theme: 'system',
  askingLevel: 'writes',
  maxSteps: 50,
  stallMs: 120_000,
  providers: [],
  activeProvider: null,
  recentFolders: [],
  sendWith: 'enter',
  reopenFolder: true,
  retrieval: { isOn: true, embedding: null, rewrite: null, rerank: null, threshold: 0.3 },
  web: { search: null, privateHosts: [] },
  endpointOrigins: {},
  snapshots: { leaveOut: [...defaultLeaveOut], fileMegabytes: 50, files: 300_000, readSeconds: 120, keepDays: 30, keepPoints: 10_000, keepMegabytes: 2000 },
  compaction: { strategy: 'once', atShare: 0.8, keepTurns: 3, choice: null, proposesMemory: true },
  budget: { turnTokens: null, turnCost: [], dayCost: [] },
  commandSeconds: null,
  editorCommand: '',
  keepsAwake: true,
  authorityFile: '',
}
