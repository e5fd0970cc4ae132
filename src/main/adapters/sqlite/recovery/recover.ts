import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { configure, openFile, type Db } from '../driver'
import { isDamage } from '../faults'
import { rebuildMemoryIndex } from '../memory/memoryOperations'
import { migrate, type Migration } from '../migrate'
import { rebuildSessions } from '../rebuildSessions'
import { salvage } from './salvage'

/** What became of a damaged database. */
export interface Recovery {
  /** Where the damaged file lies now. */
  readonly movedTo: string
  readonly saved: number
  /** Events whose place is known and whose content is not. */
  readonly lost: number
  /** Conversations that are kept and cannot be listed, because nothing says any more to which folder they belong. */
  readonly unlisted: number
}

/**
 * Moves a damaged database aside, with its log, and puts a new one with every readable row in its place. Nothing is deleted,
 * and a kill at any moment is made good at the next start: the new file is finished before the old one is moved.
 *
 * @throws what the disk says: then the damaged file is still where it was.
 */
export function recover(file: string, migrations: readonly Migration[], stamp: string): Recovery {
  const unfinished = `${file}.recovering`
  const scratch = `${file}.scratch`
  for (const name of [unfinished, scratch, `${file}.recovered`]) removeDatabase(name)
  for (const end of ['', '-wal']) {
    if (existsSync(file + end)) copyFileSync(file + end, scratch + end, constants.COPYFILE_FICLONE)
  }
  const counts = rewrite(scratch, unfinished, migrations)
  removeDatabase(scratch)
  flush(unfinished)
  renameSync(unfinished, `${file}.recovered`)
  const movedTo = setAside(file, stamp)
  renameSync(`${file}.recovered`, file)
  flush(path.dirname(file))
  return { movedTo, ...counts }
}

/** Ends a recovery that was killed after the damaged file had been moved. Returns where that lies, or null. */
export function finishRecovery(file: string, stamp: string): string | null {
  if (existsSync(file) || !existsSync(`${file}.recovered`)) return null
  const moved = readdirSync(path.dirname(file)).filter((name) => name.startsWith(`${path.basename(file)}.damaged-`) && !/-(wal|shm)$/.test(name)).sort().at(-1)
  setAside(file, stamp)
  renameSync(`${file}.recovered`, file)
  flush(path.dirname(file))
  return path.join(path.dirname(file), moved ?? path.basename(file))
}

/** The database first: a new one must never stand beside the log of the old one. */
function setAside(file: string, stamp: string): string {
  const aside = `${file}.damaged-${stamp}`
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(file + end)) renameSync(file + end, aside + end)
  }
  return aside
}

function rewrite(scratch: string, to: string, migrations: readonly Migration[]): Omit<Recovery, 'movedTo'> {
  closeSync(openSync(to, 'wx', 0o600))
  const target = openFile(to, false)
  const source = openDamaged(scratch)
  try {
    configure(target)
    migrate(target, to, migrations)
    // What a row refers to may be lost; it is kept all the same.
    target.pragma('foreign_keys = OFF')
    target.exec('BEGIN IMMEDIATE')
    const saved = salvage(source, scratch, target)
    const lost = fillGaps(target)
    listBySnapshots(target)
    rebuildSessions(target)
    rebuildMemoryIndex(target)
    const unlisted = unlistedIn(target)
    target.exec('COMMIT')
    target.pragma('wal_checkpoint(TRUNCATE)')
    return { saved, lost, unlisted }
  } finally {
    source?.close()
    target.close()
  }
}

function openDamaged(file: string): Db | null {
  try {
    const db = openFile(file, false)
    db.pragma('trusted_schema = OFF')
    // Its log is read as bytes as well, so nothing of it may move into the file.
    db.pragma('wal_autocheckpoint = 0')
    db.pragma('schema_version')
    return db
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

/** seq has no gaps: where an event could not be read, a row says so in its place. */
function fillGaps(db: Db): number {
  const sessions = db.prepare<[], { id: string; last: number; count: number }>('SELECT session_id AS id, max(seq) AS last, count(*) AS count FROM event GROUP BY session_id').all()
  const has = db.prepare<[string, number], { atMs: number }>('SELECT at_ms AS atMs FROM event WHERE session_id = ? AND seq = ?')
  const fill = db.prepare("INSERT INTO event (session_id, seq, type, v, at_ms, turn_id, step, payload) VALUES (?, ?, 'event-lost', 1, ?, NULL, NULL, '{}')")
  let lost = 0
  for (const { id, last, count } of sessions) {
    if (last === count) continue
    let atMs = 0
    for (let seq = 1; seq <= last; seq += 1) {
      const row = has.get(id, seq)
      atMs = row?.atMs ?? atMs
      if (row !== undefined) continue
      fill.run(id, seq, atMs)
      lost += 1
    }
  }
  return lost
}

/** A session whose row and opening are lost belongs to the folder that its snapshots are of. */
function listBySnapshots(db: Db): void {
  db.exec(`INSERT INTO session (id, workspace_id, title, opened_at_ms, last_at_ms, state)
    SELECT event.session_id, snapshot.workspace_id, '', min(event.at_ms), max(event.at_ms), 'idle'
    FROM event JOIN snapshot ON snapshot.session_id = event.session_id
    WHERE event.session_id NOT IN (SELECT id FROM session) GROUP BY event.session_id`)
}

function unlistedIn(db: Db): number {
  const row = db.prepare<[], { count: number }>(`SELECT count(DISTINCT session_id) AS count FROM event WHERE session_id NOT IN
    (SELECT session.id FROM session JOIN workspace ON workspace.id = session.workspace_id)`).get()
  return row?.count ?? 0
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

function flush(file: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(file, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
