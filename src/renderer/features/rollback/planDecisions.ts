import type { SessionId } from '../../../shared/domain/ids'
import type { PlanAction, PlanRow } from '../../../shared/domain/rollback'
import type { LineCount } from '../../../shared/domain/snapshot'
import { countLines, diffLines } from '../../ui/diffLines'
import { openIn, resultOf, type MergeDraft } from './mergeDraft'
import type { Drafted, LeftOut, OtherCall, RollbackState } from './planState'

/** The parts of the page's state that say what will be written. */
export type Deciding = Pick<RollbackState, 'plan' | 'scope' | 'unticked' | 'left' | 'drafts'>

/** Names what a row would do with what: what was decided about it holds for the same only. */
export function keyOf({ action, from, to, merged }: PlanRow): string {
  return [action, from?.oid ?? '', from?.mode ?? '', to?.oid ?? '', to?.mode ?? '', merged ?? ''].join('\n')
}

export function draftOf(row: PlanRow, drafts: RollbackState['drafts']): Drafted | null {
  const found = Object.hasOwn(drafts, row.path) ? drafts[row.path] : undefined
  return found && row.action === 'conflict' && found.key === keyOf(row) ? found : null
}

export function leftOf(row: PlanRow, left: RollbackState['left']): LeftOut | null {
  const found = Object.hasOwn(left, row.path) ? left[row.path] : undefined
  return found && found.numbers.length > 0 && found.key === keyOf(row) ? found : null
}

/** What becomes of a row as it stands now. */
export interface Fate {
  readonly action: PlanAction
  /** Whose decision that is, where it is not the plan's alone. */
  readonly by: 'plan' | 'unticked' | 'all-left' | 'some-left' | 'resolved' | 'earlier' | 'disk'
}

/** A conflict is one until every stretch of it is decided. */
export function fateOf(row: PlanRow, { unticked, left, drafts }: Pick<Deciding, 'unticked' | 'left' | 'drafts'>): Fate {
  if (unticked.has(row.path)) return { action: 'leave', by: 'unticked' }
  const out = leftOf(row, left)
  if (out) return out.numbers.length === out.total ? { action: 'leave', by: 'all-left' } : { action: row.action, by: 'some-left' }
  const made = draftOf(row, drafts)
  if (made?.kind === 'whole') return made.side === 'disk' ? { action: 'leave', by: 'disk' } : { action: wholeAction(row), by: 'earlier' }
  if (made?.kind === 'text' && openIn(made.draft).length === 0 && made.draft.parts.length > 0) return isAsOnDisk(row, made.draft) ? { action: 'leave', by: 'disk' } : { action: 'merge', by: 'resolved' }
  return { action: row.action, by: 'plan' }
}

/** Settled with what is there, a file is left: nothing is written, and nothing is to be counted. */
function isAsOnDisk({ from, to }: PlanRow, draft: MergeDraft): boolean {
  const isForm = from !== null && (to === null || (to.mode === from.mode && to.bits === from.bits))
  return isForm && draft.disk !== undefined && resultOf(draft) === draft.disk
}

function wholeAction(row: PlanRow): PlanAction {
  if (row.to === null) return row.from === null ? 'leave' : 'delete'
  return row.from === null ? 'recreate' : 'revert'
}

/** Rows that will write something when the button is pressed, open conflicts among them. */
export function writingRows(state: Pick<Deciding, 'plan' | 'unticked' | 'left' | 'drafts'>): readonly PlanRow[] {
  return (state.plan?.rows ?? []).filter((row) => {
    const { action } = fateOf(row, state)
    return action !== 'leave' && action !== 'cannot'
  })
}

/** Conflicts that are ticked and not decided yet. */
export function openConflicts(state: Pick<Deciding, 'plan' | 'unticked' | 'left' | 'drafts'>): readonly PlanRow[] {
  return (state.plan?.rows ?? []).filter((row) => fateOf(row, state).action === 'conflict')
}

/** What cannot be done and was not left out: while it is, the conversation stays too. */
export function impossibleRows({ plan, unticked }: Pick<Deciding, 'plan' | 'unticked'>): readonly PlanRow[] {
  return (plan?.rows ?? []).filter((row) => row.action === 'cannot' && !unticked.has(row.path))
}

/** Other sessions of which calls are taken back with what is ticked, and how many of each; in order of their first one. */
export function othersTaken(state: Pick<Deciding, 'plan' | 'unticked' | 'left' | 'drafts'>, others: readonly OtherCall[]): readonly { readonly sessionId: SessionId; readonly session: string; readonly count: number }[] {
  const writing = new Set(writingRows(state).map((row) => row.path))
  const taken = new Map<SessionId, { sessionId: SessionId; session: string; count: number }>()
  for (const { sessionId, session, paths } of others) {
    if (paths.some((path) => writing.has(path))) taken.set(sessionId, { sessionId, session, count: (taken.get(sessionId)?.count ?? 0) + 1 })
  }
  return [...taken.values()]
}

interface Decisions {
  readonly unticked: string[]
  readonly leftChanges: Record<string, number[]>
  readonly resolved: Record<string, string>
  readonly takeEarlier: string[]
}

/** What the person decided, as it is sent. Only about rows of the plan, and about each in one way. */
export function decisionsOf(state: Deciding): Decisions {
  const sent: Decisions = { unticked: [], leftChanges: {}, resolved: {}, takeEarlier: [] }
  for (const row of state.plan?.rows ?? []) {
    const { by } = fateOf(row, state)
    const made = draftOf(row, state.drafts)
    if (by === 'unticked' || by === 'all-left' || by === 'disk') sent.unticked.push(row.path)
    if (by === 'some-left') put(sent.leftChanges, row.path, [...(leftOf(row, state.left)?.numbers ?? [])])
    if (by === 'earlier') sent.takeEarlier.push(row.path)
    if (by === 'resolved' && made?.kind === 'text') put(sent.resolved, row.path, resultOf(made.draft))
  }
  return sent
}

/** A path may be called like a property that every object has. */
function put<Value>(record: Record<string, Value>, path: string, value: Value): void {
  Object.defineProperty(record, path, { value, enumerable: true, configurable: true, writable: true })
}

/** Lines added and taken away between two texts; null where it is too much to count. */
export function linesBetween(before: string, after: string): LineCount | null {
  const lines = diffLines(before, after)
  return lines && countLines(lines)
}

const counted = new WeakMap<MergeDraft, LineCount>()

/** What a row will write, in lines; null where that is not known. `disk`: what is there, where it was read. */
export function linesOf(row: PlanRow, planned: LineCount | null, state: Deciding, disk: string | null): LineCount | null {
  const { action, by } = fateOf(row, state)
  if (action === 'leave' || action === 'cannot') return null
  if (by === 'some-left') return leftOf(row, state.left)?.lines ?? null
  const made = draftOf(row, state.drafts)
  if (by !== 'resolved' || made?.kind !== 'text') return planned
  const known = counted.get(made.draft) ?? (disk === null ? null : linesBetween(disk, resultOf(made.draft)))
  if (known) counted.set(made.draft, known)
  return known
}

/** All of them together. */
export function totalLines(counts: readonly (LineCount | null)[]): LineCount {
  return counts.reduce<LineCount>((sum, one) => ({ added: sum.added + (one?.added ?? 0), removed: sum.removed + (one?.removed ?? 0) }), { added: 0, removed: 0 })
}
