import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { succeed } from '../../shared/domain/result'
import type { SettingsStore } from '../core/ports/settingsStore'
import { makeCompacting, type Compacting } from '../services/compaction'
import { makeContextPages, type ContextPages } from '../services/contextPages'
import { fitMemory } from '../services/memoryTexts'
import type { Runs } from '../services/runs'
import type { Sessions } from '../services/sessions'
import type { Models } from './composeModels'
import type { HostOptions } from './hostOptions'
import type { Workbench, WorkbenchParts } from './workbench'

/** What making room in a window shares with the host. */
export interface SharedWithCompaction {
  readonly parts: WorkbenchParts
  readonly sessions: Sessions
  readonly settings: SettingsStore
  readonly providers: Models['providers']
  readonly runs: () => Pick<Runs, 'isRunning'>
  readonly current: () => Workbench | null
}

/** Compactions, and the page that shows them. */
export async function composeCompaction(options: HostOptions, shared: SharedWithCompaction): Promise<{ readonly compacting: Compacting; readonly contextPages: ContextPages }> {
  const { parts, sessions, providers, current } = shared
  const [summary = '', merge = ''] = await Promise.all(['summary.md', 'summary-merge.md'].map((name) => readFile(path.join(options.resourcesFolder, 'prompts', name), 'utf8')))
  const needed = (): Workbench => {
    const open = current()
    if (!open) throw new Error('no folder is open')
    return open
  }
  const clean = (text: string): string => parts.withoutKnown(parts.redact(text))
  const settings = async () => (await shared.settings.read()).settings.compaction
  const context: Workbench['context'] = (session) => needed().context(session)
  const compacting = makeCompacting({
    ...parts, sessions, settings, context, prompts: { summary, merge }, facts: (choice) => providers.facts(choice),
    isFitMemory: (text) => fitMemory(text, parts.withoutKnown).ok, isDevelopment: options.isShipped !== true, log: options.log,
  })
  const contextPages = makeContextPages({
    sessions, compacting, context, settings, clean,
    offers: (session, choice) => needed().offers(session, choice),
    costs: (session, choice, windowTokens) => needed().promptCost(session, { text: '', files: [] }, choice, windowTokens),
    choice: (picked) => providers.choice(picked), facts: (choice) => providers.facts(choice),
    isRunning: (id) => shared.runs().isRunning(id),
    async remember(workspaceId, { text, sessionId, outside }) {
      const kept = await parts.library.memories.acceptSummary(workspaceId, { text, sessionId, outside })
      return kept.ok ? succeed(kept.value) : kept
    },
  })
  return { compacting, contextPages }
}
