import type { RawId } from '../store/gitObjects'
import { stampWidth, type Shared } from './lookList'
import { isStopped } from './scanFlags'
import { readOutcomes, type ReadFiles, type SentFiles } from './scanMessages'
import { isLinkMode, readHeld, streamHeld, type ReadStamp } from './stamps'

/** What reading needs besides the files. */
export interface ReadWorld {
  /** Takes a file's bytes and gives its id. */
  readonly store: (body: Uint8Array) => RawId
  /** The same piece by piece; null when there were fewer bytes. */
  readonly storeStream: (size: number, read: (into: Buffer) => number) => RawId | null
  readonly shared: Shared
  /** When no more is begun. */
  readonly untilMs: number
  readonly onRead: () => void
}

/** Larger files are not held in memory as a whole. */
const streamFrom = 2 << 20

const noId = ' '.repeat(20)

/** Reads and stores files. Null when it was stopped. */
export function readFiles({ places, stamps }: Omit<SentFiles, 'claim'>, { store, storeStream, shared, untilMs, onRead }: ReadWorld): ReadFiles | null {
  const outcomes = new Uint8Array(places.length)
  const readAtMs = new Float64Array(places.length)
  let ids = ''
  for (const [i, place] of places.entries()) {
    if (isStopped(shared.flags)) return null
    const now = Date.now()
    const read = now > untilMs ? ({ kind: 'time-budget' } as const) : readOne(place, stampAt(stamps, i), { store, storeStream })
    outcomes[i] = readOutcomes.indexOf(read.kind)
    readAtMs[i] = now
    ids += read.id ?? noId
    Atomics.add(shared.seen, 0, 1)
    onRead()
  }
  return { outcomes, ids, readAtMs }
}

interface ReadOne {
  readonly kind: (typeof readOutcomes)[number]
  readonly id?: RawId
}

function readOne(place: string, stamp: ReadStamp, { store, storeStream }: Pick<ReadWorld, 'store' | 'storeStream'>): ReadOne {
  if (stamp.size > streamFrom && !isLinkMode(stamp.mode)) {
    const read = streamHeld(place, stamp, storeStream)
    if (read.kind === 'stored') return { kind: read.isSteady ? 'steady' : 'moved', id: read.id }
    if (read.kind !== 'torn') return read
  }
  const read = readHeld(place, stamp)
  return read.kind === 'read' ? { kind: read.isSteady ? 'steady' : 'moved', id: store(read.body) } : read
}

function stampAt(stamps: BigInt64Array, i: number): ReadStamp {
  const at = (part: number): bigint => stamps[i * stampWidth + part] ?? 0n
  return { mtimeNs: at(0), ctimeNs: at(1), size: at(2), ino: at(3), mode: at(4) }
}
