import { create } from 'zustand'
import type { CallId } from '../../../shared/domain/ids'
import { said, type Said } from '../../../shared/domain/result'
import type { AuditAsk, AuditRecord, AuditRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

/** What the person looks for. */
export interface AuditFilter {
  readonly query: string
  readonly isThisProject: boolean
  readonly isToday: boolean
  readonly by: AuditAsk['by']
  readonly what: AuditAsk['what']
}

export interface AuditState {
  readonly isOpen: boolean
  readonly filter: AuditFilter
  readonly rows: readonly AuditRow[]
  readonly hasMore: boolean
  readonly progress: 'reading' | 'read' | 'failed'
  /** Grows with another list, which begins at its top. */
  readonly list: number
  /** The row that the keyboard is at. */
  readonly at: number
  readonly chosen: number | null
  /** The record of the chosen row; null while it is read. */
  readonly record: AuditRecord | null
  readonly isExporting: boolean
  readonly notice: { readonly tone: 'ok' | 'bad'; readonly say: Said } | null
}

const everything: AuditFilter = { query: '', isThisProject: false, isToday: false, by: 'all', what: 'all' }

export const useAudit = create<AuditState>(() => ({ isOpen: false, filter: everything, rows: [], hasMore: false, progress: 'reading', list: 0, at: 0, chosen: null, record: null, isExporting: false, notice: null }))

const { getState: get, setState: set } = useAudit
const pageRows = 100
const searchMs = 200
const pushMs = 400

/** Counts what was asked: an older answer says nothing. */
let ticket = 0
let due: ReturnType<typeof setTimeout> | undefined
let isReadingMore = false

/** Follows the record while its page is open; returns a stop. */
export function connectAudit(): () => void {
  const stop = host().on('audit/changed', () => {
    if (!get().isOpen) return
    clearTimeout(due)
    due = setTimeout(() => void refresh(), pushMs)
  })
  return () => {
    clearTimeout(due)
    ticket += 1
    stop()
  }
}

export function openAudit(): void {
  set({ isOpen: true })
  void reload()
}

export function closeAudit(): void {
  clearTimeout(due)
  ticket += 1
  set({ isOpen: false, notice: null })
}

/** Another folder: what is chosen and shown belongs to the last one. */
export function forgetAudit(): void {
  set({ chosen: null, record: null })
  if (get().isOpen) void reload()
}

/** Changes what is looked for; a text waits for the next letter, and for an input method. */
export function setFilter(change: Partial<AuditFilter>, isComposing = false): void {
  set((state) => ({ filter: { ...state.filter, ...change } }))
  if (isComposing) return
  clearTimeout(due)
  if (change.query === undefined) void reload()
  else due = setTimeout(() => void reload(), searchMs)
}

export function showAll(): void {
  clearTimeout(due)
  set({ filter: everything })
  void reload()
}

function looked(): Omit<AuditAsk, 'before' | 'limit'> {
  const { query, isThisProject, isToday, by, what } = get().filter
  return { query: query.trim(), isThisProject, by, what, sinceMs: isToday ? new Date().setHours(0, 0, 0, 0) : null }
}

function ask(before: number | null): AuditAsk {
  return { ...looked(), before, limit: pageRows }
}

/** Reads the list from its top. */
export async function reload(): Promise<void> {
  ticket += 1
  isReadingMore = false
  const mine = ticket
  set({ progress: 'reading' })
  try {
    const { rows, hasMore } = await host().auditPage(ask(null))
    if (mine === ticket) set((state) => ({ rows, hasMore, progress: 'read', list: state.list + 1, at: 0 }))
  } catch (error) {
    if (mine === ticket) set({ progress: 'failed' })
    throw error
  }
}

/** What is new stands above what was read; a row that went on is where it ends now. */
async function refresh(): Promise<void> {
  const mine = ticket
  const { rows, hasMore } = await host().auditPage(ask(null))
  if (mine !== ticket) return
  const oldest = rows.at(-1)?.entry ?? 0
  const moved = new Set(rows.map(({ callId }) => callId).filter((id) => id !== null))
  set((state) => {
    const older = state.rows.filter((row) => row.entry < oldest && (row.callId === null || !moved.has(row.callId)))
    return { rows: [...rows, ...older], hasMore: older.length > 0 ? state.hasMore : hasMore, progress: 'read' }
  })
}

/** Reads on below the last row. */
export async function readMore(): Promise<void> {
  const last = get().rows.at(-1)
  if (!get().hasMore || isReadingMore || !last) return
  isReadingMore = true
  const mine = ticket
  const page = await host().auditPage(ask(last.entry)).finally(() => { if (mine === ticket) isReadingMore = false })
  if (mine === ticket) set((state) => ({ rows: [...state.rows, ...page.rows], hasMore: page.hasMore }))
}

/** Shows the whole record of a row, or none. */
export async function choose(entry: number | null): Promise<void> {
  set({ chosen: entry, record: null, notice: null })
  if (entry === null) return
  const found = await host().auditRecord({ entry })
  if (get().chosen !== entry) return
  if (found.ok) set({ record: found.value })
  else set({ chosen: null, notice: { tone: 'bad', say: found.fault } })
}

/** Shows the record of one call: the list finds it alone, and it is open. */
export async function showCall(callId: CallId): Promise<void> {
  clearTimeout(due)
  set({ filter: { ...everything, query: callId }, chosen: null, record: null, notice: null })
  const mine = get().filter
  await reload()
  const row = get().filter === mine ? get().rows.find((one) => one.callId === callId) : undefined
  if (row) await choose(row.entry)
}

/** Whether not everything is shown. */
export function isFiltered({ query, isThisProject, isToday, by, what }: AuditFilter): boolean {
  return query.trim() !== '' || isThisProject || isToday || by !== 'all' || what !== 'all'
}

/** Saves the record, or the part that is looked for, where the person says. */
export async function exportRecord(format: 'html' | 'jsonl', isPart = false): Promise<void> {
  if (get().isExporting) return
  set({ isExporting: true, notice: null })
  const saved = await host().auditExport({ format, part: isPart ? looked() : null }).finally(() => set({ isExporting: false }))
  if (saved === null) return
  set({ notice: saved.ok ? { tone: 'ok', say: said('audit.exported', saved.value) } : { tone: 'bad', say: saved.fault } })
}
