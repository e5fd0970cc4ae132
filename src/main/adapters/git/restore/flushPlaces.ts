import { closeSync, constants, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { diskName } from '../../../native/byteText'

const sync = promisify(fsync)

/** Makes folders and files durable, side by side, so that the disk can join the flushes. For a worker thread: opening blocks. */
export async function flushPlaces(paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += 64) await Promise.all(paths.slice(from, from + 64).map(flushPlace))
}

/** Only flushes; what is gone, or may not be read, has nothing that could be flushed by us. */
async function flushPlace(path: string): Promise<void> {
  let place: number
  try {
    place = openSync(diskName(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return
  }
  try {
    await sync(place)
  } finally {
    closeSync(place)
  }
}
