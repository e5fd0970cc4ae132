import type { CancelSignal } from '../../../core/ports/cancelSignal'
import type { Rest } from '../../../core/ports/rest'

/** Where in the shared numbers which flag stands. */
const at = { cancel: 0, rest: 1 } as const

/** A rest that nobody ends ends itself. */
const longestRestMs = 1000

/** What whoever asked for a scan says to the threads that do it, while they are busy. */
export class ScanFlags {
  readonly shared = new SharedArrayBuffer(8)
  readonly #flags = new Int32Array(this.shared)

  /** Returns what ends the following. */
  follow(signal: CancelSignal): () => void {
    const cancel = (): void => {
      Atomics.store(this.#flags, at.cancel, 1)
      this.#rest(false)
    }
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    return () => signal.removeEventListener('abort', cancel)
  }

  /** Returns what ends the following. */
  followRest(rest: Rest): () => void {
    this.#rest(rest.isOn)
    return rest.onChange((isOn) => this.#rest(isOn))
  }

  #rest(isOn: boolean): void {
    Atomics.store(this.#flags, at.rest, isOn && Atomics.load(this.#flags, at.cancel) === 0 ? 1 : 0)
    Atomics.notify(this.#flags, at.rest)
  }
}

/** Flags for a scan that nobody stops. */
export function noFlags(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** Whether the scan is to end here. Where it is to rest it rests first: only in a thread of its own. */
export function isStopped(flags: Int32Array): boolean {
  // Over time it ends for both threads: two that wait in turn would wait for ever.
  if (Atomics.load(flags, at.rest) === 1 && Atomics.wait(flags, at.rest, 1, longestRestMs) === 'timed-out') Atomics.store(flags, at.rest, 0)
  return Atomics.load(flags, at.cancel) === 1
}
