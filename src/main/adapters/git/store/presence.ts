import type { MissingObjects } from '../../../core/ports/snapshotStore'
import { toText } from '../../../native/byteText'
import { emptyTree, folderMode, parseTree, type RawId } from './gitObjects'
import type { Held } from './heldDiff'
import type { ObjectStore } from './objectStore'

/** Git's mode of a commit of another repository: nothing of it is held. */
const linkMode = '160000'
const namedPaths = 20

/** What a tree lacks; paths from the tree on, in byte text. */
interface Lack {
  readonly objects: number
  readonly files: number
  readonly paths: readonly string[]
}

const nothing: Lack = { objects: 0, files: 0, paths: [] }

/** Says what moments lack in a store. A tree found whole once is not looked at again until the store has lost something. */
export class Presence {
  readonly #objects: ObjectStore
  readonly #whole = new Set<RawId>()
  #losses: number

  constructor(objects: ObjectStore) {
    this.#objects = objects
    this.#losses = objects.losses
  }

  /** Only presence is looked at; of what a missing folder held nothing is known, so it counts as one. */
  of(moments: readonly Held[]): MissingObjects[] {
    this.#objects.refresh()
    const broken = new Map<RawId, Lack>()
    return moments.map(({ tree, side }) => {
      if (this.#losses !== this.#objects.losses) this.#whole.clear()
      this.#losses = this.#objects.losses
      const lack = this.#lackOf(tree, broken)
      const objects = lack.objects + (this.#objects.has(side) ? 0 : 1)
      return { objects, files: lack.files, paths: lack.paths.map((path) => toText(path === '' ? '.' : path)) }
    })
  }

  #lackOf(tree: RawId, broken: Map<RawId, Lack>): Lack {
    if (tree === emptyTree || this.#whole.has(tree)) return nothing
    const known = broken.get(tree)
    if (known) return known
    const lack = this.#lookInto(tree, broken)
    if (lack.objects === 0) this.#whole.add(tree)
    else broken.set(tree, lack)
    return lack
  }

  #lookInto(tree: RawId, broken: Map<RawId, Lack>): Lack {
    const object = this.#objects.read(tree)
    if (object?.type !== 'tree') return { objects: 1, files: 1, paths: [''] }
    let [objects, files] = [0, 0]
    const paths: string[] = []
    for (const { id, mode, name } of parseTree(object.body)) {
      if (mode === linkMode) continue
      const isFolder = mode === folderMode
      const lack = isFolder ? this.#lackOf(id, broken) : this.#objects.has(id) ? nothing : { objects: 1, files: 1, paths: [''] }
      objects += lack.objects
      files += lack.files
      for (const path of lack.paths) if (paths.length < namedPaths) paths.push(path === '' ? name : `${name}/${path}`)
    }
    return { objects, files, paths }
  }
}
