import Database from 'better-sqlite3'

/** An open database file. */
export type Db = Database.Database

/** The native module does not load here; no file was touched. */
export class ModuleFault extends Error {}

/** How long a write waits for another process's, in milliseconds. */
export const busyMs = 10_000

/**
 * Opens a database file. The binding is chosen before the first use: below N-API 10 the shipped one ends the process
 * without a word.
 *
 * @throws ModuleFault when the native module is missing or made for another runtime; SqliteError when the file is at fault.
 */
export function openFile(file: string, isReadOnly: boolean): Db {
  const options = { readonly: isReadOnly, timeout: busyMs, ...bindingFor(Number(process.versions.napi)) }
  try {
    return new Database(file, options)
  } catch (error) {
    if (error instanceof Database.SqliteError) throw error
    throw new ModuleFault(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

function bindingFor(napi: number): { readonly nativeBinding?: string } {
  if (napi >= 10) return {}
  const nativeBinding = process.env['COUNTERSIGN_SQLITE_BINDING']
  if (!nativeBinding) throw new ModuleFault(`N-API ${napi} needs COUNTERSIGN_SQLITE_BINDING`)
  return { nativeBinding }
}

/** What makes a connection ours. `fullfsync` counts on macOS only, where a plain one does not reach the medium. */
export function configure(db: Db): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  // 32 MiB of pages at most: a search of memory walks from term to term, not along the file.
  db.pragma('cache_size = -32768')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('fullfsync = ON')
  db.pragma('checkpoint_fullfsync = ON')
  // A log that a long reader let grow is cut at the next restart of it (i03).
  db.pragma('journal_size_limit = 16777216')
}

/** The code of an SqliteError, as `SQLITE_FULL`; null for any other. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null
}
