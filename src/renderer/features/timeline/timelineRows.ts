import type { CallId, SessionId, SnapshotId, TurnId } from '../../../shared/domain/ids'
import type { RollbackTarget } from '../../../shared/domain/rollback'
import type { Author } from '../../../shared/domain/snapshot'
import type { RollbackRow, Timeline, TimelineRow } from '../../../shared/ipc/timelineViews'

/** A turn of the session on screen, as the timeline needs it. */
export interface TurnMark {
  readonly turnId: TurnId
  readonly sessionId: SessionId
  readonly number: number
  readonly title: string
  readonly atMs: number
  readonly callIds: ReadonlySet<CallId>
  /** The name of its session, where that is another than the one on screen. */
  readonly session?: string
}

/** A call that is under way: the first row shows it. */
export interface OpenCall {
  readonly callId: CallId
  readonly label: string
  readonly isCommand: boolean
  /** `unknown`: the app was killed while it ran, and the person has not said yet what became of it. */
  readonly state: 'waiting' | 'running' | 'unknown'
}

/** A row to draw, newest first. `unknown`: of this call nobody knows yet how it ended, and these are the changes it left. */
export type PastRow =
  | { readonly kind: 'open'; readonly key: string; readonly call: OpenCall }
  | { readonly kind: 'turn'; readonly key: string; readonly atMs: number; readonly turn: TurnMark }
  | { readonly kind: 'point'; readonly key: string; readonly atMs: number; readonly row: TimelineRow; readonly takenBackBy: RollbackRow | null; readonly partlyBackBy: RollbackRow | null; readonly rollback: RollbackRow | null; readonly unknown: OpenCall | null }
  | { readonly kind: 'folded'; readonly key: string; readonly atMs: number; readonly rows: readonly TimelineRow[] }

/** Moments that are worth a row: what a person, a call or a rollback did, and the start. Those between are only borders. */
function isShown(row: TimelineRow): boolean {
  if (row.kind === 'before-call' || row.kind === 'before-rollback') return false
  return row.kind !== 'drift' || row.changed.length > 0
}

/** The points that rollbacks which still stand took back, each with the last one that did. None is in both. */
export interface TakenBack {
  readonly whole: ReadonlyMap<SnapshotId, RollbackRow>
  /** Something of these stands: a file, or a change of a file that two of them may share. */
  readonly partly: ReadonlyMap<SnapshotId, RollbackRow>
  /** Of these all went back but what the person changed, or may have. */
  readonly kept: ReadonlySet<SnapshotId>
}

/** What was taken back, and what was taken back in part. */
export function takenBack(timeline: Timeline): TakenBack {
  const at = new Map(timeline.rows.map((row, index) => [row.id, index]))
  const [whole, partly] = [new Map<SnapshotId, RollbackRow>(), new Map<SnapshotId, RollbackRow>()]
  const kept = new Set<SnapshotId>()
  for (const rollback of timeline.rollbacks) {
    if (rollback.undoOf !== null || rollback.scope === 'conversation' || (rollback.state !== 'applied' && rollback.state !== 'partly')) continue
    const { to, only, ofSession, ofCall, paths } = rollback.target
    const [left, chosen, own] = [new Set(rollback.left), new Set(rollback.partly), new Set(rollback.kept)]
    const first = at.get(only ? only.from : to)
    const last = only ? at.get(only.until) : at.get(rollback.beforeSnapshot ?? to)
    if (first === undefined || last === undefined) continue
    for (const row of timeline.rows.slice(first + 1, last + 1)) {
      const isOfOther = ofSession !== undefined && row.kind === 'after-call' && row.sessionId !== ofSession
      if (row.author === null || row.author === 'you' || isOfOther) continue
      const back = row.changed.filter(({ path }) => isAsked(path, paths) && !left.has(path))
      // The person's own, or what another program did: no part of the call.
      const isOfPerson = (path: string): boolean => own.has(path) || (ofCall !== undefined && ofCall === row.callId && !isAsked(path, paths))
      const theirs = row.changed.filter(({ path }) => isOfPerson(path)).length
      if (back.length + theirs === row.changed.length && (back.length > 0 || theirs === 0) && !back.some(({ path }) => chosen.has(path))) {
        whole.set(row.id, rollback)
        if (theirs > 0) kept.add(row.id)
        else kept.delete(row.id)
      }
      else if (back.length > 0) partly.set(row.id, rollback)
    }
  }
  for (const id of whole.keys()) partly.delete(id)
  return { whole, partly, kept }
}

/** Whether a rollback of these paths speaks of one; without paths, of all. */
function isAsked(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((one) => one === path || path.startsWith(`${one}/`))
}

/** The newest call that changed something and stands; of one session, or of all with null. */
export function lastCall(timeline: Timeline, sessionId: SessionId | null): TimelineRow | undefined {
  const gone = takenBack(timeline).whole
  return timeline.rows.findLast((row) => row.kind === 'after-call' && row.changed.length > 0 && !gone.has(row.id) && (sessionId === null || row.sessionId === sessionId))
}

/** Whose rows can be filtered out. */
export const whos = ['agent', 'you', 'command', 'rollback'] as const
export type Who = (typeof whos)[number]

/** Whose a row is, each of them where it may be two; nobody's for the folder and what was saved by hand. */
export function whoseRow(row: Pick<TimelineRow, 'kind' | 'author'>): readonly Who[] {
  if (row.kind === 'after-rollback') return ['rollback']
  switch (row.author) {
    case null: return []
    case 'both': return ['agent', 'you']
    case 'unknown': return ['command', 'you']
    default: return [row.author]
  }
}

/** How many rows each has, whatever is hidden. */
export function countRows(timeline: Timeline): Readonly<Record<Who, number>> {
  const counts = { agent: 0, you: 0, command: 0, rollback: 0 }
  for (const row of timeline.rows) if (isShown(row)) for (const who of whoseRow(row)) counts[who] += 1
  return counts
}

/** What may be hidden by choice; the person's own edits, rollbacks and the folder belong to no session and always show. */
export interface PastFilter {
  /** Null: all sessions. */
  readonly sessionId: SessionId | null
  readonly hidden: ReadonlySet<Who>
  readonly unfolded: ReadonlySet<string>
}

/** The rows to draw. Calls of other sessions are never left out in silence: they are one quiet row at their place. */
export function pastRows(timeline: Timeline, turns: readonly TurnMark[], open: readonly OpenCall[], filter: PastFilter): readonly PastRow[] {
  const gone = takenBack(timeline)
  const pointOf = (row: TimelineRow, rollback: RollbackRow | null): PastRow => ({ kind: 'point', key: row.id, atMs: row.atMs, row, takenBackBy: gone.whole.get(row.id) ?? null, partlyBackBy: gone.partly.get(row.id) ?? null, rollback, unknown: unknownAt.get(row.id) ?? null })
  const unknownAt = unknownRows(timeline, open, filter.hidden)
  const byAfter = new Map(timeline.rollbacks.map((rollback) => [rollback.afterSnapshot, rollback]))
  const lastOf = new Map(timeline.rows.map((row) => [row.callId, row.kind]))
  const done = new Set([...lastOf].flatMap(([callId, kind]) => (kind === 'after-call' ? [callId] : [])))
  const rows: PastRow[] = []
  for (const row of timeline.rows) {
    const who = whoseRow(row)
    // What two may have made is hidden when both are.
    if (!isShown(row) || (who.length > 0 && who.every((one) => filter.hidden.has(one)))) continue
    const isForeign = filter.sessionId !== null && row.kind === 'after-call' && row.sessionId !== filter.sessionId
    const last = rows.at(-1)
    if (isForeign && last?.kind === 'folded') rows[rows.length - 1] = { ...last, rows: [...last.rows, row] }
    else if (isForeign) rows.push({ kind: 'folded', key: `fold ${row.id}`, atMs: row.atMs, rows: [row] })
    else rows.push(pointOf(row, byAfter.get(row.id) ?? null))
  }
  const unfolded = rows.flatMap((row): readonly PastRow[] => (row.kind === 'folded' && filter.unfolded.has(row.key) ? row.rows.map((one) => pointOf(one, null)) : [row]))
  const marks = turns.map((turn): PastRow => ({ kind: 'turn', key: turn.turnId, atMs: turn.atMs, turn }))
  const past = [...marks, ...unfolded].sort((a, b) => timeOf(b) - timeOf(a))
  const drawn = new Set([...unknownAt.values()].map(({ callId }) => callId))
  return [...open.filter((call) => (call.state === 'unknown' ? !drawn.has(call.callId) : !done.has(call.callId))).map((call): PastRow => ({ kind: 'open', key: call.callId, call })), ...past]
}

/** The rows that hold what unknown calls left: such a call is one row, with its changes. Where that row is hidden, or nothing was found yet, it stands alone. */
function unknownRows(timeline: Timeline, open: readonly OpenCall[], hidden: PastFilter['hidden']): ReadonlyMap<SnapshotId, OpenCall> {
  const found = new Map<SnapshotId, OpenCall>()
  for (const call of open) {
    const last = call.state === 'unknown' ? timeline.rows.findLast((row) => row.callId === call.callId) : undefined
    const isHidden = last !== undefined && whoseRow(last).every((who) => hidden.has(who))
    if (last?.kind === 'after-call' && !isHidden) found.set(last.id, call)
  }
  return found
}

function timeOf(row: PastRow): number {
  return row.kind === 'open' ? Infinity : row.atMs
}

/** The moment before a call: its own before-snapshot, else the point it followed. Null for what no call did. */
export function beforeOf(timeline: Timeline, row: TimelineRow): SnapshotId | null {
  if (row.callId === null) return row.parent
  // A call that a crash cut short and that the person had run again began twice.
  const at = timeline.rows.findIndex((one) => one.id === row.id)
  return timeline.rows.slice(0, at === -1 ? undefined : at).findLast((one) => one.kind === 'before-call' && one.callId === row.callId)?.id ?? row.parent
}

/** The last moment before a turn changed anything; null when nothing is known from before it. */
export function beforeTurn(timeline: Timeline, turn: TurnMark): SnapshotId | null {
  // What came before it was let go, or a part of it was.
  if (timeline.forgotten && turn.atMs <= timeline.forgotten.untilMs) return null
  const first = timeline.rows.find((row) => row.callId !== null && turn.callIds.has(row.callId))
  if (first) return first.kind === 'before-call' ? first.id : beforeOf(timeline, first)
  return timeline.rows.findLast((row) => row.atMs <= turn.atMs)?.id ?? timeline.rows[0]?.id ?? null
}

/** The last moment of a turn: after the last of its calls that is known; null when none of them is. */
export function endOfTurn(timeline: Timeline, turn: TurnMark): SnapshotId | null {
  return timeline.rows.findLast((row) => row.kind === 'after-call' && row.callId !== null && turn.callIds.has(row.callId))?.id ?? null
}

/**
 * The two sides of a comparison once one of them was picked. The other stays; where it was not picked and would turn time round,
 * it is the disk for B, and for A what came before.
 */
export function sidesWith(side: 'a' | 'b', id: SnapshotId | null, look: { readonly kind: string; readonly a: SnapshotId | null; readonly b: SnapshotId | null } | null, timeline: Timeline): { readonly a: SnapshotId | null; readonly b: SnapshotId | null } {
  const a = side === 'a' ? id : (look?.a ?? timeline.rows.at(-1)?.id ?? null)
  const b = side === 'b' ? id : (look?.b ?? null)
  const placeOf = (one: SnapshotId | null): number => timeline.rows.findIndex((row) => row.id === one)
  if (look?.kind === 'compare' || b === null || placeOf(a) < placeOf(b)) return { a, b }
  return side === 'a' ? { a, b: null } : { a: timeline.rows[placeOf(b) - 1]?.id ?? null, b }
}

/** The nearest whole points before and after a broken one that are rows. */
export function wholeAround(timeline: Timeline, broken: SnapshotId): { readonly before: TimelineRow | null; readonly after: TimelineRow | null } {
  const at = timeline.rows.findIndex((row) => row.id === broken)
  const isWhole = (row: TimelineRow): boolean => row.missing === 0 && isShown(row)
  return { before: timeline.rows.slice(0, Math.max(0, at)).findLast(isWhole) ?? null, after: timeline.rows.slice(at + 1).find(isWhole) ?? null }
}

/** The person changed one of a row's files between it and what took it back. */
export function wasEditedBefore(timeline: Timeline, row: TimelineRow, rollback: RollbackRow): boolean {
  const from = timeline.rows.findIndex((one) => one.id === row.id)
  const until = timeline.rows.findIndex((one) => one.id === rollback.beforeSnapshot)
  const paths = new Set(row.changed.map((change) => change.path))
  return timeline.rows.slice(from + 1, until + 1).some((one) => whoseRow(one).includes('you') && one.changed.some((change) => paths.has(change.path)))
}

/** Whether a row says whose call it is: where calls of several sessions stand together, and wherever a call is of another session. */
export function isTagged(row: TimelineRow, timeline: Timeline, shown: { readonly scope: 'session' | 'all'; readonly here: SessionId | null }): boolean {
  if (row.kind !== 'after-call' || row.sessionId === null) return false
  return row.sessionId !== shown.here || (shown.scope === 'all' && timeline.rows.some((one) => one.kind === 'after-call' && one.sessionId !== row.sessionId))
}

/** The calls that a rollback to a target would take back: those in its range that changed something and stand. Oldest first. */
export function callsIn(timeline: Timeline, { to, only, paths }: RollbackTarget): readonly TimelineRow[] {
  const first = timeline.rows.findIndex((row) => row.id === (only ? only.from : to))
  const last = only ? timeline.rows.findIndex((row) => row.id === only.until) : timeline.rows.length - 1
  if (first === -1 || last === -1) return []
  const gone = takenBack(timeline).whole
  return timeline.rows.slice(first + 1, last + 1).filter((row) => row.kind === 'after-call' && row.changed.some((change) => isAsked(change.path, paths)) && !gone.has(row.id))
}

/** Who changed a path after a moment, each author once, oldest first. A rollback is no author. */
export function changedSince(timeline: Timeline, after: SnapshotId, path: string): readonly Author[] {
  const from = timeline.rows.findIndex((row) => row.id === after)
  const authors = timeline.rows.slice(from + 1).filter((row) => row.author !== null && row.kind !== 'after-rollback' && row.changed.some((change) => change.path === path)).map((row) => row.author)
  return [...new Set(authors)].filter((author) => author !== null)
}
