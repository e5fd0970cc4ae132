import * as fs from 'node:fs'
import { join } from 'node:path'
import { LockHeld, withFileLock } from '../../../native/fileLock'
import { hexOf, type RawId } from '../store/gitObjects'
import { raiseGeneration } from '../store/generation'
import { readRefs, snapshotsOf, type CommitLine } from '../store/history'
import { flushFolder, ObjectStore } from '../store/objectStore'
import { isHasty } from './packEntries'
import { writePack, type PackWorld } from './packJob'
import { PackReader } from './packReader'
import { removeStored } from '../store/storeRemoval'
import { lockWaitMs, sizeOf, storeLock } from '../store/storeFiles'

/** What packing or forgetting has come to. */
export interface PackOutcome {
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly objects: number
  /** Objects that could not be read. The files they lie in were left as they are. */
  readonly damaged: readonly RawId[]
}

/** A pack is rewritten when what is smaller makes up this part of it: an eighth. */
const share = 8

/**
 * Packs what lies in files of its own, what was packed in haste, and small packs, into one. A large pack is left alone until
 * all that is smaller comes to an eighth of it, so ten new objects never cost the rewriting of everything, and there are never
 * more packs than the logarithm of the size. Nothing is removed before the new pack is durable: a kill at any moment leaves
 * every object readable. When another process is at it already, nothing is done.
 *
 * @throws PackingStopped, or what the disk says.
 */
export async function packStore(world: PackWorld): Promise<PackOutcome> {
  const bytesBefore = sizeOf(world.folder)
  const pack = (): Promise<{ readonly objects: number; readonly damaged: readonly RawId[] }> => withStore(world, (objects) => packSmall(world, objects))
  try {
    const done = await withFileLock(packingLock(world.folder), 0, pack)
    return { bytesBefore, bytesAfter: sizeOf(world.folder), ...done }
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    return { bytesBefore, bytesAfter: bytesBefore, ...(await withStore(world, (objects) => Promise.resolve({ objects: objects.count(), damaged: [] }))) }
  }
}

/** One at a time over all processes, so that no work is done twice; for safety nothing depends on it. */
export function packingLock(folder: string): string {
  return join(folder, 'countersign.packing.lock')
}

/** What a packing thread of this process left that came to a sudden end. Call it with the packing lock held. */
export function sweepOwn({ folder, tag }: PackWorld): void {
  const packs = join(folder, 'objects', 'pack')
  for (const name of fs.readdirSync(packs)) if (name.startsWith(`tmp_pack_${tag}_`)) fs.rmSync(join(packs, name), { force: true })
}

/** The store as it is on disk now, for the time of `run`. */
export async function withStore<T>(world: PackWorld, run: (objects: ObjectStore) => Promise<T>): Promise<T> {
  const objects = new ObjectStore(join(world.folder, 'objects'), world.tag)
  try {
    return await run(objects)
  } finally {
    objects.close()
  }
}

async function packSmall(world: PackWorld, objects: ObjectStore): Promise<{ readonly objects: number; readonly damaged: readonly RawId[] }> {
  sweepOwn(world)
  const packs = packsToRewrite(world.folder, objects)
  const others = objects.packs().filter((pack) => !packs.includes(pack))
  const loose = [...objects.loose()]
  // A copy that lies in a pack that stays needs no second one there, if it can be read.
  const doubles = new Set(loose.filter((id) => others.some((pack) => isReadable(pack, id, objects))))
  const wanted = new Set(loose.filter((id) => !doubles.has(id)))
  for (const pack of packs) pack.forEachId((id) => wanted.add(id))
  const { name, unreadable } = await writePack(world, objects, wanted, newest(snapshotsOf(objects, readRefs(world.folder)), wanted))
  flushFolder(join(world.folder, 'objects', 'pack'))
  await replace({ world, name, packs: packs.filter((pack) => isWhole(pack, unreadable)), loose: loose.filter((id) => !unreadable.has(id)), doubles })
  const left = await withStore(world, (now) => Promise.resolve(now.count()))
  return { objects: left, damaged: [...unreadable] }
}

/** Up to the first that is in a pack which stays, as all before it are. */
function* newest(snapshots: Iterable<CommitLine>, wanted: ReadonlySet<RawId>): Generator<CommitLine> {
  for (const snapshot of snapshots) {
    if (!wanted.has(snapshot.id)) return
    yield snapshot
  }
}

interface Replacement {
  readonly world: PackWorld
  readonly name: string | null
  readonly packs: readonly PackReader[]
  readonly loose: readonly RawId[]
  readonly doubles: ReadonlySet<RawId>
}

/** Removes what the new pack holds as well; the new pack is looked at once more, for another process may have packed meanwhile. */
async function replace({ world, name, packs, loose, doubles }: Replacement): Promise<void> {
  if (packs.length === 0 && loose.length === 0) return
  await withFileLock(storeLock(world.folder), lockWaitMs, async () => {
    const fresh = name === null ? null : new PackReader(name)
    try {
      const isSafe = (id: RawId): boolean => doubles.has(id) || fresh?.has(id) === true
      const old = packs.filter((pack) => pack.name !== name && isEvery(pack, isSafe))
      raiseGeneration(world.folder, 'packed')
      removeStored(world.folder, old.map((pack) => pack.name), loose.filter(isSafe))
    } finally {
      fresh?.close()
    }
    return Promise.resolve()
  })
}

/** Those that are smaller than eight times everything smaller still, and those written in haste. */
function packsToRewrite(folder: string, objects: ObjectStore): PackReader[] {
  const packs = objects.packs().filter((pack) => !fs.existsSync(`${pack.name}.keep`)).sort((a, b) => a.end - b.end)
  let smaller = 0
  for (const id of objects.loose()) smaller += sizeOfLoose(folder, id)
  let until = 0
  packs.forEach((pack, index) => {
    if (smaller * share >= pack.end) until = index + 1
    smaller += pack.end
  })
  return packs.filter((pack, index) => index < until || isHasty(pack))
}

function sizeOfLoose(folder: string, id: RawId): number {
  const hex = hexOf(id)
  return fs.lstatSync(join(folder, 'objects', hex.slice(0, 2), hex.slice(2)), { throwIfNoEntry: false })?.size ?? 0
}

function isReadable(pack: PackReader, id: RawId, objects: ObjectStore): boolean {
  return pack.has(id) && objects.isReadableIn(pack, id)
}

function isWhole(pack: PackReader, unreadable: ReadonlySet<RawId>): boolean {
  return isEvery(pack, (id) => !unreadable.has(id))
}

/** Whether all ids of a pack pass. */
export function isEvery(pack: PackReader, test: (id: RawId) => boolean): boolean {
  for (let place = 0; place < pack.count; place++) if (!test(pack.idAt(place))) return false
  return true
}
