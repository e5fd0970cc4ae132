import type { CacheDb } from './cacheFile'

/** Rows that are compared before others are let in. */
const sliceRows = 8192
/** So many times more than asked are compared exactly. */
const rescored = 4

interface Near {
  readonly hash: string
  readonly score: number
}

/**
 * The vectors of one model, by content: kept whole in the cache, and as bytes in memory (a quarter of the room), where all of
 * them are compared; the best are compared again exactly.
 */
export class Vectors {
  readonly #db: CacheDb
  readonly model: number
  readonly #rows = new Map<string, number>()
  readonly #hashes: string[] = []
  #bytes = new Int8Array(0)
  #scales = new Float32Array(0)
  #dimensions = 0

  /** @param name says who made the vectors: others are not comparable. */
  constructor(db: CacheDb, name: string) {
    this.#db = db
    db.prepare('INSERT OR IGNORE INTO code_model (name) VALUES (?)').run(name)
    this.model = db.prepare<[string], { id: number }>('SELECT id FROM code_model WHERE name = ?').get(name)?.id ?? 0
  }

  get count(): number {
    return this.#hashes.length
  }

  has(hash: string): boolean {
    return this.#rows.has(hash)
  }

  /** Loads what is stored for these contents. */
  async load(hashes: Iterable<string>, breathe: () => Promise<void>): Promise<void> {
    for (const hash of [...new Set(hashes)]) {
      const vector = this.#rows.has(hash) ? null : this.#stored(hash)
      if (vector) this.#keep(hash, vector)
      await breathe()
    }
  }

  /** Stores vectors. A model that answers in another length than before has changed: what it made earlier goes. */
  add(made: readonly { readonly hash: string; readonly vector: Float32Array }[], nowMs: number): void {
    const length = made[0]?.vector.length ?? 0
    if (length === 0 || made.some(({ vector }) => vector.length !== length)) throw new Error('vectors of different lengths')
    this.#db.transaction(() => {
      if (length !== this.#dimensions) this.#db.prepare('DELETE FROM code_vector WHERE model = ? AND length(vector) <> ?').run(this.model, length * 4)
      const put = this.#db.prepare('INSERT OR REPLACE INTO code_vector (model, hash, made_ms, vector) VALUES (?, ?, ?, ?)')
      for (const { hash, vector } of made) put.run(this.model, hash, nowMs, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))
    }).immediate()
    if (length !== this.#dimensions) this.#empty(length)
    for (const { hash, vector } of made) this.#keep(hash, vector)
  }

  /** The contents nearest to a query by cosine, best first; `allowed` null: of all. */
  async nearest(query: Float32Array, most: number, allowed: ReadonlySet<string> | null, breathe: () => Promise<void>): Promise<readonly Near[]> {
    if (query.length !== this.#dimensions) return []
    const best: Near[] = []
    const room = most * rescored
    for (let row = 0; row < this.#hashes.length; row++) {
      if (row % sliceRows === sliceRows - 1) await breathe()
      const hash = this.#hashes[row] ?? ''
      if (allowed !== null && !allowed.has(hash)) continue
      const score = this.#score(query, row)
      if (best.length === room && score <= (best[room - 1]?.score ?? 0)) continue
      insert(best, { hash, score }, room)
    }
    return best
      .flatMap(({ hash }) => {
        const vector = this.#stored(hash)
        return vector?.length === query.length ? [{ hash, score: dot(query, vector) }] : []
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
  }

  #stored(hash: string): Float32Array | null {
    const row = this.#db.prepare<[number, string], { vector: Buffer }>('SELECT vector FROM code_vector WHERE model = ? AND hash = ?').get(this.model, hash)
    if (!row || row.vector.length === 0 || row.vector.length % 4 !== 0) return null
    return new Float32Array(row.vector.buffer.slice(row.vector.byteOffset, row.vector.byteOffset + row.vector.length))
  }

  #empty(dimensions: number): void {
    this.#rows.clear()
    this.#hashes.length = 0
    this.#dimensions = dimensions
    this.#bytes = new Int8Array(0)
  }

  #keep(hash: string, vector: Float32Array): void {
    if (this.#dimensions === 0) this.#dimensions = vector.length
    if (vector.length !== this.#dimensions) return
    const row = this.#rows.get(hash) ?? this.#hashes.length
    if ((row + 1) * this.#dimensions > this.#bytes.length) this.#grow(Math.max(256, row * 2))
    let largest = 0
    for (const value of vector) largest = Math.max(largest, Math.abs(value))
    const scale = largest / 127 || 1
    this.#scales[row] = scale
    const from = row * this.#dimensions
    for (let at = 0; at < vector.length; at++) this.#bytes[from + at] = Math.round((vector[at] ?? 0) / scale)
    this.#rows.set(hash, row)
    this.#hashes[row] = hash
  }

  #grow(rows: number): void {
    const bytes = new Int8Array(rows * this.#dimensions)
    bytes.set(this.#bytes)
    const scales = new Float32Array(rows)
    scales.set(this.#scales.subarray(0, Math.min(rows, this.#scales.length)))
    this.#bytes = bytes
    this.#scales = scales
  }

  #score(query: Float32Array, row: number): number {
    const bytes = this.#bytes
    const from = row * this.#dimensions
    let sum = 0
    for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (bytes[from + at] ?? 0)
    return sum * (this.#scales[row] ?? 0)
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

function insert(best: Near[], one: Near, room: number): void {
  let at = best.length
  while (at > 0 && (best[at - 1]?.score ?? 0) < one.score) at--
  best.splice(at, 0, one)
  if (best.length > room) best.pop()
}
