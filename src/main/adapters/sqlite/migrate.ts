import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Db } from './driver'
import { usageProjection } from './usage/projectUsage'

/** One step of the schema: it makes version `version` out of the one before. */
export interface Migration {
  readonly version: number
  readonly file: string
}

/** The version that brought the tables of usage. */
const usageVersion = 7

/** `001-record.sql` and so on, numbered from 1 without gaps. */
export function migrationsIn(folder: string): readonly Migration[] {
  const found = readdirSync(folder)
    .flatMap((name) => {
      const number = /^(\d{3})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
      return number === undefined ? [] : [{ version: Number(number), file: path.join(folder, name) }]
    })
    .sort((a, b) => a.version - b.version)
  found.forEach((one, index) => {
    if (one.version !== index + 1) throw new Error(`migration ${index + 1} is missing in ${folder}`)
  })
  return found
}

/** The version of an open database; 0 for a new one. */
export function versionOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/**
 * Brings the schema up to the newest version in one transaction; a copy of the database as it was is kept beside it. The
 * caller sees to it that no other process opens the file meanwhile; one that has it open already can go on writing.
 */
export function migrate(db: Db, file: string, migrations: readonly Migration[]): void {
  const from = versionOf(db)
  if (from >= migrations.length) return
  if (from > 0) keepCopy(db, `${file}.version-${from}`)
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of migrations.slice(from)) db.exec(readFileSync(step.file, 'utf8'))
    // What the new tables are to hold of an old record is read from its events.
    if (from > 0 && from < usageVersion) usageProjection(db).rebuild()
    db.pragma(`user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * SQLite writes the copy itself: were the file opened and closed by anybody else in this process, the system would drop the
 * locks that the connection holds on it.
 */
function keepCopy(db: Db, copy: string): void {
  const unfinished = `${copy}.tmp`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'wx', 0o600))
  db.prepare('VACUUM INTO ?').run(unfinished)
  const fd = openSync(unfinished, 'r+')
  fsyncSync(fd)
  closeSync(fd)
  renameSync(unfinished, copy)
}
