import * as fs from 'node:fs'
import { diskPath } from '../../../native/byteText'
import type { RawId } from '../store/gitObjects'
import { projectObjectFolders } from './projectGitFolder'
import { mostIndexBytes, RawPack, type PackedEntry } from './projectGitPack'
import { lstat } from '../scan/stamps'

const blob = 3
/** A repository that is cared for has a few; one with more is packed so badly that looking for objects in it takes longer than storing them. */
const mostPacks = 64

/** Gives the compressed form of content that somebody else has compressed already. */
export interface Lender {
  /** Null when it has none for this blob of `size` bytes. */
  entry(id: RawId, size: number): PackedEntry | null
}

/**
 * The packs of the project's own repository, held open: what happens to the files there meanwhile (`git gc`, removal) costs at
 * most the help. Its index and its configuration are never asked: which object a file is, only the file's own bytes say.
 * Loose objects are not looked at: opening one costs more than storing the bytes at hand.
 */
class ProjectPacks implements Lender {
  readonly #packs: readonly RawPack[]

  private constructor(packs: readonly RawPack[]) {
    this.#packs = packs
  }

  /** Null where there are none. @param root the project's folder, byte text. */
  static open(root: string): ProjectPacks | null {
    const names = projectObjectFolders(root).flatMap(packsIn)
    if (names.length > mostPacks || sizeOf(names) > mostIndexBytes) return null
    const packs = names.flatMap((name) => RawPack.open(name) ?? [])
    return packs.length === 0 ? null : new ProjectPacks(packs)
  }

  entry(id: RawId, size: number): PackedEntry | null {
    for (const pack of this.#packs) {
      // No compressor makes more of it than this.
      const entry = pack.entry(id, size + (size >> 8) + 64)
      if (entry?.type === blob && entry.size === size) return entry
    }
    return null
  }

  close(): void {
    for (const pack of this.#packs) pack.close()
  }
}

/** The same, opened when first asked: with little to store nobody is. */
export class ProjectLender implements Lender {
  readonly #root: string
  #packs: ProjectPacks | null | 'unopened' = 'unopened'

  /** @param root the project's folder, byte text. */
  constructor(root: string) {
    this.#root = root
  }

  entry(id: RawId, size: number): PackedEntry | null {
    if (this.#packs === 'unopened') this.#packs = ProjectPacks.open(this.#root)
    return this.#packs?.entry(id, size) ?? null
  }

  close(): void {
    if (this.#packs !== 'unopened') this.#packs?.close()
    this.#packs = null
  }
}

/** Of the indexes of some packs. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Number(lstat(`${name}.idx`)?.size ?? 0), 0)
}

/** Packs with an index, without their endings. */
function packsIn(objects: string): string[] {
  const folder = `${objects}/pack`
  try {
    if (!fs.lstatSync(diskPath(folder)).isDirectory()) return []
    const names = fs.readdirSync(diskPath(folder), { encoding: 'latin1' })
    return names.filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name)).map((name) => `${folder}/${name.slice(0, -4)}`)
  } catch {
    return []
  }
}
