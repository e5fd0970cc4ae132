import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { asId, type SessionId } from '../../shared/domain/ids'
import type { ModelChoice } from '../../shared/domain/model'
import type { AskingLevel, Workspace } from '../../shared/domain/session'
import { pickedModel } from '../../shared/domain/sessionModel'
import type { PromptFiles } from '../core/context/prompt'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { Attaching } from '../services/attaching'
import type { HostServices } from '../services/hostServices'
import type { Providers } from '../services/providers'
import type { OpenSession, Sessions } from '../services/sessions'
import type { Workbench } from './workbench'

/** The prompt's files (R55); the mode's is the one of react until there are others. */
export async function readPrompts(resourcesFolder: string): Promise<PromptFiles> {
  const [base, mode, safety] = await Promise.all(['base.md', 'modes/react.md', 'safety.md'].map((name) => readFile(path.join(resourcesFolder, 'prompts', name), 'utf8')))
  return { base: base ?? '', mode: mode ?? '', safety: safety ?? '' }
}

interface FactsParts {
  readonly providers: Pick<Providers, 'choice' | 'facts'>
  readonly settings: Pick<SettingsStore, 'read'>
  readonly sessions: Pick<Sessions, 'open'>
  readonly current: () => Workbench | null
  readonly attaching: Pick<Attaching, 'measure'>
}

/** How long a provider may take to say how large a window is. */
const windowPatienceMs = 300

/** What a host says of the next prompt. */
export function makePromptFacts({ providers, settings, sessions, current, attaching }: FactsParts): Pick<HostServices, 'windowTokens' | 'promptCost'> {
  const windowOf = async (choice: ModelChoice): Promise<number | null> => (await providers.facts(choice)).windowTokens
  return {
    async windowTokens() {
      const choice = await providers.choice()
      return choice.ok ? windowOf(choice.value) : null
    },
    async promptCost(sessionId, text, files = []) {
      const open = current()
      if (!open) throw new Error('no folder is open')
      const session = sessionId === null ? unbegun(open.workspace, (await settings.read()).settings.askingLevel) : await sessions.open(sessionId)
      const choice = await providers.choice(pickedModel(session.events))
      // A provider that does not answer is not waited for: its window is not known then.
      const windowTokens = choice.ok ? await Promise.race([windowOf(choice.value), delay(windowPatienceMs, null, { ref: false })]) : null
      return { parts: await open.promptCost(session, { text, files: await attaching.measure(files) }, choice.ok ? choice.value : { provider: '', model: '' }, windowTokens), windowTokens }
    },
  }
}

/** Stands for the conversation that a first message would begin. */
function unbegun(workspace: Workspace, level: AskingLevel): OpenSession {
  return { id: asId<SessionId>(''), workspaceId: workspace.id, level, title: '', events: [] }
}
