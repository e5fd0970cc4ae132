import type { SnapshotId } from '../../shared/domain/ids'
import type { TreeChange } from '../../shared/domain/snapshot'

/** What entries changed, as far as it was asked for lately: so many changes in all, the longest unused go first. */
export class ChangeCache {
  readonly #known = new Map<SnapshotId, readonly TreeChange[]>()
  readonly #room: number
  #size = 0

  constructor(room: number) {
    this.#room = room
  }

  get(id: SnapshotId): readonly TreeChange[] | undefined {
    const changes = this.#known.get(id)
    if (!changes) return undefined
    this.#known.delete(id)
    this.#known.set(id, changes)
    return changes
  }

  set(id: SnapshotId, changes: readonly TreeChange[]): void {
    if (this.#known.has(id) || sizeOf(changes) > this.#room) return
    this.#known.set(id, changes)
    this.#size += sizeOf(changes)
    for (const [oldest, gone] of this.#known) {
      if (this.#size <= this.#room) return
      this.#known.delete(oldest)
      this.#size -= sizeOf(gone)
    }
  }

  clear(): void {
    this.#known.clear()
    this.#size = 0
  }
}

function sizeOf(changes: readonly TreeChange[]): number {
  return changes.length + 1
}
