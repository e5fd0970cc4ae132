import { deflateSync } from 'node:zlib'
import { BodyCache } from '../store/bodyCache'
import { encodeDelta } from './delta'
import type { RawId } from '../store/gitObjects'
import type { CommitLine } from '../store/history'
import { Lineage } from './lineage'
import type { ObjectStore } from '../store/objectStore'
import { PackEntries, type RawEntry } from './packEntries'
import { deltaHead, entryHead, typeNumber } from './packFormat'
import { PackOutput } from './packOutput'
import type { StoredObject } from './packReader'

/** Where packing works and who is to hear of it. */
export interface PackWorld {
  /** The store's. */
  readonly folder: string
  /** Names this process, and packing in it, in temporary files. */
  readonly tag: string
  readonly isStopped: () => boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Thrown out of packing that was asked to stop. */
export class PackingStopped extends Error {}

/** What was packed; `unreadable` is not in the new pack and must stay where it is. */
export interface PackedAnew {
  /** Null when there was nothing to write. */
  readonly name: string | null
  readonly unreadable: ReadonlySet<RawId>
}

/** zlib's own default: higher ones cost twice the time for a few per cent. */
const level = 6
/** Reading the last of a chain means making every one before it. */
const longestChain = 50
/** Below, the head of a delta takes what it saves. */
const smallestDelta = 64
const cacheBytes = 32 << 20
const betweenTicks = 200

/**
 * Writes one pack of all these objects: the newest version of a path whole, each older one as a delta of the next newer.
 * What lies compressed in an old pack, and would come out the same, is copied when its checksum is right; everything else is
 * unpacked, its id checked, and packed anew. Holds a few objects at a time.
 */
export async function writePack(world: PackWorld, objects: ObjectStore, wanted: ReadonlySet<RawId>, snapshots: Iterable<CommitLine>): Promise<PackedAnew> {
  if (wanted.size === 0) return { name: null, unreadable: new Set() }
  const lineage = new Lineage(objects, snapshots, wanted)
  const job = new PackJob(world, objects, lineage)
  try {
    lineage.order.forEach((id, index) => {
      if (world.isStopped()) throw new PackingStopped()
      if (index % betweenTicks === 0) world.onProgress(index, wanted.size)
      job.write(id)
    })
    return await job.finish()
  } catch (error) {
    job.abandon()
    throw error
  }
}

interface Written {
  readonly depth: number
  /** Where its chain begins. */
  readonly root: RawId
}

class PackJob {
  readonly #objects: ObjectStore
  readonly #lineage: Lineage
  readonly #out: PackOutput
  readonly #old: readonly PackEntries[]
  readonly #written = new Map<RawId, Written>()
  readonly #unreadable = new Set<RawId>()
  readonly #bodies = new BodyCache<RawId, StoredObject>(cacheBytes)

  constructor(world: PackWorld, objects: ObjectStore, lineage: Lineage) {
    this.#objects = objects
    this.#lineage = lineage
    this.#old = objects.packs().map((pack) => new PackEntries(pack))
    this.#out = new PackOutput(`${world.folder}/objects/pack`, world.tag)
  }

  write(id: RawId): void {
    const base = this.#baseFor(id)
    const old = this.#oldEntry(id)
    if (old && this.#takeOver(id, old, base === null)) return
    const object = this.#read(id)
    if (!object) {
      this.#unreadable.add(id)
      return
    }
    if (base !== null && this.#writeDelta(id, object, base)) return
    if (old && old.base === null && this.#takeOver(id, old, true)) return
    this.#writeWhole(id, entryHead(typeNumber[object.type], object.body.length), deflateSync(object.body, { level }))
  }

  async finish(): Promise<PackedAnew> {
    if (this.#out.count > 0) return { name: await this.#out.finish(), unreadable: this.#unreadable }
    this.#out.abandon()
    return { name: null, unreadable: this.#unreadable }
  }

  abandon(): void {
    this.#out.abandon()
  }

  /** Null for none that is written; where the chain would grow too long, what it began with. */
  #baseFor(id: RawId): RawId | null {
    const base = this.#lineage.baseOf(id)
    const written = base === null ? undefined : this.#written.get(base)
    if (base === null || !written) return null
    return written.depth < longestChain ? base : written.root
  }

  #oldEntry(id: RawId): RawEntry | null {
    for (const pack of this.#old) {
      const entry = careful(pack, id)
      if (entry) return entry
    }
    return null
  }

  /** Copies the packed bytes; not where it lies whole and could be a delta. */
  #takeOver(id: RawId, { head, base, packed }: RawEntry, mayBeWhole: boolean): boolean {
    if (base === null) {
      if (mayBeWhole && head.type) this.#writeWhole(id, entryHead(typeNumber[head.type], head.size), packed)
      return mayBeWhole
    }
    const written = this.#written.get(base)
    if (!written || written.depth >= longestChain) return false
    this.#addDelta(id, base, written, head.size, packed)
    return true
  }

  #writeDelta(id: RawId, object: StoredObject, base: RawId): boolean {
    const written = this.#written.get(base)
    const from = object.body.length < smallestDelta ? null : this.#read(base)
    if (!written || !from || from.type !== object.type) return false
    const delta = encodeDelta(from.body, object.body, object.body.length >> 1)
    if (!delta) return false
    this.#addDelta(id, base, written, delta.length, deflateSync(delta, { level }))
    return true
  }

  #addDelta(id: RawId, base: RawId, written: Written, size: number, packed: Buffer): void {
    this.#out.add(id, deltaHead(size, this.#out.offset - (this.#out.offsetOf(base) ?? 0)), packed)
    this.#written.set(id, { depth: written.depth + 1, root: written.root })
  }

  #writeWhole(id: RawId, head: Buffer, packed: Buffer): void {
    this.#out.add(id, head, packed)
    this.#written.set(id, { depth: 0, root: id })
  }

  #read(id: RawId): StoredObject | null {
    const known = this.#bodies.get(id)
    if (known) return known
    const object = this.#objects.read(id)
    if (object) this.#bodies.add(id, object)
    return object
  }
}

/** Null also where the bytes make no sense: the object is then read, and found damaged or somewhere else. */
function careful(pack: PackEntries, id: RawId): RawEntry | null {
  try {
    return pack.careful(id)
  } catch {
    return null
  }
}
