import * as fs from 'node:fs'
import { succeed, type Result } from '../../shared/domain/result'
import { toText } from './byteText'
import { disk, runNow, type DiskPath, type Stats, type Steps } from './diskSteps'
import { closeFolder, enter, isStillThere, openRootFolder, type KeptFolders, type MakeFolders, type OpenFolder, type Root } from './safeFolder'

const calls = { readlink: (path: string): string => toText(fs.readlinkSync(path, { encoding: 'latin1' })), lstat: (path: DiskPath): Stats => fs.lstatSync(path, { bigint: true }) }

/** A root whose folders are walked to once and then kept open, for many acts in the same folders. */
export interface KeptRoot extends Root {
  readonly kept: FolderKeeper
}

/** Its folders are closed by `closeKeptNow`. */
export function keepFolders(root: Root): KeptRoot {
  return { ...root, kept: new FolderKeeper() }
}

export function closeKeptNow(root: KeptRoot): void {
  root.kept.close()
}

/**
 * The folders of one root that are open. Each was entered from the one above without following a link, and before every act
 * in it, it is asked for again whether it is still what stands at its path: one that was moved, removed or replaced is let
 * go and walked to anew, so that an act never lands elsewhere because a folder was known.
 */
export class FolderKeeper implements KeptFolders {
  readonly #open = new Map<string, OpenFolder>()

  get size(): number {
    return this.#open.size
  }

  /** Whether the folder was entered; that it still stands is asked when it is opened again. */
  has(relative: string): boolean {
    return this.#open.has(relative)
  }

  *open(root: Root, names: readonly string[], make: MakeFolders): Steps<Result<OpenFolder>> {
    const path = names.join('/')
    const known = this.#open.get(path)
    if (known) {
      if (yield* disk.together(() => isStillThere(known, calls))) return succeed(known)
      this.#forget(path)
    }
    const above = names.length === 0 ? null : yield* this.open(root, names.slice(0, -1), make)
    if (above?.ok === false) return above
    const folder = yield* above === null ? openRootFolder(root) : enter(above.value, names[names.length - 1] ?? '', make)
    if (folder.ok) this.#open.set(path, folder.value)
    return folder
  }

  close(): void {
    for (const folder of this.#open.values()) runNow(closeFolder(folder))
    this.#open.clear()
  }

  /** Those below were entered from it: they are no more where they were either. */
  #forget(path: string): void {
    for (const [key, folder] of this.#open) {
      if (key !== path && path !== '' && !key.startsWith(`${path}/`)) continue
      runNow(closeFolder(folder))
      this.#open.delete(key)
    }
  }
}
