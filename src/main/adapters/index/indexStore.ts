import type { ChunkKind } from '../../../shared/domain/retrieval'
import type { CacheDb, CacheStatement } from './cacheFile'

/** A file as it was read last. `hash` is null for one that holds nothing to index. */
export interface KnownFile {
  readonly id: number
  readonly path: string
  /** Size, times and inode; empty when it may have changed within the same tick of the clock. */
  readonly stamp: string
  readonly mtimeMs: number
  readonly language: string
  readonly hash: string | null
}

/** A chunk to store: its place, and the terms it is found by. */
export interface ChunkEntry {
  readonly startLine: number
  readonly endLine: number
  readonly kind: ChunkKind
  readonly symbol: string
  readonly hash: string
  /** Separated by blanks. */
  readonly symbolTerms: string
  readonly terms: string
}

/** A file to store. `chunks` null: its content is what was stored, only its stamp moved. */
export interface FileEntry extends Omit<KnownFile, 'id'> {
  readonly pathTerms: string
  readonly chunks: readonly ChunkEntry[] | null
}

/** A chunk as it is stored. */
export interface StoredChunk {
  readonly id: number
  readonly file: number
  readonly startLine: number
  readonly endLine: number
  readonly symbol: string
  readonly hash: string
}

/** How much a term in the path, in the symbol and in the text weighs. */
const weights = '2.0, 3.0, 1.0'
/** Folders, and vectors that no chunk asks for, are forgotten after this. */
const keptMs = 90 * 24 * 60 * 60 * 1000

const chunkColumns = 'c.id, c.file, c.start_line AS startLine, c.end_line AS endLine, c.symbol, c.hash'

/** Finds the folder's row, or makes it with its index of terms. */
export function folderRow(db: CacheDb, workspace: string, root: string, nowMs: number): number {
  return db.transaction(() => {
    const known = db.prepare<[string, string], { id: number }>('SELECT id FROM code_folder WHERE workspace = ? AND root = ?').get(workspace, root)
    if (known) return known.id
    const id = Number(db.prepare('INSERT INTO code_folder (workspace, root, used_ms) VALUES (?, ?, ?)').run(workspace, root, nowMs).lastInsertRowid)
    // No text is kept, and every sign that is not ASCII belongs to a term: Chinese words and emoji stay whole.
    db.exec(`CREATE VIRTUAL TABLE code_terms_${id} USING fts5 (path, symbol, body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'")`)
    db.exec(`INSERT INTO code_terms_${id} (code_terms_${id}, rank) VALUES ('rank', 'bm25(${weights})')`)
    return id
  }).immediate()
}

/** Forgets folders that nobody has opened for long, and vectors that nobody needs. */
export function forgetOld(db: CacheDb, nowMs: number): void {
  const old = db.prepare<[number], { id: number }>('SELECT id FROM code_folder WHERE used_ms < ? AND owner IS NULL').all(nowMs - keptMs)
  for (const { id } of old) db.transaction(() => dropFolder(db, id)).immediate()
  db.prepare('DELETE FROM code_vector WHERE made_ms < ? AND NOT EXISTS (SELECT 1 FROM code_chunk c WHERE c.hash = code_vector.hash)').run(nowMs - keptMs)
}

function dropFolder(db: CacheDb, folder: number): void {
  db.prepare('DELETE FROM code_chunk WHERE file IN (SELECT id FROM code_file WHERE folder = ?)').run(folder)
  db.prepare('DELETE FROM code_file WHERE folder = ?').run(folder)
  db.exec(`DROP TABLE code_terms_${folder}`)
  db.prepare('DELETE FROM code_folder WHERE id = ?').run(folder)
}

/** The stored index of one folder. Synchronous; for the library's thread. */
export class IndexStore {
  readonly #db: CacheDb
  readonly #folder: number
  readonly #files = new Map<number, KnownFile>()
  readonly #byPath = new Map<string, KnownFile>()
  #chunks = 0
  #dataVersion: unknown = null
  readonly #statements = new Map<string, CacheStatement>()

  constructor(db: CacheDb, folder: number) {
    this.#db = db
    this.#folder = folder
    this.refresh()
  }

  /** Takes over what another process wrote; true when there was something. */
  refresh(): boolean {
    const dataVersion = this.#db.pragma('data_version', { simple: true })
    if (dataVersion === this.#dataVersion) return false
    this.#dataVersion = dataVersion
    this.#files.clear()
    this.#byPath.clear()
    const rows = this.#db.prepare<[number], KnownFile>('SELECT id, path, stamp, mtime_ms AS mtimeMs, language, hash FROM code_file WHERE folder = ?').all(this.#folder)
    for (const row of rows) this.#keep(row)
    this.#chunks = this.#db.prepare<[number], { count: number }>('SELECT count(*) AS count FROM code_chunk WHERE file IN (SELECT id FROM code_file WHERE folder = ?)').get(this.#folder)?.count ?? 0
    return true
  }

  get chunks(): number {
    return this.#chunks
  }

  /** Files with text, and files that were left out. */
  counts(): { readonly files: number; readonly skipped: number } {
    let skipped = 0
    for (const { hash } of this.#files.values()) if (hash === null) skipped++
    return { files: this.#files.size - skipped, skipped }
  }

  file(path: string): KnownFile | undefined {
    return this.#byPath.get(path)
  }

  fileOf(id: number): KnownFile | undefined {
    return this.#files.get(id)
  }

  files(): IterableIterator<KnownFile> {
    return this.#files.values()
  }

  /** Stores files and takes others out, in one transaction. Returns the first id that new chunks have. */
  write(entries: readonly FileEntry[], gone: readonly string[]): number {
    let first = Infinity
    const kept: KnownFile[] = []
    let chunks = 0
    this.#db.transaction(() => {
      for (const path of gone) {
        const known = this.#byPath.get(path)
        if (!known) continue
        chunks -= this.#removeChunks(known.id)
        this.#sql('DELETE FROM code_file WHERE id = ?').run(known.id)
      }
      for (const entry of entries) {
        const { path, stamp, mtimeMs, language, hash } = entry
        const known = this.#byPath.get(path)
        const id = known?.id ?? Number(this.#sql('INSERT INTO code_file (folder, path, stamp, mtime_ms, language, hash) VALUES (?, ?, ?, ?, ?, ?)').run(this.#folder, path, stamp, Math.round(mtimeMs), language, hash).lastInsertRowid)
        if (known) this.#sql('UPDATE code_file SET stamp = ?, mtime_ms = ?, language = ?, hash = ? WHERE id = ?').run(stamp, Math.round(mtimeMs), language, hash, id)
        kept.push({ id, path, stamp, mtimeMs, language, hash })
        if (entry.chunks === null) continue
        if (known) chunks -= this.#removeChunks(id)
        chunks += entry.chunks.length
        first = Math.min(first, this.#addChunks(id, entry.pathTerms, entry.chunks))
      }
    }).immediate()
    this.#chunks += chunks
    for (const path of gone) this.#drop(path)
    for (const file of kept) this.#keep(file)
    return first
  }

  /** The places that hold any of the terms, best first by BM25. Stop reading when there are enough. */
  *match(terms: readonly string[]): Generator<StoredChunk> {
    if (terms.length === 0) return
    const query = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
    const name = `code_terms_${this.#folder}`
    yield* this.#db.prepare<[string], StoredChunk>(`SELECT ${chunkColumns} FROM ${name} AS t JOIN code_chunk AS c ON c.id = t.rowid WHERE t.${name} MATCH ? ORDER BY t.rank`).iterate(query)
  }

  /** The folder's chunks with this content. */
  withHash(hash: string): readonly StoredChunk[] {
    return this.#db.prepare<[string], StoredChunk>(`SELECT ${chunkColumns} FROM code_chunk AS c WHERE c.hash = ?`).all(hash).filter(({ file }) => this.#files.has(file))
  }

  /** Chunks after an id that have no vector of the model, in order. */
  withoutVector(model: number, after: number, most: number): readonly StoredChunk[] {
    return this.#db
      .prepare<[number, number, number, number], StoredChunk>(
        `SELECT ${chunkColumns} FROM code_chunk AS c JOIN code_file AS f ON f.id = c.file
         WHERE c.id > ? AND f.folder = ? AND NOT EXISTS (SELECT 1 FROM code_vector AS v WHERE v.model = ? AND v.hash = c.hash) ORDER BY c.id LIMIT ?`,
      )
      .all(after, this.#folder, model, most)
  }

  /** Distinct contents of some files, or of all. */
  *hashes(files: ReadonlySet<number> | null): Generator<string> {
    const own = this.#db.prepare<[number], { hash: string }>('SELECT hash FROM code_chunk WHERE file = ?')
    for (const file of files ?? this.#files.keys()) for (const { hash } of own.all(file)) yield hash
  }

  #addChunks(file: number, pathTerms: string, chunks: readonly ChunkEntry[]): number {
    const row = this.#sql('INSERT INTO code_chunk (file, start_line, end_line, kind, symbol, hash) VALUES (?, ?, ?, ?, ?, ?)')
    const terms = this.#sql(`INSERT INTO code_terms_${this.#folder} (rowid, path, symbol, body) VALUES (?, ?, ?, ?)`)
    let first = Infinity
    for (const { startLine, endLine, kind, symbol, hash, symbolTerms, terms: body } of chunks) {
      const id = Number(row.run(file, startLine, endLine, kind, symbol, hash).lastInsertRowid)
      terms.run(id, pathTerms, symbolTerms, body)
      first = Math.min(first, id)
    }
    return first
  }

  #removeChunks(file: number): number {
    this.#sql(`DELETE FROM code_terms_${this.#folder} WHERE rowid IN (SELECT id FROM code_chunk WHERE file = ?)`).run(file)
    return this.#sql('DELETE FROM code_chunk WHERE file = ?').run(file).changes
  }

  #keep(file: KnownFile): void {
    this.#files.set(file.id, file)
    this.#byPath.set(file.path, file)
  }

  #drop(path: string): void {
    const known = this.#byPath.get(path)
    if (!known) return
    this.#files.delete(known.id)
    this.#byPath.delete(path)
  }

  /** Throws everything of the folder away. */
  clear(): void {
    this.#db.transaction(() => {
      this.#sql('DELETE FROM code_chunk WHERE file IN (SELECT id FROM code_file WHERE folder = ?)').run(this.#folder)
      this.#sql('DELETE FROM code_file WHERE folder = ?').run(this.#folder)
      this.#db.exec(`INSERT INTO code_terms_${this.#folder} (code_terms_${this.#folder}) VALUES ('delete-all')`)
    }).immediate()
    this.#files.clear()
    this.#byPath.clear()
    this.#chunks = 0
  }

  /** A statement that is used again and again. */
  #sql(text: string): CacheStatement {
    let statement = this.#statements.get(text)
    if (!statement) this.#statements.set(text, (statement = this.#db.prepare(text)))
    return statement
  }
}
