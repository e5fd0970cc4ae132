import { asId, type MemoryId, type WorkspaceId } from '../../shared/domain/ids'
import type { Memory, MemoryScope } from '../../shared/domain/memory'
import { said, succeed, type Result, type Said } from '../../shared/domain/result'
import { normalText } from '../../shared/domain/termText'
import type { MemoryImported } from '../../shared/ipc/views'
import { exportText, type ExportedMemory, type ExportFormat } from '../core/memory/exportText'
import { importText, type ReadMemory } from '../core/memory/importText'
import { knownAs } from './memoryChanges'
import { fitMemory, withoutSecrets } from './memoryTexts'
import type { MemoriesPorts } from './memories'

/** Entries of one step: a large file never holds up what else is asked of the store. */
const atOnce = 500
/** Faults that are told one by one. */
const mostFaults = 50

/** Reads an export into the store. An entry that says the same as another is known; the scope is for those that tell none. */
export async function importMemories(workspaceId: WorkspaceId, text: string, scope: MemoryScope, ports: MemoriesPorts): Promise<Result<MemoryImported>> {
  const { entries, faults: unread } = importText(text)
  if (entries.length === 0 && unread[0]?.code === 'memory.import-no-list') return { ok: false, fault: unread[0] }
  const faults: Said[] = [...unread]
  let added = 0
  let known = 0
  for (let at = 0; at < entries.length; at += atOnce) {
    const fitting = entries.slice(at, at + atOnce).flatMap((entry) => {
      const fit = fitMemory(entry.text, ports.withoutKnown)
      if (fit.ok) return [{ ...entry, text: fit.value, scope: entry.scope ?? scope }]
      faults.push(said('memory.import-line', { line: entry.line, fault: fit.fault }))
      return []
    })
    const fresh = fitting.length === 0 ? 0 : await addSome(workspaceId, fitting, ports)
    added += fresh
    known += fitting.length - fresh
  }
  const hidden = faults.length - mostFaults
  return succeed({ added, known, faults: hidden > 0 ? [...faults.slice(0, mostFaults), said('memory.import-more', { count: hidden })] : faults })
}

interface Fitting extends ReadMemory {
  readonly scope: MemoryScope
}

async function addSome(workspaceId: WorkspaceId, entries: readonly Fitting[], { store, segmenter, clock, ids }: MemoriesPorts): Promise<number> {
  const normal = entries.map(({ text }) => normalText(text))
  const there = await store.same(workspaceId, [...new Set(normal)])
  const sameAs = new Map<string, Memory[]>()
  for (const memory of there) {
    const key = normalText(memory.text)
    sameAs.set(key, [...(sameAs.get(key) ?? []), memory])
  }
  const taken = new Set<string>()
  const fresh = entries.filter(({ scope }, at) => {
    const key = normal[at] ?? ''
    if (taken.has(`general ${key}`) || taken.has(`${scope} ${key}`)) return false
    if (knownAs(sameAs.get(key) ?? [], scope)) return false
    return Boolean(taken.add(`${scope} ${key}`))
  })
  if (fresh.length === 0) return 0
  const terms = await segmenter.terms(fresh.map(({ text }) => text))
  const nowMs = clock.nowMs()
  await store.add(fresh.map(({ text, scope, isPinned, atMs, outside }, at) => ({
    id: asId<MemoryId>(ids.next()), text, terms: terms[at] ?? [], workspaceId: scope === 'general' ? null : workspaceId, isPinned,
    source: outside === null ? { kind: 'person', by: 'import', sessionId: null } : { kind: 'outside', source: outside, sessionId: null, callId: null },
    // Nothing was said in the future.
    atMs: atMs === null ? nowMs : Math.min(nowMs, Math.max(0, atMs)),
  })))
  return fresh.length
}

/** All entries of a scope as text, the oldest first; secrets that became known since are masked. */
export async function exportMemories(workspaceId: WorkspaceId, format: ExportFormat, scope: MemoryScope | 'all', { store, withoutKnown }: MemoriesPorts): Promise<{ readonly text: string; readonly count: number }> {
  const entries: ExportedMemory[] = []
  for (;;) {
    const some = await store.page({ workspaceId, scope, isBin: false }, { by: 'at', isDescending: false }, entries.length, atOnce)
    entries.push(...some.map((memory) => ({ text: withoutSecrets(memory.text, withoutKnown), scope: memory.scope, isPinned: memory.isPinned, at: new Date(memory.atMs).toISOString(), outside: memory.source.kind === 'outside' ? memory.source.source : null })))
    if (some.length < atOnce) return { text: exportText(entries, format), count: entries.length }
  }
}
