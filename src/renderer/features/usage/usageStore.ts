import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'
import { said, type Said } from '../../../shared/domain/result'
import type { UsagePeriod, UsageView } from '../../../shared/ipc/usageViews'
import { host } from '../../bridge/host'

/** What the table lists. */
export type UsageList = 'sessions' | 'models' | 'days'

export interface UsageState {
  readonly isOpen: boolean
  readonly period: UsagePeriod
  readonly isThisProject: boolean
  readonly list: UsageList
  /** The currency that is drawn by day; null: the usual one. */
  readonly currency: string | null
  /** The session on screen when the page was opened. */
  readonly sessionId: SessionId | null
  /** Null until the first answer. */
  readonly view: UsageView | null
  readonly hasFailed: boolean
  readonly isExporting: boolean
  readonly notice: { readonly tone: 'ok' | 'bad'; readonly say: Said } | null
}

export const useUsage = create<UsageState>(() => ({ isOpen: false, period: 'fortnight', isThisProject: false, list: 'sessions', currency: null, sessionId: null, view: null, hasFailed: false, isExporting: false, notice: null }))

const { getState: get, setState: set } = useUsage
const pushMs = 500

/** Counts what was asked: an older answer says nothing. */
let ticket = 0
let due: ReturnType<typeof setTimeout> | undefined

/** Follows the calls of models while the page is open; returns a stop. */
export function connectUsage(): () => void {
  const stop = host().on('session/events', (events) => {
    if (!get().isOpen || !events.some((event) => event.type === 'usage-reported' || event.type === 'budget-raised')) return
    clearTimeout(due)
    due = setTimeout(() => void read(), pushMs)
  })
  return () => {
    clearTimeout(due)
    ticket += 1
    stop()
  }
}

export function openUsage(sessionId: SessionId | null): void {
  set((state) => ({ isOpen: true, sessionId, period: sessionId === null && state.period === 'session' ? 'fortnight' : state.period }))
  void read()
}

export function closeUsage(): void {
  clearTimeout(due)
  ticket += 1
  set({ isOpen: false, notice: null })
}

export function showUsage(change: Partial<Pick<UsageState, 'period' | 'isThisProject'>>): void {
  set({ ...change, notice: null })
  void read()
}

export function listUsage(list: UsageList): void {
  set({ list })
}

export function drawCurrency(currency: string): void {
  set({ currency })
}

function ask() {
  const { period, isThisProject, sessionId } = get()
  return { period, isThisProject, sessionId }
}

/** Reads the page; what is shown stays until the answer comes. */
export async function read(): Promise<void> {
  ticket += 1
  const mine = ticket
  try {
    const view = await host().usageRead(ask())
    if (mine === ticket) set({ view, hasFailed: false })
  } catch (error) {
    if (mine === ticket) set({ hasFailed: true })
    throw error
  }
}

/** Saves the rows behind the page where the person says. */
export async function exportUsage(): Promise<void> {
  if (get().isExporting) return
  set({ isExporting: true, notice: null })
  const saved = await host().usageExport(ask()).finally(() => set({ isExporting: false }))
  if (saved === null) return
  set({ notice: saved.ok ? { tone: 'ok', say: said('usage.exported', saved.value) } : { tone: 'bad', say: saved.fault } })
}
