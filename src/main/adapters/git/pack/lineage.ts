import { emptyTree, folderMode, parseTree, type RawId, type TreeLine } from '../store/gitObjects'
import type { CommitLine } from '../store/history'
import type { ObjectStore } from '../store/objectStore'

/**
 * What each object is best told from: the version of the same path in the next newer snapshot. The newest of a path, and
 * whatever no snapshot shows, stands alone.
 */
export class Lineage {
  /** Ids in an order in which a base comes before what is told from it, each version right after the next newer one. */
  readonly order: readonly RawId[]
  readonly #bases: ReadonlyMap<RawId, RawId>

  /**
   * @param snapshots the newest first.
   * @param wanted only these are told of; where a folder is not wanted, nothing in it is looked for.
   */
  constructor(objects: ObjectStore, snapshots: Iterable<CommitLine>, wanted: ReadonlySet<RawId>) {
    const walk = new Walk(objects, wanted)
    for (const snapshot of snapshots) if (wanted.has(snapshot.id)) walk.step(snapshot)
    this.#bases = walk.bases
    this.order = inChains(walk.seen, walk.bases, wanted)
  }

  /** Null for what stands alone. */
  baseOf(id: RawId): RawId | null {
    return this.#bases.get(id) ?? null
  }
}

class Walk {
  readonly seen = new Set<RawId>()
  readonly bases = new Map<RawId, RawId>()
  readonly #objects: ObjectStore
  readonly #wanted: ReadonlySet<RawId>
  #newer: CommitLine | null = null
  #newerSide: RawId | null = null

  constructor(objects: ObjectStore, wanted: ReadonlySet<RawId>) {
    this.#objects = objects
    this.#wanted = wanted
  }

  step(snapshot: CommitLine): void {
    this.#see(snapshot.id, null)
    this.#seeTree(snapshot.tree, this.#newer?.tree ?? null)
    if (snapshot.side !== null) this.#see(snapshot.side, this.#newerSide)
    this.#newerSide = snapshot.side ?? this.#newerSide
    this.#newer = snapshot
  }

  #see(id: RawId, newer: RawId | null): boolean {
    if (this.seen.has(id) || !this.#wanted.has(id)) return false
    this.seen.add(id)
    if (newer !== null && newer !== id && this.seen.has(newer)) this.bases.set(id, newer)
    return true
  }

  #seeTree(tree: RawId, newer: RawId | null): void {
    if (!this.#see(tree, newer)) return
    const before = new Map((newer === null ? [] : this.#lines(newer)).map((line) => [line.name, line]))
    for (const line of this.#lines(tree)) {
      const same = before.get(line.name)
      const isFolder = line.mode === folderMode
      const alike = same && (same.mode === folderMode) === isFolder ? same.id : null
      if (isFolder) this.#seeTree(line.id, alike)
      else this.#see(line.id, alike)
    }
  }

  /** Nothing where it cannot be read: whoever writes the objects finds that out and says so. */
  #lines(tree: RawId): readonly TreeLine[] {
    if (tree === emptyTree) return []
    const object = this.#objects.read(tree)
    return object?.type === 'tree' ? parseTree(object.body) : []
  }
}

/** Those that stand alone in the order they were seen in, each followed by all that is told from it; at the end what was not seen. */
function inChains(seen: ReadonlySet<RawId>, bases: ReadonlyMap<RawId, RawId>, wanted: ReadonlySet<RawId>): RawId[] {
  const from = new Map<RawId, RawId[]>()
  for (const [id, base] of bases) {
    const others = from.get(base)
    if (others) others.push(id)
    else from.set(base, [id])
  }
  const order: RawId[] = []
  for (const id of seen) {
    if (bases.has(id)) continue
    const open = [id]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      order.push(next)
      open.push(...(from.get(next) ?? []))
    }
  }
  for (const id of wanted) if (!seen.has(id)) order.push(id)
  return order
}
