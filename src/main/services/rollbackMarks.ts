import type { RollbackId } from '../../shared/domain/ids'
import type { SettledPath, TimelineStore } from '../core/ports/timelineStore'

/**
 * Marks the settled paths of a running rollback in its journal, one transaction for all that came while the one before was
 * stored. A path that is not marked when the app is killed is looked at once more at the next start, and found done.
 */
export class RollbackMarks {
  readonly #id: RollbackId
  readonly #timeline: Pick<TimelineStore, 'markRollbackPaths'>
  #waiting: SettledPath[] = []
  #storing: Promise<void> | null = null

  constructor(id: RollbackId, timeline: Pick<TimelineStore, 'markRollbackPaths'>) {
    this.#id = id
    this.#timeline = timeline
  }

  add(settled: SettledPath): void {
    this.#waiting.push(settled)
    this.#storing ??= this.#store()
    // Whoever waits for all of them meets the fault.
    this.#storing.catch(() => undefined)
  }

  /** Resolves when everything added is stored; rejects when something could not be. */
  async stored(): Promise<void> {
    await this.#storing
  }

  async #store(): Promise<void> {
    // What is told in one go is added in one go.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#timeline.markRollbackPaths(this.#id, this.#waiting.splice(0))
    this.#storing = null
  }
}
