import { join } from 'node:path'
import { LockHeld } from '../../../native/fileLock'
import { everyFolder, type FolderModel } from '../scan/folderModel'
import { idOf, type RawId } from '../store/gitObjects'
import type { ObjectStore } from '../store/objectStore'
import { ProjectLender } from './projectGitPacks'
import { PackProof, type Put } from './projectGitProof'
import { lstat, readHeld } from '../scan/stamps'

/** Bytes that are opened before anybody else gets a turn: some ten milliseconds. */
const proofBytes = 4 << 20

/**
 * The part the project's own repository plays: at the first scan of a store its packs lend what they have compressed already,
 * and what was lent is proven when the scan is over. A project without one is snapshotted all the same.
 */
export class ProjectHelp {
  readonly #folder: string
  readonly #root: string
  readonly #objects: ObjectStore
  #lender: ProjectLender | null = null
  #proof: PackProof | null = null

  /** @param folder the store's. @param root the project's folder, byte text. */
  constructor(folder: string, root: string, objects: ObjectStore) {
    this.#folder = folder
    this.#root = root
    this.#objects = objects
  }

  /** Before a scan. Later scans store so little that looking for it elsewhere is not worth it. */
  begin(): void {
    this.#lender = this.#objects.count() === 0 ? new ProjectLender(this.#root) : null
    this.#objects.lender = this.#lender
  }

  /** The project that may be asked during this scan. */
  get lendFrom(): string | null {
    return this.#lender && this.#root
  }

  /** After a scan, however it ended. */
  end(): void {
    this.#objects.lender = null
    this.#lender?.close()
    this.#lender = null
  }

  /** Proves a piece of what was lent. False when nothing is left, or the disk fails: the mark is still there at the next start. */
  async prove(model: FolderModel): Promise<boolean> {
    try {
      this.#proof ??= PackProof.begin(join(this.#folder, 'objects', 'pack'))
      if (!this.#proof?.proceed(proofBytes)) return this.#proof !== null
      await this.#proof.finish(this.#folder, (bad, put) => restoreFromDisk(this.#root, model, bad, put))
      this.#objects.refresh()
      this.close()
      return true
    } catch (error) {
      this.close()
      if (!(error instanceof LockHeld) && (error as NodeJS.ErrnoException).code === undefined) throw error
      return false
    }
  }

  close(): void {
    this.#proof?.close()
    this.#proof = null
  }
}

/** Content that still lies in the project as it was when its id was found. What does not counts as forgotten, so the next scan reads it again. */
function restoreFromDisk(root: string, model: FolderModel, bad: ReadonlySet<RawId>, put: Put): void {
  everyFolder(model.root, ({ files }, path) => {
    for (const [name, file] of files) {
      if (!bad.has(file.id)) continue
      const place = `${root}/${path}${name}`
      const stats = lstat(place)
      const read = stats && readHeld(place, stats)
      if (read?.kind === 'read' && idOf('blob', read.body) === file.id) put(file.id, read.body)
    }
  })
}
