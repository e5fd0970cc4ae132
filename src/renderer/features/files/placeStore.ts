import { host } from '../../bridge/host'

/** Most names of one question. */
const most = 200
/** What is asked together. */
const waitMs = 30

interface Asking {
  readonly base: string | null
  readonly names: Set<string>
  readonly done: Promise<void>
}

/** Which names are files of the opened folder. A file that is not there may come: what was not found is asked again after a change. */
export class Places {
  readonly #known = new Map<string, string | null>()
  readonly #listeners = new Set<() => void>()
  readonly #asking = new Map<string | null, Asking>()
  #version = 0

  /** The file that a name means; null: none here; undefined: not known yet. */
  known(name: string, base: string | null): string | null | undefined {
    return this.#known.get(keyOf(name, base))
  }

  version(): number {
    return this.#version
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Asks for what is not known; resolves when it is. */
  async want(names: readonly string[], base: string | null): Promise<void> {
    const missing = names.filter((name) => this.known(name, base) === undefined)
    if (missing.length === 0) return
    const asking = this.#asking.get(base) ?? this.#begin(base)
    for (const name of missing) asking.names.add(name)
    await asking.done
  }

  /** Files came or went. */
  forgetMissing(): void {
    for (const [key, path] of this.#known) if (path === null) this.#known.delete(key)
    this.#tell()
  }

  /** Another folder. */
  forgetAll(): void {
    this.#known.clear()
    this.#tell()
  }

  #begin(base: string | null): Asking {
    const names = new Set<string>()
    const done = new Promise<void>((resolve) => setTimeout(resolve, waitMs)).then(async () => {
      this.#asking.delete(base)
      const all = [...names]
      for (let from = 0; from < all.length; from += most) {
        const some = all.slice(from, from + most)
        const paths = await host().fileKnown({ names: some, base })
        some.forEach((name, at) => this.#known.set(keyOf(name, base), paths[at] ?? null))
      }
      this.#tell()
    })
    const asking = { base, names, done }
    this.#asking.set(base, asking)
    return asking
  }

  #tell(): void {
    this.#version += 1
    this.#listeners.forEach((listener) => listener())
  }
}

function keyOf(name: string, base: string | null): string {
  return `${base ?? ''}\n${name}`
}

export const places = new Places()

/** Follows what changes files; returns a stop. */
export function connectPlaces(): () => void {
  return host().on('session/events', (events) => {
    if (events.some((event) => event.type === 'tool-finished' || event.type === 'snapshot-taken' || event.type === 'rolled-back')) places.forgetMissing()
  })
}
