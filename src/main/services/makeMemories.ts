import type { WorkspaceId } from '../../shared/domain/ids'
import type { InjectedMemory, RelatedMemory } from '../../shared/domain/memory'
import { scoreOf } from '../../shared/domain/memoryScore'
import { normalText } from '../../shared/domain/termText'
import { factOf, relationOf } from '../core/memory/related'
import type { Memories, MemoriesPorts, MemoryCounts } from './memories'
import { makeMemoryChanges } from './memoryChanges'
import { exportMemories, importMemories } from './memoryImport'
import { memoryPage } from './memoryPages'
import { inSlices, planMemories } from './memoryPlan'
import { withoutSecrets } from './memoryTexts'

/** Entries that are compared with a proposed text, and of those most that are told. */
const mostCompared = 60
const mostRelated = 5

/** Makes the service; nothing is read by that. */
export function makeMemories(ports: MemoriesPorts): Memories {
  const { store, segmenter, clock } = ports
  const listeners = new Set<(counts: MemoryCounts) => void>()
  const changed = async (workspaceId: WorkspaceId): Promise<void> => {
    if (listeners.size === 0) return
    const counts = await store.count(workspaceId)
    listeners.forEach((listener) => listener(counts))
  }
  const filled = new Set<WorkspaceId>()
  /** Where nothing is kept, no thread is started to take a draft apart. What was once filled is looked into without asking. */
  const holdsAny = async (workspaceId: WorkspaceId): Promise<boolean> => {
    if (filled.has(workspaceId)) return true
    const { project, general } = await store.count(workspaceId)
    if (project + general > 0) filled.add(workspaceId)
    return project + general > 0
  }
  const found = async (workspaceId: WorkspaceId, query: string, limit: number) => {
    const [terms = []] = query.trim() === '' ? [] : await segmenter.queryTerms([query])
    const nowMs = clock.nowMs()
    const entries = terms.length === 0 ? [] : await store.search({ workspaceId, scope: 'all', isBin: false, terms, nowMs, limit })
    return entries.map(({ memory, found: count }) => ({ memory, score: scoreOf(memory, count, terms.length, nowMs).score }))
  }
  return {
    ...makeMemoryChanges(ports, changed),
    page: (workspaceId, ask, windowTokens) => memoryPage(workspaceId, ask, windowTokens, ports),
    async related(workspaceId, text) {
      const same = await store.same(workspaceId, [normalText(text)])
      const near = (await found(workspaceId, text, mostCompared)).map(({ memory }) => memory).filter(({ id }) => !same.some((one) => one.id === id))
      const fact = factOf(text)
      const related = near.flatMap((memory): RelatedMemory[] => {
        const relation = relationOf(fact, factOf(memory.text))
        return relation === null ? [] : [{ memory, relation }]
      })
      return [...same.map((memory): RelatedMemory => ({ memory, relation: 'same' })), ...related].slice(0, mostRelated)
    },
    async importText(workspaceId, text, scope) {
      const imported = await importMemories(workspaceId, text, scope, ports)
      if (!imported.ok) return imported
      await changed(workspaceId)
      await ports.audit.append({ fact: 'memory-imported', atMs: clock.nowMs(), actor: 'person', args: { scope, added: imported.value.added, known: imported.value.known, faults: imported.value.faults.length } })
      return imported
    },
    async exportText(workspaceId, format, scope) {
      const exported = await exportMemories(workspaceId, format, scope, ports)
      await ports.audit.append({ fact: 'memory-exported', atMs: clock.nowMs(), actor: 'person', args: { scope, format, count: exported.count } })
      return exported
    },
    search: found,
    async inject(workspaceId, draft, windowTokens) {
      if (!(await holdsAny(workspaceId))) return []
      const { injected } = await planMemories(workspaceId, draft, windowTokens, ports)
      return inSlices(masked(injected, ports.withoutKnown), clock)
    },
    stillThere: async (ids) => new Set((await store.get(ids)).flatMap(({ id, deletedAtMs }) => (deletedAtMs === null ? [id] : []))),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function* masked(injected: readonly InjectedMemory[], withoutKnown: MemoriesPorts['withoutKnown']): Generator<undefined, readonly InjectedMemory[]> {
  const shown: InjectedMemory[] = []
  for (const memory of injected) {
    shown.push({ ...memory, text: withoutSecrets(memory.text, withoutKnown) })
    yield
  }
  return shown
}
