import { create } from 'zustand'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import type { FileVersion, PathAt, PathMoment } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'

/** One file at one moment. */
export interface PathLook {
  readonly path: string
  /** Null: on disk now. */
  readonly at: SnapshotId | null
  /** Null: it was not there. */
  readonly entry: TreeEntry | null
  /** Null while it is read, and where there is nothing to read. */
  readonly version: FileVersion | null
  /** Every moment that changed it, newest first; null while they are read. */
  readonly history: readonly PathMoment[] | null
  readonly fault: Said | null
}

/** The files of a moment that a text finds. */
export interface PathSearch {
  readonly at: SnapshotId
  readonly query: string
  /** Null before the first answer. */
  readonly found: readonly PathAt[] | null
  readonly fault: Said | null
}

export interface PathState {
  readonly look: PathLook | null
  readonly search: PathSearch | null
}

export const usePaths = create<PathState>(() => ({ look: null, search: null }))

const { getState: get, setState: set } = usePaths
const searchMs = 150
let due: ReturnType<typeof setTimeout> | undefined

/** Another folder, or another moment: nothing of the last one stays. */
export function closePath(): void {
  clearTimeout(due)
  set({ look: null, search: null })
}

/** Shows a file as it was at a moment, and every moment that changed it. */
export async function openPath({ path, entry }: PathAt | { readonly path: string; readonly entry: null }, at: SnapshotId | null): Promise<void> {
  const known = get().look
  const history = known?.path === path ? known.history : null
  const asked: PathLook = { path, at, entry, version: null, history, fault: null }
  set({ look: asked, search: null })
  const isSame = (): boolean => get().look?.path === path && get().look?.at === at
  const change = (more: Partial<PathLook>): void => set((state) => (state.look ? { look: { ...state.look, ...more } } : {}))
  const reading = async (): Promise<void> => {
    if (entry === null || entry.mode === '40000') return
    const read = await host().timelineFile({ oid: entry.oid })
    if (isSame()) change(read.ok ? { version: read.value } : { fault: read.fault })
  }
  const telling = async (): Promise<void> => {
    if (history !== null) return
    const told = await host().timelineHistory({ path })
    if (isSame()) change(told.ok ? { history: told.value } : { history: [], fault: told.fault })
  }
  await Promise.all([reading(), telling()])
}

/** Shows the history of a path, beginning with its newest moment. */
export async function openHistory(path: string): Promise<void> {
  const told = await host().timelineHistory({ path })
  const [newest] = told.ok ? told.value : []
  set({ look: { path, at: newest?.id ?? null, entry: newest?.entry ?? null, version: null, history: told.ok ? told.value : [], fault: told.ok ? null : told.fault }, search: null })
  if (newest?.entry) await openPath({ path, entry: newest.entry }, newest.id)
}

/** Begins to look for a file among those of a moment. */
export async function searchPaths(at: SnapshotId): Promise<void> {
  set({ search: { at, query: '', found: null, fault: null } })
  await find()
}

export function closeSearch(): void {
  clearTimeout(due)
  set({ search: null })
}

/** Another text: asked when the person pauses. */
export function setPathQuery(query: string): void {
  set((state) => (state.search ? { search: { ...state.search, query } } : {}))
  clearTimeout(due)
  due = setTimeout(() => void find(), searchMs)
}

async function find(): Promise<void> {
  const { search } = get()
  if (!search) return
  const { at, query } = search
  const found = await host().timelinePaths({ at, query: query.trim() })
  if (get().search?.at !== at || get().search?.query !== query) return
  set({ search: found.ok ? { at, query, found: found.value, fault: null } : { at, query, found: [], fault: found.fault } })
}
