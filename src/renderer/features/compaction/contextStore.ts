import { create } from 'zustand'
import type { CompactionId, SessionId } from '../../../shared/domain/ids'
import type { Result, Said } from '../../../shared/domain/result'
import type { ContextPage } from '../../../shared/ipc/contextViews'
import { host } from '../../bridge/host'

interface ContextState {
  /** Whose page is open; null for none. */
  readonly of: SessionId | null
  readonly page: ContextPage | null
  readonly progress: 'reading' | 'read' | 'failed'
  /** Why the last wish was not done. */
  readonly fault: Said | null
  /** The summary as it is being edited; null while it is read. */
  readonly draft: string | null
  readonly isBusy: boolean
}

export const useContext = create<ContextState>(() => ({ of: null, page: null, progress: 'reading', fault: null, draft: null, isBusy: false }))

const { getState: get, setState: set } = useContext
let ticket = 0

/** Events after which another request would be sent. */
const telling = new Set(['user-message-added', 'assistant-message-added', 'tool-finished', 'history-compacted', 'compaction-undone', 'message-pinned', 'memory-decided', 'rolled-back', 'rollback-undone', 'turn-ended', 'note-added'])

/** Follows the session whose page is open; returns a stop. */
export function connectContext(): () => void {
  return host().on('session/events', (events) => {
    const { of } = get()
    if (of !== null && events.some((event) => event.sessionId === of && telling.has(event.type))) void readContext()
  })
}

/** Opens the page of a session. */
export function openContext(of: SessionId): void {
  set({ of, fault: null, draft: null, ...(get().of === of ? {} : { page: null }) })
  void readContext()
}

export function closeContext(): void {
  set({ of: null, page: null, draft: null, fault: null })
}

export async function readContext(): Promise<void> {
  const { of } = get()
  if (of === null) return
  ticket += 1
  const mine = ticket
  let page: ContextPage | null = null
  try {
    page = await host().contextRead({ sessionId: of })
  } finally {
    if (mine === ticket && get().of === of) set(page ? { page, progress: 'read' } : { progress: 'failed' })
  }
}

/** One wish at a time: what it changes is read back from the record. */
async function wish(act: (sessionId: SessionId) => Promise<Result<null>>): Promise<boolean> {
  const { of, isBusy } = get()
  if (of === null || isBusy) return false
  set({ isBusy: true, fault: null })
  try {
    const done = await act(of)
    if (!done.ok) set({ fault: done.fault })
    return done.ok
  } finally {
    set({ isBusy: false })
    await readContext()
  }
}

export const compactNow = (words = ''): Promise<boolean> => wish((sessionId) => host().contextCompact({ sessionId, words }))
export const undoCompaction = (compactionId: CompactionId): Promise<boolean> => wish((sessionId) => host().contextUndo({ sessionId, compactionId }))
export const pin = (messageSeq: number, isPinned: boolean): Promise<boolean> => wish((sessionId) => host().contextPin({ sessionId, messageSeq, isPinned }))
export const remember = (compactionId: CompactionId, text: string | null): Promise<boolean> => wish((sessionId) => host().contextRemember({ sessionId, compactionId, text }))

/** Esc, or Cancel beside what is under way. */
export function cancelCompacting(): void {
  const { of } = get()
  if (of !== null) void host().contextCancel({ sessionId: of })
}

export function editSummary(draft: string | null): void {
  set({ draft })
}

export async function saveSummary(compactionId: CompactionId): Promise<void> {
  const { draft } = get()
  if (draft !== null && (await wish((sessionId) => host().contextEditSummary({ sessionId, compactionId, summary: draft })))) set({ draft: null })
}

/** From the row in the conversation. */
export function undoFromRow(sessionId: SessionId, compactionId: CompactionId): Promise<Result<null>> {
  return host().contextUndo({ sessionId, compactionId })
}

/** A link in a summary opens outside the app. */
export function openLink(url: string): void {
  void host().linkOpen({ url })
}
