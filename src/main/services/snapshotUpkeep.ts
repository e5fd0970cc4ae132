import type { SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { SnapshotRow } from '../../shared/domain/snapshot'
import type { Forgetting, SnapshotSpace } from '../../shared/ipc/timelineViews'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { StorageFault } from '../core/ports/storageFault'
import { pointsBefore, pointsToLetGo, type LettingGo } from '../core/snapshot/retention'
import type { SnapshotPorts } from './snapshotPorts'
import type { SnapshotRecorder } from './snapshotRecorder'

/** So long nothing must have happened in the folder before its store is tidied. */
const idleMs = 60_000
/** Where there is more than there is room for, so many of the points go at a time, until the rest fits. */
const shareToLetGo = 0.1

/** What tidying needs of the snapshots. */
interface UpkeepWays {
  /** Runs with the lane of the workspace; null when the signal ended the waiting. */
  readonly inLane: <T>(signal: CancelSignal, run: () => Promise<Result<T>>) => Promise<Result<T> | null>
  readonly idleMs?: number
  /** The person made room. */
  readonly onRoom?: () => void
}

/**
 * Keeps a workspace's store small (R80): packs what is loose, and lets go of old points, when the folder has been quiet for a
 * minute. Whoever wants to change files does not wait for it: it stops at once and begins again later.
 */
export class SnapshotUpkeep {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts
  readonly #ways: UpkeepWays
  #timer: ReturnType<typeof setTimeout> | undefined
  #work: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null
  #isClosed = false

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts, ways: UpkeepWays) {
    this.#recorder = recorder
    this.#ports = ports
    this.#ways = ways
  }

  /** Something happened in the folder: the quiet begins anew. */
  touch(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.tidy(), this.#ways.idleMs ?? idleMs)
    this.#timer.unref()
  }

  /** Stops what is under way and waits for its end; nothing is lost, it begins again when it is quiet. */
  async giveWay(): Promise<void> {
    clearTimeout(this.#timer)
    this.#work?.stop.abort()
    await this.#work?.ended
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.giveWay()
  }

  /** Lets go of what is too old or too much, then packs where that frees room. Faults wait for the next time: nothing depends on it. */
  async tidy(): Promise<void> {
    await this.#alone(async (signal) => {
      // What no event told of is found now, and not only before the next command.
      if (this.#recorder.isByHints) await this.#ways.inLane(signal, () => this.#recorder.scanAndNoteDrift(signal, null))
      const gone = await this.#letGoByRule(signal)
      if (gone.ok && (await this.#recorder.store.isPackable())) await this.#recorder.store.pack(signal)
      this.#recorder.noteMoved()
      return gone
    })
  }

  async space(): Promise<Result<SnapshotSpace>> {
    const [rows, { bytes }, isPackable] = await Promise.all([this.#recorder.rows(), this.#recorder.store.stats(), this.#recorder.store.isPackable()])
    return succeed({ bytes, points: rows.length, oldestAtMs: rows[0]?.atMs ?? null, isPackable })
  }

  /** Frees room without losing a point. */
  async pack(): Promise<Result<SnapshotSpace>> {
    const packed = await this.#alone((signal) => this.#recorder.store.pack(signal))
    if (packed.ok) this.#ways.onRoom?.()
    return packed.ok ? this.space() : packed
  }

  /** Lets go of every point before one, by the person's wish; with `isDry` only says what that would take. */
  async forget(before: SnapshotId, isDry: boolean): Promise<Result<Forgetting>> {
    const rows = await this.#recorder.rows()
    if (!rows.some(({ id }) => id === before)) return fail('snapshot.unknown', { id: before })
    if (isDry) return succeed(pointsBefore(rows, await this.#needed(), before))
    const gone = await this.#alone((signal) => this.#letGo(signal, async (now) => pointsBefore(now, await this.#needed(), before)))
    if (gone.ok) this.#ways.onRoom?.()
    return gone
  }

  /** One at a time; a later wish ends what tidies by itself. */
  async #alone<T>(run: (signal: AbortSignal) => Promise<Result<T>>): Promise<Result<T>> {
    await this.giveWay()
    const stop = new AbortController()
    const ended = run(stop.signal).catch((error: unknown): Result<T> => {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    })
    const work = { stop, ended }
    this.#work = work
    try {
      return await ended
    } finally {
      if (this.#work === work) this.#work = null
    }
  }

  async #letGoByRule(signal: AbortSignal): Promise<Result<null>> {
    const { keepDays, keepPoints, keepBytes } = await this.#ports.rules()
    const nowMs = this.#ports.clock.nowMs()
    const aged = await this.#letGo(signal, async (rows) => pointsToLetGo(rows, await this.#needed(), { keepDays, keepPoints }, nowMs))
    if (!aged.ok) return aged
    for (let bytes = await this.#bytes(); bytes > keepBytes && !signal.aborted; ) {
      const few = await this.#letGo(signal, async (rows) => pointsToLetGo(rows, await this.#needed(), { keepDays, keepPoints: Math.floor(rows.length * (1 - shareToLetGo)) }, nowMs))
      if (!few.ok) return few
      const left = await this.#bytes()
      // What is left is needed, or is one moment that is larger than all the room: the person is told by the page.
      if (few.value.points === 0 || left >= bytes) break
      bytes = left
    }
    return succeed(null)
  }

  /** The rows go first: objects that nothing names are found and removed again, a row without its objects would be a broken point. */
  async #letGo(signal: AbortSignal, choose: (rows: readonly SnapshotRow[]) => Promise<LettingGo>): Promise<Result<Forgetting>> {
    const chosen = await choose(await this.#recorder.rows())
    if (chosen.points === 0) return succeed(chosen)
    const done = await this.#ways.inLane(signal, async () => {
      const rows = await this.#recorder.rows()
      const { points, kept } = await choose(rows)
      await this.#ports.timeline.forgetSnapshots(this.#recorder.workspace.id, rows.slice(0, points).map(({ id }) => id))
      const left = await this.#recorder.rows()
      const report = await this.#recorder.store.forget([...new Set(left.map(({ commit }) => commit))], signal)
      this.#recorder.noteMoved()
      return report.ok ? succeed({ points, kept }) : report
    })
    return done ?? fail('snapshot.cancelled')
  }

  async #needed(): Promise<ReadonlySet<SnapshotId>> {
    const { id } = this.#recorder.workspace
    const [open, records] = await Promise.all([this.#ports.neededPoints(id), this.#ports.timeline.rollbackRows(id)])
    const written = records.filter(({ state }) => state === 'planned' || state === 'applying')
    const ends = written.flatMap(({ target, beforeSnapshot, afterSnapshot }) => [target.to, target.only?.from, target.only?.until, beforeSnapshot, afterSnapshot])
    return new Set([...open, ...ends].filter((one) => one !== null && one !== undefined))
  }

  async #bytes(): Promise<number> {
    return (await this.#recorder.store.stats()).bytes
  }
}
