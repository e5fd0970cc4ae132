import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { succeed, type Result } from '../../shared/domain/result'
import { diskFault } from './diskFault'
import { runNow } from './diskSteps'
import type { KeptRoot } from './keptFolders'
import { dropPrepared, placePrepared, prepareFile, prepareLink, type Place, type Prepared } from './safeFile'
import { atPlace, checkOf, type Expect } from './safePath'

export type { Prepared } from './safeFile'

/**
 * Writing many files: each is made whole under a temporary name, all are flushed side by side, then each takes its name. The
 * promises are those of `writeFileNow`; what a prepared file replaces is looked at once more just before. Prepared files
 * must be placed or dropped before their root's folders are closed.
 */
export function prepareFileNow(root: KeptRoot, relative: string, content: () => Uint8Array, how: { readonly expect: Expect; readonly mode: number }): Result<Prepared> {
  return runNow(atPlace(root, relative, { make: false, durable: false }, (place) => prepareFile(place, content, { check: checkOf(how.expect), mode: how.mode })))
}

export function prepareLinkNow(root: KeptRoot, relative: string, target: () => Buffer, how: { readonly expect: Expect }): Result<Prepared> {
  return runNow(atPlace(root, relative, { make: false, durable: false }, (place) => prepareLink(place, target, { check: checkOf(how.expect) })))
}

const sync = promisify(fs.fsync)

/** Makes the content durable, in node's thread pool. */
export async function flushPrepared({ fd, place }: Prepared): Promise<Result<null>> {
  try {
    if (fd !== null) await sync(fd)
    return succeed(null)
  } catch (error) {
    return diskFault(error, place.path)
  }
}

/** Gives the name. `freed` is when what was replaced has left the disk; that is slow, and happens in node's thread pool. */
export function placePreparedNow(prepared: Prepared): { readonly outcome: Result<null>; readonly freed: Promise<void> } {
  const old = holdOld(prepared.place)
  const placed = runNow(placePrepared(prepared))
  const freed = old === null ? Promise.resolve() : new Promise<void>((resolve, reject) => fs.close(old, (error) => (error ? reject(error) : resolve())))
  return { outcome: placed.ok ? succeed(null) : placed, freed }
}

export function dropPreparedNow(prepared: Prepared): void {
  runNow(dropPrepared(prepared))
}

const openForNaming = 0o10000000 | ((fs.constants.O_NOFOLLOW as number | undefined) ?? 0)

/** A file that is open is freed only when it is closed: by whom is ours to choose. */
function holdOld({ folder, name }: Place): number | null {
  if (folder.fd === null) return null
  try {
    return fs.openSync(folder.at(name), openForNaming)
  } catch {
    return null // nothing there, or not ours to name: then it is freed where it is replaced
  }
}
