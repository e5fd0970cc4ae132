import { z } from 'zod'
import { askingLevels } from './session'

/** A provider the user set up. Keys are never here (R92). */
export const providerSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(100),
  baseUrl: z.string().max(2048),
  protocol: z.literal('openai'),
  model: z.string().max(200),
})
export type ProviderSettings = z.infer<typeof providerSchema>

/** Everything in settings.json; each field falls back alone when it is bad (DESIGN.md 5.15). */
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
}
