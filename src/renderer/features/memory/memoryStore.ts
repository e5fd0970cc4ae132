import { create } from 'zustand'
import type { Memory, MemoryScope } from '../../../shared/domain/memory'
import type { Said } from '../../../shared/domain/result'
import type { Ask } from '../../../shared/ipc/bridge'
import type { MemoryPage, MemoryRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

/** Which entries the table shows. */
export type Shown = 'all' | MemoryScope | 'bin'
export type Order = Ask<'memory/page'>['order']

/** A ticked entry as it was seen when it was ticked or last drawn: a change names its revision. */
export type Picked = Pick<Memory, 'id' | 'rev' | 'isPinned' | 'scope'>

/** A text that is being changed. `base` is what it was, `rev` the revision that the person saw. */
export interface Edit {
  readonly id: Memory['id']
  readonly rev: number
  readonly base: string
  readonly text: string
  readonly scope: MemoryScope
  readonly isOutside: boolean
  readonly fault: Said | null
}

/** What the window says of something that was done; it goes after ten seconds, a fault stays. */
export interface Notice {
  readonly tone: 'ok' | 'bad'
  readonly say: Said
  readonly undo: (() => Promise<void>) | null
  /** Said away from the page: then it leads there. */
  readonly leadsToPage: boolean
}

type Dialog =
  | { readonly kind: 'clear'; readonly scope: MemoryScope; readonly isAgain: boolean }
  | { readonly kind: 'faults'; readonly faults: readonly Said[] }
  /** An edit met a newer version; null: the entry was deleted. */
  | { readonly kind: 'conflict'; readonly id: Memory['id']; readonly now: Memory | null }

export interface MemoryState {
  readonly isOpen: boolean
  readonly draft: string
  readonly query: string
  readonly shown: Shown
  readonly order: Order
  /** Grows when another list is shown, which begins at its top. */
  readonly list: number
  readonly head: Omit<MemoryPage, 'rows'> | null
  /** Parts of the list that were read, by their number. */
  readonly chunks: Readonly<Record<number, readonly MemoryRow[]>>
  readonly progress: 'reading' | 'read' | 'failed'
  readonly selected: ReadonlyMap<string, Picked>
  /** How many were collected while all that is shown is being ticked; null when nothing is. */
  readonly selecting: number | null
  /** The row that the keyboard is at. */
  readonly at: number
  readonly edits: Readonly<Record<string, Edit>>
  readonly adding: { readonly text: string; readonly scope: MemoryScope; readonly fault: Said | null } | null
  readonly dialog: Dialog | null
  readonly notice: Notice | null
}

export const useMemories = create<MemoryState>(() => ({
  isOpen: false, draft: '', query: '', shown: 'all', order: { by: 'score', isDescending: true }, list: 0, head: null, chunks: {}, progress: 'reading',
  selected: new Map(), selecting: null, at: 0, edits: {}, adding: null, dialog: null, notice: null,
}))

const { getState: get, setState: set } = useMemories
export const chunkSize = 100
const searchMs = 150
const pushMs = 100
const maxDraft = 2_000_000

/** Counts what was asked: an older answer says nothing. */
let ticket = 0
let due: ReturnType<typeof setTimeout> | undefined
/** The rows on screen. */
let range = { first: 0, last: 0 }
/** The caret is in a text of the table: rows must not move under it. */
let isTyping = false
let isStale = false
const asked = new Set<number>()

/** Follows the long-term memory; returns a stop. */
export function connectMemories(): () => void {
  const stop = host().on('memory/changed', (counts) => {
    set(({ head }) => (head ? { head: { ...head, counts } } : {}))
    soon(pushMs)
  })
  // Another process tells nobody: whoever comes back to the window sees what is there now.
  const look = (): void => soon(0)
  window.addEventListener('focus', look)
  return () => {
    clearTimeout(due)
    ticket += 1
    window.removeEventListener('focus', look)
    stop()
  }
}

/** Another folder: nothing of the last one stays. */
export function forgetMemories(): void {
  clearTimeout(due)
  ticket += 1
  range = { first: 0, last: 0 }
  isTyping = false
  const { isOpen, draft, notice } = get()
  set({ ...useMemories.getInitialState(), isOpen, draft, notice })
  if (isOpen) void reload()
}

/** Shows the page for a draft, from now on. */
export function openMemories(draft: string): void {
  const isSame = get().isOpen && get().draft === draft
  set({ isOpen: true, draft })
  if (!isSame) void reload()
}

export function closeMemories(): void {
  clearTimeout(due)
  ticket += 1
  asked.clear()
  isTyping = false
  set({ isOpen: false })
}

/** Searches; while an input method composes only the field changes. */
export function setQuery(query: string, isComposing = false): void {
  set({ query })
  if (isComposing) return
  clearTimeout(due)
  due = setTimeout(anew, searchMs)
}

export function setShown(shown: Shown): void {
  const { shown: before, order } = get()
  const isOther = (shown === 'bin') !== (before === 'bin')
  // What lies in the bin has no score.
  set({ shown, chunks: {}, order: isOther ? { by: shown === 'bin' ? 'at' : 'score', isDescending: true } : order })
  anew()
}

/** Sorts by a column; again by the same turns it round. Texts begin at A, everything else with the most. */
export function sortBy(by: Order['by']): void {
  const { order } = get()
  const isFirst = by === 'score' || by === 'at'
  set({ order: { by, isDescending: order.by === by ? !order.isDescending : isFirst } })
  anew()
}

/** Another list: it begins at its top, and nothing of it is ticked. The old rows stay until the new ones are there. */
function anew(): void {
  clearTimeout(due)
  range = { first: 0, last: 0 }
  set((state) => ({ list: state.list + 1, at: 0, selected: new Map(), selecting: null }))
  void reload()
}

function soon(ms: number): void {
  if (!get().isOpen) return
  isStale = isTyping
  if (isTyping) return
  clearTimeout(due)
  due = setTimeout(() => void reload(), ms)
}

/** The caret entered or left a text of the table. */
export function setTyping(isNow: boolean): void {
  isTyping = isNow
  if (!isNow && isStale) soon(0)
}

/** The rows that are on screen; reads those that are not there yet. */
export function showRange(first: number, last: number): void {
  range = { first, last }
  for (const chunk of chunksOf(range)) if (!(chunk in get().chunks) && !asked.has(chunk)) void readMore(chunk)
}

/** A row of the list; undefined while it is not read. */
export function rowAt(chunks: MemoryState['chunks'], index: number): MemoryRow | undefined {
  return chunks[Math.floor(index / chunkSize)]?.[index % chunkSize]
}

/** Reads again what is on screen. */
export async function reload(): Promise<void> {
  clearTimeout(due)
  if (!get().isOpen) return
  ticket += 1
  isStale = false
  asked.clear()
  const mine = ticket
  set({ progress: 'reading' })
  let pages: readonly (readonly [number, MemoryPage])[] | null = null
  try {
    pages = await Promise.all(chunksOf(range).map(async (chunk) => [chunk, await readChunk(chunk)] as const))
  } finally {
    if (mine === ticket && pages === null) set({ progress: 'failed' })
  }
  if (mine !== ticket) return
  if (isTyping && get().head !== null) {
    isStale = true
    set({ progress: 'read' })
    return
  }
  const [first] = pages
  if (first) take(first[1], Object.fromEntries(pages.map(([chunk, page]) => [chunk, page.rows])))
  // What came on screen meanwhile.
  showRange(range.first, range.last)
}

/** Gives up waiting. */
export function stopReading(): void {
  ticket += 1
  set({ progress: 'failed' })
}

async function readMore(chunk: number): Promise<void> {
  const mine = ticket
  asked.add(chunk)
  const page = await readChunk(chunk).finally(() => { if (mine === ticket) asked.delete(chunk) })
  if (mine === ticket) take(page, { ...get().chunks, [chunk]: page.rows })
}

function take({ rows: _rows, ...head }: MemoryPage, chunks: MemoryState['chunks']): void {
  set((state) => ({ head, chunks, progress: 'read', selected: seenAgain(state.selected, chunks), at: Math.max(0, Math.min(state.at, head.total - 1)) }))
}

/** Ticked entries that are drawn anew are as they are drawn. */
function seenAgain(selected: MemoryState['selected'], chunks: MemoryState['chunks']): MemoryState['selected'] {
  if (selected.size === 0) return selected
  const next = new Map(selected)
  for (const { memory } of Object.values(chunks).flat()) if (next.has(memory.id)) next.set(memory.id, memory)
  return next
}

function chunksOf({ first, last }: typeof range): readonly number[] {
  const from = Math.floor(first / chunkSize)
  const to = Math.floor(Math.max(first, last) / chunkSize)
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}

/** A part of the list as the person sees it now. */
export function readChunk(chunk: number, size = chunkSize): Promise<MemoryPage> {
  const { query, shown, order, draft } = get()
  return host().memoryPage({ query: query.trim(), scope: shown === 'bin' ? 'all' : shown, isBin: shown === 'bin', order, offset: chunk * size, limit: size, draft: draft.slice(0, maxDraft) })
}

/** Opens the form of a new entry; one that was begun stays. */
export function beginAdding(): void {
  set(({ adding, shown }) => ({ adding: adding ?? { text: '', scope: shown === 'general' ? 'general' : 'project', fault: null } }))
}

const noticeMs = 10_000
let noticeDue: ReturnType<typeof setTimeout> | undefined

/** Says what was done; the next one takes its place. */
export function tell(notice: Notice | null): void {
  clearTimeout(noticeDue)
  set({ notice })
  if (notice?.tone === 'ok') noticeDue = setTimeout(() => set({ notice: null }), noticeMs)
}

/** Says a fault, and that it stays until it is put away. */
export function tellFault(say: Said): void {
  tell({ tone: 'bad', say, undo: null, leadsToPage: false })
}
