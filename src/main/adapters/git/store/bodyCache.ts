/** Objects lately read, the longest unused of them dropped first, up to so many bytes together. Saves reading the base of a chain of deltas for each of its links. */
export class BodyCache<Key, Value extends { readonly body: Buffer }> {
  readonly #limit: number
  readonly #kept = new Map<Key, Value>()
  #bytes = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  get(key: Key): Value | undefined {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found
  }

  add(key: Key, object: Value): void {
    // One that takes most of the room would only drive out the others.
    if (object.body.length * 4 > this.#limit || this.#kept.has(key)) return
    this.#kept.set(key, object)
    this.#bytes += object.body.length
    for (const [oldest, { body }] of this.#kept) {
      if (this.#bytes <= this.#limit) return
      this.#kept.delete(oldest)
      this.#bytes -= body.length
    }
  }
}
