import type { SnapshotId } from '../../../shared/domain/ids'
import type { Snapshot } from '../../../shared/domain/snapshot'

/** How long points are kept (R80). A point goes when one of these says so. */
export interface RetentionRule {
  readonly keepDays: number
  readonly keepPoints: number
}

type Point = Pick<Snapshot, 'id' | 'atMs' | 'kind' | 'callId'>

const dayMs = 86_400_000

/** What letting go of old points takes: the first so many of the points; and how many more would have gone but are needed. */
export interface LettingGo {
  readonly points: number
  readonly kept: number
}

/**
 * How many of the oldest points go by a rule. Points go from the oldest on and never out of the middle: who changed what is
 * read from each point to the next, and a hole would say it wrongly. So nothing goes from the first needed point on, and never
 * the last one. A call's or a rollback's end stays only together with its beginning.
 *
 * @param points oldest first.
 * @param needed points that something under way may go back to.
 */
export function pointsToLetGo(points: readonly Point[], needed: ReadonlySet<SnapshotId>, rule: RetentionRule, nowMs: number): LettingGo {
  const since = nowMs - rule.keepDays * dayMs
  const young = points.findIndex(({ atMs }) => atMs >= since)
  const old = Math.max(young === -1 ? points.length : young, points.length - rule.keepPoints)
  return lettingGo(points, needed, old)
}

/** The same for the points before one of them. */
export function pointsBefore(points: readonly Point[], needed: ReadonlySet<SnapshotId>, before: SnapshotId): LettingGo {
  return lettingGo(points, needed, Math.max(0, points.findIndex(({ id }) => id === before)))
}

function lettingGo(points: readonly Point[], needed: ReadonlySet<SnapshotId>, wanted: number): LettingGo {
  const firstNeeded = points.findIndex(({ id }) => needed.has(id))
  let cut = Math.min(wanted, points.length - 1, firstNeeded === -1 ? Infinity : firstNeeded)
  while (cut > 0 && !isBeginning(points, cut)) cut--
  return { points: Math.max(0, cut), kept: Math.max(0, Math.min(wanted, points.length) - Math.max(0, cut)) }
}

/** Whether the past may begin with this point. */
function isBeginning(points: readonly Point[], at: number): boolean {
  const point = points[at]
  return point !== undefined && point.kind !== 'after-call' && point.kind !== 'after-rollback'
}
