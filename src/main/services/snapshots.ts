import type { CallId, RollbackId, SessionId, SnapshotId, TurnId } from '../../shared/domain/ids'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { RollbackRecord } from '../../shared/domain/rollback'
import type { Workspace } from '../../shared/domain/session'
import type { Coverage, PathAuthor, Snapshot, SnapshotRow } from '../../shared/domain/snapshot'
import type { CallSnapshots, LaneStay, MutatingCall } from '../core/ports/callSnapshots'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { SnapshotStore, TakenTree } from '../core/ports/snapshotStore'
import { StorageFault } from '../core/ports/storageFault'
import { refuseWorkspaceRoot } from '../core/snapshot/workspaceRoot'
import { OpeningPause } from './openingPause'
import { Rests } from './rests'
import { SnapshotHealth } from './snapshotHealth'
import { SnapshotPlans } from './snapshotPlans'
import { never, type SnapshotPorts } from './snapshotPorts'
import { SnapshotReading } from './snapshotReading'
import { SnapshotRecorder, type Teller } from './snapshotRecorder'
import { SnapshotRollbacks, type RollbackRequest } from './snapshotRollbacks'
import { SnapshotUpkeep } from './snapshotUpkeep'

/** The snapshots, the timeline and the rollbacks of one opened workspace. */
export class Snapshots implements CallSnapshots {
  readonly workspace: Workspace
  readonly reading: SnapshotReading
  readonly upkeep: SnapshotUpkeep
  readonly plans: SnapshotPlans
  readonly #store: SnapshotStore
  readonly #ports: SnapshotPorts
  readonly #recorder: SnapshotRecorder
  readonly #rollbacks: SnapshotRollbacks
  readonly #health: SnapshotHealth
  readonly #running = new Set<CallId>()
  readonly #closing = new AbortController()
  /** Stops the reading of the folder as it was opened, and nothing else. */
  readonly #opening = new AbortController()
  readonly #rests = new Rests(longestRestMs)
  #pause = new OpeningPause(0, this.#rests)
  #first: Promise<void> = Promise.resolve()

  /** @param store is closed with this. Use `openSnapshots`. */
  constructor(workspace: Workspace, store: SnapshotStore, ports: SnapshotPorts) {
    this.workspace = workspace
    this.#store = store
    this.#ports = ports
    this.#recorder = new SnapshotRecorder(workspace, store, ports)
    this.#rollbacks = new SnapshotRollbacks(this.#recorder, ports)
    this.#health = new SnapshotHealth({ tell: (fault) => this.#tell(fault), tryAgain: () => this.#tryAgain(), ...(ports.retryMs === undefined ? {} : { firstMs: ports.retryMs }) })
    this.reading = new SnapshotReading(this.#recorder, ports, () => this.#health.fault)
    this.plans = new SnapshotPlans(this.#recorder, ports)
    this.upkeep = new SnapshotUpkeep(this.#recorder, ports, { inLane: (signal, run) => this.#inLane(signal, run), onRoom: () => void this.#health.lookNow() })
  }

  /** Finishes what a killed rollback left, so that the disk is whole before anything else is recorded (R78). */
  async finishLeftOver(): Promise<void> {
    if (!(await this.#rollbacks.hasLeftOver())) return
    await this.#inLane(never, async () => {
      await this.#rollbacks.finishLeftOver()
      return succeed(null)
    })
  }

  /**
   * Begins the snapshot of the folder as it was opened, so long after; at once when somebody waits for it. Nothing waits for it
   * but the first call that can change files (R80).
   */
  beginRecording(afterMs = 0): void {
    this.#pause = new OpeningPause(afterMs, this.#rests)
    this.#first = this.#pause.over
      .then(() => this.#inLane(this.#opening.signal, async () => {
        const taken = await this.#recorder.scanAndNoteDrift(this.#opening.signal, null, { onProgress: (seen) => this.#ports.onProgress?.({ seen, isDone: false, fault: null }), rest: this.#rests })
        return taken.ok ? this.#recorder.add(taken.value, { kind: 'opened', author: null, sessionId: null, teller: null }) : taken
      }))
      .then(
        (opened) => this.#endFirst(opened === null ? said('snapshot.cancelled') : opened.ok ? null : opened.fault),
        // Nobody waits for it here; the first call that can change files takes its own snapshot, and meets the same.
        (error: unknown) => this.#endFirst(error instanceof StorageFault ? error.fault : said('snapshot.stopped', { problem: String(error) })),
      )
  }

  /** The reading of the folder as it was opened is over, one way or another. */
  #firstEnded(): Promise<void> {
    this.#pause.hurry()
    return this.#first
  }

  /**
   * A message is on its way to the model: the reading of the folder as it was opened stands still until the returned function is
   * called, for a bounded time. What a call waits for is never held up by more than that.
   */
  giveWay(): () => void {
    return this.#rests.want()
  }

  /** Ends the snapshot of the opened folder where it is still being taken: undo then begins with the next call, which takes its own. */
  cancelFirst(): void {
    this.#opening.abort()
    this.#pause.hurry()
  }

  #endFirst(fault: Said | null): void {
    this.upkeep.touch()
    // The end of the reading is told in any case, a fault by what notes it.
    if (fault === null) this.#tell(null)
    if (!this.#closing.signal.aborted) this.#health.note(fault)
  }

  #tell(fault: Said | null): void {
    if (!this.#closing.signal.aborted) this.#ports.onProgress?.({ seen: 0, isDone: true, fault })
  }

  /** A snapshot for no call: only to know whether one can be taken. What changed meanwhile is an entry, as it would be before a call. */
  async #tryAgain(): Promise<void> {
    const tried = await this.#inLane<TakenTree | Snapshot>(this.#closing.signal, async () => {
      const taken = await this.#recorder.scanAndNoteDrift(this.#closing.signal, null)
      if (!taken.ok || (await this.#recorder.rows()).length > 0) return taken
      return this.#recorder.add(taken.value, { kind: 'opened', author: null, sessionId: null, teller: null })
    })
    if (tried !== null && !this.#closing.signal.aborted) this.#health.note(tried.ok ? null : tried.fault)
  }

  async enter(call: MutatingCall, signal: CancelSignal): Promise<Result<LaneStay> | null> {
    await this.upkeep.giveWay()
    await this.#firstEnded()
    const lane = await this.#enterLane(signal)
    if (lane === null) return null
    if (!lane.ok) return this.#stopped(lane.fault)
    const release = lane.value
    const beganMs = this.#ports.clock.nowMs()
    const before = await this.#recorder.alone(() => this.#before(call, signal)).catch(async (error: unknown) => {
      await release()
      throw error
    })
    if (!before.ok) {
      await release()
      return signal.aborted ? null : this.#stopped(before.fault)
    }
    this.#health.note(null)
    this.#running.add(call.callId)
    const meanwhile: Meanwhile = { beganMs, sinceMs: this.#ports.clock.nowMs(), author: this.#ports.programsLeft() > 0 ? 'unknown' : 'you' }
    let leaving: Promise<SnapshotId | null> | null = null
    const leave = async (): Promise<SnapshotId | null> => {
      try {
        const after = await this.#recorder.alone(() => this.#afterOrNote(call, meanwhile))
        return after.ok ? after.value.id : null
      } finally {
        this.#running.delete(call.callId)
        await release()
        this.upkeep.touch()
      }
    }
    return succeed({ before: before.value.id, leave: () => (leaving ??= leave()) })
  }

  #stopped(why: Said): Result<LaneStay> {
    this.#health.note(why)
    return fail('snapshot.failed', { why })
  }

  async endOf(callId: CallId): Promise<SnapshotId | null> {
    await this.#firstEnded()
    // What came after it was recorded by whoever came; only where nobody did is there anything left to look for, and no lane to wait in.
    if ((await this.#recorder.rows()).at(-1)?.callId === callId) await this.#inLane(this.#closing.signal, () => this.#recorder.scanAndNoteDrift(this.#closing.signal, null))
    const rows = await this.#recorder.rows()
    const last = rows.findLast((row) => row.callId === callId)
    return last?.kind === 'after-call' ? last.id : null
  }

  async commitOf(id: SnapshotId): Promise<string | null> {
    return (await this.#recorder.find(id))?.row.commit ?? null
  }

  async coverageOf(paths: readonly string[] | null): Promise<Coverage> {
    try {
      const skipped = await this.#store.uncovered(paths)
      const now = this.#health.fault === null ? { skipped } : { skipped, fault: this.#health.fault }
      if (skipped.length === 0) return { kind: 'full', ...now }
      return { kind: paths !== null && skipped.length === paths.length ? 'none' : 'partial', ...now }
    } catch (error) {
      // The question can be put all the same: nothing runs without a snapshot, and the card says why there is none.
      if (error instanceof StorageFault) return { kind: 'none', skipped: [], fault: error.fault }
      throw error
    }
  }

  /** An entry of the person's own wish. */
  async take(): Promise<Result<{ readonly snapshot: Snapshot; readonly taken: TakenTree }>> {
    await this.upkeep.giveWay()
    await this.#firstEnded()
    const entered = await this.#inLane(this.#closing.signal, async () => {
      const taken = await this.#recorder.scanAndNoteDrift(never, null)
      if (!taken.ok) return taken
      const added = await this.#recorder.add(taken.value, { kind: 'manual', author: null, sessionId: null, teller: null })
      return added.ok ? succeed({ snapshot: added.value, taken: taken.value }) : added
    })
    return entered ?? fail('snapshot.closed')
  }

  /** Carries out a plan that was shown. Refused while a call changes files, and when the disk has moved since. */
  async apply(request: RollbackRequest): Promise<Result<RollbackRecord>> {
    if (request.scope !== 'files' && (request.sessionId === null || request.turnId === null)) return fail('rollback.no-conversation')
    return this.#rollBack(() => this.#rollbacks.apply(request))
  }

  /** Takes the conversation back from a turn on for a message that `store` keeps together with the event that hides. Files stay as they are. */
  async replaceTurn<Value>(sessionId: SessionId, turnId: TurnId, store: (id: RollbackId) => Promise<Result<Value>>): Promise<Result<Value>> {
    await this.upkeep.giveWay()
    await this.#firstEnded()
    const point = (await this.#inLane(this.#closing.signal, () => this.#rollbacks.pointBefore({ sessionId, turnId, step: null }))) ?? fail('rollback.cancelled')
    return point.ok ? this.#rollbacks.replace({ sessionId, turnId, point: point.value }, store) : point
  }

  /** Takes a rollback back, later changes kept. */
  async undo(id: RollbackId): Promise<Result<RollbackRecord>> {
    return this.#rollBack(() => this.#rollbacks.undo(id))
  }

  /** Room the snapshots take, and what a scan found. */
  async stats(): Promise<Result<{ readonly bytes: number; readonly objects: number; readonly taken: TakenTree }>> {
    const taken = await this.#store.scan(never)
    return taken.ok ? succeed({ ...(await this.#store.stats()), taken: taken.value }) : taken
  }

  /** The person set other rules: the next scan holds to them. */
  async rulesChanged(): Promise<void> {
    await this.#store.setBounds((await this.#ports.rules()).bounds)
    this.upkeep.touch()
  }

  rows(): Promise<readonly SnapshotRow[]> {
    return this.#recorder.rows()
  }

  /** The same, each with what it does not hold. */
  list(): Promise<readonly Snapshot[]> {
    return this.#ports.timeline.snapshots(this.workspace.id)
  }

  /** Stops a first snapshot under way and lets the store go. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#opening.abort()
    this.#health.close()
    await this.upkeep.close()
    await this.#firstEnded()
    await this.#store.close()
  }

  async #before(call: MutatingCall, signal: CancelSignal): Promise<Result<Snapshot>> {
    const taken = await this.#recorder.scanAndNoteDrift(signal, tellerOf(call), { near: call.touches })
    if (!taken.ok) return taken
    return this.#recorder.add(taken.value, { kind: 'before-call', author: null, sessionId: call.sessionId, callId: call.callId, teller: tellerOf(call) })
  }

  async #after(call: MutatingCall, meanwhile: Meanwhile): Promise<Result<Snapshot>> {
    const taken = await this.#recorder.take(never, call.turnId, { near: call.touches })
    if (!taken.ok) return taken
    const others = await this.#othersIn(taken.value, call, meanwhile)
    const { author, sessionId, callId } = call
    return this.#recorder.add(taken.value, { kind: 'after-call', author, others, sessionId, callId, teller: tellerOf(call) })
  }

  /** The call has run and cannot be unrun: that nothing holds its end is told to the session. */
  async #afterOrNote(call: MutatingCall, meanwhile: Meanwhile): Promise<Result<Snapshot>> {
    const after = await this.#after(call, meanwhile)
    const { sessionId, turnId, step } = call
    this.#health.note(after.ok ? null : after.fault)
    if (!after.ok) await this.#ports.append(sessionId, [{ type: 'note-added', turnId, step, say: said('snapshot.after-failed', { why: after.fault }), isForModel: false }])
    return after
  }

  /** Paths that changed while the call ran but not by it: before it started, or not among those a file tool touched. */
  async #othersIn(taken: TakenTree, { touches }: MutatingCall, { beganMs, sinceMs, author }: Meanwhile): Promise<readonly PathAuthor[]> {
    const last = (await this.#recorder.rows()).at(-1)
    const paths = last ? (await this.#store.diff(last, taken)).map(({ path }) => path) : []
    const changedAtMs = paths.length === 0 ? [] : await this.#store.changedAtMs(paths)
    const isOther = (path: string, index: number): boolean => {
      const atMs = changedAtMs[index] ?? null
      // Changed between the snapshot before the call and its start. What is older than that snapshot came here with a moved folder.
      if (atMs !== null && atMs >= beganMs - clockTickMs && atMs < sinceMs - clockTickMs) return true
      return touches !== null && !touches.some((one) => one === path || path.startsWith(`${one}/`) || one.startsWith(`${path}/`))
    }
    return paths.filter(isOther).map((path) => ({ path, author }))
  }

  async #rollBack(run: () => Promise<Result<RollbackRecord>>): Promise<Result<RollbackRecord>> {
    if (this.#running.size > 0) return fail('rollback.call-running')
    await this.upkeep.giveWay()
    await this.#firstEnded()
    const done = await this.#inLane(never, run)
    this.upkeep.touch()
    return done ?? fail('rollback.cancelled')
  }

  /** Null when the signal ended the waiting. */
  async #inLane<T>(signal: CancelSignal, run: () => Promise<Result<T>>): Promise<Result<T> | null> {
    const lane = await this.#enterLane(signal)
    if (!lane?.ok) return lane
    try {
      return await this.#recorder.alone(run)
    } finally {
      await lane.value()
    }
  }

  /**
   * A rollback that broke off in this process, or in one that died beside it, is finished before anything else changes files:
   * done later, it would write over what came in between. Nothing has come since: its own entry is the last there is.
   */
  async #finishBefore(release: () => Promise<void>): Promise<void> {
    try {
      const last = (await this.#recorder.rows()).at(-1)?.kind
      if (last !== 'before-rollback' && last !== 'after-rollback') return
      if (await this.#rollbacks.hasLeftOver()) await this.#recorder.alone(async () => succeed(await this.#rollbacks.finishLeftOver()))
    } catch (error) {
      await release()
      throw error
    }
  }

  async #enterLane(signal: CancelSignal): Promise<Result<() => Promise<void>> | null> {
    try {
      const release = await this.#ports.lane.enter(this.workspace.id, signal)
      if (release) await this.#finishBefore(release)
      return release && succeed(release)
    } catch (error) {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    }
  }
}

/** When a call began, and who changes what it does not: where a program of an earlier command still runs, nobody knows. */
interface Meanwhile {
  /** When the snapshot before it began. */
  readonly beganMs: number
  readonly sinceMs: number
  readonly author: 'you' | 'unknown'
}

function tellerOf({ sessionId, turnId, step }: MutatingCall): Teller {
  return { sessionId, turnId, step }
}

/** However long the model's request takes to be made, the snapshot goes on after this. */
const longestRestMs = 1000

/** File times lag behind the clock by up to a tick. */
const clockTickMs = 20

/**
 * Opens the snapshots of a workspace. With `isRecorded` the folder as opened becomes an entry, in the background.
 * Refused: places that are no project (R80), and stores that cannot be used.
 */
export async function openSnapshots(workspace: Workspace, ports: SnapshotPorts, { isRecorded }: { readonly isRecorded: boolean }): Promise<Result<Snapshots>> {
  const refused = refuseWorkspaceRoot(workspace.root, ports.home)
  if (refused) return { ok: false, fault: refused }
  const store = await ports.stores.open(workspace.id, workspace.root, (await ports.rules()).bounds)
  if (!store.ok) return store
  const snapshots = new Snapshots(workspace, store.value, ports)
  await snapshots.finishLeftOver()
  if (isRecorded) snapshots.beginRecording(ports.openingPauseMs)
  return succeed(snapshots)
}
