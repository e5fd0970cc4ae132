import type { AuditDraft, AuditFact } from '../../shared/domain/audit'
import { asId, type MemoryId, type WorkspaceId } from '../../shared/domain/ids'
import type { Memory, MemoryScope, MemorySource } from '../../shared/domain/memory'
import { succeed, type Result } from '../../shared/domain/result'
import { normalText } from '../../shared/domain/termText'
import type { Ask } from '../../shared/ipc/bridge'
import type { MemoryEdited, MemoryRemoved, MemorySaved } from '../../shared/ipc/views'
import type { MemoryChange, NewMemory } from '../core/ports/memoryStore'
import { fitMemory } from './memoryTexts'
import type { Memories, MemoriesPorts } from './memories'

type OneChange = Omit<Ask<'memory/change'>['changes'][number], 'id'> & { readonly id: MemoryId }
type Conflict = Extract<MemoryEdited, { readonly kind: 'conflict' }>

/** Ids that an audit line names; of more, their number. */
const namedIds = 100

/** What a person does to the entries. `changed` is told after each change that was made. */
export function makeMemoryChanges(ports: MemoriesPorts, changed: (workspaceId: WorkspaceId) => Promise<void>): Pick<Memories, 'save' | 'accept' | 'acceptSummary' | 'change' | 'remove' | 'clear' | 'restore' | 'emptyBin'> {
  const { store, segmenter, clock, ids } = ports
  /** Two that say the same at the same moment must not both find nothing. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  const record = async (fact: AuditFact, workspaceId: WorkspaceId, draft: Omit<AuditDraft, 'fact' | 'atMs' | 'actor'>, actor: AuditDraft['actor'] = 'person'): Promise<void> => {
    await changed(workspaceId)
    await ports.audit.append({ fact, atMs: clock.nowMs(), actor, ...draft })
  }
  const add = async (workspaceId: WorkspaceId, text: string, scope: MemoryScope, source: MemorySource): Promise<Memory> => {
    const [terms = []] = await segmenter.terms([text])
    const entry: NewMemory = { id: asId<MemoryId>(ids.next()), text, terms, workspaceId: scope === 'general' ? null : workspaceId, source, isPinned: false, atMs: clock.nowMs() }
    await store.add([entry])
    return { id: entry.id, text, scope, workspaceId: entry.workspaceId, source, isPinned: false, atMs: entry.atMs, rev: 1, deletedAtMs: null }
  }
  const keep = (workspaceId: WorkspaceId, text: string, scope: MemoryScope, source: MemorySource): Promise<Result<MemorySaved>> => inTurn(async () => {
    const fit = fitMemory(text, ports.withoutKnown)
    if (!fit.ok) return fit
    const known = knownAs(await store.same(workspaceId, [normalText(fit.value)]), scope)
    const isOwned = known?.source.kind === 'outside' && source.kind === 'person'
    if (known && !isOwned) return succeed({ memory: known, isNew: false })
    if (known) {
      const owned = await store.change([{ id: known.id, rev: known.rev, source }])
      const [memory = known] = owned.kind === 'changed' ? owned.memories : []
      await record('memory-changed', workspaceId, { args: { ids: [memory.id], source: source.kind } })
      return succeed({ memory, isNew: false })
    }
    const memory = await add(workspaceId, fit.value, scope, source)
    const { sessionId } = source
    await record('memory-saved', workspaceId, { args: { id: memory.id, scope, text: fit.value, source: source.kind }, ...(sessionId === null ? {} : { sessionId }), ...(source.kind === 'person' || source.callId === null ? {} : { callId: source.callId }) })
    return succeed({ memory, isNew: true })
  })

  return {
    save: (workspaceId, { text, scope, by, sessionId }) => keep(workspaceId, text, scope, { kind: 'person', by, sessionId }),
    accept: (workspaceId, { text, scope, sessionId, callId, outside }) => keep(workspaceId, text, scope, outside === null ? { kind: 'agent', sessionId, callId } : { kind: 'outside', source: outside, sessionId, callId }),
    acceptSummary: (workspaceId, { text, sessionId, outside }) => keep(workspaceId, text, 'project', outside === null ? { kind: 'person', by: 'save', sessionId } : { kind: 'outside', source: outside, sessionId, callId: null }),
    change: (workspaceId, asked) => inTurn(async () => {
      const changes = asked.map((change): OneChange => ({ ...change, id: asId<MemoryId>(change.id) }))
      const now = new Map((await store.get(changes.map(({ id }) => id))).map((memory) => [memory.id, memory]))
      const strange = strangers(workspaceId, changes, now)
      if (strange !== null) return succeed(strange)
      const written = await writtenChanges(workspaceId, changes, now, ports)
      if (!written.ok) return written
      const edited = await store.change(written.value)
      if (edited.kind === 'changed') await record('memory-changed', workspaceId, { args: { ...named(changes.map(({ id }) => id)), changes: changes.slice(0, namedIds).map(({ id: _id, rev: _rev, ...rest }) => rest) } })
      return succeed(edited)
    }),
    remove: (workspaceId, all) => inTurn(async () => {
      const own = (await store.get(all)).filter((memory) => isVisible(memory, workspaceId)).map(({ id }) => id)
      return removed(workspaceId, named(own), (batch, atMs) => store.remove(own, batch, atMs))
    }),
    clear: (workspaceId, scope) => inTurn(() => removed(workspaceId, { scope }, (batch, atMs) => store.clear(workspaceId, scope, batch, atMs))),
    restore: (workspaceId, asked) => inTurn(async () => {
      const from = 'ids' in asked ? { ids: asked.ids.map((id) => asId<MemoryId>(id)) } : asked
      const count = await store.restore(from)
      if (count > 0) await record('memory-restored', workspaceId, { args: { count, ...('ids' in from ? named(from.ids) : from) } })
      return succeed({ count })
    }),
    emptyBin: () => inTurn(async () => {
      const count = await store.empty(clock.nowMs() - binMs)
      if (count > 0) await ports.audit.append({ fact: 'memory-removed', atMs: clock.nowMs(), actor: 'app', args: { count, forGood: true } })
      return count
    }),
  }

  async function removed(workspaceId: WorkspaceId, what: object, remove: (batch: string, atMs: number) => Promise<number>): Promise<Result<MemoryRemoved>> {
    const batch = ids.next()
    const count = await remove(batch, clock.nowMs())
    if (count > 0) await record('memory-removed', workspaceId, { args: { count, batch, ...what } })
    return succeed({ batch, count })
  }
}

/** What went into the bin stays there for 30 days. */
const binMs = 30 * 24 * 60 * 60 * 1000

/** Of entries that say the same, the one that does for a scope: what is known in general is known in the project too. */
export function knownAs(same: readonly Memory[], scope: MemoryScope): Memory | undefined {
  return same.find((memory) => memory.scope === 'general') ?? same.find((memory) => memory.scope === scope)
}

function isVisible(memory: Memory, workspaceId: WorkspaceId): boolean {
  return memory.scope === 'general' || memory.workspaceId === workspaceId
}

/** Entries of another project are not there for this one. */
function strangers(workspaceId: WorkspaceId, changes: readonly OneChange[], now: ReadonlyMap<MemoryId, Memory>): Conflict | null {
  const theirs = changes.flatMap(({ id }) => {
    const memory = now.get(id)
    return memory && isVisible(memory, workspaceId) ? [] : [{ id, now: null }]
  })
  return theirs.length === 0 ? null : { kind: 'conflict', theirs }
}

async function writtenChanges(workspaceId: WorkspaceId, changes: readonly OneChange[], now: ReadonlyMap<MemoryId, Memory>, { segmenter, clock, withoutKnown }: MemoriesPorts): Promise<Result<readonly MemoryChange[]>> {
  const texts: string[] = []
  for (const { text } of changes) {
    const fit = text === undefined ? succeed('') : fitMemory(text, withoutKnown)
    if (!fit.ok) return fit
    texts.push(fit.value)
  }
  const said = changes.flatMap(({ id, text }, at) => (text === undefined || texts[at] === now.get(id)?.text ? [] : [{ at, text: texts[at] ?? '' }]))
  const terms = said.length === 0 ? [] : await segmenter.terms(said.map(({ text }) => text))
  const termsAt = new Map(said.map(({ at }, place) => [at, terms[place] ?? []]))
  return succeed(changes.map(({ id, rev, scope, isPinned }, at): MemoryChange => {
    const newTerms = termsAt.get(at)
    const source = now.get(id)?.source
    // Who edits it makes it theirs; a pin only lets it be used as long as it lasts.
    const isOwned = source?.kind === 'outside' && newTerms !== undefined
    return {
      id,
      rev,
      ...(newTerms === undefined ? {} : { text: { text: texts[at] ?? '', terms: newTerms, atMs: clock.nowMs() } }),
      ...(scope === undefined ? {} : { workspaceId: scope === 'general' ? null : workspaceId }),
      ...(isPinned === undefined ? {} : { isPinned }),
      ...(isOwned ? { source: { kind: 'person', by: 'table', sessionId: source.sessionId } as const } : {}),
    }
  }))
}

function named(ids: readonly MemoryId[]): { readonly count: number; readonly ids: readonly MemoryId[] } {
  return { count: ids.length, ids: ids.slice(0, namedIds) }
}
