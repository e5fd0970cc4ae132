import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { keptListsSchema } from '../../../shared/domain/catalogue'
import type { KeptList, ModelLists } from '../../core/ports/modelLists'
import { LockHeld, withFileLock } from '../../native/fileLock'
import { writeWhole } from '../../native/wholeFile'
import { readSmallFile } from './smallFile'

const fileBytes = 16 << 20
const mostLists = 50
const mostModels = 3000
const lockMs = 2000

/** model-lists.json in the data folder, beside the settings. A file that cannot be read counts as none, and the next list that comes replaces it. */
export function openModelLists(file: string): ModelLists {
  const read = async (): Promise<Readonly<Record<string, KeptList>>> => {
    const found = await readSmallFile(file, fileBytes)
    return found.kind === 'text' ? parsed(found.text) : {}
  }
  return {
    read,
    async keep(baseUrl, { atMs, models }) {
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        await withFileLock(`${file}.lock`, lockMs, async () => {
          const all = Object.entries({ ...(await read()), [baseUrl]: { atMs, models: models.slice(0, mostModels) } })
          const lists = Object.fromEntries(all.sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, mostLists))
          await writeWhole(file, `${JSON.stringify({ version: 1, lists })}\n`)
        })
      } catch (error) {
        // A full or read-only disk, or another window that writes: the list is in use all the same, and is asked for again after the next start.
        if (!(error instanceof LockHeld) && (error as NodeJS.ErrnoException).code === undefined) throw error
      }
    },
  }
}

function parsed(text: string): Readonly<Record<string, KeptList>> {
  try {
    return keptListsSchema.parse(JSON.parse(text)).lists
  } catch {
    return {} // damaged: as if there were none
  }
}
