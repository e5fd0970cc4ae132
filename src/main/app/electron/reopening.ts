import { access, constants, readFile, rm } from 'node:fs/promises'
import { said, type Said } from '../../../shared/domain/result'
import type { Settings } from '../../../shared/domain/settings'
import { diskFault } from '../../native/diskFault'
import { writeWhole } from '../../native/wholeFile'

interface Note {
  readonly root: string
  readonly starts: number
}

/** A folder that stood open for this long did not bring the app down. */
const standsMs = 10_000
/** After so many starts in a row that ended without a word, the folder is left alone. */
const mostStarts = 2

/** Opens the last folder again at the start, and remembers starts that did not live through it. */
export interface Reopening {
  /** Opens it where the settings want that; gives why it was not opened, in words. Null as well where there is nothing to open. */
  start(settings: Pick<Settings, 'reopenFolder' | 'recentFolders'>, open: (root: string) => Promise<Said | null>): Promise<Said | null>
  /** A folder was opened, by whatever way: after a while, what was remembered is forgotten. */
  opened(): void
  /** The app is left as it should be. */
  close(): Promise<void>
}

/** Makes it over a note in the data folder: written before the folder is opened, removed once it stands. */
export function makeReopening(file: string, afterMs = standsMs): Reopening {
  let timer: NodeJS.Timeout | null = null
  const forget = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    await quietly(() => rm(file, { force: true }))
  }
  const opened = (): void => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => void forget(), afterMs)
    timer.unref()
  }
  return {
    opened,
    async start({ reopenFolder, recentFolders: [root] }, open) {
      if (!reopenFolder || root === undefined) return null
      const note = await readNote(file)
      const starts = note?.root === root ? note.starts : 0
      if (starts >= mostStarts) return said('app.not-reopened-crashed', { root, starts })
      const unreadable = await faultOf(root)
      if (unreadable) return said('app.not-reopened', { reason: unreadable })
      await quietly(() => writeWhole(file, JSON.stringify({ root, starts: starts + 1 } satisfies Note)))
      const fault = await open(root)
      if (fault === null) {
        opened()
        return null
      }
      await forget()
      return said('app.not-reopened', { reason: fault })
    },
    async close() {
      // Without an opened folder nothing was shown to be well: what is remembered stays.
      if (timer) await forget()
    },
  }
}

async function readNote(file: string): Promise<Note | null> {
  try {
    const note = JSON.parse(await readFile(file, 'utf8')) as Partial<Note> | null
    return typeof note?.root === 'string' && Number.isInteger(note.starts) ? (note as Note) : null
  } catch {
    return null // not there, or damaged: it only ever spares a start
  }
}

async function faultOf(root: string): Promise<Said | null> {
  try {
    await access(root, constants.R_OK | constants.X_OK)
    return null
  } catch (error) {
    return diskFault(error, root).fault
  }
}

/** A disk that takes no note must not keep the folder from being opened. */
async function quietly(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
