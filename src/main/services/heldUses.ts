import type { CallId } from '../../shared/domain/ids'

/** Uses of rules and grants that calls on their way keep for themselves: no other call of this process takes them too. */
export class HeldUses {
  readonly #held = new Map<string, Set<CallId>>()

  hold(key: string, callId: CallId): void {
    this.#held.set(key, (this.#held.get(key) ?? new Set()).add(callId))
  }

  isHeld(key: string, callId: CallId): boolean {
    return this.#held.get(key)?.has(callId) === true
  }

  /** How many there are; without those of one call where that asks for itself. */
  count(key: string, besides?: CallId): number {
    const calls = this.#held.get(key)
    return (calls?.size ?? 0) - (besides !== undefined && calls?.has(besides) === true ? 1 : 0)
  }

  free(key: string, callId: CallId): void {
    this.#held.get(key)?.delete(callId)
    if (this.#held.get(key)?.size === 0) this.#held.delete(key)
  }

  letGo(callId: CallId): void {
    for (const key of [...this.#held.keys()]) this.free(key, callId)
  }
}
