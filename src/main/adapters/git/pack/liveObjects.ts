import { emptyTree, folderMode, parseTree, type RawId } from '../store/gitObjects'
import { ObjectMissing } from '../store/heldDiff'
import { commitOf, commitsFrom, type CommitLine } from '../store/history'
import type { ObjectStore } from '../store/objectStore'

/**
 * Everything that must stay. What is not in the store keeps nothing alive; but where something is there and cannot be read,
 * nobody knows what it would keep, so it throws `ObjectMissing` and nothing may be removed.
 */
export class LiveObjects {
  readonly ids = new Set<RawId>()
  readonly snapshots = new Map<RawId, CommitLine>()
  readonly sides = new Set<RawId>()
  readonly #objects: ObjectStore

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  /** A snapshot with all it holds, by its commit. */
  addSnapshot(id: RawId): void {
    const commit = this.#commit(id)
    if (!commit || this.snapshots.has(id)) return
    this.snapshots.set(id, commit)
    this.ids.add(commit.id)
    this.addTree(commit.tree)
    if (commit.side === null) return
    this.ids.add(commit.side)
    this.sides.add(commit.side)
  }

  /** The newest snapshot, and those before it back to the first that stays anyway; where none does, the newest alone. */
  addNewer(tip: RawId): void {
    const newer: RawId[] = []
    for (const { id } of commitsFrom(this.#objects, tip, new Set())) {
      if (this.snapshots.has(id)) return newer.forEach((one) => this.addSnapshot(one))
      newer.push(id)
    }
    this.addSnapshot(tip)
  }

  /** Everything a name of somebody else leads to. */
  addHistory(tip: RawId): void {
    this.#commit(tip)
    for (const { id } of commitsFrom(this.#objects, tip, new Set())) this.addSnapshot(id)
  }

  /** Ids of a tree and all below it. */
  addTree(id: RawId): void {
    if (id === emptyTree || this.ids.has(id)) {
      this.ids.add(id)
      return
    }
    this.ids.add(id)
    const object = this.#objects.read(id)
    if (!object && this.#objects.isDamaged(id)) throw new ObjectMissing(id)
    if (object?.type !== 'tree') return
    for (const line of parseTree(object.body)) {
      if (line.mode === folderMode) this.addTree(line.id)
      else this.ids.add(line.id)
    }
  }

  #commit(id: RawId): CommitLine | null {
    const commit = commitOf(this.#objects, id)
    if (!commit && this.#objects.isDamaged(id)) throw new ObjectMissing(id)
    return commit
  }
}
