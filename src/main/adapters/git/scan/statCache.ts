import * as fs from 'node:fs'
import Database from 'better-sqlite3'
import { everyFolder, newModel, type FolderModel, type FolderNode } from './folderModel'
import { decodeFolder, encodeFolder } from './folderRow'
import type { RawId } from '../store/gitObjects'

/** Raised whenever the meaning of a row, the default ignore list or what is held changes: rows of another version are dropped. */
const version = 1

const tables = `
  CREATE TABLE IF NOT EXISTS scan_store (store TEXT NOT NULL PRIMARY KEY, basis TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS scan_folder (store TEXT NOT NULL, path BLOB NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (store, path)) STRICT, WITHOUT ROWID;
`

/**
 * What the last scan knew, kept over restarts in the database of things that can be made again. A row is worth something only
 * together with its store, so it is kept under the store's own id; whoever loses it reads the files once more.
 */
export class StatCache {
  readonly #db: Database.Database | null
  readonly #store: string
  #basis: string

  /** @param basis what else a row depends on, such as the limits. */
  constructor(file: string, store: string, basis: string) {
    this.#db = openOrRemake(file)
    this.#store = store
    this.#basis = `${version} ${basis}`
  }

  /** What was kept under another basis is not read again. */
  setBasis(basis: string): void {
    this.#basis = `${version} ${basis}`
  }

  /** The model as it was saved. A folder whose row is missing, or whose contents are, is left to be read again. */
  load(isStored: (id: RawId) => boolean): FolderModel {
    try {
      return this.#db && this.#hasBasis() ? this.#read(this.#db, isStored) : newModel()
    } catch (error) {
      if (error instanceof Database.SqliteError || error instanceof RangeError) return newModel()
      throw error
    }
  }

  #read(db: Database.Database, isStored: (id: RawId) => boolean): FolderModel {
    const model = newModel()
    const rows = db.prepare<[string], { path: Buffer; entry: Buffer }>('SELECT path, entry FROM scan_folder WHERE store = ? ORDER BY path').all(this.#store)
    const known = new Map<string, { readonly folder: FolderNode; readonly folders: readonly string[] }>()
    // Parents come before what is in them.
    for (const row of rows) {
      const path = row.path.toString('latin1')
      const cut = path.lastIndexOf('/', path.length - 2) + 1
      const parent = path === '' ? null : known.get(path.slice(0, cut))
      const name = path.slice(cut, -1)
      if (parent === undefined || (parent && !parent.folders.includes(name))) continue
      const decoded = decodeFolder(row.entry, parent?.folder ?? null, name, isStored)
      if (!decoded) continue
      known.set(path, decoded)
      parent?.folder.folders.set(name, decoded.folder)
    }
    for (const { folder, folders } of known.values()) if (folder.folders.size !== folders.length) folder.isSettled = false
    const root = known.get('')?.folder
    return root ? { ...model, root } : model
  }

  /**
   * Writes the folders that changed, `most` of them at once; only when what the model speaks of is durable. True when that was
   * not all. What cannot be written now is written next time.
   */
  save(model: FolderModel, most = Infinity): boolean {
    const unsaved: { readonly folder: FolderNode; readonly path: string }[] = []
    let isAll = true
    everyFolder(model.root, (folder, path) => {
      if (!folder.isUnsaved) return
      if (unsaved.length < most) unsaved.push({ folder, path })
      else isAll = false
    })
    if (!this.#db || (unsaved.length === 0 && model.gone.length === 0)) return false
    try {
      this.#write(this.#db, unsaved, model.gone)
    } catch (error) {
      if (error instanceof Database.SqliteError) return false
      throw error
    }
    for (const { folder } of unsaved) folder.isUnsaved = false
    model.gone = []
    return !isAll
  }

  close(): void {
    this.#db?.close()
  }

  #write(db: Database.Database, unsaved: readonly { readonly folder: FolderNode; readonly path: string }[], gone: readonly string[]): void {
    const remove = db.prepare('DELETE FROM scan_folder WHERE store = ? AND path >= ? AND path < ?')
    const put = db.prepare('INSERT OR REPLACE INTO scan_folder (store, path, entry) VALUES (?, ?, ?)')
    db.transaction(() => {
      this.#setBasis()
      // Everything below a folder sorts between its path with a slash and the same with the character after the slash.
      for (const path of gone) remove.run(this.#store, raw(path), raw(`${path.slice(0, -1)}0`))
      for (const { folder, path } of unsaved) put.run(this.#store, raw(path), encodeFolder(folder))
    }).immediate()
  }

  #hasBasis(): boolean {
    const row = this.#db?.prepare<[string], { basis: string }>('SELECT basis FROM scan_store WHERE store = ?').get(this.#store)
    return row?.basis === this.#basis
  }

  #setBasis(): void {
    if (this.#hasBasis()) return
    this.#db?.prepare('DELETE FROM scan_folder WHERE store = ?').run(this.#store)
    this.#db?.prepare('INSERT OR REPLACE INTO scan_store (store, basis) VALUES (?, ?)').run(this.#store, this.#basis)
  }
}

function raw(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}

/** Null where SQLite cannot be had: the app then works, and reads more. A damaged file is made anew. */
function openOrRemake(file: string): Database.Database | null {
  const binding = process.env['COUNTERSIGN_SQLITE_BINDING']
  const needsBinding = Number(process.versions['napi']) < 10
  // The addon of the package ends the process on such a runtime.
  if (needsBinding && !binding) return null
  const options = needsBinding && binding ? { nativeBinding: binding } : {}
  try {
    return open(file, options)
  } catch (error) {
    if (!isDamage(error)) return null
  }
  for (const ending of ['', '-wal', '-shm']) fs.rmSync(file + ending, { force: true })
  try {
    return open(file, options)
  } catch {
    return null
  }
}

function open(file: string, options: Database.Options): Database.Database {
  // Names of files are nobody else's business; SQLite gives its side files the mode of this one.
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
    db.exec(tables)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
}
