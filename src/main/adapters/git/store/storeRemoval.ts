import * as fs from 'node:fs'
import { join } from 'node:path'
import { hexOf, type RawId } from './gitObjects'
import { flushFolder } from './objectStore'
import { unprovenEnding } from '../pack/packWriter'

/** What plain git may have written beside packs and would miss what is removed from under it. */
const indexesOfGit = ['pack/multi-pack-index', 'info/commit-graph', 'info/commit-graphs', 'info/packs']

/** Removes packs and objects in files of their own. Call it with the store's lock held, after the generation was raised. */
export function removeStored(folder: string, packs: readonly string[], loose: Iterable<RawId>): void {
  const objects = join(folder, 'objects')
  for (const name of indexesOfGit) fs.rmSync(join(objects, name), { recursive: true, force: true })
  for (const pack of packs) {
    // The index first: without it nobody looks for the rest, and a sweep takes that for rubbish.
    for (const ending of ['.idx', '.rev', '.bitmap', '.mtimes', unprovenEnding, '.pack']) removeFile(pack + ending)
  }
  for (const id of loose) {
    const hex = hexOf(id)
    removeFile(join(objects, hex.slice(0, 2), hex.slice(2)))
  }
  flushFolder(join(objects, 'pack'))
}

/** What somebody holds open on a system that forbids it is left for a sweep. */
function removeFile(file: string): void {
  try {
    fs.rmSync(file, { force: true })
  } catch (error) {
    if (!['EBUSY', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
