import { create } from 'zustand'
import type { SessionId, SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { Author } from '../../../shared/domain/snapshot'
import { joinTimeline, type ChangedPath, type Timeline } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'

/** What is looked at: one point, or two compared (B null: the disk as it is now). */
interface Look {
  readonly a: SnapshotId | null
  readonly b: SnapshotId | null
  readonly changes: readonly ChangedPath[] | null
}

/** A file's two texts; null where it is not, or is binary. */
interface FileLook {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly isBinary: boolean
}

export interface TimelineState {
  readonly timeline: Timeline
  readonly selected: string | null
  readonly look: Look | null
  readonly file: FileLook | null
  readonly fault: Said | null
  readonly scope: 'session' | 'all'
  readonly hiddenAuthors: ReadonlySet<Author>
  readonly unfolded: ReadonlySet<string>
  readonly progress: { readonly seen: number; readonly isDone: boolean; readonly fault: Said | null } | null
}

const nothing: Timeline = { rows: [], after: null, isWhole: true, rollbacks: [], bytes: 0, forgotten: null }

export const useTimeline = create<TimelineState>(() => ({ timeline: nothing, selected: null, look: null, file: null, fault: null, scope: 'session', hiddenAuthors: new Set(), unfolded: new Set(), progress: null }))

const { getState: get, setState: set } = useTimeline
let due: ReturnType<typeof setTimeout> | undefined

/** Follows what happens to the folder; returns a stop. */
export function connectTimeline(): () => void {
  const stops = [
    host().on('session/events', (events) => {
      if (events.some((event) => event.type === 'snapshot-taken' || event.type === 'rolled-back' || event.type === 'rollback-undone' || event.type === 'turn-ended')) readSoon()
    }),
    host().on('snapshot/progress', (progress) => {
      set({ progress })
      if (progress.isDone) readSoon()
    }),
  ]
  return () => {
    clearTimeout(due)
    stops.forEach((stop) => stop())
  }
}

/** Several facts in a row are one reading. */
function readSoon(): void {
  clearTimeout(due)
  due = setTimeout(() => void loadTimeline(), 120)
}

/** Reads what came after the last known point, page by page. */
export async function loadTimeline(): Promise<void> {
  for (let isWhole = false; !isWhole; ) {
    const last = get().timeline.rows.at(-1)
    const answer = await host().timelineRead(last ? { after: last.id } : {})
    isWhole = answer.isWhole
    set({ timeline: joinTimeline(get().timeline, answer) })
  }
}

/** Another folder: nothing of the last one stays. */
export function forgetTimeline(): void {
  set({ timeline: nothing, selected: null, look: null, file: null, fault: null, unfolded: new Set(), progress: null })
}

export function select(key: string | null): void {
  set({ selected: key, look: null, file: null, fault: null })
}

/** Reads what differs between two moments and opens the first file. */
export async function lookAt(a: SnapshotId | null, b: SnapshotId | null): Promise<void> {
  set({ look: { a, b, changes: null }, file: null, fault: null })
  const read = await host().timelineChanges({ before: a, after: b })
  const { look } = get()
  if (look?.a !== a || look.b !== b) return
  if (!read.ok) return set({ fault: read.fault })
  const { changes } = read.value
  set({ look: { a, b, changes } })
  const [first] = changes
  if (first) await openFile(first)
}

/** Reads a changed file's two texts. */
export async function openFile(change: ChangedPath): Promise<void> {
  const [before, after] = await Promise.all([textOf(change.before?.oid), textOf(change.after?.oid)])
  const isBinary = (change.before !== null && before === null) || (change.after !== null && after === null)
  set({ file: { path: change.path, before, after, isBinary } })
}

async function textOf(oid: string | undefined): Promise<string | null> {
  if (oid === undefined) return null
  const result = await host().timelineFile({ oid })
  if (!result.ok) set({ fault: result.fault })
  return result.ok ? result.value.text : null
}

export function setScope(scope: 'session' | 'all'): void {
  set({ scope })
}

export function toggleAuthor(author: Author): void {
  const hidden = new Set(get().hiddenAuthors)
  if (!hidden.delete(author)) hidden.add(author)
  set({ hiddenAuthors: hidden })
}

export function unfold(key: string): void {
  set({ unfolded: new Set([...get().unfolded, key]) })
}

/** How many other sessions have changed the folder. */
export function sessionsIn(timeline: Timeline): ReadonlySet<SessionId> {
  return new Set(timeline.rows.map((row) => row.sessionId).filter((id) => id !== null))
}
