import { isStopped } from './scanFlags'
import { lstat, lstatAt } from './stamps'

/** What is asked of some names of one folder. */
export interface Look {
  /** The folder's absolute path, byte text, without a slash at its end. */
  readonly place: string
  /** Names in it; '' is the folder itself. */
  readonly names: readonly string[]
  /** What the disk said last, five numbers a name: both times, size, inode, mode. */
  readonly stamps: BigInt64Array
}

/** How many numbers stand for one name. */
export const stampWidth = 5

/** Flags and counts that both threads see while they look. */
export interface Shared {
  /** Those of `ScanFlags`. */
  readonly flags: Int32Array
  /** Files done so far. */
  readonly seen: Int32Array
}

const beyondAscii = /[^\0-\x7f]/

interface Kept extends Look {
  readonly isPlain: boolean
}

/** Looks by their numbers: flat lists, so that asking the disk again for all of them makes nothing that stays. */
export class LookList {
  readonly #looks: (Kept | null)[] = []

  set(slot: number, look: Look | null): void {
    while (this.#looks.length <= slot) this.#looks.push(null)
    this.#looks[slot] = look && { ...look, isPlain: !beyondAscii.test(look.place) && !look.names.some((name) => beyondAscii.test(name)) }
  }

  /** For each number 1 when the disk says what it said, else 0. Null when it was stopped. `onLook` is called now and then. */
  check({ flags, seen }: Shared, onLook: () => void = () => undefined): Uint8Array | null {
    const still = new Uint8Array(this.#looks.length)
    for (let slot = 0; slot < still.length; slot++) {
      const look = this.#looks[slot]
      if (!look) continue
      if (isStopped(flags)) return null
      if (!isStill(look)) continue
      still[slot] = 1
      Atomics.add(seen, 0, look.names.length)
      onLook()
    }
    return still
  }
}

function isStill({ place, names, stamps, isPlain }: Kept): boolean {
  const ask = isPlain ? lstatAt : lstat
  const prefix = `${place}/`
  for (let i = 0, at = 0; i < names.length; i++, at += stampWidth) {
    const name = names[i] ?? ''
    const stats = ask(name === '' ? place : prefix + name)
    if (!stats || stats.mtimeNs !== stamps[at] || stats.ctimeNs !== stamps[at + 1] || stats.size !== stamps[at + 2] || stats.ino !== stamps[at + 3] || stats.mode !== stamps[at + 4]) return false
  }
  return true
}
