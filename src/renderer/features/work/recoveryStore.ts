import { create } from 'zustand'
import type { CallId, SessionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { ChangeSince, Recovery, UnknownAnswer } from '../../../shared/ipc/recoveryViews'
import { host } from '../../bridge/host'
import { tellFault } from './workStore'

/** What changed since an unknown call began; null while the app looks. */
export type ChangesSeen = { readonly changes: readonly ChangeSince[] } | { readonly fault: Said } | null

interface RecoveryState {
  /** Turns that a crash or an exit left and that are under way again. */
  readonly open: readonly Recovery[]
  readonly changes: Readonly<Record<CallId, ChangesSeen>>
}

export const useRecovery = create<RecoveryState>(() => ({ open: [], changes: {} }))

const { getState: get, setState: set } = useRecovery

/** Hears of them from now on; returns a stop. */
export function connectRecovery(): () => void {
  return host().on('recovery/changed', take)
}

/** Asks for those that are under way; for a window that comes later. */
export async function loadRecoveries(): Promise<void> {
  take(await host().recoveryList({}))
}

export const recoveryOf = (sessionId: SessionId | null) => ({ open }: RecoveryState): Recovery | null => open.find((one) => one.sessionId === sessionId) ?? null

/** Calls that wait for the person's word. */
export const unknownCount = ({ open }: RecoveryState): number => open.filter(({ unknown }) => unknown !== null).length

const none: readonly CallId[] = []

/** The calls of which nobody knows how they ended. */
export function unknownCalls({ open }: RecoveryState): readonly CallId[] {
  return open.some(({ unknown }) => unknown !== null) ? namesOf(open) : none
}

/** The same list for the same turns, so that rows are not drawn anew. */
const named = new WeakMap<readonly Recovery[], readonly CallId[]>()

function namesOf(open: readonly Recovery[]): readonly CallId[] {
  const known = named.get(open) ?? open.flatMap(({ unknown }) => unknown?.callId ?? [])
  named.set(open, known)
  return known
}

/** What of the changes goes back with the call: its own, by path, and how many files; where none is known to be its own, all. */
export function goesBack(seen: ChangesSeen): { readonly own: readonly string[]; readonly files: number } {
  const changes = seen !== null && 'changes' in seen ? seen.changes : []
  // What the person or another program changed since is theirs.
  const own = changes.filter(({ author }) => author === 'command').map(({ path }) => path)
  return { own, files: own.length > 0 ? own.length : changes.length }
}

/** Says what became of an unknown call. */
export async function settleUnknown(sessionId: SessionId, callId: CallId, answer: UnknownAnswer): Promise<void> {
  const done = await host().recoverySettle({ callId, answer })
  if (!done.ok) tellFault(sessionId, done.fault)
}

/** Looks at the files again. */
export async function readChanges(callId: CallId): Promise<void> {
  const found = await host().recoveryChanges({ callId })
  set(({ changes }) => ({ changes: { ...changes, [callId]: found.ok ? { changes: found.value } : { fault: found.fault } } }))
}

function take(open: readonly Recovery[]): void {
  set({ open })
  for (const { unknown } of open) {
    if (unknown === null || unknown.callId in get().changes) continue
    set(({ changes }) => ({ changes: { ...changes, [unknown.callId]: null } }))
    if (unknown.beforeSnapshot !== null) void readChanges(unknown.callId)
  }
}
