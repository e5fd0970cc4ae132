import type { SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Forgetting, SnapshotSpace } from '../../shared/ipc/timelineViews'
import { never } from './snapshotPorts'
import type { SnapshotRecorder } from './snapshotRecorder'

/** Keeps a workspace's store small (R80): packing, and letting go of old points. */
export class SnapshotUpkeep {
  readonly #recorder: SnapshotRecorder

  constructor(recorder: SnapshotRecorder) {
    this.#recorder = recorder
  }

  async space(): Promise<Result<SnapshotSpace>> {
    const [rows, { bytes }, isPackable] = await Promise.all([this.#recorder.rows(), this.#recorder.store.stats(), this.#recorder.store.isPackable()])
    return succeed({ bytes, points: rows.length, oldestAtMs: rows[0]?.atMs ?? null, isPackable })
  }

  async pack(): Promise<Result<SnapshotSpace>> {
    const packed = await this.#recorder.store.pack(never)
    return packed.ok ? this.space() : packed
  }

  async forget(before: SnapshotId, _isDry: boolean): Promise<Result<Forgetting>> {
    const rows = await this.#recorder.rows()
    const points = rows.findIndex(({ id }) => id === before)
    return points === -1 ? fail('snapshot.unknown', { id: before }) : succeed({ points: 0, kept: points })
  }
}
