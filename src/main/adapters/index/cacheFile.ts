import * as fs from 'node:fs'
import Database from 'better-sqlite3'

/** The open cache. */
export type CacheDb = Database.Database
/** A statement of it whose parameters nobody has named. */
export type CacheStatement = Database.Statement<unknown[]>

/** Raised whenever the meaning of a row or the cutting of files changes: what an older one left is thrown away. */
const version = '1'

const tables = `
  CREATE TABLE IF NOT EXISTS code_meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS code_folder (
    id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, root TEXT NOT NULL, owner TEXT, beat_ms INTEGER NOT NULL DEFAULT 0, used_ms INTEGER NOT NULL,
    UNIQUE (workspace, root)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS code_file (
    id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, mtime_ms INTEGER NOT NULL,
    language TEXT NOT NULL, hash TEXT, UNIQUE (folder, path)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS code_chunk (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
    kind TEXT NOT NULL, symbol TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS code_chunk_file ON code_chunk (file);
  CREATE INDEX IF NOT EXISTS code_chunk_hash ON code_chunk (hash);
  CREATE TABLE IF NOT EXISTS code_model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS code_vector (id INTEGER PRIMARY KEY, model INTEGER NOT NULL, hash TEXT NOT NULL, made_ms INTEGER NOT NULL, vector BLOB NOT NULL, UNIQUE (model, hash)) STRICT;
`

/** The cache cannot be used; the words are SQLite's. */
export class CacheFault extends Error {}

/**
 * Opens the cache of the data folder, which other parts keep tables of their own in. A damaged file is made anew; tables of
 * another version are dropped.
 *
 * @throws CacheFault when it cannot be had.
 */
export function openCache(file: string): CacheDb {
  const binding = process.env['COUNTERSIGN_SQLITE_BINDING']
  const needsBinding = Number(process.versions['napi']) < 10
  // The addon of the package ends the process on such a runtime.
  if (needsBinding && !binding) throw new CacheFault('COUNTERSIGN_SQLITE_BINDING')
  const options = needsBinding && binding ? { nativeBinding: binding } : {}
  try {
    return open(file, options)
  } catch (error) {
    if (!isDamage(error)) throw asFault(error)
  }
  removeCache(file)
  try {
    return open(file, options)
  } catch (error) {
    throw asFault(error)
  }
}

/** Removes the cache with its side files. What still has it open keeps what it has. */
export function removeCache(file: string): void {
  for (const ending of ['', '-wal', '-shm']) fs.rmSync(file + ending, { force: true })
}

/** The content is at fault, and making it anew helps. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/u.test(error.code)
}

/** The file or disk is at fault: full, read-only, locked for too long. */
export function isCacheFault(error: unknown): error is Error {
  return error instanceof CacheFault || (error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|LOCKED)/u.test(error.code))
}

/** Another process held the file for longer than we wait. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function asFault(error: unknown): CacheFault {
  return new CacheFault(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
}

function open(file: string, options: Database.Options): CacheDb {
  const made = fs.openSync(file, 'a', 0o600)
  fs.fchmodSync(made, 0o600)
  fs.closeSync(made)
  const db = new Database(file, options)
  try {
    db.pragma('busy_timeout = 5000')
    db.pragma('journal_mode = WAL')
    // It can be made again, so a power cut may cost its last rows.
    db.pragma('synchronous = NORMAL')
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.transaction(() => {
      db.exec(tables)
      const kept = db.prepare<[], { value: string }>("SELECT value FROM code_meta WHERE name = 'version'").get()?.value
      if (kept === version) return
      dropAll(db)
      db.exec(tables)
      db.prepare("INSERT OR REPLACE INTO code_meta (name, value) VALUES ('version', ?)").run(version)
    }).immediate()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function dropAll(db: CacheDb): void {
  const virtual = db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'code_terms_*' AND sql LIKE 'CREATE VIRTUAL%'").all()
  for (const { name } of virtual) db.exec(`DROP TABLE "${name}"`)
  for (const name of ['code_meta', 'code_folder', 'code_file', 'code_chunk', 'code_model', 'code_vector']) db.exec(`DROP TABLE IF EXISTS ${name}`)
}
