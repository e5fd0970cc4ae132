import { memoryCharacters, type Memory, type MemoryScope } from '../../../shared/domain/memory'
import { said, type Result, type Said } from '../../../shared/domain/result'
import type { SessionId } from '../../../shared/domain/ids'
import type { MemoryEdited, MemoryRemoved } from '../../../shared/ipc/views'
import type { Ask } from '../../../shared/ipc/bridge'
import { host } from '../../bridge/host'
import { chunkSize, readChunk, reload, rowAt, tell, tellFault, useMemories, type Edit, type Picked } from './memoryStore'

const { getState: get, setState: set } = useMemories
type Change = Ask<'memory/change'>['changes'][number]

/** What is wrong with a text; null when it can be kept. */
function faultOf(text: string, blank: Said): Said | null {
  if (text.trim() === '') return blank
  return text.length > memoryCharacters ? said('memory.long', { limit: memoryCharacters, count: text.length }) : null
}

const ok = (say: Said, undo: (() => Promise<void>) | null = null, leadsToPage = false): void => tell({ tone: 'ok', say, undo, leadsToPage })

/** Begins to change a text, or goes on where it was begun. */
export function beginEdit(memory: Memory): void {
  const edit: Edit = { id: memory.id, rev: memory.rev, base: memory.text, text: memory.text, scope: memory.scope, isOutside: memory.source.kind === 'outside', fault: null }
  set(({ edits }) => ({ edits: { [memory.id]: edit, ...edits } }))
}

export function typeEdit(id: string, text: string): void {
  set(({ edits }) => { const edit = edits[id]; return edit ? { edits: { ...edits, [id]: { ...edit, text, fault: null } } } : {} })
}

/** Gives up a change. */
export function dropEdit(id: string): void {
  set(({ edits: { [id]: _gone, ...edits } }) => ({ edits }))
}

/** Leaving a text that was not changed closes it; one that was stays open. */
export function leaveEdit(id: string): void {
  const edit = get().edits[id]
  if (edit && edit.text === edit.base) dropEdit(id)
}

/** Keeps a changed text. Where somebody else changed it since, nothing is saved and both are shown. */
export async function saveEdit(id: string): Promise<boolean> {
  const edit = get().edits[id]
  if (!edit) return true
  const text = edit.text.trim()
  if (text === edit.base) {
    dropEdit(id)
    return true
  }
  const fault = faultOf(text, said('memory.blank'))
  if (fault) return faultedEdit(edit, fault)
  const result = await host().memoryChange({ changes: [{ id, rev: edit.rev, text }] })
  if (!result.ok) return faultedEdit(edit, result.fault)
  if (result.value.kind === 'conflict') {
    set({ dialog: { kind: 'conflict', id: edit.id, now: result.value.theirs[0]?.now ?? null } })
    return false
  }
  // What was typed while it was being written is not lost.
  if (get().edits[id]?.text === edit.text) dropEdit(id)
  // Of an entry from outside the edit made the person's own: its old words must not come back as theirs.
  const [saved] = result.value.memories
  ok(said('memory.told.edited'), saved && !edit.isOutside ? () => undoChanges([{ id, rev: saved.rev, text: edit.base }]) : null)
  // The row has the keyboard again before the list is read anew.
  void reload()
  return true
}

function faultedEdit(edit: Edit, fault: Said): false {
  set(({ edits }) => ({ edits: { ...edits, [edit.id]: { ...edit, text: edits[edit.id]?.text ?? edit.text, fault } } }))
  return false
}

/** Answers a conflict: what is there now stays, or the person's text takes its place, or the person goes on typing. */
export async function settleConflict(choice: 'theirs' | 'mine' | 'go-on'): Promise<void> {
  const { dialog, edits } = get()
  if (dialog?.kind !== 'conflict') return
  const { id, now } = dialog
  const edit = edits[id]
  set({ dialog: null })
  if (choice === 'go-on' || !edit) return
  if (choice === 'theirs') {
    dropEdit(id)
    await reload()
  } else if (now === null) {
    if (await saveNew(edit.text, edit.scope)) dropEdit(id)
  } else {
    set({ edits: { ...edits, [id]: { ...edit, rev: now.rev, base: now.text, isOutside: now.source.kind === 'outside' } } })
    await saveEdit(id)
  }
}

/** Keeps an entry written in the table. */
export async function saveAdding(): Promise<void> {
  const { adding } = get()
  if (!adding) return
  const fault = faultOf(adding.text, said('memory.blank'))
  if (fault) return set({ adding: { ...adding, fault } })
  if (await saveNew(adding.text, adding.scope)) set((state) => (state.adding?.text === adding.text ? { adding: null } : {}))
}

async function saveNew(text: string, scope: MemoryScope): Promise<boolean> {
  const result = await host().memorySave({ text: text.trim(), scope, by: 'table', sessionId: null })
  if (!result.ok) {
    tellFault(result.fault)
    return false
  }
  const { memory, isNew } = result.value
  ok(isNew ? said(`memory.told.saved.${memory.scope}`) : said('memory.told.known'), isNew ? () => takeBack(memory) : null)
  await reload()
  return true
}

/** Keeps what was written after `/save`. False when it was not kept; why is said. */
export async function saveFromMessage(text: string, scope: MemoryScope, sessionId: SessionId | null): Promise<boolean> {
  const fault = faultOf(text, said('memory.blank-save'))
  const result = fault ? { ok: false as const, fault } : await host().memorySave({ text: text.trim(), scope, by: 'save', sessionId })
  if (!result.ok) {
    tellFault(result.fault)
    return false
  }
  const { memory, isNew } = result.value
  ok(isNew ? said(`memory.told.saved.${memory.scope}`) : said('memory.told.known'), isNew ? () => takeBack(memory) : null, true)
  await reload()
  return true
}

async function takeBack(memory: Memory): Promise<void> {
  await removed(await host().memoryRemove({ ids: [memory.id] }))
}

/** Pins entries, or takes their pins away. */
export async function setPinned(picks: readonly Picked[], isPinned: boolean): Promise<void> {
  const changed = picks.filter((pick) => pick.isPinned !== isPinned)
  const isMany = picks.length > 1
  await change(changed.map(({ id, rev }) => ({ id, rev, isPinned })), isMany ? said(isPinned ? 'memory.told.pinned' : 'memory.told.unpinned', { count: changed.length }) : null, null)
}

/** Moves entries to a scope. */
export async function setScope(picks: readonly Picked[], scope: MemoryScope): Promise<void> {
  const changed = picks.filter((pick) => pick.scope !== scope)
  const before = new Map<string, MemoryScope>(changed.map((pick) => [pick.id, pick.scope]))
  const back = (memories: readonly Memory[]): readonly Change[] => memories.map(({ id, rev }) => ({ id, rev, scope: before.get(id) ?? scope }))
  await change(changed.map(({ id, rev }) => ({ id, rev, scope })), said('memory.told.scope', { count: changed.length, scope: said(`memory.scope.${scope}`) }), back)
}

async function change(changes: readonly Change[], told: Said | null, back: ((memories: readonly Memory[]) => readonly Change[]) | null): Promise<void> {
  if (changes.length === 0) return
  const memories = changed(await host().memoryChange({ changes: [...changes] }))
  if (memories === null) return reload()
  if (told) ok(told, back && (() => undoChanges(back(memories))))
  keepSelected(memories)
  await reload()
}

/** What was changed; null where nothing was, and it is said why. */
function changed(result: Result<MemoryEdited>): readonly Memory[] | null {
  if (result.ok && result.value.kind === 'changed') return result.value.memories
  tellFault(result.ok && result.value.kind === 'conflict' ? said('memory.conflict-many', { count: result.value.theirs.length }) : result.ok ? said('memory.changed') : result.fault)
  return null
}

function keepSelected(memories: readonly Memory[]): void {
  set(({ selected }) => ({ selected: new Map([...selected, ...memories.filter((memory) => selected.has(memory.id)).map((memory): [string, Picked] => [memory.id, memory])]) }))
}

async function undoChanges(changes: readonly Change[]): Promise<void> {
  const memories = changed(await host().memoryChange({ changes: [...changes] }))
  if (memories) keepSelected(memories)
  await reload()
}

/** Puts entries into the bin; they can be brought back. */
export async function remove(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await removed(await host().memoryRemove({ ids: [...ids] }), ids)
}

async function removed(result: Result<MemoryRemoved>, ids: readonly string[] = []): Promise<void> {
  if (!result.ok) return tellFault(result.fault)
  const { batch, count } = result.value
  const gone = new Set(ids)
  set(({ selected }) => ({ selected: new Map([...selected].filter(([id]) => !gone.has(id))) }))
  ok(said('memory.told.removed', { count }), () => restore({ batch }))
  await reload()
}

/** Brings entries back out of the bin. */
export async function restore(from: Ask<'memory/restore'>['from']): Promise<void> {
  const result = await host().memoryRestore({ from })
  if (!result.ok) return tellFault(result.fault)
  set({ selected: new Map() })
  ok(said('memory.told.restored', { count: result.value.count }))
  await reload()
}

/** Empties one scope; asked twice before. */
export async function clear(scope: MemoryScope): Promise<void> {
  set({ dialog: null })
  const result = await host().memoryClear({ scope })
  set({ selected: new Map() })
  await removed(result)
}

export async function importFile(scope: MemoryScope): Promise<void> {
  const result = await host().memoryImport({ scope })
  if (!result) return
  if (!result.ok) return tellFault(result.fault)
  const { added, known, faults } = result.value
  ok(said('memory.told.imported', { added, known }))
  if (faults.length > 0) set({ dialog: { kind: 'faults', faults } })
  await reload()
}

export async function exportFile(format: 'json' | 'markdown'): Promise<void> {
  const { shown } = get()
  const result = await host().memoryExport({ format, scope: shown === 'bin' ? 'all' : shown })
  if (result?.ok) ok(said('memory.told.exported', result.value))
  else if (result) tellFault(result.fault)
}

/** The row from which a stretch is ticked. */
let anchor = 0

/** Ticks a row or takes its tick away; with `isStretch` all rows since the last one get the same. */
export async function tick(index: number, isOn: boolean, isStretch: boolean): Promise<void> {
  const from = isStretch ? Math.min(anchor, index) : index
  const to = isStretch ? Math.max(anchor, index) : index
  anchor = index
  await readRows(from, to)
  const { chunks, selected } = get()
  const next = new Map(selected)
  for (let at = from; at <= to; at += 1) {
    const memory = rowAt(chunks, at)?.memory
    if (!memory) continue
    if (isOn) next.set(memory.id, memory)
    else next.delete(memory.id)
  }
  set({ selected: next })
}

/** Reads a stretch of the list that was scrolled over. */
async function readRows(from: number, to: number): Promise<void> {
  const { list, chunks } = get()
  const missing: number[] = []
  for (let chunk = Math.floor(from / chunkSize); chunk <= Math.floor(to / chunkSize); chunk += 1) if (!(chunk in chunks)) missing.push(chunk)
  for (const chunk of missing) {
    const page = await readChunk(chunk)
    if (get().list !== list) return
    set((state) => ({ chunks: { ...state.chunks, [chunk]: page.rows } }))
  }
}

const bigChunk = 500

/** Ticks everything that query and scope show, also what was never scrolled to. */
export async function tickAll(): Promise<void> {
  const { list, head } = get()
  if (!head || get().selecting !== null) return
  const next = new Map<string, Picked>()
  set({ selecting: 0 })
  try {
    for (let chunk = 0; chunk * bigChunk < head.total; chunk += 1) {
      const { rows } = await readChunk(chunk, bigChunk)
      if (get().list !== list || get().selecting === null) return
      for (const { memory: { id, rev, isPinned, scope } } of rows) next.set(id, { id, rev, isPinned, scope })
      set({ selecting: next.size })
    }
    set({ selected: next })
  } finally {
    set({ selecting: null })
  }
}

export function tickNone(): void {
  set({ selected: new Map(), selecting: null })
}
