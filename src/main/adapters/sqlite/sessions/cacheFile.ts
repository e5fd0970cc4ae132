import { closeSync, openSync, rmSync } from 'node:fs'
import { openFile, type Db } from '../driver'
import { isDamage } from '../faults'

/** Raised whenever the meaning of a row or the cutting of texts changes: what an older one left is thrown away. */
const version = '1'

/**
 * The index holds no text: what was found is read from the events. The pieces are cut by `searchPieces`, so that here a space
 * parts them and nothing else; `unicode61` is told to take every other character as a part of one.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS said_meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS said_session (session_id TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS said_message (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, seq INTEGER NOT NULL, UNIQUE (session_id, seq)) STRICT;
  CREATE TABLE IF NOT EXISTS said_hidden (session_id TEXT NOT NULL, rollback_id TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL, PRIMARY KEY (session_id, rollback_id)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS said_text USING fts5(body, content='', columnsize=0, tokenize="unicode61 remove_diacritics 0 categories 'L* N* P* S* M* C*'");
`

const names = ['said_text', 'said_hidden', 'said_message', 'said_session', 'said_meta']

/** Opens the cache of the data folder, which other parts keep tables of their own in. A damaged one is made anew: all of it can be. */
export function openCache(file: string): Db {
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  removeCache(file)
  return open(file)
}

/** Removes the cache with its side files. What still has it open keeps what it has. */
export function removeCache(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
}

/** Throws the tables of this index away and makes them again, empty. */
export function remakeTables(db: Db): void {
  db.transaction(() => {
    for (const name of names) db.exec(`DROP TABLE IF EXISTS ${name}`)
    makeTables(db)
  }).immediate()
}

function open(file: string): Db {
  closeSync(openSync(file, 'a', 0o600))
  const db = openFile(file, false)
  try {
    // Whoever appends waits behind this: another process that writes here is met again later.
    db.pragma('busy_timeout = 50')
    db.pragma('journal_mode = WAL')
    // What a crash takes is read from the events again.
    db.pragma('synchronous = NORMAL')
    db.pragma('trusted_schema = OFF')
    if (!isOfToday(db)) remakeTables(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isOfToday(db: Db): boolean {
  const has = db.prepare<[], { count: number }>("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'said_meta'").get()
  return has?.count === 1 && db.prepare<[], { value: string }>("SELECT value FROM said_meta WHERE name = 'version'").get()?.value === version
}

function makeTables(db: Db): void {
  db.exec(tables)
  db.prepare("INSERT OR REPLACE INTO said_meta (name, value) VALUES ('version', ?)").run(version)
}
