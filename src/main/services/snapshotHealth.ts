import type { Said } from '../../shared/domain/result'

/** So long after a failure it is tried again, then twice as long, up to the longest. */
const firstMs = 10_000
const longestMs = 160_000

/** What happens when it is known anew whether snapshots can be taken. */
interface HealthWays {
  /** Undo stopped, for this reason, or goes on: null. */
  readonly tell: (fault: Said | null) => void
  /** Tries to take a snapshot, and notes what came of it. */
  readonly tryAgain: () => Promise<void>
  readonly firstMs?: number
}

/**
 * Whether undo can be promised: what the last attempt at a snapshot said. While it cannot, it is tried again now and then, so
 * that a reason that is gone needs nobody to say so.
 */
export class SnapshotHealth {
  readonly #ways: HealthWays
  #fault: Said | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitMs: number
  #isClosed = false

  constructor(ways: HealthWays) {
    this.#ways = ways
    this.#waitMs = ways.firstMs ?? firstMs
  }

  /** Why the last attempt took no snapshot; null when it did. */
  get fault(): Said | null {
    return this.#fault
  }

  /** What an attempt came to. Told when it differs from the one before. */
  note(fault: Said | null): void {
    clearTimeout(this.#timer)
    const before = this.#fault
    this.#fault = fault
    if (JSON.stringify(before) !== JSON.stringify(fault)) this.#ways.tell(fault)
    if (fault === null) this.#waitMs = this.#ways.firstMs ?? firstMs
    // That was the person's own wish.
    else if (!this.#isClosed && fault.code !== 'snapshot.cancelled') this.#planNext()
  }

  /** Room may have been made: it is tried now, where that is of use. */
  async lookNow(): Promise<void> {
    if (this.#fault === null || this.#isClosed) return
    clearTimeout(this.#timer)
    await this.#ways.tryAgain()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #planNext(): void {
    this.#timer = setTimeout(() => void this.lookNow(), this.#waitMs)
    this.#timer.unref()
    this.#waitMs = Math.min(longestMs, this.#waitMs * 2)
  }
}
