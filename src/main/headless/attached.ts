import { open } from 'node:fs/promises'
import path from 'node:path'
import type { AttachedFile } from '../../shared/domain/event'
import { fail, said, succeed, type Result } from '../../shared/domain/result'
import { takenBytes } from '../../shared/ipc/attachViews'
import { say } from '../../shared/words/say'
import type { Attaching, ChosenFile } from '../services/attaching'
import { Fault } from './usage'

/**
 * What goes with a message of the command line, as the window would take it: a path in the project is read as the agent would
 * read it, anything else is kept first, pictures made to fit. One that cannot be taken ends the command before anything is sent.
 */
export async function readAttached(attaching: Attaching, paths: readonly string[]): Promise<readonly AttachedFile[]> {
  const chosen: ChosenFile[] = []
  for (const given of paths) chosen.push(orFault(await choose(attaching, path.resolve(given))))
  return orFault(await attaching.read(chosen))
}

async function choose(attaching: Attaching, file: string): Promise<Result<ChosenFile>> {
  const place = await attaching.place(file)
  if (place !== null) return succeed({ kind: 'project', path: place.path })
  const name = path.basename(file)
  const bytes = await readUpTo(file, takenBytes)
  if (bytes === null) return fail('attach.cannot', { name, reason: said('attach.unread') })
  if (typeof bytes === 'number') return fail('attach.file-bytes', { name, sizeBytes: bytes, limitBytes: takenBytes })
  const taken = await attaching.take({ name, bytes })
  return taken.ok ? succeed({ kind: 'kept', ref: taken.value.ref, name: taken.value.name, mimeType: taken.value.mimeType }) : taken
}

/** The bytes; their number where there are too many; null for what is no file that can be read. */
async function readUpTo(file: string, most: number): Promise<Uint8Array | number | null> {
  try {
    const handle = await open(file, 'r')
    try {
      const facts = await handle.stat()
      if (!facts.isFile()) return null
      return facts.size > most ? facts.size : await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

function orFault<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Fault(say('en', result.fault))
  return result.value
}
