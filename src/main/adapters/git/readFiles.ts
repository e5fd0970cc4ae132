import type { RawId } from './gitObjects'
import { stampWidth, type Shared } from './lookList'
import { readOutcomes, type ReadFiles, type SentFiles } from './scanMessages'
import { readHeld } from './stamps'

/** What reading needs besides the files. */
export interface ReadWorld {
  /** Takes a file's bytes and gives its id. */
  readonly store: (body: Uint8Array) => RawId
  readonly shared: Shared
  /** When no more is begun. */
  readonly untilMs: number
  readonly onRead: () => void
}

const noId = ' '.repeat(20)

/** Reads and stores files. Null when it was stopped. */
export function readFiles({ places, stamps }: Omit<SentFiles, 'claim'>, { store, shared, untilMs, onRead }: ReadWorld): ReadFiles | null {
  const outcomes = new Uint8Array(places.length)
  const readAtMs = new Float64Array(places.length)
  let ids = ''
  for (const [i, place] of places.entries()) {
    if (Atomics.load(shared.cancel, 0) === 1) return null
    const now = Date.now()
    const read = now > untilMs ? ({ kind: 'time-budget' } as const) : readHeld(place, stampAt(stamps, i))
    const outcome = read.kind === 'read' ? (read.isSteady ? 'steady' : 'moved') : read.kind
    outcomes[i] = readOutcomes.indexOf(outcome)
    readAtMs[i] = now
    ids += read.kind === 'read' ? store(read.body) : noId
    Atomics.add(shared.seen, 0, 1)
    onRead()
  }
  return { outcomes, ids, readAtMs }
}

function stampAt(stamps: BigInt64Array, i: number): Parameters<typeof readHeld>[1] {
  const at = (part: number): bigint => stamps[i * stampWidth + part] ?? 0n
  return { mtimeNs: at(0), ctimeNs: at(1), size: at(2), ino: at(3), mode: at(4) }
}
