import type { SnapshotId } from '../../../shared/domain/ids'
import { closePath } from './pathStore'
import { beforeOf, beforeTurn, endOfTurn, sidesWith, type PastRow } from './timelineRows'
import { lookAt, nowKey, select, useTimeline } from './timelineStore'

/** Selects a row, and reads what it changed. */
export function openRow(row: PastRow): void {
  const { timeline } = useTimeline.getState()
  closePath()
  select(row.key)
  if (row.kind === 'turn') void lookAt(beforeTurn(timeline, row.turn), endOfTurn(timeline, row.turn))
  if (row.kind === 'point') void (row.row.parent === null ? lookAt(row.row.id, null) : lookAt(beforeOf(timeline, row.row), row.row.id))
}

/** Selects the row of a point wherever it is asked from. */
export function openPoint(id: SnapshotId): void {
  const row = useTimeline.getState().timeline.rows.find((one) => one.id === id)
  if (row) openRow({ kind: 'point', key: row.id, atMs: row.atMs, row, takenBackBy: null, partlyBackBy: null, rollback: null, unknown: null })
}

/** What is on disk and in no point yet. */
export function openNow(): void {
  const last = useTimeline.getState().timeline.rows.at(-1)
  closePath()
  select(nowKey)
  if (last) void lookAt(last.id, null, 'now')
}

/** The moment that a row stands for; null where it is none. */
export function momentOf(row: PastRow): SnapshotId | null {
  if (row.kind === 'point') return row.row.id
  return row.kind === 'turn' ? beforeTurn(useTimeline.getState().timeline, row.turn) : null
}

/** Takes a moment as one side of a comparison; the other stays what it was, at first the last point, or the disk; what nobody chose is never later than its other side. */
export function pick(side: 'a' | 'b', id: SnapshotId | null): void {
  const { look, timeline } = useTimeline.getState()
  closePath()
  const { a, b } = sidesWith(side, id, look, timeline)
  void lookAt(a, b, 'compare')
}

/** Compares the last point with the disk; both sides can be chosen there. */
export function compareLast(): void {
  const last = useTimeline.getState().timeline.rows.at(-1)
  closePath()
  if (last) void lookAt(last.id, null, 'compare')
}

/** The other way round; the disk can only be compared with, so it stays where it is. */
export function swap(): void {
  const { look } = useTimeline.getState()
  if (look && look.b !== null) void lookAt(look.b, look.a, 'compare')
}

/** Back to what is selected. */
export function closeCompare(rows: readonly PastRow[]): void {
  const { selected } = useTimeline.getState()
  const row = rows.find((one) => one.key === selected)
  if (row) return openRow(row)
  if (selected === nowKey) return openNow()
  select(null)
}
