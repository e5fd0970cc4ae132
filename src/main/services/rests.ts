import type { Rest } from '../core/ports/rest'

/** A rest that is on as long as anybody wants it, each for a bounded time. */
export class Rests implements Rest {
  readonly #longestMs: number
  readonly #wanted = new Set<NodeJS.Timeout>()
  readonly #listeners = new Set<(isOn: boolean) => void>()

  constructor(longestMs: number) {
    this.#longestMs = longestMs
  }

  get isOn(): boolean {
    return this.#wanted.size > 0
  }

  onChange(listener: (isOn: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Wants it, until the returned function is called. */
  want(): () => void {
    const one = setTimeout(() => this.#end(one), this.#longestMs)
    this.#wanted.add(one)
    if (this.#wanted.size === 1) this.#tell()
    return () => this.#end(one)
  }

  #end(one: NodeJS.Timeout): void {
    clearTimeout(one)
    if (this.#wanted.delete(one) && !this.isOn) this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.isOn)
  }
}
