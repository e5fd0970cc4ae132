import { said, type Said } from '../../../shared/domain/result'
import type { PlanRow, RollbackPlan, RollbackTarget } from '../../../shared/domain/rollback'
import type { Author, SkippedPath, TreeChange, TreeEntry } from '../../../shared/domain/snapshot'
import { authorsOf, isOfAnother, isPersons, type TimelineStep } from './authors'
import { blockRows, isWriting, withoutText } from './blockedRows'
import { skippedIndex } from './skippedIndex'
import { folderMode, isFile, sameEntry, takeBack, type Stretch, type TextOf, type Wanted } from './takeBack'

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
  /** Of the contents that are needed, those that the store has lost. */
  readonly lost: ReadonlySet<string>
}

/** One path's way from the target to now. */
export interface Way {
  readonly path: string
  readonly now: TreeEntry | null
  readonly then: TreeEntry | null
  /** What is to be taken back, newest first. */
  readonly stretches: readonly Stretch[]
  readonly isPersonal: boolean
  /** Calls of other sessions changed it, whose work stays. */
  readonly isOfOthers: boolean
  readonly isInseparable: boolean
  /** It is as it was at the target; what the person did in between was undone by somebody else, or by them (`settled`). */
  readonly unchanged: 'no' | 'lost' | 'settled'
  readonly authors: PlanRow['authors']
}

/** One change of a path, and whose it is. */
interface Move {
  readonly author: Author
  readonly isPersons: boolean
  readonly isOfOther: boolean
  /** A rollback wrote it, which is nobody's change. */
  readonly isRollback: boolean
  /** It is not to be taken back. */
  readonly isKept: boolean
  readonly change: TreeChange
}

/** So many paths make a small step. */
const pathsTogether = 200

/**
 * The ways of the paths that are asked for, in the order of the changes; behind them those that are as they were, where what the
 * person did in between was undone by somebody else (a checkout of everything, say). In small steps.
 */
export function* findWays(input: Omit<PlanInput, 'lost'>): Generator<undefined, readonly Way[]> {
  const { only, ofSession, paths, keepUserEdits } = input.target
  const asked = input.changes.filter(({ path }) => isAsked(path, paths))
  const moves = new Map<string, Move[]>(asked.map(({ path }) => [path, []]))
  const keepsMore = only === undefined && (keepUserEdits || ofSession !== undefined)
  let seen = 0
  for (const step of input.steps) {
    const authorOf = authorsOf(step)
    const isOfOther = isOfAnother(step, ofSession)
    for (const change of step.changes) {
      const author = authorOf(change.path)
      if (keepsMore && !moves.has(change.path) && isAsked(change.path, paths)) moves.set(change.path, [])
      const isOwn = isPersons(step, author)
      moves.get(change.path)?.push({ author, isPersons: isOwn, isOfOther, isRollback: step.kind === 'after-rollback', isKept: isOfOther || (keepUserEdits && isOwn), change })
      if (++seen % (10 * pathsTogether) === 0) yield
    }
  }
  const since = new Map(input.since.map((change) => [change.path, change]))
  const ways: Way[] = []
  for (const change of asked) {
    ways.push(wayOf(change, moves.get(change.path) ?? [], since, input.target))
    moves.delete(change.path)
    if (ways.length % pathsTogether === 0) yield
  }
  for (const own of moves.values()) {
    const [first, last] = [own[0], own.at(-1)]
    const isMixed = own.some((move) => move.isKept) && own.some((move) => !move.isKept)
    if (first && last && isMixed) ways.push({ ...wayOf({ ...last.change, before: first.change.before }, own, since, input.target), unchanged: last.isKept || last.isRollback ? 'settled' : 'lost' })
    if (ways.length % pathsTogether === 0) yield
  }
  return ways
}

function wayOf(change: TreeChange, moves: readonly Move[], since: ReadonlyMap<string, TreeChange>, { only, keepUserEdits }: RollbackTarget): Way {
  const isOwn = only !== undefined
  const later = isOwn ? since.get(change.path) : undefined
  return {
    path: change.path,
    then: change.before,
    now: later ? later.after : change.after,
    stretches: isOwn ? [{ before: change.before, after: change.after }] : stretchesOf(change, moves),
    isPersonal: moves.some((move) => move.isPersons),
    isOfOthers: moves.some((move) => move.isOfOther),
    isInseparable: !isOwn && keepUserEdits && moves.some(({ author }) => author === 'both'),
    unchanged: 'no',
    authors: [...new Set(moves.flatMap(({ author, isRollback }) => (isRollback ? [] : [author])))],
  }
}

/** Neighbouring changes that are not kept make one stretch. Where nothing is kept all is one. */
function stretchesOf(change: TreeChange, moves: readonly Move[]): Stretch[] {
  if (moves.every((move) => !move.isKept)) return [{ before: change.before, after: change.after }]
  const stretches: Stretch[] = []
  let open: Stretch | null = null
  for (const { isKept, change: move } of moves) {
    if (isKept) open = null
    else {
      const before: TreeEntry | null = open ? open.before : move.before
      if (open) stretches.pop()
      open = { before, after: move.after }
      stretches.push(open)
    }
  }
  return stretches.reverse()
}

/** Contents a plan needs to see: those of files that the person changed as well as somebody else. */
export function textsNeeded(ways: readonly Way[]): readonly string[] {
  const oids = new Set<string>()
  for (const way of ways) {
    if (way.stretches.length === 0 || (way.stretches.length === 1 && sameEntry(way.now, way.stretches[0]?.after ?? null))) continue
    for (const entry of entriesOf(way)) if (isFile(entry)) oids.add(entry.oid)
  }
  return [...oids]
}

/** Contents that a plan may write, or look at: without one of them its row cannot be carried out. */
export function contentsNeeded(ways: readonly Way[]): readonly string[] {
  const oids = new Set<string>()
  for (const way of ways) for (const entry of [way.then, ...entriesOf(way)]) if (entry && entry.mode !== folderMode) oids.add(entry.oid)
  return [...oids]
}

/** What is on disk and what each stretch left and found. */
export function entriesOf({ now, stretches }: Way): readonly TreeEntry[] {
  return [now, ...stretches.flatMap(({ before, after }) => [before, after])].filter((entry) => entry !== null)
}

/**
 * What a rollback would do to each path, and why (R77); nothing is written. Base of a merge is what the agent left last, ours
 * the disk, theirs the target; where the person's edits lie between the agent's, each stretch of the agent's is taken out in
 * turn, newest first. Conflicts come first, then what cannot be done. In small steps.
 */
export function* planRollback(ways: readonly Way[], input: PlanInput, textOf: TextOf): Generator<undefined, RollbackPlan> {
  const skipped: Skipped = { then: skippedIndex(input.skippedThen), now: skippedIndex(input.skippedNow) }
  const rows: PlanRow[] = []
  for (const way of ways) {
    const row = rowOf(way, input, skipped, textOf)
    // Nothing to do, or nothing that the person would want done: they left it as it is.
    if (way.unchanged !== 'no' && !isWriting(row) && !(way.unchanged === 'lost' && row.action === 'conflict')) continue
    rows.push(isLost(row, way, input.lost) ? { ...withoutText(row), action: 'cannot', to: way.then, reason: said('rollback.cannot-lost') } : row)
    if (row.action === 'merge' || row.action === 'conflict' || rows.length % pathsTogether === 0) yield
  }
  const now = new Map<string, TreeEntry | null>()
  for (const { path, after } of [...input.changes, ...input.since]) {
    now.set(path, after)
    if (now.size % (10 * pathsTogether) === 0) yield
  }
  for (const way of ways) if (way.unchanged !== 'no') now.set(way.path, way.now)
  const blocked = yield* blockRows(rows, now, input.skippedNow)
  yield
  const notCovered = new Set([...input.skippedNow, ...input.skippedThen].map(({ path }) => path))
  return { target: input.target, head: input.head, rows: yield* inOrder(blocked), notCovered: [...notCovered].sort() }
}

/** By weight, and by path in each: the rows nearly are in order of their paths, which makes the sorting short. */
function* inOrder(rows: readonly PlanRow[]): Generator<undefined, readonly PlanRow[]> {
  const ordered: PlanRow[] = []
  for (const action of byWeight) {
    const same = rows.filter((row) => row.action === action).sort((a, b) => (a.path < b.path ? -1 : 1))
    for (const row of same) ordered.push(row)
    yield
  }
  return ordered
}

interface Skipped {
  readonly then: ReturnType<typeof skippedIndex>
  readonly now: ReturnType<typeof skippedIndex>
}

/** What a row would write is not in the store any more; a merge and a conflict look at more than that. */
function isLost({ action, to, merged }: PlanRow, way: Way, lost: ReadonlySet<string>): boolean {
  if (lost.size === 0 || action === 'leave' || action === 'cannot') return false
  if (action === 'conflict') return [way.then, ...entriesOf(way)].some((entry) => entry !== null && lost.has(entry.oid))
  return merged === undefined && to !== null && lost.has(to.oid)
}

function rowOf(way: Way, input: PlanInput, skipped: Skipped, textOf: TextOf): PlanRow {
  const base = { path: way.path, authors: way.authors, from: way.now, to: way.then }
  const hidden = way.now === null ? skipped.now(way.path) : undefined
  if (hidden) return { ...base, action: 'cannot', reason: said('rollback.cannot-not-held', { why: why(hidden) }) }
  const unknown = way.then === null ? skipped.then(way.path) : undefined
  if (unknown) return { ...base, action: 'leave', reason: said('rollback.leave-not-held', { why: why(unknown) }) }
  if (way.isInseparable) return { ...base, action: 'conflict', reason: said('rollback.conflict-both') }
  let wanted: Wanted = { kind: 'entry', entry: way.now }
  for (const stretch of way.stretches) wanted = takeBack(wanted, stretch, textOf)
  return { ...base, ...decided(way, wanted, input.target, textOf) }
}

function decided(way: Way, wanted: Wanted, target: RollbackTarget, textOf: TextOf): Pick<PlanRow, 'action' | 'reason'> & Partial<Pick<PlanRow, 'to' | 'merged'>> {
  if (wanted.kind === 'conflict') return { action: 'conflict', reason: said(way.isPersonal ? wanted.reason : way.isOfOthers ? 'rollback.conflict-session' : 'rollback.conflict-later') }
  const isSame = wanted.kind === 'text' ? way.now !== null && wanted.text === textOf(way.now.oid) && wanted.entry.mode === way.now.mode : sameEntry(wanted.entry, way.now)
  if (isSame) return { action: 'leave', reason: said(stayReason(way)) }
  if (wanted.kind === 'text') return { action: 'merge', reason: said('rollback.merged'), to: wanted.entry, merged: wanted.text }
  const isSetAside = way.isPersonal && !target.keepUserEdits && target.only === undefined
  const reason = isSetAside ? 'rollback.yours-set-aside' : changeReason(way.now, wanted.entry)
  return { action: actionOf(way.now, wanted.entry), reason: said(reason), to: wanted.entry }
}

function stayReason(way: Way): 'rollback.other-session' | 'rollback.yours' | 'rollback.you-deleted' | 'rollback.nothing-left' {
  if (way.stretches.length === 0) return way.isPersonal ? 'rollback.yours' : 'rollback.other-session'
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

const byWeight: readonly PlanRow['action'][] = ['conflict', 'cannot', 'merge', 'revert', 'recreate', 'delete', 'leave']
