import { act, render, type RenderResult } from '@testing-library/react'
import { VirtuosoMockContext } from 'react-virtuoso'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
// Pages are chunks of their own: loaded here once, so that a test waits for what it is about.
import '../../src/renderer/features/audit/AuditView'
import '../../src/renderer/features/memory/MemoryView'
import '../../src/renderer/features/models/ModelsView'
import '../../src/renderer/features/rollback/RollbackView'
import '../../src/renderer/features/rules/RulesView'
import '../../src/renderer/features/servers/ServersView'
import '../../src/renderer/features/settings/SettingsView'
import '../../src/renderer/features/skills/SkillsView'
import '../../src/renderer/features/timeline/TimelinePage'
import '../../src/renderer/features/timeline/TurnReview'
import '../../src/renderer/features/trust/TrustDialog'
import '../../src/renderer/features/usage/UsageView'
import '../../src/renderer/features/welcome/WelcomeView'
import '../../src/renderer/features/work/WorkView'
import '../../src/renderer/ui/markdownView'
import { App } from '../../src/renderer/app/App'
import { connect } from '../../src/renderer/app/connect'
import { useApp } from '../../src/renderer/app/appStore'
import { useApprovals } from '../../src/renderer/features/approvals/approvalStore'
import { useAudit } from '../../src/renderer/features/audit/auditStore'
import { useTrial } from '../../src/renderer/features/approvals/trialStore'
import { useMemories } from '../../src/renderer/features/memory/memoryStore'
import { places } from '../../src/renderer/features/files/placeStore'
import { useFiles } from '../../src/renderer/features/files/fileStore'
import { useReview } from '../../src/renderer/features/timeline/reviewStore'
import { useEditors } from '../../src/renderer/features/settings/editorStore'
import { useFind } from '../../src/renderer/features/work/findStore'
import { useTurns } from '../../src/renderer/features/work/turnStore'
import { useModels } from '../../src/renderer/features/models/modelStore'
import { useRollback } from '../../src/renderer/features/rollback/rollbackStore'
import { useRules } from '../../src/renderer/features/rules/ruleStore'
import { useImport } from '../../src/renderer/features/servers/importStore'
import { useServers } from '../../src/renderer/features/servers/serverStore'
import { useSkillList } from '../../src/renderer/features/skills/skillListStore'
import { useDisk } from '../../src/renderer/features/timeline/nowStore'
import { usePaths } from '../../src/renderer/features/timeline/pathStore'
import { useRoom } from '../../src/renderer/features/timeline/roomStore'
import { useTimeline } from '../../src/renderer/features/timeline/timelineStore'
import { useTrust } from '../../src/renderer/features/trust/trustStore'
import { useUsage } from '../../src/renderer/features/usage/usageStore'
import { useBudgetFaults } from '../../src/renderer/features/work/budgetStore'
import { usePromptCost } from '../../src/renderer/features/work/promptCost'
import { usePicks } from '../../src/renderer/features/work/modelPicks'
import { useOffers } from '../../src/renderer/features/work/offerStore'
import { useRecovery } from '../../src/renderer/features/work/recoveryStore'
import { useSkills } from '../../src/renderer/features/work/skillStore'
import { useWork } from '../../src/renderer/features/work/workStore'
import { TipProvider } from '../../src/renderer/ui/Tip'
import { Words } from '../../src/renderer/ui/words'
import type { Locale } from '../../src/shared/words/say'
import { memoryHost, type MemoryAnswers, type MemoryHost } from '../support/memoryHost'

/** Puts a store back to how it began. */
const reset = <State,>(store: { getInitialState(): State; setState(state: State, replace: true): void }): void => store.setState(store.getInitialState(), true)

/** What jsdom lacks: everything on screen is seen whole, and the window is wide. */
export function fakeBrowser(): void {
  vi.stubGlobal('IntersectionObserver', class {
    readonly #tell: (entries: readonly { intersectionRatio: number }[]) => void
    constructor(tell: (entries: readonly { intersectionRatio: number }[]) => void) { this.#tell = tell }
    observe(): void { this.#tell([{ intersectionRatio: 1 }]) }
    disconnect(): void {}
  })
  vi.stubGlobal('ResizeObserver', class { observe(): void {} unobserve(): void {} disconnect(): void {} })
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('min-width'), addEventListener: () => undefined, removeEventListener: () => undefined }))
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  Element.prototype.scrollIntoView = () => undefined
  Element.prototype.scrollTo = () => undefined
}

/** A bridge for this test alone; every store begins anew. */
export function freshHost(answers: MemoryAnswers = {}): MemoryHost {
  const memory = memoryHost(answers)
  Object.defineProperty(window, 'host', { value: memory.host, configurable: true })
  reset(useApp)
  reset(useApprovals)
  reset(useMemories)
  reset(useAudit)
  reset(useModels)
  usePicks.setState({ isOpen: false, recent: [] })
  reset(useOffers)
  reset(usePromptCost)
  reset(useRollback)
  reset(useRules)
  reset(useRecovery)
  reset(useImport)
  reset(useServers)
  reset(useDisk)
  reset(usePaths)
  reset(useRoom)
  reset(useTimeline)
  reset(useTrial)
  reset(useTrust)
  reset(useSkillList)
  reset(useSkills)
  reset(useUsage)
  reset(useBudgetFaults)
  reset(useWork)
  reset(useFiles)
  reset(useFind)
  reset(useTurns)
  reset(useReview)
  reset(useEditors)
  places.forgetAll()
  localStorage.clear()
  return memory
}

/** A part of the window, in a language. */
export function show(part: ReactNode, locale: Locale = 'en'): RenderResult {
  return render(<Words locale={locale}><TipProvider><VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 60 }}>{part}</VirtuosoMockContext.Provider></TipProvider></Words>)
}

/** The whole window on the bridge, after its first answers came. */
export async function showWindow(): Promise<{ readonly view: RenderResult; readonly stop: () => void }> {
  const view = render(<VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 60 }}><App /></VirtuosoMockContext.Provider>)
  let stop = (): void => undefined
  await act(async () => { stop = await connect() })
  await settle()
  return { view, stop }
}

/** Does something, and lets what follows from it happen. */
export async function doing(work: () => void): Promise<void> {
  await act(() => {
    work()
    return Promise.resolve()
  })
}

/** Lets promises and short timers run. */
export async function settle(ms = 30): Promise<void> {
  await act(async () => { await new Promise((done) => setTimeout(done, ms)) })
}
