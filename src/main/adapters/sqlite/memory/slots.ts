/** Slots that share one time; milliseconds that share one. Close numbers keep the index small. */
const slotsOfTime = 64
const timeMs = 1024

/** The first slot for an entry of this time. A slot's time is never before its entry's: `timeOf(slot) >= atMs`. */
export function firstSlot(atMs: number): number {
  return Math.ceil(Math.max(0, atMs) / timeMs) * slotsOfTime
}

/** The latest time that the entry in a slot, and in every slot before it, can have. */
export function timeOf(slot: number): number {
  return Math.floor(slot / slotsOfTime) * timeMs
}

/**
 * Finds free slots. Where those of a time are all taken, the next time's are: an entry may stand among newer ones, never among
 * older ones, so a walk from the newest knows when nothing newer can come any more.
 *
 * @param last the highest taken slot in a range, null for none.
 */
export function slotFinder(last: (from: number, below: number) => number | null): (atMs: number) => number {
  /** Where a search from a time ended last, so that a large import does not walk over itself. */
  const ended = new Map<number, number>()
  return (atMs) => {
    const first = firstSlot(atMs)
    for (let from = ended.get(first) ?? first; ; from += slotsOfTime) {
      const free = (last(from, from + slotsOfTime) ?? from - 1) + 1
      if (free >= from + slotsOfTime) continue
      ended.set(first, from)
      return free
    }
  }
}
