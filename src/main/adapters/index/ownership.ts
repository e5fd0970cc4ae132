import { randomUUID } from 'node:crypto'
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../native/processIdentity'
import type { CacheDb } from './cacheFile'

/** An owner that has said nothing for this long is gone, whatever its process does. */
const silentMs = 60_000

interface Owner {
  readonly process: ProcessIdentity
  readonly token: string
}

/**
 * Who keeps a folder's index up: one process at a time. The others read what it writes, and take over when it has gone.
 */
export class Ownership {
  readonly #db: CacheDb
  readonly #folder: number
  readonly #self: string
  readonly #nowMs: () => number

  constructor(db: CacheDb, folder: number, nowMs: () => number) {
    this.#db = db
    this.#folder = folder
    this.#nowMs = nowMs
    this.#self = JSON.stringify({ process: ownIdentity(), token: randomUUID() } satisfies Owner)
  }

  /** Becomes the owner when there is none that lives. */
  take(): boolean {
    return this.#db.transaction(() => {
      const row = this.#db.prepare<[number], { owner: string | null; beat_ms: number }>('SELECT owner, beat_ms FROM code_folder WHERE id = ?').get(this.#folder)
      if (row === undefined) return false
      if (row.owner !== null && row.owner !== this.#self && this.#nowMs() - row.beat_ms < silentMs && isAlive(row.owner)) return false
      this.#db.prepare('UPDATE code_folder SET owner = ?, beat_ms = ?, used_ms = ? WHERE id = ?').run(this.#self, this.#nowMs(), this.#nowMs(), this.#folder)
      return true
    }).immediate()
  }

  /** Says that it is still there; false when another one has taken over. */
  beat(): boolean {
    return this.#db.prepare('UPDATE code_folder SET beat_ms = ? WHERE id = ? AND owner = ?').run(this.#nowMs(), this.#folder, this.#self).changes === 1
  }

  release(): void {
    this.#db.prepare('UPDATE code_folder SET owner = NULL WHERE id = ? AND owner = ?').run(this.#folder, this.#self)
  }
}

function isAlive(owner: string): boolean {
  try {
    return lifeOf((JSON.parse(owner) as Owner).process) !== 'dead'
  } catch {
    return false // what cannot be read was not written by us
  }
}
