import { create } from 'zustand'
import type { AttachedFile } from '../../../shared/domain/event'
import type { SessionId } from '../../../shared/domain/ids'
import { said, type Result, type Said } from '../../../shared/domain/result'
import type { SessionSummary } from '../../../shared/domain/session'
import { inListOrder } from '../../../shared/domain/sessionList'
import type { ExportFormat, SessionHit, SessionHits } from '../../../shared/ipc/sessionViews'
import { host } from '../../bridge/host'
import { sayable } from './drafts'
import { draftOf, putDraft, selectSession, showPlace, startNewSession, useWork } from './workStore'

/** What was done with a session; `undo` puts a deleted one back. */
interface SessionNotice {
  readonly tone: 'ok' | 'bad'
  readonly say: Said
  readonly undo: SessionId | null
}

/** The list of sessions as it is looked at. */
interface SessionListState {
  /** What titles and messages are searched for. */
  readonly query: string
  readonly isEverywhere: boolean
  readonly found: SessionHits | null
  readonly fault: Said | null
  readonly isBinOpen: boolean
  readonly renaming: SessionId | null
  readonly notice: SessionNotice | null
}

export const useSessionList = create<SessionListState>(() => ({ query: '', isEverywhere: false, found: null, fault: null, isBinOpen: false, renaming: null, notice: null }))

const { getState: get, setState: set } = useSessionList

/** After this long without a key, what was said is searched too. */
const typingMs = 150

/** What can be undone stands so long. */
const noticeMs = 10_000

let searchDue: ReturnType<typeof setTimeout> | undefined
let noticeDue: ReturnType<typeof setTimeout> | undefined

/** Filters the titles at once; what was said in the sessions follows. */
export function searchSessions(query: string, isEverywhere = get().isEverywhere): void {
  clearTimeout(searchDue)
  const isNew = query.trim() !== get().query.trim() || isEverywhere !== get().isEverywhere
  set({ query, isEverywhere, ...(query.trim() === '' ? { found: null, fault: null } : {}) })
  if (query.trim() !== '' && isNew) searchDue = setTimeout(() => void ask(query.trim(), isEverywhere), typingMs)
}

async function ask(query: string, isEverywhere: boolean): Promise<void> {
  const isAsked = (): boolean => get().query.trim() === query && get().isEverywhere === isEverywhere
  while (isAsked()) {
    const answer = await host().sessionSearch({ query, isThisProject: !isEverywhere })
    if (!isAsked()) return
    set(answer.ok ? { found: answer.value, fault: null } : { found: null, fault: answer.fault })
    // Older messages are still being looked through: what they hold comes in its turn.
    if (!answer.ok || answer.value.isWhole) return
  }
}

/** Goes to where it was said; in another project's session, once that project is open. */
export async function openHit({ sessionId, seq, isHere, root }: SessionHit, openFolder: (root: string) => Promise<void>): Promise<void> {
  showPlace(sessionId, { seq })
  if (isHere) await selectSession(sessionId)
  else await openFolder(root)
}

export function showBin(isBinOpen: boolean): void {
  set({ isBinOpen })
}

export function startRenaming(renaming: SessionId | null): void {
  set({ renaming })
}

/** Says what was done; it goes by itself, a fault does not. */
export function tellSession(notice: SessionNotice | null): void {
  clearTimeout(noticeDue)
  set({ notice })
  if (notice?.tone === 'ok') noticeDue = setTimeout(() => set({ notice: null }), noticeMs)
}

function told(result: Result<unknown>): boolean {
  if (!result.ok) tellSession({ tone: 'bad', say: result.fault, undo: null })
  return result.ok
}

export async function pinSession({ id, isPinned }: SessionSummary): Promise<void> {
  told(await host().sessionPin({ sessionId: id, isPinned: !isPinned }))
}

/** Out of the list, with the way back; the next one is shown. */
export async function deleteSession({ id, title }: SessionSummary): Promise<void> {
  if (!told(await host().sessionDelete({ sessionId: id }))) return
  tellSession({ tone: 'ok', say: said('session.deleted-toast', { title }), undo: id })
  if (useWork.getState().current !== id) return
  const next = useWork.getState().sessions.find((row) => row.id !== id && row.deletedAtMs === null)
  if (next) await selectSession(next.id)
  else startNewSession()
}

export async function restoreSession(sessionId: SessionId): Promise<void> {
  if (told(await host().sessionRestore({ sessionId }))) tellSession(null)
}

export async function exportSession(sessionId: SessionId, format: ExportFormat): Promise<void> {
  const made = await host().sessionExport({ sessionId, format })
  if (made && told(made) && made.ok) tellSession({ tone: 'ok', say: said('session.exported', { path: made.value.path }), undo: null })
}

/** A new session that begins as this one did; before a message of the person, its words stand in the box. */
export async function forkSession(sessionId: SessionId, at: { readonly messageSeq: number; readonly side: 'before' | 'after' }, title: string): Promise<void> {
  const made = await host().sessionFork({ sessionId, ...at, title: title.slice(0, 200) })
  if (!told(made) || !made.ok) return
  const { session, text, attachments, files } = made.value
  useWork.setState((state) => ({ sessions: inListOrder([session, ...state.sessions.filter((row) => row.id !== session.id)]) }))
  await selectSession(session.id)
  if (text !== '' || attachments.length > 0 || files.length > 0) putDraft(session.id, { ...sayable({ text, attachments, files }), skills: [] })
  document.getElementById('message')?.focus()
}

/** Puts an earlier message into the box, to be said anew; what stood there is kept aside. */
export function editMessage(sessionId: SessionId, message: { readonly seq: number; readonly text: string; readonly attachments: readonly { readonly server: string; readonly uri: string; readonly name: string }[]; readonly files: readonly AttachedFile[] }): void {
  const now = draftOf(sessionId)
  putDraft(sessionId, { ...sayable(message), skills: [], editing: { messageSeq: message.seq, aside: now.editing?.aside ?? now.text } })
  document.getElementById('message')?.focus()
}

/** Esc on the session on screen; false where no earlier message is edited. */
export function leaveEditingHere(): boolean {
  const sessionId = useWork.getState().current
  if (sessionId === null || draftOf(sessionId).editing === undefined) return false
  leaveEditing(sessionId)
  return true
}

/** The earlier message stays as it is; what stood in the box before comes back. */
export function leaveEditing(sessionId: SessionId): void {
  putDraft(sessionId, { text: draftOf(sessionId).editing?.aside ?? '', attachments: [], files: [], skills: [] })
  document.getElementById('message')?.focus()
}
