import { create } from 'zustand'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { ChangedPath, FileVersion, LineAuthors } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'

/** Both ends of a turn. */
export interface ReviewedTurn {
  readonly before: SnapshotId
  readonly after: SnapshotId
  /** What its calls changed; what else differs between the two ends was somebody else's. */
  readonly paths: readonly string[]
}

/** One file of a review: its two texts, and who made the lines. */
export interface ReviewedFile {
  readonly before: FileVersion | null
  readonly after: FileVersion | null
  readonly authors: LineAuthors | null
  readonly fault: Said | null
}

export interface ReviewState {
  readonly turn: ReviewedTurn | null
  /** Null while they are read. */
  readonly changes: readonly ChangedPath[] | null
  readonly files: ReadonlyMap<string, ReviewedFile>
  readonly fault: Said | null
}

const nothing: ReviewState = { turn: null, changes: null, files: new Map(), fault: null }

export const useReview = create<ReviewState>(() => nothing)

const { getState: get, setState: set } = useReview

/** Reads which files differ. */
export async function reviewTurn(turn: ReviewedTurn): Promise<void> {
  const known = get()
  // Two moments never change: what was read stays while the timeline grows.
  if (known.turn?.before === turn.before && known.turn.after === turn.after && known.fault === null) return
  set({ ...nothing, turn })
  const read = await host().timelineChanges({ before: turn.before, after: turn.after })
  if (get().turn !== turn) return
  const own = new Set(turn.paths)
  set(read.ok ? { changes: read.value.changes.filter(({ path }) => own.has(path)) } : { fault: read.fault })
}

/** Reads one file of the review, once. */
export async function readReviewed(change: ChangedPath): Promise<void> {
  const { turn, files } = get()
  if (!turn || files.has(change.path)) return
  const [before, after, authors] = await Promise.all([versionOf(change.before?.oid), versionOf(change.after?.oid), host().timelineAuthors({ path: change.path, before: turn.before, after: turn.after })])
  if (get().turn !== turn) return
  const fault = [before, after, authors].find((one) => one?.ok === false)
  const file: ReviewedFile = { before: before?.ok === true ? before.value : null, after: after?.ok === true ? after.value : null, authors: authors.ok ? authors.value : null, fault: fault?.ok === false ? fault.fault : null }
  set((state) => ({ files: new Map(state.files).set(change.path, file) }))
}

function versionOf(oid: string | undefined) {
  return oid === undefined ? null : host().timelineFile({ oid })
}
