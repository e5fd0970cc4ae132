import * as fs from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../../native/fileLock'
import { raiseGeneration } from '../store/generation'
import { hexOf, rawOf, type RawId } from '../store/gitObjects'
import { keptRefs, readRefs, sideRef, snapshotsOf } from '../store/history'
import { LiveObjects } from './liveObjects'
import { flushFolder, type ObjectStore } from '../store/objectStore'
import { PackingStopped, writePack, type PackedAnew, type PackWorld } from './packJob'
import { PackReader } from './packReader'
import { isEvery, packingLock, sweepOwn, withStore, type PackOutcome } from './repack'
import { putSideCommit, readSideChain } from '../store/sideChain'
import { lockWaitMs, mainRef, sizeOf, storeLock, writeAnew } from '../store/storeFiles'
import { removeStored } from '../store/storeRemoval'

/** Packing stops for a person's wish within this time. */
const packingWaitMs = 60_000

/**
 * Keeps these commits, what was committed after the newest of them (whoever names what is kept may not know of it yet), the tip
 * of the branch, the side lists they name and what other names in the store lead to, and removes every other object. Commits keep their ids: where the one before is gone, git's `shallow` file says so; those the branch no
 * longer leads to get names of their own. The slow part happens without the store's lock; what was committed meanwhile is
 * found under it and kept as well. Packs that hold something unreadable stay whole.
 *
 * @throws LockHeld, PackingStopped, ObjectMissing when something that stays cannot be read, or what the disk says.
 */
export async function forgetSnapshots(world: PackWorld, kept: readonly string[]): Promise<PackOutcome> {
  const bytesBefore = sizeOf(world.folder)
  const damaged = await withFileLock(packingLock(world.folder), packingWaitMs, () => withStore(world, (objects) => new Forgetting(world, objects).run(kept.map(rawOf))))
  const objects = await withStore(world, (now) => Promise.resolve(now.count()))
  return { bytesBefore, bytesAfter: sizeOf(world.folder), objects, damaged }
}

class Forgetting {
  readonly #world: PackWorld
  readonly #objects: ObjectStore
  readonly #live: LiveObjects

  constructor(world: PackWorld, objects: ObjectStore) {
    this.#world = world
    this.#objects = objects
    this.#live = new LiveObjects(objects)
  }

  /** Gives what could not be read. */
  async run(kept: readonly RawId[]): Promise<readonly RawId[]> {
    sweepOwn(this.#world)
    const refs = readRefs(this.#world.folder)
    for (const id of kept) {
      if (this.#world.isStopped()) throw new PackingStopped()
      this.#live.addSnapshot(id)
    }
    this.#keepNamed(refs)
    const loose = [...this.#objects.loose()].filter((id) => !this.#live.ids.has(id))
    const packs = this.#objects.packs().filter((pack) => !fs.existsSync(`${pack.name}.keep`) && this.#holdsDead(pack))
    if (loose.length === 0 && packs.length === 0) return []
    const anew = await this.#packLive(packs, refs)
    const old = packs.filter((pack) => pack.name !== anew.name && isEvery(pack, (id) => !anew.unreadable.has(id)))
    await withFileLock(storeLock(this.#world.folder), lockWaitMs, () => this.#swap(anew.name, old, loose))
    return [...anew.unreadable]
  }

  /** The branch's newest, what others have named, and the side chain when all it names stays. */
  #keepNamed(refs: ReadonlyMap<string, RawId>): void {
    for (const [name, id] of refs) {
      if (name === mainRef) this.#live.addNewer(id)
      else if (name !== sideRef && !name.startsWith(keptRefs)) this.#live.addHistory(id)
    }
    this.#keepSideChain(refs)
  }

  /** False when it names lists that do not stay. */
  #keepSideChain(refs: ReadonlyMap<string, RawId>): boolean {
    const tip = refs.get(sideRef)
    if (tip === undefined) return this.#live.sides.size === 0
    const { commits, sides } = readSideChain(this.#objects, tip)
    const isWanted = [...sides].every((id) => this.#live.sides.has(id)) && [...this.#live.sides].every((id) => sides.has(id))
    if (isWanted) for (const { id, tree } of commits) this.#live.ids.add(id).add(tree)
    return isWanted
  }

  #holdsDead(pack: PackReader): boolean {
    return !isEvery(pack, (id) => this.#live.ids.has(id))
  }

  async #packLive(packs: readonly PackReader[], refs: ReadonlyMap<string, RawId>): Promise<PackedAnew> {
    const wanted = new Set<RawId>()
    for (const pack of packs) pack.forEachId((id) => this.#live.ids.has(id) && wanted.add(id))
    const anew = await writePack(this.#world, this.#objects, wanted, snapshotsOf(this.#objects, refs))
    flushFolder(join(this.#world.folder, 'objects', 'pack'))
    return anew
  }

  /** With the store's lock held, so that no commit comes in between. */
  async #swap(name: string | null, packs: readonly PackReader[], loose: readonly RawId[]): Promise<void> {
    const refs = readRefs(this.#world.folder)
    const tip = refs.get(mainRef)
    if (tip !== undefined) this.#live.addNewer(tip)
    const side = this.#keepSideChain(refs) ? null : putSideCommit(this.#objects, this.#live.sides)
    if (side) this.#live.ids.add(side.commit).add(side.tree)
    await this.#saveFrom(packs, name)
    this.#writeNames(refs, side?.commit ?? null)
    raiseGeneration(this.#world.folder, 'forgotten')
    removeStored(this.#world.folder, packs.map((pack) => pack.name), loose.filter((id) => !this.#live.ids.has(id)))
  }

  /** Writes what became needed since, and lies only in packs that go, into files of its own. */
  async #saveFrom(packs: readonly PackReader[], name: string | null): Promise<void> {
    await this.#objects.flush()
    const fresh = name === null ? null : new PackReader(name)
    try {
      const others = this.#objects.packs().filter((pack) => !packs.includes(pack))
      const isElsewhere = (id: RawId): boolean => fresh?.has(id) === true || this.#objects.loose().has(id) || others.some((pack) => pack.has(id))
      const saved = new Set<RawId>()
      for (const pack of packs) pack.forEachId((id) => this.#live.ids.has(id) && !isElsewhere(id) && saved.add(id))
      await this.#objects.writeLooseCopies(saved)
    } finally {
      fresh?.close()
    }
  }

  #writeNames(refs: ReadonlyMap<string, RawId>, side: RawId | null): void {
    const { folder } = this.#world
    if (side !== null) writeAnew(folder, sideRef, `${hexOf(side)}\n`)
    const cut = [...this.#live.snapshots.values()].filter(({ parents }) => parents.some((id) => !this.#live.ids.has(id)))
    writeOrRemove(folder, 'shallow', cut.map(({ id }) => `${hexOf(id)}\n`).sort())
    const others = readLines(join(folder, 'packed-refs')).filter((line) => isOthers(folder, line))
    const kept = this.#detached(refs).map((id) => `${hexOf(id)} ${keptRefs}${hexOf(id)}`)
    writeOrRemove(folder, 'packed-refs', [...others, ...kept].map((line) => `${line}\n`))
  }

  /** Snapshots that stay and that nothing that stays leads to; the newest first. */
  #detached(refs: ReadonlyMap<string, RawId>): RawId[] {
    const led = new Set([...this.#live.snapshots.values()].flatMap(({ parents }) => parents))
    const tip = refs.get(mainRef)
    const known = [...snapshotsOf(this.#objects, refs)].map(({ id }) => id).filter((id) => this.#live.snapshots.has(id))
    return [...new Set([...known, ...this.#live.snapshots.keys()])].filter((id) => id !== tip && !led.has(id))
  }
}

/** A line of `packed-refs` that stays: not one of ours, nor one that a file of that name overrules, which may name what goes. */
function isOthers(folder: string, line: string): boolean {
  const name = line.slice(41)
  return line.startsWith('^') || (/^[0-9a-f]{40} /.test(line) && !name.startsWith(keptRefs) && !fs.existsSync(join(folder, name)))
}

function writeOrRemove(folder: string, name: string, lines: readonly string[]): void {
  if (lines.length > 0) writeAnew(folder, name, lines.join(''))
  else fs.rmSync(join(folder, name), { force: true })
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
