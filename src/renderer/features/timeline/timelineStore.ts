import { create } from 'zustand'
import type { SessionId, SnapshotId, WorkspaceId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { joinTimeline, type ChangedPath, type FileVersion, type LineAuthors, type Timeline } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'
import { firstScopes, readScopes, writeScopes, type Scope, type Scopes, type TimelinePlace } from './shownScope'
import type { Who } from './timelineRows'

/** The row that is pinned above the others: what is on disk. */
export const nowKey = 'now'

/** What is looked at: two moments (A null: nothing at all; B null: the disk as it is now), and why. */
export interface Look {
  readonly kind: 'row' | 'now' | 'compare'
  readonly a: SnapshotId | null
  readonly b: SnapshotId | null
  /** Null while they are read. */
  readonly changes: readonly ChangedPath[] | null
  readonly count: number
}

/** A file's two texts; null where it is not. `authors` null: not known, or not known yet. */
export interface FileLook {
  readonly change: ChangedPath
  readonly before: FileVersion | null
  readonly after: FileVersion | null
  readonly authors: LineAuthors | null
}

export interface TimelineState {
  readonly workspaceId: WorkspaceId | null
  readonly timeline: Timeline
  readonly selected: string | null
  readonly look: Look | null
  readonly file: FileLook | null
  readonly fault: Said | null
  readonly scopes: Scopes
  readonly hidden: ReadonlySet<Who>
  readonly unfolded: ReadonlySet<string>
  /** Whose lines stand back in a diff. */
  readonly dimmed: ReadonlySet<Who>
  readonly progress: { readonly seen: number; readonly isDone: boolean; readonly fault: Said | null } | null
}

const nothing: Timeline = { rows: [], after: null, isWhole: true, rollbacks: [], bytes: 0, forgotten: null }
const atNothing = { selected: null, look: null, file: null, fault: null } as const

export const useTimeline = create<TimelineState>(() => ({ workspaceId: null, timeline: nothing, ...atNothing, scopes: firstScopes, hidden: new Set(), unfolded: new Set(), dimmed: new Set(), progress: null }))

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
  const { workspaceId } = get()
  for (let isWhole = false; !isWhole; ) {
    const last = get().timeline.rows.at(-1)
    const answer = await host().timelineRead(last ? { after: last.id } : {})
    if (get().workspaceId !== workspaceId) return
    isWhole = answer.isWhole
    set({ timeline: joinTimeline(get().timeline, answer) })
    // The window may have been opened after it was told.
    if (get().progress === null && answer.stopped) set({ progress: { seen: 0, isDone: true, fault: answer.stopped } })
  }
}

/** Reads everything anew: points in the middle may be gone. */
export async function reloadTimeline(): Promise<void> {
  set({ timeline: { ...nothing, bytes: get().timeline.bytes } })
  await loadTimeline()
}

/** Another folder: nothing of the last one stays, and its own choices are back. */
export function enterTimeline(workspaceId: WorkspaceId): void {
  set({ workspaceId, timeline: nothing, ...atNothing, scopes: readScopes(workspaceId), unfolded: new Set(), progress: null })
}

export function select(key: string | null): void {
  set({ ...atNothing, selected: key })
}

/** Stops the snapshot of the opened folder; the next call that can change files takes its own. */
export async function cancelFirst(): Promise<void> {
  await host().snapshotCancel({})
}

/** Reads what differs between two moments and opens the first file. */
export async function lookAt(a: SnapshotId | null, b: SnapshotId | null, kind: Look['kind'] = 'row'): Promise<void> {
  const asked: Look = { kind, a, b, changes: null, count: 0 }
  set({ look: asked, file: null, fault: null })
  const read = await host().timelineChanges({ before: a, after: b })
  if (get().look !== asked) return
  if (!read.ok) return set({ fault: read.fault })
  const { changes, count } = read.value
  set({ look: { ...asked, changes, count } })
  const [first] = changes
  if (first) await openFile(first)
}

/** Reads a changed file's two texts, and who made its lines. */
export async function openFile(change: ChangedPath): Promise<void> {
  const { look } = get()
  set({ fault: null })
  const [before, after] = await Promise.all([versionOf(change.before?.oid), versionOf(change.after?.oid)])
  if (get().look !== look) return
  const shown: FileLook = { change, before, after, authors: null }
  set({ file: shown })
  if (!look || look.a === null || (before?.text ?? after?.text ?? null) === null) return
  const authors = await host().timelineAuthors({ path: change.path, before: look.a, after: look.b })
  if (get().file !== shown) return
  if (authors.ok) set({ file: { ...shown, authors: authors.value } })
  else set({ fault: authors.fault })
}

async function versionOf(oid: string | undefined): Promise<FileVersion | null> {
  if (oid === undefined) return null
  const result = await host().timelineFile({ oid })
  if (!result.ok) set({ fault: result.fault })
  return result.ok ? result.value : null
}

/** The choice is kept for the project. */
export function setScope(place: TimelinePlace, scope: Scope): void {
  const scopes = { ...get().scopes, [place]: scope }
  set({ scopes })
  const { workspaceId } = get()
  if (workspaceId !== null) writeScopes(workspaceId, scopes)
}

export function toggleShown(who: Who): void {
  set({ hidden: toggled(get().hidden, who) })
}

export function toggleDimmed(who: Who): void {
  set({ dimmed: toggled(get().dimmed, who) })
}

function toggled(set: ReadonlySet<Who>, who: Who): ReadonlySet<Who> {
  const next = new Set(set)
  if (!next.delete(who)) next.add(who)
  return next
}

export function unfold(key: string): void {
  set({ unfolded: new Set([...get().unfolded, key]) })
}

/** The sessions that have changed the folder. */
export function sessionsIn(timeline: Timeline): ReadonlySet<SessionId> {
  return new Set(timeline.rows.map((row) => row.sessionId).filter((id) => id !== null))
}
