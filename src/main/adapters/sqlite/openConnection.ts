import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import { LockHeld, withFileLock } from '../../native/fileLock'
import { removeLeftOvers } from '../../native/wholeFile'
import { configure, openFile, type Db } from './driver'
import { faultOf, isDamage } from './faults'
import { migrate, migrationsIn, versionOf, type Migration } from './migrate'
import { announcePresence, type Presence } from './presence'
import type { WorkerOptions } from './protocol'
import { finishRecovery, recover } from './recovery/recover'
import { readWal } from './recovery/walFrames'

/** An open, checked and migrated database. `faults` are what the person must be told. */
export interface Connection {
  readonly db: Db
  readonly isReadOnly: boolean
  readonly faults: readonly Said[]
  readonly presence: Presence
}

/** Another process that opens it may be copying or recovering a large one. */
const openingMs = 120_000

/**
 * Opens the database file, or makes it. One process at a time opens; damage is found and made good here, not in the middle of
 * a turn. A file of a newer version is opened for reading only.
 */
export async function openConnection({ file, migrationsDir }: WorkerOptions): Promise<Result<Connection>> {
  const folder = path.dirname(file)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await removeLeftOvers(`${file}.opening`)
    return await withFileLock(`${file}.opening`, openingMs, () => Promise.resolve(openPresent(file, migrationsDir)))
  } catch (error) {
    return notOpened(error, file)
  }
}

function openPresent(file: string, migrationsDir: string): Result<Connection> {
  const presence = announcePresence(path.join(path.dirname(file), 'running'))
  let opened: Result<Connection>
  try {
    opened = openChecked(file, migrationsIn(migrationsDir), presence)
  } catch (error) {
    opened = notOpened(error, file)
  }
  if (!opened.ok) presence.leave()
  return opened
}

/** Whatever it was, the person can be told, and nothing has been served yet that it could harm. */
function notOpened(error: unknown, file: string): Result<never> {
  if (error instanceof LockHeld) return fail('app.database-opening', { file, pid: String(error.pid ?? '?') })
  return { ok: false, fault: faultOf(error, file) ?? said('app.database-unusable', { file, problem: String(error) }) }
}

function openChecked(file: string, migrations: readonly Migration[], presence: Presence): Result<Connection> {
  const faults: Said[] = []
  const stamp = new Date().toISOString().replace(/[-:.Z]/g, '')
  const movedTo = finishRecovery(file, stamp)
  if (movedTo !== null) faults.push(said('app.database-recovery-finished', { file: movedTo }))
  let db = openSound(file, migrations.length, presence.hasOthers())
  if (db === null) {
    if (presence.hasOthers()) return fail('app.database-damaged-shared', { file })
    const { saved, lost, unlisted, movedTo } = recover(file, migrations, stamp)
    faults.push(said(unlisted > 0 ? 'app.database-recovered-unlisted' : 'app.database-recovered', { file: movedTo, saved, lost, unlisted }))
    db = openFile(file, false)
  }
  if (versionOf(db) > migrations.length) {
    db.close()
    const older = openFile(file, true)
    older.pragma('trusted_schema = OFF')
    return succeed({ db: older, isReadOnly: true, faults: [...faults, said('app.database-newer', { file })], presence })
  }
  configure(db)
  migrate(db, file, migrations)
  return succeed({ db, isReadOnly: false, faults, presence })
}

/** An open connection, or null when the content is damaged. A new file is made for its owner alone. */
function openSound(file: string, knownVersion: number, hasOthers: boolean): Db | null {
  const isNew = !existsSync(file) || statSync(file).size === 0
  // While another process writes to it, the log's end is in motion; that process has checked it.
  const log = hasOthers ? null : readWal(`${file}-wal`)
  if (isNew && log !== null && log.frames.length > 0) return null
  if (isNew) closeSync(openSync(file, 'a', 0o600))
  if (log?.isBroken === true) return null
  let db: Db | null = null
  try {
    db = openFile(file, false)
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    // What a newer version made of it is not judged by this one's means.
    const isSound = versionOf(db) > knownVersion || db.pragma('quick_check(1)', { simple: true }) === 'ok'
    if (isSound) return db
    db.close()
    return null
  } catch (error) {
    db?.close()
    if (isDamage(error)) return null
    throw error
  }
}
