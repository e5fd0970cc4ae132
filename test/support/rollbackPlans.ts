import type { TimelineStep } from '../../src/main/core/snapshot/authors'
import { findWays, planRollback, type PlanInput } from '../../src/main/core/snapshot/planRollback'
import type { TextOf } from '../../src/main/core/snapshot/takeBack'
import { asId, type SessionId, type SnapshotId } from '../../src/shared/domain/ids'
import type { PlanRow, RollbackPlan } from '../../src/shared/domain/rollback'
import type { Author, SnapshotKind, TreeChange, TreeEntry } from '../../src/shared/domain/snapshot'

/** A disk in memory: text by path. Its own text is a blob's id, so that nothing needs looking up. */
export type Disk = Readonly<Record<string, string>>

export interface Moment {
  readonly author: Author
  readonly disk: Disk
  readonly kind?: SnapshotKind
  readonly session?: SessionId
}

export const entryOf = (text: string): TreeEntry => ({ oid: text, mode: '100644', bits: 0o644 })
export const itself = (oid: string): string => oid

export function diffDisks(before: Disk, after: Disk): TreeChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((path): TreeChange[] => {
    const [old, fresh] = [before[path], after[path]]
    if (old === fresh) return []
    return [{ path, change: old === undefined ? 'added' : fresh === undefined ? 'deleted' : 'modified', before: old === undefined ? null : entryOf(old), after: fresh === undefined ? null : entryOf(fresh) }]
  })
}

/** What is asked besides the story itself. */
export type PlanWish = Partial<PlanInput> & { keepUserEdits?: boolean; ofSession?: SessionId; paths?: readonly string[] }

export function inputFor(then: Disk, moments: readonly Moment[], more: PlanWish = {}): PlanInput {
  const steps: TimelineStep[] = moments.map(({ author, disk, kind, session }, index) => ({ kind: kind ?? (author === 'you' ? 'drift' : 'after-call'), author, others: [], sessionId: session ?? null, changes: diffDisks(moments[index - 1]?.disk ?? then, disk) }))
  const now = moments.at(-1)?.disk ?? then
  const { keepUserEdits = true, ofSession, paths, ...given } = more
  const target = { to: asId<SnapshotId>('s'), keepUserEdits, ...(ofSession ? { ofSession } : {}), ...(paths ? { paths } : {}) }
  return { target, head: 'head', changes: diffDisks(then, now), since: [], steps, skippedThen: [], skippedNow: [], lost: new Set<string>(), ...given }
}

/** One call of a story alone: what it changed, and what came after. */
export function inputForOne(then: Disk, moments: readonly Moment[], at: number): PlanInput {
  const before = moments[at - 1]?.disk ?? then
  const after = moments[at]?.disk ?? then
  const steps = inputFor(before, moments.slice(at)).steps
  const target = { to: asId<SnapshotId>('s'), only: { from: asId<SnapshotId>('s'), until: asId<SnapshotId>('t') }, keepUserEdits: true }
  return inputFor(before, [], { target, changes: diffDisks(before, after), since: diffDisks(after, moments.at(-1)?.disk ?? then), steps })
}

/** Takes all the small steps at once. */
export function atOnce<Value>(steps: Generator<undefined, Value>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export function wholePlan(input: PlanInput, textOf: TextOf = itself): RollbackPlan {
  return atOnce(planRollback(atOnce(findWays(input)), input, textOf))
}

/** What the disk is after the rows that write. */
export function applied(now: Disk, rows: readonly PlanRow[]): Disk {
  const disk: Record<string, string> = { ...now }
  for (const { path, action, to, merged } of rows) {
    if (action === 'delete') delete disk[path]
    if (action === 'revert' || action === 'recreate') disk[path] = to?.oid ?? ''
    if (action === 'merge') disk[path] = merged ?? ''
  }
  return disk
}
