import { create } from 'zustand'
import type { CallId, TurnId } from '../../shared/domain/ids'
import type { Timeline, TimelineRow } from '../../shared/ipc/timelineViews'
import { beforeTurn, endOfTurn, takenBack, type TurnMark } from '../features/timeline/timelineRows'
import { turnWish, type RollbackWish, type TimelineFacts } from '../features/timeline/timelineWishes'
import type { TurnPast } from '../features/work/turnStore'

/** The turn whose changes are reviewed; its page shows it. */
export const useTurnReview = create<{ readonly turnId: TurnId | null }>(() => ({ turnId: null }))

/** A turn with all its calls: a message that was queued in it makes no turn of its own. */
export function turnOf(facts: TimelineFacts, turnId: TurnId): TurnMark | null {
  const marks = facts.turns.filter((one) => one.turnId === turnId)
  const [first] = marks
  return first ? { ...first, callIds: new Set(marks.flatMap((mark) => [...mark.callIds])) } : null
}

function rowsOf(timeline: Timeline, callIds: ReadonlySet<CallId>): readonly TimelineRow[] {
  return timeline.rows.filter((row) => row.kind === 'after-call' && row.callId !== null && callIds.has(row.callId) && row.changed.length > 0)
}

/** What the timeline knows of a turn; null where it changed nothing, or nothing is known from before it. */
export function turnPast(timeline: Timeline, facts: TimelineFacts, turnId: TurnId): TurnPast | null {
  const turn = turnOf(facts, turnId)
  const own = turn ? rowsOf(timeline, turn.callIds) : []
  const before = turn && beforeTurn(timeline, turn)
  const after = turn && endOfTurn(timeline, turn)
  if (!turn || own.length === 0 || !before || !after) return null
  const paths = [...new Set(own.flatMap((row) => row.changed.map(({ path }) => path)))]
  const last = new Map(own.flatMap((row) => row.changed.map(({ path }) => [path, timeline.rows.indexOf(row)] as const)))
  /** How many of its files such rows changed after the turn itself did for the last time. */
  const count = (isMeant: (row: TimelineRow) => boolean): number => {
    const later = timeline.rows.flatMap((row, at) => (isMeant(row) ? row.changed.filter(({ path }) => at > (last.get(path) ?? Infinity)) : []))
    return new Set(later.map(({ path }) => path)).size
  }
  const back = takenBack(timeline)
  const whole = own.filter((row) => back.whole.has(row.id)).length
  return {
    number: turn.number, before, after, paths,
    state: whole === own.length ? 'back' : whole > 0 || own.some((row) => back.partly.has(row.id)) ? 'partly' : 'stands',
    isKept: own.some((row) => back.kept.has(row.id)),
    later: count((row) => row.kind === 'after-call'),
    yours: count((row) => row.kind === 'drift' && (row.author === 'you' || row.author === 'both')),
    canUndo: undoTurnWish(timeline, facts, turnId) !== null,
  }
}

/** The same for any turn of a moment, each found out once. */
export function pastOf(timeline: Timeline, facts: TimelineFacts): (turnId: TurnId) => TurnPast | null {
  const known = new Map<TurnId, TurnPast | null>()
  return (turnId) => {
    const past = known.get(turnId)
    if (past !== undefined) return past
    const found = turnPast(timeline, facts, turnId)
    known.set(turnId, found)
    return found
  }
}

/**
 * The wish to undo a turn. The last one that changed something goes back with its conversation if the person likes; an earlier
 * one is taken out alone, and what was said and done since stays.
 */
export function undoTurnWish(timeline: Timeline, facts: TimelineFacts, turnId: TurnId): RollbackWish | null {
  const turn = turnOf(facts, turnId)
  if (!turn) return null
  const at = facts.turns.findIndex((one) => one.turnId === turnId)
  const isLast = !facts.turns.slice(at + 1).some((one) => one.turnId !== turnId && rowsOf(timeline, one.callIds).length > 0)
  if (isLast) return turnWish(turn)
  const [from, until] = [beforeTurn(timeline, turn), endOfTurn(timeline, turn)]
  const isBroken = timeline.rows.some((row) => (row.id === from || row.id === until) && row.missing > 0)
  if (from === null || until === null || isBroken) return null
  return { target: { to: from, only: { from, until }, ofSession: turn.sessionId, keepUserEdits: true }, title: 'timeline.plan.only-turn', values: { turn: turn.number }, sessionId: turn.sessionId, turnId: null }
}
