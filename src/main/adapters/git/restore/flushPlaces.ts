import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { diskName } from '../../../native/byteText'

/** Makes folders and files durable, side by side, so that the disk can join the flushes. */
export async function flushPlaces(paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += 64) await Promise.all(paths.slice(from, from + 64).map(flushPlace))
}

/** Only flushes; what is gone, or may not be read, has nothing that could be flushed by us. */
async function flushPlace(path: string): Promise<void> {
  let place: FileHandle
  try {
    place = await open(diskName(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return
  }
  try {
    await place.sync()
  } finally {
    await place.close()
  }
}
