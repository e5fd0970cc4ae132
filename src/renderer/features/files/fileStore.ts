import { create } from 'zustand'
import type { FilePlace } from '../../../shared/domain/filePlaces'
import { readPlaceQuery } from '../../../shared/domain/fuzzyPath'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { FileView, FoundFiles } from '../../../shared/ipc/fileViews'
import type { FileVersion } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'

/** The end of a turn, where a snapshot may hold the file as it was. */
export interface Moment {
  readonly id: SnapshotId
  readonly turn: number
}

/** A file that is looked at. */
export interface Shown extends FilePlace {
  /** Null while it is read. */
  readonly view: FileView | null
  readonly fault: Said | null
  readonly moment: Moment | null
  readonly side: 'now' | 'then'
  /** As it was then; null: it was not there; undefined: not read yet. */
  readonly then: FileVersion | null | undefined
  /** A word about what was done. */
  readonly notice: Said | null
}

/** What was typed to find a file, and what was found. */
export interface Finder {
  readonly typed: string
  readonly found: FoundFiles | null
  readonly fault: Said | null
}

export interface FilesState {
  readonly shown: Shown | null
  readonly finder: Finder | null
}

export const useFiles = create<FilesState>(() => ({ shown: null, finder: null }))

const { getState: get, setState: set } = useFiles

/** Opens a file at a place, as it is on disk now. `moment`: where it can also be seen as it was. */
export async function openFile(place: FilePlace, moment: Moment | null = null): Promise<void> {
  set({ shown: { ...place, view: null, fault: null, moment, side: 'now', then: undefined, notice: null } })
  await readNow(false)
}

/** Reads it from the disk again. `isAsked`: a protected file is to be shown. */
export async function readNow(isAsked: boolean): Promise<void> {
  const { shown } = get()
  if (!shown) return
  const asked: Shown = { ...shown, view: null, fault: null, notice: null }
  set({ shown: asked })
  const read = await host().fileRead({ path: shown.path, isAsked })
  if (get().shown === asked) set({ shown: { ...asked, ...(read.ok ? { view: read.value, path: read.value.path } : { fault: read.fault }) } })
}

/** Shows it as it is now, or as it was then. */
export async function showSide(side: Shown['side']): Promise<void> {
  const { shown } = get()
  if (!shown) return
  const turned: Shown = { ...shown, side }
  set({ shown: turned })
  if (side === 'now' || shown.moment === null || shown.then !== undefined) return
  const found = await host().timelinePaths({ at: shown.moment.id, query: shown.path })
  const entry = found.ok ? found.value.find(({ path }) => path === shown.path)?.entry : undefined
  const version = entry === undefined ? null : await host().timelineFile({ oid: entry.oid })
  if (get().shown !== turned) return
  const fault = !found.ok ? found.fault : version?.ok === false ? version.fault : null
  set({ shown: fault === null ? { ...turned, then: version?.ok === true ? version.value : null } : { ...turned, fault } })
}

export function closeFile(): void {
  set({ shown: null })
}

/** Opens a place in the person's editor; the answer says why not. */
export async function openInEditor({ path, line, column }: FilePlace): Promise<Said | null> {
  const done = await host().fileOpen({ path, line: line ?? 1, column: column ?? 1 })
  return done.ok ? null : done.fault
}

/** Shows a file in the system's file manager; the answer says why not. */
export async function showInFolder(path: string): Promise<Said | null> {
  const done = await host().fileShow({ path })
  return done.ok ? null : done.fault
}

/** Says something about the file that is shown. */
export function tellOfFile(notice: Said | null): void {
  const { shown } = get()
  if (shown) set({ shown: { ...shown, notice } })
}

/** Opens the box that finds files by name. */
export function showFinder(): void {
  void typeName('')
}

export function closeFinder(): void {
  set({ finder: null })
}

/** Looks for what is typed now; an answer to an earlier one is dropped. */
export async function typeName(typed: string): Promise<void> {
  set((state) => ({ finder: { found: null, fault: null, ...state.finder, typed } }))
  const found = await host().fileFind({ query: readPlaceQuery(typed).text })
  const { finder } = get()
  if (finder?.typed !== typed) return
  set({ finder: found.ok ? { typed, found: found.value, fault: null } : { typed, found: null, fault: found.fault } })
}
