import type { CallId, SessionId, SnapshotId, TurnId } from '../../../shared/domain/ids'
import type { RollbackTarget } from '../../../shared/domain/rollback'
import type { RollbackRow, TimelineRow } from '../../../shared/ipc/timelineViews'
import { beforeOf, beforeTurn, type OpenCall, type PastRow, type TurnMark } from './timelineRows'
import { useTimeline } from './timelineStore'

/** What the person asks the rollback page for. */
export interface RollbackWish {
  readonly target: RollbackTarget
  readonly title: 'timeline.plan.call' | 'timeline.plan.turn' | 'timeline.plan.only-turn' | 'timeline.plan.point' | 'timeline.plan.file' | 'timeline.plan.bring-back'
  readonly values: Readonly<Record<string, string | number>>
  readonly sessionId: SessionId | null
  readonly turnId: TurnId | null
}

/** Opens the plan for a wish. */
export type OnWish = (wish: RollbackWish) => void

/** What the timeline is told of the conversation. */
export interface TimelineFacts {
  readonly sessionId: SessionId | null
  readonly turns: readonly TurnMark[]
  /** Turns of other sessions, which stand beside them where all are shown. */
  readonly otherTurns?: readonly TurnMark[]
  readonly open: readonly OpenCall[]
  readonly commands: ReadonlyMap<CallId, string>
}

/** What a call is called in a plan: its command, or what it changed. */
export function callLabel(row: TimelineRow, commands: ReadonlyMap<CallId, string>): string {
  return (row.callId === null ? undefined : commands.get(row.callId)) ?? row.label ?? row.changed.map((change) => change.path).join(', ')
}

/** The wish to take back one call, or one of its runs; null when there is nothing of it to take back, or when one of its two moments is broken. */
export function undoCallWish(callId: CallId, label: string, row?: TimelineRow): RollbackWish | null {
  const { timeline } = useTimeline.getState()
  const after = row ?? timeline.rows.findLast((one) => one.kind === 'after-call' && one.callId === callId)
  const from = after && beforeOf(timeline, after)
  if (!after || from == null || after.changed.length === 0 || after.missing > 0 || isBroken(from)) return null
  return { target: { to: from, only: { from, until: after.id }, keepUserEdits: true }, title: 'timeline.plan.call', values: { what: label }, sessionId: after.sessionId, turnId: null }
}

/** The wish to have back what a rollback took of one row: the rollback is undone for the paths of that row. */
export function bringBackWish(row: TimelineRow, by: RollbackRow, label: string): RollbackWish | null {
  const { beforeSnapshot: from, afterSnapshot: until } = by
  if (from === null || until === null || row.changed.length === 0 || isBroken(from) || isBroken(until)) return null
  return { target: { to: from, only: { from, until }, paths: row.changed.map((change) => change.path), keepUserEdits: true }, title: 'timeline.plan.bring-back', values: { what: label }, sessionId: row.sessionId, turnId: null }
}

/** The wish to go back to before a turn; null while nothing is known from before it, or when that moment is broken. */
export function turnWish(turn: TurnMark): RollbackWish | null {
  const to = beforeTurn(useTimeline.getState().timeline, turn)
  if (to === null || isBroken(to)) return null
  return { target: { to, ofSession: turn.sessionId, keepUserEdits: true }, title: 'timeline.plan.turn', values: { turn: turn.number }, sessionId: turn.sessionId, turnId: turn.turnId }
}

/** The wish to go back to a moment, named with what happened there; the conversation can go back with it to before the first turn that came after. */
export function pointWish(row: TimelineRow, facts: TimelineFacts, moment: string): RollbackWish | null {
  if (row.missing > 0) return null
  const turn = facts.turns.find((one) => one.atMs > row.atMs)
  return { target: { to: row.id, keepUserEdits: true }, title: 'timeline.plan.point', values: { time: moment }, sessionId: facts.sessionId, turnId: turn?.turnId ?? null }
}

/** The wish to have one file as it was at a moment. */
export function fileWish(path: string, to: SnapshotId, time: string): RollbackWish {
  return { target: { to, paths: [path], keepUserEdits: true }, title: 'timeline.plan.file', values: { path, time }, sessionId: null, turnId: null }
}

/** The wishes that a row allows: take it back or bring it back, and go back to it. An unknown call is taken back by its answer. `momentText` names a moment. */
export function wishesOf(row: PastRow, facts: TimelineFacts, momentText: (id: SnapshotId) => string): { readonly undo: RollbackWish | null; readonly bringBack: RollbackWish | null; readonly back: RollbackWish | null } {
  if (row.kind === 'turn') return { undo: null, bringBack: null, back: turnWish(row.turn) }
  if (row.kind !== 'point') return { undo: null, bringBack: null, back: null }
  const { row: point, takenBackBy } = row
  const by = takenBackBy ?? row.partlyBackBy
  const label = callLabel(point, facts.commands)
  return {
    undo: point.kind === 'after-call' && point.callId !== null && takenBackBy === null && row.unknown === null ? undoCallWish(point.callId, label, point) : null,
    bringBack: by && bringBackWish(point, by, label),
    back: pointWish(point, facts, momentText(point.id)),
  }
}

function isBroken(id: SnapshotId): boolean {
  return useTimeline.getState().timeline.rows.some((row) => row.id === id && row.missing > 0)
}
