import { z } from 'zod'
import { askingLevels } from './session'
import { defaultLeaveOut } from './snapshotDefaults'

/** A provider the user set up. Keys are never here (R92). */
export const providerSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(100),
  baseUrl: z.string().max(2048),
  protocol: z.literal('openai'),
  model: z.string().max(200),
})
export type ProviderSettings = z.infer<typeof providerSchema>

const address = z.string().max(2048)
const modelName = z.string().max(200)
const modelChoiceSchema = z.object({ provider: z.string().min(1).max(64), model: modelName })

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
  snapshots: snapshotSettingsSchema,
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
  snapshots: { leaveOut: [...defaultLeaveOut], fileMegabytes: 50, files: 300_000, readSeconds: 120, keepDays: 30, keepPoints: 10_000, keepMegabytes: 2000 },
}
