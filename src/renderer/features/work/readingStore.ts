import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'

/** A file or picture that is being read for a message. */
export interface ReadingFile {
  readonly id: number
  readonly name: string
}

interface ReadingState {
  readonly reading: Readonly<Record<SessionId, readonly ReadingFile[]>>
}

/** What is being read for the box of each session, in the order it was given. */
export const useReading = create<ReadingState>(() => ({ reading: {} }))

/** Where the names stand for the case that the window is loaded anew: the bytes are gone then, and that is to be said. */
const keptKey = 'files:reading'
let lastId = 0

export function readingOf(sessionId: SessionId): readonly ReadingFile[] {
  return useReading.getState().reading[sessionId] ?? []
}

export function beginReading(sessionId: SessionId, names: readonly string[]): readonly ReadingFile[] {
  const begun = names.map((name): ReadingFile => ({ id: ++lastId, name }))
  put(sessionId, [...readingOf(sessionId), ...begun])
  return begun
}

/** It was read, or is not wanted any more. */
export function endReading(sessionId: SessionId, { id }: ReadingFile): void {
  put(sessionId, readingOf(sessionId).filter((one) => one.id !== id))
}

/** The box it is read for now; null once it was cancelled. */
export function boxOf({ id }: ReadingFile): SessionId | null {
  const found = Object.entries(useReading.getState().reading).find(([, rows]) => rows.some((one) => one.id === id))
  return found ? (found[0] as SessionId) : null
}

/** The box of a session that was just made takes over what is being read. */
export function moveReading(from: SessionId, to: SessionId): void {
  const moved = readingOf(from)
  if (moved.length === 0) return
  put(to, [...readingOf(to), ...moved])
  put(from, [])
}

function put(sessionId: SessionId, files: readonly ReadingFile[]): void {
  useReading.setState(({ reading }) => ({ reading: { ...reading, [sessionId]: files } }))
  const named = Object.entries(useReading.getState().reading).flatMap(([key, rows]) => (rows.length === 0 ? [] : [[key, rows.map(({ name }) => name)] as const]))
  if (named.length === 0) localStorage.removeItem(keptKey)
  else localStorage.setItem(keptKey, JSON.stringify(Object.fromEntries(named)))
}

/** What a window before this one was reading when it went away, by session; told once. */
export function takeUnread(): readonly (readonly [SessionId, readonly string[]])[] {
  const text = localStorage.getItem(keptKey)
  if (text === null || Object.values(useReading.getState().reading).some((rows) => rows.length > 0)) return []
  localStorage.removeItem(keptKey)
  try {
    const kept = JSON.parse(text) as Readonly<Record<SessionId, readonly string[]>>
    return Object.entries(kept).map(([sessionId, names]) => [sessionId as SessionId, names.map(String)] as const)
  } catch {
    return [] // written by something else: not worth a word
  }
}
