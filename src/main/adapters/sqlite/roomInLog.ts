import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs'
import { setImmediate as nextRound } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Db } from './driver'

/** A little more than the 1,000 pages after which SQLite takes the log in and begins it anew. */
const roomBytes = 4.5 * 1024 * 1024

/** On a disk with less than this left nothing is taken in advance. */
const leastFreeBytes = 256 * 1024 * 1024

/** What is written in one go, while those who ask wait. */
const pieceBytes = 256 * 1024

const flushed = promisify(fdatasync)

/**
 * Gives the write-ahead log its full size at once, in zeros behind what it holds. A flush of a file that grows has to store
 * its new size and blocks as well, and takes half as long again as one of a file that stays as it is. SQLite ends its
 * reading at the first frame that is none, as it does at what an earlier round of the log left.
 *
 * Written in pieces, each under the lock of those who write, so that no process writes at the same place; requests are answered
 * between them. Gives up without a word where the disk or another process does not let it: nothing depends on it but time.
 *
 * @param isLeft says whether the database is about to be closed; then nothing more is written.
 */
export async function keepRoomInLog(db: Db, file: string, isLeft: () => boolean): Promise<void> {
  try {
    // No file with locks on it: closing it takes none away from the connection.
    const log = openSync(`${file}-wal`, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
    try {
      while (!isLeft() && hasRoom(file) && extend(db, log)) {
        await flushed(log)
        await nextRound()
      }
    } finally {
      closeSync(log)
    }
  } catch {
    // No log there, a full disk, a lock that is held: the log grows with what is written, as it does by itself.
  }
}

function hasRoom(file: string): boolean {
  const { bavail, bsize } = statfsSync(file)
  return bavail * bsize >= leastFreeBytes
}

/** Whether there is more to be written. */
function extend(db: Db, log: number): boolean {
  db.exec('BEGIN IMMEDIATE')
  try {
    const { size } = fstatSync(log)
    const wanted = Math.min(pieceBytes, roomBytes - size)
    if (wanted <= 0) return false
    try {
      if (writeSync(log, Buffer.alloc(wanted), 0, wanted, size) === wanted) return true
    } catch {
      // What fits no more is given back below: the last bytes of a disk are for events.
    }
    ftruncateSync(log, size)
    return false
  } finally {
    db.exec('ROLLBACK')
  }
}
