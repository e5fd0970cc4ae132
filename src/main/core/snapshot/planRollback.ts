import { said, type Said } from '../../../shared/domain/result'
import type { PlanRow, RollbackPlan, RollbackTarget } from '../../../shared/domain/rollback'
import { isSkippedBy, type SkippedPath, type TreeChange, type TreeEntry } from '../../../shared/domain/snapshot'
import { authorIn, authorsByPath, isPersons, type TimelineStep } from './authors'
import { blockRows } from './blockedRows'
import { isFile, sameEntry, takeBack, type Stretch, type TextOf, type Wanted } from './takeBack'

/** Everything a plan is made of. All of it is about one workspace. */
export interface PlanInput {
  readonly target: RollbackTarget
  /** Names what the disk holds. */
  readonly head: string
  /**
   * What is to be taken back: paths that differ between the target and the disk; for one call alone, between its before and
   * after.
   */
  readonly changes: readonly TreeChange[]
  /** For one call alone: paths that differ between its after and the disk. */
  readonly since: readonly TreeChange[]
  /**
   * Moments after the target (for one call alone: after its before), oldest first. The last may be what is on disk and not
   * recorded yet.
   */
  readonly steps: readonly TimelineStep[]
  /** What the target does not hold; paths that its ignore files leave out included. */
  readonly skippedThen: readonly SkippedPath[]
  readonly skippedNow: readonly SkippedPath[]
}

/** Contents a plan needs to see: those of files that the person changed as well as somebody else. */
export function textsNeeded(input: PlanInput): readonly string[] {
  const oids = new Set<string>()
  for (const way of waysOf(input)) {
    if (way.stretches.length === 0 || (way.stretches.length === 1 && sameEntry(way.now, way.stretches[0]?.after ?? null))) continue
    for (const entry of [way.now, ...way.stretches.flatMap(({ before, after }) => [before, after])]) if (entry && isFile(entry)) oids.add(entry.oid)
  }
  return [...oids]
}

/**
 * What a rollback would do to each path, and why (R77); nothing is written. Base of a merge is what the agent left last, ours
 * the disk, theirs the target; where the person's edits lie between the agent's, each stretch of the agent's is taken out in
 * turn, newest first. Conflicts come first, then what cannot be done.
 */
export function planRollback(input: PlanInput, textOf: TextOf): RollbackPlan {
  const rows = waysOf(input).map((way) => rowOf(way, input, textOf))
  const now = new Map([...input.changes, ...input.since].map(({ path, after }) => [path, after]))
  const blocked = blockRows(rows, now, input.skippedNow)
  const notCovered = new Set([...input.skippedNow, ...input.skippedThen].map(({ path }) => path))
  return { target: input.target, head: input.head, rows: [...blocked].sort(byWeight), notCovered: [...notCovered].sort() }
}

/** One path's way from the target to now. */
interface Way {
  readonly path: string
  readonly now: TreeEntry | null
  readonly then: TreeEntry | null
  /** What is to be taken back, newest first. */
  readonly stretches: readonly Stretch[]
  readonly isPersonal: boolean
  readonly isInseparable: boolean
  readonly authors: PlanRow['authors']
}

function waysOf(input: PlanInput): Way[] {
  const authors = authorsByPath(input.steps)
  const stepsByPath = new Map<string, { readonly step: TimelineStep; readonly change: TreeChange }[]>()
  for (const step of input.steps) for (const change of step.changes) stepsByPath.set(change.path, [...(stepsByPath.get(change.path) ?? []), { step, change }])
  const since = new Map(input.since.map((change) => [change.path, change]))
  return input.changes
    .filter(({ path }) => isAsked(path, input.target.paths))
    .map((change): Way => {
      const moves = stepsByPath.get(change.path) ?? []
      const own = input.target.only !== undefined
      return {
        path: change.path,
        then: change.before,
        now: own ? (since.has(change.path) ? (since.get(change.path)?.after ?? null) : change.after) : change.after,
        stretches: own ? [{ before: change.before, after: change.after }] : stretchesOf(change, moves, input.target.keepUserEdits),
        isPersonal: moves.some(({ step }) => isPersons(step, change.path)),
        isInseparable: !own && input.target.keepUserEdits && moves.some(({ step }) => authorIn(step, change.path) === 'both'),
        authors: authors.get(change.path) ?? [],
      }
    })
}

/** Neighbouring changes that are not the person's make one stretch. Without theirs, or when theirs go too, all is one. */
function stretchesOf(change: TreeChange, moves: readonly { readonly step: TimelineStep; readonly change: TreeChange }[], keepUserEdits: boolean): Stretch[] {
  const whole = [{ before: change.before, after: change.after }]
  if (!keepUserEdits || moves.every(({ step }) => !isPersons(step, change.path))) return whole
  const stretches: Stretch[] = []
  let open: Stretch | null = null
  for (const { step, change: move } of moves) {
    if (isPersons(step, change.path)) open = null
    else {
      const before: TreeEntry | null = open ? open.before : move.before
      if (open) stretches.pop()
      open = { before, after: move.after }
      stretches.push(open)
    }
  }
  return stretches.reverse()
}

function rowOf(way: Way, input: PlanInput, textOf: TextOf): PlanRow {
  const base = { path: way.path, authors: way.authors, from: way.now, to: way.then }
  const hidden = way.now === null ? input.skippedNow.find(({ path }) => isSkippedBy(path, way.path)) : undefined
  if (hidden) return { ...base, action: 'cannot', reason: said('rollback.cannot-not-held', { why: why(hidden) }) }
  const unknown = way.then === null ? input.skippedThen.find(({ path }) => isSkippedBy(path, way.path)) : undefined
  if (unknown) return { ...base, action: 'leave', reason: said('rollback.leave-not-held', { why: why(unknown) }) }
  if (way.isInseparable) return { ...base, action: 'conflict', reason: said('rollback.conflict-both') }
  let wanted: Wanted = { kind: 'entry', entry: way.now }
  for (const stretch of way.stretches) wanted = takeBack(wanted, stretch, textOf)
  return { ...base, ...decided(way, wanted, input.target, textOf) }
}

function decided(way: Way, wanted: Wanted, target: RollbackTarget, textOf: TextOf): Pick<PlanRow, 'action' | 'reason'> & Partial<Pick<PlanRow, 'to' | 'merged'>> {
  if (wanted.kind === 'conflict') return { action: 'conflict', reason: said(way.isPersonal ? wanted.reason : 'rollback.conflict-later') }
  const isSame = wanted.kind === 'text' ? way.now !== null && wanted.text === textOf(way.now.oid) && wanted.entry.mode === way.now.mode : sameEntry(wanted.entry, way.now)
  if (isSame) return { action: 'leave', reason: said(stayReason(way)) }
  if (wanted.kind === 'text') return { action: 'merge', reason: said('rollback.merged'), to: wanted.entry, merged: wanted.text }
  const isSetAside = way.isPersonal && !target.keepUserEdits && target.only === undefined
  const reason = isSetAside ? 'rollback.yours-set-aside' : changeReason(way.now, wanted.entry)
  return { action: actionOf(way.now, wanted.entry), reason: said(reason), to: wanted.entry }
}

function stayReason(way: Way): 'rollback.yours' | 'rollback.you-deleted' | 'rollback.nothing-left' {
  if (way.stretches.length === 0) return 'rollback.yours'
  return way.now === null && way.isPersonal ? 'rollback.you-deleted' : 'rollback.nothing-left'
}

function actionOf(now: TreeEntry | null, wanted: TreeEntry | null): 'delete' | 'recreate' | 'revert' {
  if (wanted === null) return 'delete'
  return now === null ? 'recreate' : 'revert'
}

function changeReason(now: TreeEntry | null, wanted: TreeEntry | null): 'rollback.made-since' | 'rollback.deleted-since' | 'rollback.moded-since' | 'rollback.reverted' {
  if (wanted === null) return 'rollback.made-since'
  if (now === null) return 'rollback.deleted-since'
  return now.oid === wanted.oid ? 'rollback.moded-since' : 'rollback.reverted'
}

function why({ reason }: SkippedPath): Said {
  return said(`snapshot.skip-${reason}`)
}

function isAsked(path: string, asked: readonly string[] | undefined): boolean {
  return asked === undefined || asked.some((one) => one === path || path.startsWith(`${one}/`))
}

const weight: Readonly<Record<PlanRow['action'], number>> = { conflict: 0, cannot: 1, merge: 2, revert: 3, recreate: 4, delete: 5, leave: 6 }

function byWeight(a: PlanRow, b: PlanRow): number {
  return weight[a.action] - weight[b.action] || (a.path < b.path ? -1 : 1)
}
