import type { RollbackId, SnapshotId } from '../domain/ids'
import type { LineOwners } from '../domain/lineAuthors'
import type { Said } from '../domain/result'
import type { RollbackRow } from '../domain/rollback'
import type { ForgottenPoints, LineCount, PathAuthor, SkippedPath, Snapshot, SnapshotRow, SnapshotSummary, TreeChange, TreeEntry } from '../domain/snapshot'

export type { RollbackRow }

/**
 * A snapshot as a row of the timeline, with what changed since the one before it. `missing` counts the objects that the store
 * has lost: such a point is broken and cannot be restored. Then `lost` names the first 20 files that cannot be read, a lost folder
 * as one, and `lostFiles` says how many there are.
 */
export interface TimelineRow extends SnapshotRow, SnapshotSummary {
  readonly missing: number
  readonly lost?: readonly string[]
  readonly lostFiles?: number
  /** Of a call that ran something, its command or tool in one line, redacted, at most 200 characters. */
  readonly label?: string
}

/**
 * A workspace's moments, oldest first; an answer holds at most 500. `after` is the point that these rows follow; null: they
 * begin the past, and what was read before is out of date. `isWhole`: none comes after the last of them. `forgotten`: older
 * ones that were let go.
 */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  readonly after: SnapshotId | null
  readonly isWhole: boolean
  readonly rollbacks: readonly RollbackRow[]
  /** The last rollback that can be undone; absent where none can. One of the conversation cannot while messages stand that were said since. */
  readonly undoable?: RollbackId
  readonly bytes: number
  readonly forgotten: ForgottenPoints | null
  /** Why the last attempt at a snapshot failed, where it did: undo has stopped. */
  readonly stopped?: Said
}

/** What is known with an answer added: behind the point it follows, or in place of all where it follows none. */
export function joinTimeline(known: Timeline, answer: Timeline): Timeline {
  if (answer.after === null) return answer
  const end = known.rows.findIndex(({ id }) => id === answer.after) + 1
  return { ...answer, rows: [...known.rows.slice(0, end), ...answer.rows] }
}

/** What differs between two moments: the first 5,000 paths in path order, and how many there are. Lines are counted for the first 200. */
export interface Comparison {
  readonly changes: readonly ChangedPath[]
  readonly count: number
}

/** What the disk holds that the last point does not: the first 200 paths, and how many there are. */
export interface DiskNow {
  readonly changes: readonly ChangedPath[]
  readonly count: number
}

/**
 * Who made a diff's lines, one by one as `exactLines` cuts them: of the text before, who took the line out; of the text after,
 * who put it in. Null: nobody, it stays. No text is an empty one.
 */
export type LineAuthors = LineOwners

/** A file of a moment. */
export interface PathAt {
  readonly path: string
  readonly entry: TreeEntry
}

/** A change of one path at one moment; `entry` null: it was deleted. */
export interface PathMoment extends Pick<Snapshot, 'id' | 'atMs' | 'kind' | 'sessionId' | 'callId'>, Pick<PathAuthor, 'author'> {
  readonly entry: TreeEntry | null
}

/** What the last scan left out: the first 2,000 lines, and how many there are. */
export interface Uncovered {
  readonly skipped: readonly SkippedPath[]
  readonly count: number
}

/** The room that the points of this folder take. `isPackable`: packing would free some without losing a point. */
export interface SnapshotSpace {
  readonly bytes: number
  readonly points: number
  readonly oldestAtMs: number | null
  readonly isPackable: boolean
}

/** What letting go of old points does, or would do. `kept` counts points in the range that something still needs. */
export interface Forgetting {
  readonly points: number
  readonly kept: number
}

/** One path between two moments, with its texts' object ids. */
export interface ChangedPath extends TreeChange {
  readonly lines: LineCount | null
}

/** A file as it was; text is null for binary. */
export interface FileVersion {
  readonly text: string | null
  readonly sizeBytes: number
}
