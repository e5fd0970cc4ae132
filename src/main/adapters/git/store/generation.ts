import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAnew } from './storeFiles'

/**
 * How often objects of a store have been moved into another pack, and how often some were removed: whoever remembers what is
 * where, and what is there, asks whether these moved. Written before anything is removed, so that nobody believes too long.
 */
export interface Generation {
  readonly packed: number
  readonly forgotten: number
}

const fileName = 'countersign.generation'

/** @param folder the store's. */
export function readGeneration(folder: string): Generation {
  try {
    const [packed = 0, forgotten = 0] = readFileSync(join(folder, fileName), 'utf8').split(' ').map(Number)
    return { packed, forgotten }
  } catch {
    return { packed: 0, forgotten: 0 } // never packed
  }
}

/** Call it with the store's lock held. */
export function raiseGeneration(folder: string, what: keyof Generation): void {
  const now = readGeneration(folder)
  const next = { ...now, [what]: now[what] + 1 }
  writeAnew(folder, fileName, `${next.packed} ${next.forgotten}\n`)
}
